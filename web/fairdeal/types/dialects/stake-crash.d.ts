/** @type {import("./round.js").Dialect} */
export const stakeCrash: import("./round.js").Dialect;
