/**
 * @typedef {object} Layout
 * @property {number} hand how many cards each seat gets
 * @property {number[]} [board] how many cards each street has
 * @property {boolean} [burn] whether a card is burnt before each street
 */
/**
 * The place of a dealt item: a seat, a street, the burnt cards, or nobody.
 * @typedef {{seat: number, card: number} | {street: number} | {burnt: number} | null} Place
 */
/**
 * Whether a layout has room for a number of seats.
 * @param {Layout} layout
 * @param {number} draw
 * @param {number} seats
 * @returns {boolean}
 */
export function hasRoom(layout: Layout, draw: number, seats: number): boolean;
/**
 * The place of the item dealt t-th.
 * @param {Layout} layout
 * @param {number} seats how many
 * @param {number} t
 * @returns {Place}
 */
export function placeOf(layout: Layout, seats: number, t: number): Place;
export type Layout = {
    /**
     * how many cards each seat gets
     */
    hand: number;
    /**
     * how many cards each street has
     */
    board?: number[] | undefined;
    /**
     * whether a card is burnt before each street
     */
    burn?: boolean | undefined;
};
/**
 * The place of a dealt item: a seat, a street, the burnt cards, or nobody.
 */
export type Place = {
    seat: number;
    card: number;
} | {
    street: number;
} | {
    burnt: number;
} | null;
