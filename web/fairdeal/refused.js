// The errors of this package: one class, and a subclass for each kind.

/**
 * Every refusal: of an input (`Refused`), of the service (`Problem`), or for want of players
 * (`NobodyLeft`). The message says what was expected, what was found, and where.
 */
export class FairdealError extends Error {
  /**
   * @param {string} code a stable word for programs
   * @param {string} message for people
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    /** A stable word for programs. @type {string} */
    this.code = code;
  }
}

/**
 * An input that the specification refuses, or that cannot be read. The test vectors name its codes.
 */
export class Refused extends FairdealError {
  name = "Refused";
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
