// Checkpoints (C2SP tlog-checkpoint; spec/ledger.md, section 10.4).

import { base64OrNull, toBase64, toHex, utf8 } from "./bytes.js";
import { verify } from "./ed25519.js";
import { EMPTY_ROOT } from "./merkle.js";
import { readNote, verifyNote } from "./note.js";
import { Refused, plain, shown } from "./refused.js";

/** The largest tree. */
export const LARGEST = 2n ** 63n - 1n;

/**
 * @typedef {object} Checkpoint
 * @property {string} origin
 * @property {bigint} size a tree may be larger than a double can count
 * @property {string} root hexadecimal
 * @property {string[]} extensions
 */

/**
 * Reads a checkpoint from the text of a note.
 * @param {string} text
 * @returns {Checkpoint}
 * @throws {Refused} `checkpoint-malformed`
 */
export function readCheckpoint(text) {
  /** @param {string} why @returns {never} */
  const refuse = (why) => {
    throw new Refused("checkpoint-malformed", `expected a checkpoint; ${why}`);
  };
  if (!text.endsWith("\n")) refuse("its last line is not ended");
  const [origin, digits, root, ...extensions] = text.slice(0, -1).split("\n");
  if (root === undefined) refuse("it has fewer than three lines");
  if (origin === "") refuse("it has no origin");
  if (!/^(?:0|[1-9][0-9]{0,18})$/.test(digits))
    refuse(`its size is ${shown(digits)}, not a number from 0 to 2^63 − 1`);
  const size = BigInt(digits);
  if (size > LARGEST) refuse(`its size is ${digits}, over 2^63 − 1`);
  const hash = base64OrNull(root);
  if (hash === null || hash.length !== 32)
    return refuse(`its root is ${shown(root)}, not base64 of 32 bytes`);
  if (size === 0n && toHex(hash) !== EMPTY_ROOT)
    refuse("its size is 0, and its root is not that of the empty tree");
  if (extensions.includes("")) refuse("it has an empty line");
  return { origin, size, root: toHex(hash), extensions };
}

/**
 * The text that the log's key signs for a tree, without extension lines.
 * @param {string} origin
 * @param {number | bigint} size
 * @param {Uint8Array} root
 * @returns {string}
 */
export function checkpointText(origin, size, root) {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * A checkpoint as far as it can be read, and its fault.
 * @typedef {object} Opened
 * @property {Checkpoint | null} checkpoint null if it is not a note, or its text is not a
 * checkpoint
 * @property {string | null} bad why it is a `bad-signature`
 * @property {boolean | null} signed whether the key signed it; null if this platform cannot say
 * @property {string} signers the name and ID of each signature, for messages
 */

/**
 * The checkpoint of a note, if the key signed it, whatever else is in the note (spec/receipt.md,
 * section 11.4; spec/audit.md, section 13.4): another line may not verify, and the text may have
 * extension lines.
 * @param {Uint8Array} bytes
 * @param {import("./key.js").Key} key
 * @returns {Promise<Checkpoint | null>}
 */
export async function signedCheckpoint(bytes, key) {
  /** @type {import("./note.js").Note} */
  let note;
  /** @type {Checkpoint} */
  let checkpoint;
  try {
    note = readNote(bytes);
    checkpoint = readCheckpoint(note.text);
  } catch (error) {
    refusalOf(error);
    return null;
  }
  if (checkpoint.origin !== key.name) return null;
  const { text, signatures } = note;
  const own = signatures.filter(({ name, id }) => name === key.name && id === key.id);
  const checks = own.map((each) => verify(key.publicKey, utf8(text), each.bytes));
  return (await Promise.all(checks)).includes(true) ? checkpoint : null;
}

/**
 * Opens a checkpoint with the log's key.
 * @param {Uint8Array} bytes
 * @param {import("./key.js").Key} key
 * @returns {Promise<Opened>}
 */
export async function openCheckpoint(bytes, key) {
  /** @type {Opened} */
  const opened = { checkpoint: null, bad: null, signed: false, signers: "nobody" };
  try {
    const note = readNote(bytes);
    opened.signers = note.signatures.map(({ name, id }) => `${name}+${id}`).join(", ");
    try {
      opened.signed = (await verifyNote(note, [key])) === null ? null : true;
    } catch (error) {
      opened.bad = refusalOf(error);
    }
    opened.checkpoint = readCheckpoint(note.text);
    const other = otherSigner(note, key);
    if (other !== null)
      opened.bad = `this log is ${plain(other)}; your key is ${plain(key.name)}+${key.id}: the name is the same, the key is another`;
  } catch (error) {
    opened.bad = opened.bad ?? refusalOf(error);
    return opened;
  }
  const { origin, extensions } = opened.checkpoint;
  if (origin !== key.name)
    opened.bad ??= `the origin is ${shown(origin)}, the key is of ${shown(key.name)}`;
  if (extensions.length > 0) opened.bad ??= "the checkpoint has extension lines";
  return opened;
}

/**
 * The other key of the same name that a checkpoint names as its log's, if the key itself is not
 * among its signers. Nothing is verified: this is only the file's claim.
 * @param {import("./note.js").Note} note
 * @param {import("./key.js").Key} key
 * @returns {string | null} its name and ID
 */
export function otherSigner({ text, signatures }, { name, id }) {
  if (!text.startsWith(`${name}\n`)) return null;
  const own = signatures.filter((each) => each.name === name);
  return own.length === 0 || own.some((each) => each.id === id) ? null : `${name}+${own[0].id}`;
}

/**
 * The message of a refusal. Any other error is a fault of this program.
 * @param {unknown} error
 * @returns {string}
 */
export function refusalOf(error) {
  if (error instanceof Refused) return error.message;
  throw error;
}
