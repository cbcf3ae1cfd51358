/**
 * The text that a beacon's value becomes when its bytes are read as UTF-8.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function lossyText(bytes: Uint8Array): string;
/** @type {import("./round.js").Dialect} */
export const duelCrash: import("./round.js").Dialect;
export type Round = import("./round.js").Round;
