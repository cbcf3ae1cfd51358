/** @typedef {"shuffle" | "cycle"} Method */
/**
 * Called for each swap.
 * @callback Watch
 * @param {number} i the higher position
 * @param {number} j the chosen position
 * @param {Uint32Array} order after the swap
 * @returns {void}
 */
/**
 * Refuses an invalid method, number of items or draw.
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
 * Called for each swap.
 */
export type Watch = (i: number, j: number, order: Uint32Array) => void;
