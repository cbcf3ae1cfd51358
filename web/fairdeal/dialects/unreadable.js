// The error for a row that cannot be read. It never leaves this folder: a caller gets a verdict,
// not an exception.

import { shown as shownText } from "../refused.js";

/** A row, or one of its columns, does not have the form of spec/dialects.md, section 16.2. */
export class Unreadable extends Error {
  /** @param {string} message what was expected and what was found */
  constructor(message) {
    super(message);
    this.name = "Unreadable";
  }
}

/**
 * A value as quoted in a message: as JSON, at most one line.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  if (value === undefined || value === null) return "nothing";
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return shownText(value);
}

/** A JSON number as written, because a double changes `7.10` and `1e400`. */
export class JsonNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}
