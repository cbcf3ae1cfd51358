/**
 * @param {unknown} value
 * @param {string} column
 * @returns {string}
 */
export function readText(value: unknown, column: string): string;
/**
 * Whether every surrogate of a text stands in a pair. (`String.prototype.isWellFormed` is younger than some browsers.)
 * @param {string} text
 * @returns {boolean}
 */
export function isWellFormed(text: string): boolean;
/**
 * @param {unknown} value
 * @param {number} digits how many there must be
 * @param {string} column
 * @returns {string} as it was written
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
 * Hundredths as a multiplier is written: at least two digits after the point.
 * @param {bigint} cents
 * @returns {string}
 */
export function centsText(cents: bigint): string;
export type Written = import("./unreadable.js").JsonNumber;
/**
 * A decimal number, exactly: `cents` is null if it is no number of hundredths that a scheme can reach.
 */
export type Decimal = {
    cents: bigint | null;
    text: string;
};
