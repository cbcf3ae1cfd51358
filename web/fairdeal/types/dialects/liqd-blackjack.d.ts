/** @type {import("./round.js").Dialect} */
export const liqdBlackjack: import("./round.js").Dialect;
