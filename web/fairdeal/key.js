// Verifier keys (spec/ledger.md, section 10.3).

import { base64OrNull, concat, toBase64, toHex, utf8 } from "./bytes.js";
import { isPoint } from "./ed25519.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

/** The first byte of a log's key, and of a witness's (spec/witness.md, section 24.2). */
const LOG = 0x01;
const WITNESS = 0x04;

/**
 * @typedef {object} Key
 * @property {string} name the log's origin, or the witness's name
 * @property {string} id 8 hexadecimal digits
 * @property {Uint8Array} publicKey 32 bytes
 */

const NOT_IN_NAMES =
  /[+\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\p{Cc}\p{Cs}]/u;

/**
 * Whether a value is a legal name of a key.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isName(value) {
  return typeof value === "string" && value.length > 0 && !NOT_IN_NAMES.test(value);
}

/**
 * The ID of a name and an Ed25519 key.
 * @param {string} name
 * @param {Uint8Array} publicKey
 * @param {number} [type] the byte before the public key
 * @returns {string} 8 hexadecimal digits
 */
export function keyId(name, publicKey, type = LOG) {
  return toHex(sha256(concat(utf8(name), [0x0a, type], publicKey)).subarray(0, 4));
}

/**
 * Reads a log's verifier key.
 * @param {string} text
 * @returns {Key}
 * @throws {Refused} `key`
 */
export function readKey(text) {
  return readTyped(LOG, text);
}

/**
 * Reads a witness's verifier key.
 * @param {string} text
 * @returns {Key}
 * @throws {Refused} `key`
 */
export function readWitnessKey(text) {
  return readTyped(WITNESS, text);
}

/**
 * @param {number} type the byte before the public key
 * @param {string} text
 * @returns {Key}
 * @throws {Refused} `key`
 */
function readTyped(type, text) {
  /** @param {string} why @returns {never} */
  const refuse = (why) => {
    throw new Refused("key", `expected a verifier key, NAME+ID+BASE64; ${why}: ${shown(text)}`);
  };
  if (typeof text !== "string") refuse("this is no text");
  if (text.startsWith("PRIVATE+KEY+")) {
    // The text is not repeated: a message may be stored somewhere.
    throw new Refused(
      "key",
      "this is a signing key, which must stay secret: expected the verifier key that belongs to it",
    );
  }
  // A name has no plus sign, but base64 may have one: the first two plus signs are the separators.
  const found = /^([^+]*)\+([0-9a-f]{8})\+([^\n]*)$/u.exec(text);
  if (found === null) return refuse("this has another form");
  const [, name, id, base64] = found;
  if (!isName(name)) refuse("the name is not legal");
  const bytes = base64OrNull(base64);
  if (bytes === null || bytes.length !== 33 || bytes[0] !== type)
    return refuse(`the key is not base64 of 0x0${type} and 32 bytes`);
  const publicKey = bytes.slice(1);
  if (keyId(name, publicKey, type) !== id)
    refuse(`the ID of this name and key is ${keyId(name, publicKey, type)}`);
  if (!isPoint(publicKey)) refuse("the public key is no point, or one of small order");
  return { name, id, publicKey };
}

/**
 * Reads a verifier key that was given as its text, or as the text of its file: with at most one
 * line end, perhaps after a byte order mark (spec/receipt.md, section 11.9).
 * @param {string} text
 * @returns {Key}
 * @throws {Refused} `key`
 */
export function givenKey(text) {
  if (typeof text !== "string") return readKey(text);
  const line = text.replace(/\r?\n$/, "");
  // A log's name may begin with a byte order mark.
  const bare = line.replace(/^\ufeff/, "");
  return readKey(isKeyText(line) ? line : bare);
}

/**
 * Whether a value is the text of a verifier key.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isKeyText(value) {
  try {
    return typeof value === "string" && readKey(value) !== null;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/**
 * The text of a log's verifier key.
 * @param {Key} key
 * @returns {string}
 */
export function keyText({ name, id, publicKey }) {
  return `${name}+${id}+${toBase64(concat([LOG], publicKey))}`;
}
