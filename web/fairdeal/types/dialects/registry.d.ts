/**
 * The dialect of this name.
 * @param {unknown} name
 * @returns {Dialect}
 * @throws {Refused} `usage`
 */
export function dialectNamed(name: unknown): Dialect;
/** @typedef {import("./round.js").Dialect} Dialect */
/** @type {readonly Dialect[]} */
export const ALL: readonly Dialect[];
export type Dialect = import("./round.js").Dialect;
