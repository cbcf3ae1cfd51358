// Clients' contributions to a deal (spec/shuffle.md, section 2; spec/ledger.md, section 8.3).

import { compareText, concat, fromHex, isHex, toHex, u16, u64, utf8, utf8Length } from "./bytes.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

/** The maximum number of contributions of one round. */
export const MOST = 64;

/**
 * A checkpoint that a client had verified.
 * @typedef {object} Seen
 * @property {number} size
 * @property {string} root hexadecimal
 * @property {string} [signature] base64 of the key's ID and the log's signature
 */

/**
 * A contribution in the clear, as it is mixed.
 * @typedef {object} Clear
 * @property {string} from
 * @property {string} seed
 * @property {Seen} [seen]
 */

/**
 * A contribution as an entry has it: with a seed or a hash.
 * @typedef {object} Contribution
 * @property {string} from
 * @property {string} [seed]
 * @property {string} [hash] hexadecimal
 * @property {Seen} [seen]
 * @property {string} [key] hexadecimal
 * @property {string} [signature] base64
 */

/**
 * Whether a value is a text of 1 to `most` bytes without control characters and without a lone
 * surrogate.
 * @param {unknown} value
 * @param {number} most
 * @returns {value is string}
 */
export function isText(value, most) {
  if (typeof value !== "string" || value.length === 0 || value.length > most) return false;
  let ascii = true;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return false;
    if (unit >= 0x80) ascii = false;
  }
  // A lone surrogate has no UTF-8.
  return ascii || (!/\p{Cs}/u.test(value) && utf8Length(value) <= most);
}

/**
 * Whether a value is a label: the `from` of a contribution, or a seat.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isLabel(value) {
  return isText(value, 64);
}

/**
 * Whether a value is a client's seed.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isSeed(value) {
  return isText(value, 256);
}

/**
 * The bytes of a contribution that are mixed. They do not include the label.
 * @param {Clear} contribution
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encode({ seed, seen }) {
  const length = utf8Length(seed);
  const bytes = new Uint8Array(3 + length + (seen === undefined ? 0 : 8 + 32));
  bytes[0] = seen === undefined ? 1 : 2;
  bytes[1] = length >> 8;
  bytes[2] = length;
  // Most texts are short ASCII, and are faster written one by one.
  if (length === seed.length) for (let i = 0; i < length; i++) bytes[3 + i] = seed.charCodeAt(i);
  else bytes.set(utf8(seed), 3);
  if (seen !== undefined) {
    bytes.set(u64(seen.size), 3 + length);
    bytes.set(fromHex(seen.root), 3 + length + 8);
  }
  return bytes;
}

/**
 * The bytes of a beacon's round that are mixed.
 * @param {Uint8Array} randomness 32 bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeBeacon(randomness) {
  return concat([3, 0, 32], randomness);
}

/**
 * The contributions of a round, or a refusal.
 * @param {readonly Clear[]} contributions
 * @param {boolean} [alone] whether there may be none, because a beacon's round is mixed
 * @throws {Refused} `contributions`, `from`, `seed`, `seen` or `duplicate-from`
 */
export function checkContributions(contributions, alone = false) {
  if (
    !Array.isArray(contributions) ||
    contributions.length > MOST ||
    (contributions.length === 0 && !alone)
  ) {
    const found = Array.isArray(contributions) ? contributions.length : "no array";
    throw new Refused("contributions", `a round has 1 to ${MOST} contributions; found ${found}`);
  }
  const labels = new Set();
  for (const each of contributions) {
    if (typeof each !== "object" || each === null)
      throw new Refused("contributions", `a contribution is an object; found ${shown(each)}`);
    const { from, seed, seen } = each;
    if (!isLabel(from)) {
      throw new Refused(
        "from",
        `"from" has 1 to 64 bytes and no control characters; found ${shown(from)}`,
      );
    }
    if (!isSeed(seed)) {
      throw new Refused(
        "seed",
        `the seed of ${shown(from)} has 1 to 256 bytes and no control characters; found ${shown(seed)}`,
      );
    }
    if (
      seen !== undefined &&
      (typeof seen !== "object" ||
        seen === null ||
        !Number.isSafeInteger(seen.size) ||
        seen.size < 0 ||
        !isHex(seen.root, 32))
    ) {
      throw new Refused(
        "seen",
        `"seen" of ${shown(from)} is an object with a size and a root of 64 lowercase hexadecimal digits; found ${shown(Object(seen) === seen ? `${seen.size} ${seen.root}` : seen)}`,
      );
    }
    if (labels.has(from))
      throw new Refused("duplicate-from", `the label ${shown(from)} comes twice in one round`);
    labels.add(from);
  }
}

const HASH_TAG = utf8("fairdeal/v1/contribution\0");
const SIGNATURE_TAG = utf8("fairdeal/v1/contribution-signature\0");

/**
 * The bytes that name a round of a log, and a label in it.
 * @param {import("./key.js").Key} log
 * @param {string} commitment hexadecimal
 * @param {number} nonce
 * @param {string} from
 * @returns {Uint8Array<ArrayBuffer>}
 */
function place(log, commitment, nonce, from) {
  const [origin, label] = [utf8(log.name), utf8(from)];
  // Its length is written in two bytes. No entry has room for such a name.
  if (origin.length > 0xffff) {
    const says = `a contribution names its log in at most 65,535 bytes; the key's name has ${origin.length}`;
    throw new Refused("key", says);
  }
  const round = concat(u16(origin.length), origin, log.publicKey, fromHex(commitment), u64(nonce));
  return concat(round, u16(label.length), label);
}

/**
 * The hash that hides a seed until the round's lock is in the log.
 * @param {import("./key.js").Key} log
 * @param {string} commitment hexadecimal
 * @param {number} nonce
 * @param {Clear} contribution
 * @param {string} blind hexadecimal, of 32 bytes
 * @returns {string} hexadecimal
 */
export function contributionHash(log, commitment, nonce, contribution, blind) {
  const at = place(log, commitment, nonce, contribution.from);
  return toHex(sha256(concat(HASH_TAG, at, fromHex(blind), encode(contribution))));
}

/**
 * The message that a player signs.
 * @param {import("./key.js").Key} log
 * @param {string} commitment hexadecimal
 * @param {number} nonce
 * @param {Contribution} contribution with a seed or a hash
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function signedMessage(log, commitment, nonce, { from, seed, hash, seen }) {
  const body =
    hash === undefined ? encode({ from, seed: seed ?? "", seen }) : concat([0], fromHex(hash));
  return concat(SIGNATURE_TAG, place(log, commitment, nonce, from), body);
}

/**
 * Whether two `seen` are the same, with the same signature; or both are absent.
 * @param {Seen | undefined} a
 * @param {Seen | undefined} b
 * @returns {boolean}
 */
export function sameSeen(a, b) {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && a.root === b.root && a.signature === b.signature;
}

/**
 * The order of contributions in an entry.
 * @param {{from: string}} a
 * @param {{from: string}} b
 * @returns {number}
 */
export function byLabel(a, b) {
  return compareText(a.from, b.from);
}
