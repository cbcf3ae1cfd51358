/**
 * The statements of a dialect.
 * @param {import("./round.js").Dialect} dialect
 * @returns {Statement[]}
 */
export function statementsOf({ committed, reuse, limits }: import("./round.js").Dialect): Statement[];
export type Standing = "property" | "shown" | "in-part" | "in-the-log" | "not-shown";
export type Statement = {
    code: string;
    standing: Standing;
    says: string;
};
export type Reuse = import("./round.js").Dialect["reuse"];
