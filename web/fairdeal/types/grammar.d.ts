/**
 * Whether a value is an object with exactly these members.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {value is JsonObject}
 */
export function has(value: Json, must: Record<string, Test>, may?: Record<string, Test>): value is JsonObject;
/**
 * What is wrong with a value that must be an object with these members: the first one that is missing, unknown or of
 * another shape; null if nothing is.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {string | null}
 */
export function fault(value: Json, must: Record<string, Test>, may?: Record<string, Test>): string | null;
/** @param {Json} value @returns {boolean} */
export function isSeen(value: Json): boolean;
/**
 * Whether a value is what a player keeps of a contribution (spec/receipt.md, section 11.8).
 * @param {Json} value
 * @returns {boolean}
 */
export function isKept(value: Json): boolean;
/** Judges entries, and remembers why the last one was refused. */
export class Grammar {
    says: string;
    /**
     * @param {JsonObject} value canonical
     * @returns {boolean}
     */
    entry(value: JsonObject): boolean;
}
export type Json = import("./json.js").Json;
export type JsonObject = import("./json.js").JsonObject;
export type Test = (value: Json) => boolean;
