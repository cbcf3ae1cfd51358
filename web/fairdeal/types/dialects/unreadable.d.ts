/**
 * A value as quoted in a message: as JSON, at most one line.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value: unknown): string;
/** A row, or one of its columns, does not have the form of spec/dialects.md, section 16.2. */
export class Unreadable extends Error {
    /** @param {string} message what was expected and what was found */
    constructor(message: string);
}
/** A JSON number as written, because a double changes `7.10` and `1e400`. */
export class JsonNumber {
    /** @param {string} text */
    constructor(text: string);
    text: string;
}
