// Makes a player's contribution, as `fairdeal contribution --json` does (spec/ledger.md, section
// 8.3).

import { concat, fromHex, hexOrNull, isHex, toBase64, toHex, utf8 } from "./bytes.js";
import { openCheckpoint } from "./checkpoint.js";
import { contributionHash, isLabel, isSeed, signedMessage } from "./contribution.js";
import { isSupported } from "./ed25519.js";
import {
  FLAG,
  NOTE,
  NUMBER,
  TEXT,
  either,
  expectObject,
  expectOptions,
  withAll,
} from "./expected.js";
import { givenKey, keyText } from "./key.js";
import { readNote } from "./note.js";
import { Refused, shown } from "./refused.js";
import { nonceOf } from "./seed.js";

/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./contribution.js").Seen} Seen
 */

/**
 * @typedef {object} ContributionInput
 * @property {string} from a pseudonym for the round or the session: it stays public
 * @property {string} [seed] by default 32 random bytes in hexadecimal, which is better: a given seed
 *   may be known to whoever gave it, and the contribution says that it was given
 * @property {string} [commitment] with `nonce`: the contribution's round. Then there is a hash,
 *   which hides the seed, and the log's `key` is needed
 * @property {number} [nonce]
 * @property {boolean} [clear] whether to leave out the hash, for a round without a lock
 * @property {string} [blind] 64 hexadecimal digits that hide the seed in the hash; random by
 *   default
 * @property {string | Uint8Array} [seen] a checkpoint that you saved. It is mixed, and ties the
 * seed to the commitments in it
 * @property {string} [key] the log's verifier key: needed with `seen`, and for a round
 * @property {string | CryptoKeyPair} [sign] your key, for this round of this log only: 64
 * hexadecimal digits, or a pair of
 *   keys of WebCrypto. Take a new one for each session
 */

/** @type {import("./expected.js").Kind} */
const KEY = ["", (value) => Object(value) === value];
const INPUT = {
  from: TEXT,
  seed: TEXT,
  commitment: TEXT,
  nonce: NUMBER,
  clear: FLAG,
  blind: TEXT,
  seen: NOTE,
  key: TEXT,
  sign: either(TEXT, withAll("a pair of keys", { privateKey: KEY, publicKey: KEY })),
};

/**
 * Makes a contribution. The result is secret until the round's lock is in the log: see {@link
 * toGive}.
 * @param {ContributionInput} input
 * @returns {Promise<Kept>}
 * @throws {Refused} with the code of the refused input: `from`, `seed`, `commitment`, `nonce`,
 *   `blind`, `key`, `seen`, `sign`; or `unavailable`, if this platform has no Ed25519
 */
export async function contribution(input) {
  expectOptions("contribution(input)", 'input with "from"', input, INPUT, ["from"]);
  const { from, commitment, nonce, clear = false } = input;
  if (!isLabel(from))
    throw new Refused(
      "from",
      `"from" has 1 to 64 bytes and no control characters; found ${shown(from)}`,
    );
  const seed = input.seed ?? random();
  if (!isSeed(seed))
    throw new Refused(
      "seed",
      `a seed has 1 to 256 bytes and no control characters; found ${shown(seed)}`,
    );
  /** @type {Kept} */
  const kept = { from, seed };
  if (input.seed !== undefined) kept.given = true;
  if (input.seen !== undefined) kept.seen = await seenOf(input.seen, input.key);
  if (commitment === undefined && nonce === undefined) {
    if (input.sign !== undefined)
      throw new Refused(
        "sign",
        'a signature is for one round: "commitment" and "nonce" are missing',
      );
    return inOrder(kept);
  }
  if (!isHex(commitment, 32))
    throw new Refused(
      "commitment",
      `a commitment is 64 lowercase hexadecimal digits; found ${shown(commitment)}`,
    );
  if (input.key === undefined)
    throw new Refused("key", "the log's verifier key is needed: a contribution is for one log");
  const log = givenKey(input.key);
  kept.log = keyText(log);
  kept.commitment = commitment;
  kept.nonce = nonceOf(nonce);
  if (!clear) {
    kept.blind = input.blind ?? random();
    if (!isHex(kept.blind, 32))
      throw new Refused("blind", "a blind is 64 lowercase hexadecimal digits");
    kept.hash = contributionHash(log, commitment, kept.nonce, kept, kept.blind);
  }
  if (input.sign !== undefined) await sign(kept, log, commitment, kept.nonce, input.sign);
  return inOrder(kept);
}

/**
 * The part for the dealer at first: a hashed contribution without its seed and its blind.
 * @param {Kept} kept
 * @returns {Omit<Kept, "seed" | "blind" | "given"> & {seed?: string}}
 */
export function toGive(kept) {
  expectObject("toGive(kept)", 'kept, what "contribution" made', kept);
  const { seed, blind, given, ...part } = kept;
  return kept.hash === undefined ? inOrder({ ...part, seed }) : part;
}

/**
 * The part for the dealer when the round's lock is in the log.
 * @param {Kept} kept
 * @returns {{blind: string, from: string, seed: string}}
 * @throws {Refused} `blind`, if the contribution is not hashed
 */
export function toOpen(kept) {
  expectObject("toOpen(kept)", 'kept, what "contribution" made', kept);
  const { blind, from, seed } = kept;
  if (blind === undefined)
    throw new Refused("blind", "this contribution is in the clear: there is no hash to open");
  return { blind, from, seed };
}

/** @returns {string} 32 random bytes in hexadecimal */
function random() {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * @param {Kept} kept
 * @returns {Kept}
 */
function inOrder(kept) {
  return /** @type {Kept} */ (
    Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)))
  );
}

/**
 * @param {string | Uint8Array} note
 * @param {string | undefined} vkey
 * @returns {Promise<Seen>}
 */
async function seenOf(note, vkey) {
  if (vkey === undefined) throw new Refused("key", 'the log\'s verifier key is needed for "seen"');
  const key = givenKey(vkey);
  const bytes = typeof note === "string" ? utf8(note) : note;
  const { checkpoint, bad, signed } = await openCheckpoint(bytes, key);
  if (bad !== null || checkpoint === null)
    throw new Refused("seen", `the saved checkpoint: ${bad}`);
  if (signed === null)
    throw new Refused(
      "unavailable",
      "this platform cannot verify the signature of the saved checkpoint",
    );
  const { size, root } = checkpoint;
  if (size < 1n || size > Number.MAX_SAFE_INTEGER) {
    throw new Refused(
      "seen",
      `a checkpoint of 1 to 2^53 − 1 entries can be named; this one has ${size}`,
    );
  }
  const line = readNote(bytes).signatures.find(
    ({ name, id }) => name === key.name && id === key.id,
  );
  return {
    root,
    signature: toBase64(concat(fromHex(key.id), line?.bytes ?? [])),
    size: Number(size),
  };
}

/** The head of a PKCS #8 document with an Ed25519 seed (RFC 8410). */
const PKCS8 = fromHex("302e020100300506032b657004220420");

/**
 * @param {string | CryptoKeyPair} given
 * @returns {Promise<{privateKey: CryptoKey, publicKey: Uint8Array}>}
 */
async function pair(given) {
  const { subtle } = crypto;
  if (typeof given !== "string") {
    return {
      privateKey: given.privateKey,
      publicKey: new Uint8Array(await subtle.exportKey("raw", given.publicKey)),
    };
  }
  const secret = hexOrNull(given);
  if (secret === null || secret.length !== 32)
    throw new Refused("sign", "a signing key is 64 lowercase hexadecimal digits");
  const privateKey = await subtle.importKey(
    "pkcs8",
    concat(PKCS8, secret),
    { name: "Ed25519" },
    true,
    ["sign"],
  );
  // WebCrypto computes the public key, and exports it only in this form.
  const { x = "" } = await subtle.exportKey("jwk", privateKey);
  return {
    privateKey,
    publicKey: Uint8Array.from(atob(x.replace(/-/g, "+").replace(/_/g, "/")), (c) =>
      c.charCodeAt(0),
    ),
  };
}

/**
 * @param {Kept} kept gets its key and signature
 * @param {import("./key.js").Key} log
 * @param {string} commitment
 * @param {number} nonce
 * @param {string | CryptoKeyPair} given
 */
async function sign(kept, log, commitment, nonce, given) {
  if (!(await isSupported())) throw new Refused("unavailable", "this platform has no Ed25519");
  const { privateKey, publicKey } = await pair(given);
  const message = signedMessage(log, commitment, nonce, kept);
  kept.key = toHex(publicKey);
  kept.signature = toBase64(
    new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, privateKey, message)),
  );
}
