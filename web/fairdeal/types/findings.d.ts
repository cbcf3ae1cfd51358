/**
 * The row of a code in the table.
 * @param {string} code
 * @returns {number}
 */
export function rankOf(code: string): number;
/**
 * The order of findings in an audit: those without an index first, then by index, then by the table.
 * @param {{code: string, index: number | null}} a
 * @param {{code: string, index: number | null}} b
 * @returns {number}
 */
export function inOrder(a: {
    code: string;
    index: number | null;
}, b: {
    code: string;
    index: number | null;
}): number;
/**
 * A violation of a rule.
 * @typedef {object} Finding
 * @property {string} code
 * @property {number | null} index of the entry
 * @property {string | null} commitment
 * @property {number | null} nonce
 * @property {string} says for people
 */
/** Every code, in the order of the table. */
export const CODES: string[];
/**
 * A violation of a rule.
 */
export type Finding = {
    code: string;
    /**
     * of the entry
     */
    index: number | null;
    commitment: string | null;
    nonce: number | null;
    /**
     * for people
     */
    says: string;
};
