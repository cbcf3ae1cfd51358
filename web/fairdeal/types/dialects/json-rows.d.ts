/**
 * The value of a whole text.
 * @param {string} text
 * @param {number} [at]
 * @param {number} [end]
 * @returns {unknown}
 * @throws {JsonFault}
 */
export function parseWhole(text: string, at?: number, end?: number): unknown;
/** The text is not JSON at a place. */
export class JsonFault extends Error {
    /**
     * @param {string} message
     * @param {number} at
     */
    constructor(message: string, at: number);
    at: number;
}
/** A JSON object with its members in order, and the first name that occurs twice. */
export class JsonObject {
    /** @type {Map<string, unknown>} */
    members: Map<string, unknown>;
    /** @type {string | null} */
    twice: string | null;
    /** @param {string} name @param {unknown} value */
    put(name: string, value: unknown): void;
}
/** Reads values from a text, one after the other. Nesting is kept in a list: no depth exhausts the call stack. */
export class JsonReader {
    /**
     * @param {string} text
     * @param {number} [at] where to begin
     * @param {number} [end] where the text ends
     */
    constructor(text: string, at?: number, end?: number);
    text: string;
    at: number;
    end: number;
    /** @returns {string} the next character that is not white space, or "" at the end */
    peek(): string;
    /** @param {string} expected @returns {never} */
    refuse(expected: string): never;
    /** @param {string} character @param {string} expected */
    take(character: string, expected: string): void;
    /**
     * @param {string} character
     * @returns {boolean} whether the next character is this one; then it is taken
     */
    takes(character: string): boolean;
    /** @returns {string} a name of a member, with the colon after it taken */
    name(): string;
    /** @returns {unknown} */
    value(): unknown;
    /** @returns {unknown} a whole value, or an empty list or object that was only opened */
    opening(): unknown;
    /** @returns {string} */
    string(): string;
    /** @returns {string} */
    escape(): string;
}
