// The one error of this package.

/**
 * An input that the specification refuses, or that cannot be read. The message says what was
 * expected, what was found, and where.
 */
export class Refused extends Error {
  /**
   * @param {string} code a word for programs: the test vectors name it
   * @param {string} message for people
   */
  constructor(code, message) {
    super(message);
    this.name = "Refused";
    /** A word for programs. @type {string} */
    this.code = code;
  }
}

/**
 * A value as shown in a message: short, on one line, without characters that change how it is
 * displayed.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  return plain(typeof value === "string" ? JSON.stringify(value) : String(value));
}

/**
 * A text as shown in a message, without quotes.
 * @param {string} text
 * @returns {string}
 */
export function plain(text) {
  const cut = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return cut.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`,
  );
}
