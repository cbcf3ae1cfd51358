// The keys that a browser keeps: one to sign with for each session, because it is as public and
// permanent as the log; and the first key of each log's name.

import { keyText, readKey } from "./key.js";
import { Refused, shown } from "./refused.js";
import { alone, placeOf } from "./storage.js";

/** @typedef {import("./book.js").Book} Book */

/** How long a session is, in milliseconds. */
const SESSION = 24 * 3_600_000;

/**
 * The key of this session: the kept key, or a new one. It cannot be exported, not even by this
 * program.
 * @param {Book} book
 * @returns {Promise<CryptoKeyPair>}
 */
export async function sessionKey(book) {
  const { storage, from } = book;
  const place = book.name("key", from);
  const kept = storage.texts === true ? undefined : await book.read(place, readPair);
  if (kept !== undefined && Date.now() - kept.made < SESSION) return kept.pair;
  const pair = /** @type {CryptoKeyPair} */ (
    await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])
  );
  if (storage.texts !== true) await storage.set(place, { pair, made: Date.now() });
  return pair;
}

/** @type {import("./stored.js").Reader<{pair: CryptoKeyPair, made: number} | undefined>} */
function readPair(value, damaged) {
  const keys = [value.pair?.privateKey, value.pair?.publicKey];
  if (keys.every((each) => each instanceof CryptoKey) && Number.isFinite(value.made)) return value;
  damaged();
  return undefined;
}

/**
 * Keeps the first key of a log's name: another key is another log, whatever a link says.
 * @param {Book} book
 * @throws {Refused} `key`
 */
export async function keepKey(book) {
  const { storage, key, log } = book;
  const place = placeOf("key", key.name);
  const kept = await alone(storage, place, async () => {
    const first = await book.read(place, (value, damaged) => {
      const isKey = isKeyOf(value, key.name);
      if (!isKey) damaged();
      return isKey ? value : undefined;
    });
    if (first === undefined) await storage.set(place, log);
    return first ?? log;
  });
  if (kept === log) return;
  const says = `expected the key that this browser keeps for the log ${shown(key.name)}, ${kept}; found another key, ${log}: another key is another log`;
  throw new Refused("key", says);
}

/**
 * @param {any} value
 * @param {string} name
 * @returns {boolean}
 */
function isKeyOf(value, name) {
  try {
    return readKey(value).name === name && keyText(readKey(value)) === value;
  } catch {
    return false;
  }
}
