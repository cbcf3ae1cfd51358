/**
 * A beacon's value, with its bytes read as UTF-8 text.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function lossyText(bytes: Uint8Array): string;
/** @type {import("./round.js").Dialect} */
export const duelCrash: import("./round.js").Dialect;
export type Round = import("./round.js").Round;
