/** @type {import("./round.js").Dialect} */
export const duelVideoPoker: import("./round.js").Dialect;
export type Round = import("./round.js").Round;
