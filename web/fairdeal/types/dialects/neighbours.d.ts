/**
 * @param {Dialect} dialect
 * @returns {Change[]}
 */
export function neighbourChanges(dialect: Dialect): Change[];
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Change = import("./changes.js").Change;
/**
 * A part of a record that may come from another row: its name, and the columns that belong to it.
 */
export type Part = {
    code: string;
    says: string;
    columns: (keyof Round)[];
    touches: Change["touches"];
};
