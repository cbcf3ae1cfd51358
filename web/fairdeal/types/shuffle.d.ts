/** @typedef {"shuffle" | "cycle"} Method */
/**
 * One swap, as a spectator sees it.
 * @callback Watch
 * @param {number} i the higher position
 * @param {number} j the chosen one
 * @param {Uint32Array} order after the swap
 * @returns {void}
 */
/**
 * Refuses a method, a number of items or a draw that no deal can have.
 * @param {unknown} method
 * @param {unknown} items
 * @param {unknown} draw
 * @throws {Refused} `method`, `items` or `draw`
 */
export function checkDraw(method: unknown, items: unknown, draw: unknown): void;
/**
 * The deal: the numbers of the items drawn, in deal order.
 * @param {Method} method
 * @param {number} items
 * @param {number} draw
 * @param {{next(): number}} words
 * @param {Watch} [watch]
 * @returns {Uint32Array}
 * @throws {Refused}
 */
export function order(method: Method, items: number, draw: number, words: {
    next(): number;
}, watch?: Watch): Uint32Array;
export type Method = "shuffle" | "cycle";
/**
 * One swap, as a spectator sees it.
 */
export type Watch = (i: number, j: number, order: Uint32Array) => void;
