/**
 * @param {Card} card
 * @returns {string} such as `10H`
 */
export function cardText(card: Card): string;
/**
 * Reads the value of a column of cards: a list of cards, or a text of them.
 * @param {unknown} value
 * @param {string} column
 * @returns {Card[]}
 * @throws {Unreadable}
 */
export function readCards(value: unknown, column: string): Card[];
/**
 * @param {Card[]} cards
 * @returns {string}
 */
export function cardsText(cards: Card[]): string;
/**
 * A deck of 52: its suits in order, and whether it is sorted by rank or by suit.
 * @typedef {{suits: string, inner: "suit" | "rank", ace: "low" | "high"}} DeckOrder
 */
/**
 * @param {DeckOrder} order `inner` is the part that changes from each card to the next
 * @returns {Card[]}
 */
export function deckOf({ suits, inner, ace }: DeckOrder): Card[];
/**
 * Several decks, one after the other.
 * @param {Card[]} deck
 * @param {number} copies
 * @returns {Card[]}
 */
export function repeated(deck: Card[], copies: number): Card[];
/** @type {DeckOrder} 2D 2H 2S 2C 3D … AC */
export const RANK_MAJOR: DeckOrder;
/** @type {DeckOrder} AC 2C … KC AH … KD, of which a shoe has eight */
export const SHOE: DeckOrder;
/** The named decks of spec/shuffle.md, section 6.1. */
export const NAMED_DECKS: Map<string, number[]>;
/**
 * A deck of 52: its suits in order, and whether it is sorted by rank or by suit.
 */
export type DeckOrder = {
    suits: string;
    inner: "suit" | "rank";
    ace: "low" | "high";
};
export type Card = number;
