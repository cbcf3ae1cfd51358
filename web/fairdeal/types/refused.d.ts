/**
 * A value as shown in a message: short, on one line, without characters that change how it is
 * displayed.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value: unknown): string;
/**
 * A text as shown in a message, without quotes.
 * @param {string} text
 * @returns {string}
 */
export function plain(text: string): string;
/**
 * An input that the specification refuses, or that cannot be read. The message says what was
 * expected, what was found, and where.
 */
export class Refused extends Error {
    /**
     * @param {string} code a word for programs: the test vectors name it
     * @param {string} message for people
     */
    constructor(code: string, message: string);
    /** A word for programs. @type {string} */
    code: string;
}
