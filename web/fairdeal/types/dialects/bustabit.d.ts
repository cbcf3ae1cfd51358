/**
 * @param {Uint8Array} digest
 * @returns {number} its first 13 hexadecimal digits
 */
export function first52(digest: Uint8Array): number;
export const SALT: "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be";
/** The game whose hash is the end of the chain. */
export const FIRST_GAME: 10000000;
/** The last place whose game was dealt by another method. */
export const LAST_OTHER: 2279450;
/** @type {import("./round.js").Dialect} */
export const bustabit: import("./round.js").Dialect;
