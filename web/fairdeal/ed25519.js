// Ed25519, strictly (spec/ledger.md, section 10.3). WebCrypto computes; this module judges the
// cases in which implementations differ.

import { fromHex, toHex } from "./bytes.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * The y-coordinates of the eight points of small order. Both signs of x are refused: if only one of
 * them is a point, the other is not an encoding.
 */
const SMALL = new Set([
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]);

/**
 * @param {Uint8Array} bytes little-endian
 * @returns {bigint}
 */
function number(bytes) {
  return BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
}

/**
 * Whether 32 bytes can be the encoding of a point (y under p) that is not of small order. The point
 * may not exist.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
function plausible(bytes) {
  const y = Uint8Array.from(bytes);
  y[31] &= 0x7f;
  if (SMALL.has(toHex(y))) return false;
  // Only 19 numbers of 255 bits are p or more.
  return !(y[31] === 0x7f && y[0] >= 0xed && y.subarray(1, 31).every((byte) => byte === 0xff));
}

/** @type {Map<string, boolean>} */
const points = new Map();
const MOST_KNOWN = 4096;

/**
 * Whether 32 bytes are the encoding of a point that is not of small order.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
export function isPoint(bytes) {
  if (bytes.length !== 32 || !plausible(bytes)) return false;
  // Evidence names its log's key once in each contribution.
  const name = toHex(bytes);
  let known = points.get(name);
  if (known === undefined) {
    if (points.size >= MOST_KNOWN) points.clear();
    known = isOnCurve(bytes);
    points.set(name, known);
  }
  return known;
}

/**
 * @param {Uint8Array} bytes plausible
 * @returns {boolean}
 */
function isOnCurve(bytes) {
  const masked = Uint8Array.from(bytes);
  masked[31] &= 0x7f;
  const y = number(masked);
  // x² = u / v. There is such an x exactly if u · v is a square (Euler); x = 0 is of small order,
  // and was refused.
  const u = (y * y - 1n) % P;
  const v = (D * y * y + 1n) % P;
  return power((u * v) % P, (P - 1n) / 2n) === 1n;
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 * @returns {bigint} modulo p
 */
function power(base, exponent) {
  let result = 1n;
  let square = ((base % P) + P) % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/**
 * The checks that WebCrypto may omit: the encodings, and S under the group's order.
 * @param {Uint8Array} key
 * @param {Uint8Array} signature
 * @returns {boolean}
 */
function isStrict(key, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (!plausible(key) || !plausible(signature.subarray(0, 32))) return false;
  const s = signature.subarray(32);
  // L is slightly over 2^252, so the last byte decides for most S.
  return s[31] < 0x10 || (s[31] === 0x10 && number(s) < L);
}

/** @type {Map<string, Promise<CryptoKey | null>>} */
const imported = new Map();

/**
 * WebCrypto's form of a public key, or null if it is not a point.
 * @param {Uint8Array} key
 * @returns {Promise<CryptoKey | null>}
 */
function importKey(key) {
  const name = toHex(key);
  const known = imported.get(name);
  if (known !== undefined) return known;
  // Each session has its own key: without a limit, an audit would keep all of them.
  if (imported.size >= MOST_KNOWN) imported.clear();
  const coming = crypto.subtle
    .importKey("raw", Uint8Array.from(key), { name: "Ed25519" }, false, ["verify"])
    .catch(() => null);
  imported.set(name, coming);
  return coming;
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 * @returns {Promise<boolean>}
 */
async function compute(key, message, signature) {
  const known = await importKey(key);
  if (known === null) return false;
  try {
    return await crypto.subtle.verify(
      { name: "Ed25519" },
      known,
      Uint8Array.from(signature),
      Uint8Array.from(message),
    );
  } catch {
    return false;
  }
}

/**
 * A signature with an R of mixed order. It verifies only if both sides are multiplied by the
 * cofactor.
 */
const COFACTOR_ONLY = {
  key: "4faa93763d0702316ddef05a7921b30b30e81530b44cf9f35773ffee16f68638",
  message: "52",
  signature:
    "30136d65aa737b9c637848b7f7b68fd3a2a5b56cfd0add7509bcc52402332a30df94cb93e5607bebd8ef6670955965fa1bfe16a428b19f99085fc99b3a079c0c",
};

/** @type {Promise<boolean> | undefined} */
let support;

/**
 * Whether this platform verifies Ed25519 as specified: it accepts an honest signature, and refuses
 * one that verifies only with the cofactor.
 * @returns {Promise<boolean>}
 */
export function isSupported() {
  support ??= probe();
  return support;
}

async function probe() {
  if (globalThis.crypto?.subtle === undefined) return false;
  // RFC 8032, section 7.1, test 1.
  const honest = await compute(
    fromHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
    new Uint8Array(0),
    fromHex(
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
  );
  if (!honest) return false;
  const loose = await compute(
    fromHex(COFACTOR_ONLY.key),
    fromHex(COFACTOR_ONLY.message),
    fromHex(COFACTOR_ONLY.signature),
  );
  return !loose;
}

/**
 * Verifies a signature.
 * @param {Uint8Array} key 32 bytes
 * @param {Uint8Array} message
 * @param {Uint8Array} signature 64 bytes
 * @returns {Promise<boolean | null>} null if this platform cannot say
 */
export async function verify(key, message, signature) {
  if (!isStrict(key, signature)) return false;
  if (!(await isSupported())) return null;
  return compute(key, message, signature);
}
