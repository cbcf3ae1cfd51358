/**
 * Whether a value is an object with exactly these members.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {value is JsonObject}
 */
export function has(value: Json, must: Record<string, Test>, may?: Record<string, Test>): value is JsonObject;
/**
 * The fault of a value that must be an object with these members: the first missing, unknown or
 * wrong member; null if there is none.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {string | null}
 */
export function fault(value: Json, must: Record<string, Test>, may?: Record<string, Test>): string | null;
/** @param {Json} value @returns {boolean} */
export function isSeen(value: Json): boolean;
/**
 * Whether a value is a player's own contribution (spec/receipt.md, section 11.8).
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
