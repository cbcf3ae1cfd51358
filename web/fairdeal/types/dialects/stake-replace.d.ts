/** @type {import("./round.js").Dialect} */
export const stakeReplace: import("./round.js").Dialect;
