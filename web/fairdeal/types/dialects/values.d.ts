/**
 * @param {unknown} value
 * @param {string} column
 * @returns {string}
 */
export function readText(value: unknown, column: string): string;
/**
 * Whether every surrogate of a text is in a pair. (`String.prototype.isWellFormed` is younger than
 * some browsers.)
 * @param {string} text
 * @returns {boolean}
 */
export function isWellFormed(text: string): boolean;
/**
 * @param {unknown} value
 * @param {number} digits the required number of digits
 * @param {string} column
 * @returns {string} as written
 */
export function readHex(value: unknown, digits: number, column: string): string;
/**
 * @param {unknown} value
 * @param {string} column
 * @returns {number}
 */
export function readInteger(value: unknown, column: string): number;
/**
 * @param {unknown} value
 * @param {string} column
 * @returns {Decimal}
 */
export function readDecimal(value: unknown, column: string): Decimal;
/**
 * @param {unknown} value
 * @param {string} column
 * @returns {boolean}
 */
export function readFlag(value: unknown, column: string): boolean;
/**
 * Hundredths written as a multiplier: at least two digits after the point.
 * @param {bigint} cents
 * @returns {string}
 */
export function centsText(cents: bigint): string;
export type Written = import("./unreadable.js").JsonNumber;
/**
 * A decimal number, exactly: `cents` is null if no scheme can give this number of hundredths.
 */
export type Decimal = {
    cents: bigint | null;
    text: string;
};
