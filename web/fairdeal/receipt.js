// The format of receipts and openings (spec/receipt.md, sections 11.1, 11.2 and 12.1).

import { base64OrNull, fromHex, isHex, utf8 } from "./bytes.js";
import { MOST_WAYS } from "./below.js";
import { readCheckpoint } from "./checkpoint.js";
import { isCommit, nonceOf, readEntry } from "./entry.js";
import { fault } from "./grammar.js";
import { isObject, readJson } from "./json.js";
import { readNote } from "./note.js";
import { Refused, shown } from "./refused.js";
import { MOST_SEALED } from "./seal.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./json.js").JsonObject} JsonObject
 */

/**
 * @typedef {object} ReceiptEntry
 * @property {number} index
 * @property {Uint8Array} bytes
 * @property {Uint8Array[]} proof
 * @property {import("./entry.js").Entry} read
 */

/**
 * @typedef {object} OpenedCard
 * @property {number} t
 * @property {number} item
 * @property {Uint8Array} salt
 */

/**
 * A size, the root that a log had at it, and the consistency proof from it to a checkpoint.
 * @typedef {{size: number, root: string, proof: Uint8Array[]}} Proved
 */

/**
 * @typedef {object} Receipt
 * @property {ReceiptEntry[]} entries
 * @property {Uint8Array} checkpoint a signed note
 * @property {Proved[]} seen
 * @property {{cardSeals: Uint8Array, opened: OpenedCard[]} | null} opening the card seals one after
 * the other
 */

/** @param {Json} value @returns {boolean} */
const isIndex = (value) => typeof value === "number";
/** @param {Json} value @returns {value is string} */
const isHash = (value) => isHex(value, 32);
/** @param {Json} value @returns {boolean} */
const isProof = (value) =>
  Array.isArray(value) && value.every((hash) => base64OrNull(hash)?.length === 32);
/**
 * @param {(value: Json) => boolean} test
 * @param {number} [most]
 * @returns {(value: Json) => boolean}
 */
const list =
  (test, most = Infinity) =>
  (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= most && value.every(test);

const ENTRY = {
  index: isIndex,
  entry: (/** @type {Json} */ value) => typeof value === "string",
  proof: isProof,
};
const SEEN = {
  size: (/** @type {Json} */ value) => typeof value === "number" && value >= 1,
  root: isHash,
  proof: isProof,
};
const RECEIPT = {
  format: (/** @type {Json} */ value) => value === "fairdeal/receipt/v1",
  entries: list(() => true),
  checkpoint: (/** @type {Json} */ value) => typeof value === "string",
};
const CARD = {
  t: (/** @type {Json} */ value) => typeof value === "number" && value < MOST_SEALED,
  item: (/** @type {Json} */ value) => typeof value === "number" && value < MOST_WAYS,
  salt: (/** @type {Json} */ value) => isHex(value, 16),
};
const OPENING = {
  format: (/** @type {Json} */ value) => value === "fairdeal/opening/v1",
  receipt: isObject,
  card_seals: list(isHash, MOST_SEALED),
  opened: list(() => true, MOST_SEALED),
};

/** A byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

/**
 * @param {string} why
 * @returns {never}
 */
function invalid(why) {
  throw new Refused("invalid-receipt", `expected a receipt or an opening; ${why}`);
}

/**
 * Reads a file as JSON.
 * @param {string | Uint8Array | object} input its text, its bytes, or the result of `JSON.parse`
 * @returns {Json}
 * @throws {Refused} `unavailable`
 */
export function readFile(input) {
  try {
    return readJson(fileOf(input));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(
      "unavailable",
      `expected a receipt or an opening, found no readable JSON: ${error.message}`,
    );
  }
}

/**
 * The text or the bytes of a file that was given as text, bytes or an object. One byte order mark is
 * passed over: some editors add it.
 * @param {unknown} input
 * @returns {string | Uint8Array}
 * @throws {Refused} `json`, if it is an object that has no JSON
 */
export function fileOf(input) {
  if (typeof input === "string") return input.startsWith("\ufeff") ? input.slice(1) : input;
  if (input instanceof Uint8Array)
    return MARK.every((byte, i) => input[i] === byte) ? input.subarray(3) : input;
  try {
    const text = JSON.stringify(input, (_, value) => {
      // Its text would be 0, which is an integer.
      if (Object.is(value, -0)) throw new Refused("json", "expected an integer, found -0");
      return value;
    });
    if (text === undefined) throw new Refused("json", `expected a file, found ${shown(input)}`);
    return text;
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("json", `expected an object that has a JSON text: ${shown(error)}`);
  }
}

/**
 * A receipt or an opening, if it is one.
 * @param {Json} value
 * @returns {Receipt}
 * @throws {Refused} `invalid-receipt`
 */
export function readReceipt(value) {
  if (!isObject(value) || value.format !== "fairdeal/opening/v1") return readPlain(value);
  shape("", fault(value, OPENING));
  each("opened", value.opened, CARD);
  const receipt = readPlain(value.receipt);
  const cards = /** @type {{t: number, item: number, salt: string}[]} */ (
    /** @type {unknown} */ (value.opened)
  );
  if (new Set(cards.map(({ t }) => t)).size !== cards.length) invalid("a card is opened twice");
  if (
    !receipt.entries.some(
      ({ read: { entry } }) => entry?.entry === "deal" && entry.result.seal !== undefined,
    )
  ) {
    invalid("the opening's receipt has no deal with a seal");
  }
  const seals = /** @type {string[]} */ (value.card_seals);
  const opened = cards.map(({ t, item, salt }) => ({ t, item, salt: fromHex(salt) }));
  return { ...receipt, opening: { cardSeals: fromHex(seals.join("")), opened } };
}

/**
 * @param {string} where
 * @param {string | null} why
 */
function shape(where, why) {
  if (why !== null) invalid(where === "" ? why : `${where}: ${why}`);
}

/**
 * @param {string} name of an array
 * @param {Json} values
 * @param {Record<string, (value: Json) => boolean>} members of each
 */
function each(name, values, members) {
  if (Array.isArray(values))
    values.forEach((value, i) => shape(`${name}[${i}]`, fault(value, members)));
}

/**
 * @param {Json} value
 * @returns {Receipt}
 */
function readPlain(value) {
  shape("", fault(value, RECEIPT, { seen: () => true }));
  const { entries: listed, seen: sizes } = /** @type {JsonObject} */ (value);
  each("entries", listed, ENTRY);
  const raw =
    /** @type {{entries: {index: number, entry: string, proof: string[]}[],
     *   checkpoint: string}} */ (/** @type {unknown} */ (value));
  const checkpoint = utf8(raw.checkpoint);
  const size = sizeOf(checkpoint);
  ascending(
    raw.entries.map(({ index }) => index),
    "entries",
  );
  const beyond = raw.entries.find(({ index }) => size !== null && index >= size);
  if (beyond !== undefined)
    invalid(`index ${beyond.index} is not under the checkpoint's size, ${size}`);
  const seen = sizes === undefined ? [] : readSeen(sizes, size);
  const entries = raw.entries.map(({ index, entry, proof }) => {
    const bytes = utf8(entry);
    return { index, bytes, proof: readProof(proof), read: readEntry(bytes) };
  });
  together(entries);
  return { entries, checkpoint, opening: null, seen };
}

/**
 * The proved roots of a receipt, or of a head in evidence.
 * @param {unknown} value
 * @param {bigint | null} most the checkpoint's size
 * @returns {Proved[]}
 * @throws {Refused} `invalid-receipt`
 */
export function readSeen(value, most) {
  const json = /** @type {Json} */ (value);
  if (!list(() => true)(json)) invalid('"seen" is an array of one object or more');
  each("seen", json, SEEN);
  const seen = /** @type {{size: number, root: string, proof: string[]}[]} */ (
    /** @type {unknown} */ (value)
  );
  ascending(
    seen.map(({ size }) => size),
    "sizes",
  );
  const larger = seen.find(({ size }) => most !== null && size > most);
  if (larger !== undefined)
    invalid(`"seen" has size ${larger.size}, over the checkpoint's, ${most}`);
  return seen.map((each) => ({ ...each, proof: readProof(each.proof) }));
}

/**
 * @param {string[]} hashes in base64
 * @returns {Uint8Array[]}
 */
function readProof(hashes) {
  return hashes.map((hash) => base64OrNull(hash) ?? new Uint8Array(32));
}

/**
 * @param {number[]} numbers
 * @param {string} what
 */
function ascending(numbers, what) {
  if (numbers.some((number, i) => i > 0 && number <= numbers[i - 1]))
    invalid(`the ${what} are out of order`);
}

/**
 * The size in the checkpoint's text, signed or not.
 * @param {Uint8Array} note
 * @returns {bigint | null}
 */
export function sizeOf(note) {
  try {
    return readCheckpoint(readNote(note).text).size;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/**
 * The rules for all entries of a receipt.
 * @param {ReceiptEntry[]} entries
 */
function together(entries) {
  const [{ read: first }] = entries;
  if (!isCommit(first)) invalid("its first entry is no commit");
  for (const { index, read } of entries) {
    // Also what is not grammatical: another commitment may be of another protocol.
    if (read.commitment !== null && read.commitment !== first.commitment)
      invalid(`it is of commitment ${first.commitment}, and entry ${index} of ${read.commitment}`);
  }
  // Another protocol has other rounds, and other locks.
  if (first.foreign) return;
  const grammatical = entries.flatMap(({ read: { entry } }) => (entry === null ? [] : [entry]));
  const rounds = new Set(grammatical.map(nonceOf).filter((nonce) => nonce !== null));
  if (rounds.size > 1)
    invalid(`it has entries of several rounds: ${shown([...rounds].join(", "))}`);
  const indices = new Set(entries.map(({ index }) => index));
  for (const entry of grammatical) {
    const lock = entry.entry === "deal" ? entry.lock : undefined;
    if (lock !== undefined && !indices.has(lock))
      invalid(`its deal names the lock at ${lock}, which it leaves out`);
  }
}
