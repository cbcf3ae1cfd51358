// Signed notes (C2SP signed-note; spec/ledger.md, section 10.3).

import { base64OrNull, textOrNull, toHex, utf8 } from "./bytes.js";
import { verify } from "./ed25519.js";
import { isName } from "./key.js";
import { Refused, shown } from "./refused.js";

/** The maximum number of bytes of a note. */
export const LONGEST_NOTE = 1_000_000;
const MOST_SIGNATURES = 100;

/**
 * @typedef {object} Signature
 * @property {string} name of the key
 * @property {string} id 8 hexadecimal digits
 * @property {Uint8Array} bytes without the ID
 */

/**
 * @typedef {object} Note
 * @property {string} text with its last newline, without the empty line
 * @property {Signature[]} signatures
 */

/**
 * @param {string} why
 * @returns {never}
 */
function malformed(why) {
  throw new Refused("note-malformed", `expected a signed note; ${why}`);
}

/**
 * Splits a note into its parts. Nothing is verified.
 * @param {Uint8Array} bytes
 * @returns {Note}
 * @throws {Refused} `note-malformed`
 */
export function readNote(bytes) {
  if (bytes.length > LONGEST_NOTE)
    malformed(`it has ${bytes.length} bytes, the most are ${LONGEST_NOTE}`);
  const text = textOrNull(bytes);
  if (text === null) return malformed("it is not UTF-8");
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text))
    malformed("it has a control character other than the newline");
  const end = text.lastIndexOf("\n\n");
  if (end < 0) malformed("no empty line separates its text from its signatures");
  const lines = text.slice(end + 2);
  if (lines === "" || !lines.endsWith("\n"))
    malformed("its last line is no signature line, or is not ended");
  const signatures = lines.slice(0, -1).split("\n");
  if (signatures.length > MOST_SIGNATURES)
    malformed(`it has ${signatures.length} signatures, the most are ${MOST_SIGNATURES}`);
  return { text: text.slice(0, end + 1), signatures: signatures.map(readSignature) };
}

/**
 * Reads a signature line. Nothing is verified.
 * @param {string} line without its newline
 * @returns {Signature}
 * @throws {Refused} `note-malformed`
 */
export function readSignature(line) {
  const found = /^\u2014 ([^ ]*) ([^ ]*)$/u.exec(line);
  if (found === null || !isName(found[1]))
    return malformed(`this is no signature line: ${shown(line)}`);
  const bytes = base64OrNull(found[2]);
  if (bytes === null) return malformed(`this signature is not base64: ${shown(line)}`);
  if (bytes.length < 5) return malformed(`this signature has fewer than 5 bytes: ${shown(line)}`);
  return { name: found[1], id: toHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) };
}

/**
 * The keys that signed a note, in the note's order.
 * @param {Note} note
 * @param {readonly import("./key.js").Key[]} keys
 * @returns {Promise<string[] | null>} names of keys; null if this platform cannot verify signatures
 * @throws {Refused} `note-unverified`, if no key did, or a line of a known key does not verify
 */
export async function verifyNote({ text, signatures }, keys) {
  const message = utf8(text);
  const names = new Set();
  let known = 0;
  let unknown = false;
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((each) => each.name === name && each.id === id);
    if (key === undefined) continue;
    known++;
    const holds = await verify(key.publicKey, message, bytes);
    if (holds === false)
      throw new Refused(
        "note-unverified",
        `the signature of ${shown(name)} (${id}) does not verify`,
      );
    if (holds === null) unknown = true;
    names.add(name);
  }
  if (known === 0) {
    const signers = signatures.map(({ name, id }) => `${shown(name)} (${id})`).join(", ");
    throw new Refused(
      "note-unverified",
      `expected a signature of a known key, found those of ${signers}`,
    );
  }
  return unknown ? null : [...names];
}
