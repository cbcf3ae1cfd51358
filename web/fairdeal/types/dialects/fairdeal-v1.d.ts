/**
 * @param {string} text
 * @returns {Clear[]}
 */
export function readLines(text: string): Clear[];
/** @type {import("./round.js").Dialect} */
export const fairdealV1: import("./round.js").Dialect;
export type Clear = import("../contribution.js").Clear;
export type Cells = import("./columns.js").Cells;
export type Method = import("../shuffle.js").Method;
/**
 * A row's inputs of the deal, in addition to the columns of all schemes.
 */
export type Deal = {
    contributions: Clear[];
    deck: string;
    method: Method;
};
