// The forms of a column's value (spec/dialects.md, section 16.2). Each reader gives the value or
// throws Unreadable.

import { JsonNumber, Unreadable, shown } from "./unreadable.js";

/** @typedef {import("./unreadable.js").JsonNumber} Written */

/** The largest integer of a column: 2^53 − 1. */
const MOST = "9007199254740991";

/**
 * A number's text: as written in the file, or as JavaScript writes a plain object's number.
 * @param {unknown} value
 * @returns {string | null} null if it is not a number
 */
function numberText(value) {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

/**
 * @param {unknown} value
 * @param {string} column
 * @returns {string}
 */
export function readText(value, column) {
  if (typeof value !== "string" || value === "") {
    throw new Unreadable(`${column}: expected a text, found ${shown(value)}`);
  }
  if (!isWellFormed(value))
    throw new Unreadable(`${column}: expected a text, found a text with half a character`);
  return value;
}

/**
 * A text without these characters at its ends. (A regular expression that ends with `+$` takes the
 * square of a text's length.)
 * @param {string} text
 * @param {RegExp} one matches one character
 * @returns {string}
 */
export function trimmed(text, one) {
  let [start, end] = [0, text.length];
  while (start < end && one.test(text[start])) start++;
  while (end > start && one.test(text[end - 1])) end--;
  return text.slice(start, end);
}

/**
 * Whether every surrogate of a text is in a pair. (`String.prototype.isWellFormed` is younger than
 * some browsers.)
 * @param {string} text
 * @returns {boolean}
 */
export function isWellFormed(text) {
  // In Unicode mode a pair is one character, so only a lone surrogate is of this category.
  return !/\p{Cs}/u.test(text);
}

/**
 * @param {unknown} value
 * @param {number} digits the required number of digits
 * @param {string} column
 * @returns {string} as written
 */
export function readHex(value, digits, column) {
  if (typeof value === "string" && value.length === digits && /^[0-9A-Fa-f]*$/.test(value))
    return value;
  const what =
    typeof value === "string" && value.length !== digits ? `${value.length} characters, ` : "";
  throw new Unreadable(`${column}: expected ${digits} hex digits, found ${what}${shown(value)}`);
}

/**
 * @param {unknown} value
 * @param {string} column
 * @returns {number}
 */
export function readInteger(value, column) {
  const text = typeof value === "string" ? value : numberText(value);
  const isOne = text !== null && /^(?:0|[1-9][0-9]{0,15})$/.test(text);
  if (!isOne || (text.length === MOST.length && text > MOST)) {
    throw new Unreadable(
      `${column}: expected a whole number from 0 to 2^53 - 1, found ${shown(value)}`,
    );
  }
  return Number(text);
}

/**
 * A decimal number, exactly: `cents` is null if no scheme can give this number of hundredths.
 * @typedef {{cents: bigint | null, text: string}} Decimal
 */

const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const TEXT = /^(\d+)(?:\.(\d+))?$/;
const COMMA = /^(\d+),(\d+)$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * No scheme gives 10^18 hundredths. A longer number differs from every result and need not be
 * expanded.
 */
const LONGEST = 18;

/**
 * @param {string} whole digits before the point
 * @param {string} fraction digits after it
 * @param {string} exponent
 * @returns {bigint | null} hundredths
 */
function centsOf(whole, fraction, exponent) {
  const digits = whole + fraction;
  const kept = trimmed(digits, /0/);
  if (kept === "") return 0n;
  const zerosAfter = digits.length - 1 - digits.lastIndexOf(kept[kept.length - 1]);
  // An exponent with more digits than a double holds counts as infinite.
  const shift = 2 + Number(exponent) - fraction.length + zerosAfter;
  if (shift < 0 || kept.length + shift > LONGEST) return null;
  return BigInt(kept + "0".repeat(shift));
}

/**
 * The text of a number without its last "x", with a point and without other commas.
 * @param {string} text
 * @param {string} column
 * @returns {string}
 */
function withPoint(text, column) {
  const number = text.replace(/[xX×]$/, "");
  const [, whole, part] = COMMA.exec(number) ?? [];
  if (part?.length === 3) {
    throw new Unreadable(
      `${column}: expected a multiplier with a point, or without the comma, found ${shown(text)}, which is ${whole}.${part} or ${whole}${part}`,
    );
  }
  if (part !== undefined) return `${whole}.${part}`;
  return GROUPED.test(number) ? number.replaceAll(",", "") : number;
}

/**
 * @param {unknown} value
 * @param {string} column
 * @returns {Decimal}
 */
export function readDecimal(value, column) {
  const number = typeof value === "string" ? null : numberText(value);
  const match =
    typeof value === "string"
      ? TEXT.exec(withPoint(value, column))
      : number === null
        ? null
        : NUMBER.exec(number);
  if (match === null) {
    throw new Unreadable(`${column}: expected a multiplier such as 1.83, found ${shown(value)}`);
  }
  const cents = centsOf(match[1], match[2] ?? "", match[3] ?? "0");
  return { cents, text: number ?? String(value).replace(/[xX×]$/, "") };
}

/**
 * @param {unknown} value
 * @param {string} column
 * @returns {boolean}
 */
export function readFlag(value, column) {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "false") return text === "true";
  throw new Unreadable(`${column}: expected true or false, found ${shown(value)}`);
}

/**
 * Hundredths written as a multiplier: at least two digits after the point.
 * @param {bigint} cents
 * @returns {string}
 */
export function centsText(cents) {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
