/**
 * How a value is quoted in a message: as JSON, and not more than a line of it.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value: unknown): string;
/** A row, or one of its columns, does not have the form of spec/dialects.md, section 16.2. */
export class Unreadable extends Error {
    /** @param {string} message what was expected and what came */
    constructor(message: string);
}
/** A JSON number as it was written: `7.10` and `1e400` are not what a double makes of them. */
export class JsonNumber {
    /** @param {string} text */
    constructor(text: string);
    text: string;
}
