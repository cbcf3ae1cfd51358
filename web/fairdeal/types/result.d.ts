/**
 * The form in which a deal's result is logged.
 * @param {Terms} terms
 * @returns {"cards" | "indices" | "digest" | "seal"}
 */
export function formOf({ sealed, deck, draw }: Terms): "cards" | "indices" | "digest" | "seal";
/**
 * The digest of the numbers of the items.
 * @param {ArrayLike<number>} dealt
 * @returns {string} hexadecimal
 */
export function digestOf(dealt: ArrayLike<number>): string;
/**
 * The text of a deal.
 * @param {string} deck
 * @param {ArrayLike<number>} dealt
 * @returns {string}
 */
export function cardText(deck: string, dealt: ArrayLike<number>): string;
/**
 * Why no seed gives this result, or null if some seed may.
 * @param {Result} result
 * @param {Terms} terms
 * @returns {string | null}
 */
export function impossible(result: Result, terms: Terms): string | null;
/**
 * Whether pairs of a place and its item close a cycle of fewer than `items` edges: no deal of method `cycle` has one.
 * @param {ReadonlyMap<number, number>} pairs
 * @param {number} items
 * @returns {boolean}
 */
export function closesEarly(pairs: ReadonlyMap<number, number>, items: number): boolean;
/** @typedef {import("./deck.js").ListDeck} ListDeck */
/**
 * One of four forms. The verdict on a receipt has the same members.
 * @typedef {{cards?: string, indices?: number[], digest?: string, seal?: string}} Result
 */
/**
 * The terms of a commit that decide its deals.
 * @typedef {object} Terms
 * @property {import("./shuffle.js").Method} method
 * @property {string | ListDeck} deck
 * @property {number} draw
 * @property {boolean} sealed
 */
/** A longer list is logged as a digest. */
export const MOST_INDICES: 1000;
export type ListDeck = import("./deck.js").ListDeck;
/**
 * One of four forms. The verdict on a receipt has the same members.
 */
export type Result = {
    cards?: string;
    indices?: number[];
    digest?: string;
    seal?: string;
};
/**
 * The terms of a commit that decide its deals.
 */
export type Terms = {
    method: import("./shuffle.js").Method;
    deck: string | ListDeck;
    draw: number;
    sealed: boolean;
};
