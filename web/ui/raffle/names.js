// The names in a file: a text in UTF-8, or as spreadsheets of Windows save it.

/** Control characters, which no list of names has. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/** A page, or the file with the entrants' links. */
const OTHER = /^\ufeff?\s*<(?:!doctype |html)|^[^\t\n]+\t[^\t\n]*#salt=/i;

/**
 * @param {Uint8Array} bytes
 * @returns {string | null} null if it is no text of names
 */
export function namesIn(bytes) {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const wide = first === 0xff ? "utf-16le" : "utf-16be";
  const text = isWide
    ? decoded(bytes, wide)
    : (decoded(bytes, "utf-8") ?? decoded(bytes, "windows-1252"));
  return text === null || CONTROLS.test(text) || OTHER.test(text) ? null : text;
}

/**
 * @param {Uint8Array} bytes
 * @param {string} encoding
 */
function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
