/**
 * The changes of a dialect's scheme: first those that are likelier than a change of the row, then
 * the others.
 * @param {Dialect} dialect
 * @param {readonly Dialect[]} all
 * @returns {{before: Change[], after: Change[]}}
 */
export function schemeChanges(dialect: Dialect, all: readonly Dialect[]): {
    before: Change[];
    after: Change[];
};
export type Dialect = import("./round.js").Dialect;
export type Scheme = import("./round.js").Scheme;
export type Change = import("./changes.js").Change;
export type Counts = import("./numbers.js").Counts;
export type Mapping = import("./numbers.js").Mapping;
export type Walk = import("./walk.js").Walk;
