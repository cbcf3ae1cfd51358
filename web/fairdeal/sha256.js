// SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104), synchronous: one call of WebCrypto costs more
// than a whole deal.

/** The first `count` primes. @param {number} count @returns {number[]} */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++)
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/**
 * The first 32 bits of the fractional part of the root of n, exactly: with BigInt, because a double
 * has too few bits.
 * @param {number} n
 * @param {bigint} degree 2 or 3
 * @returns {number}
 */
function rootBits(n, degree) {
  // The whole part of the root of n · 2^(32 · degree) is the root of n, times 2^32.
  const target = BigInt(n) << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const K = Int32Array.from(primes(64), (prime) => rootBits(prime, 3n) | 0);
const INITIAL = Int32Array.from(primes(8), (prime) => rootBits(prime, 2n) | 0);

// One schedule for all blocks: no code here waits in the middle of a block.
const W = new Int32Array(64);

/**
 * Mixes one block of 64 bytes into the state.
 * @param {Int32Array} state 8 words
 * @param {Uint8Array} bytes
 * @param {number} at where the block begins
 */
function compress(state, bytes, at) {
  for (let i = 0; i < 16; i++, at += 4) {
    W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15];
    const y = W[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + K[i] + W[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] + a) | 0;
  state[1] = (state[1] + b) | 0;
  state[2] = (state[2] + c) | 0;
  state[3] = (state[3] + d) | 0;
  state[4] = (state[4] + e) | 0;
  state[5] = (state[5] + f) | 0;
  state[6] = (state[6] + g) | 0;
  state[7] = (state[7] + h) | 0;
}

const scratch = new Int32Array(8);
const tail = new Uint8Array(128);

/**
 * Continues from `state`, which has taken `before` bytes (whole blocks), with the rest of the
 * message, and finishes. `state` is changed.
 * @param {Int32Array} state
 * @param {number} before
 * @param {Uint8Array} rest
 * @param {Uint8Array} out where the 32 bytes go
 * @param {number} at
 */
function finish(state, before, rest, out, at) {
  const whole = rest.length - (rest.length % 64);
  for (let i = 0; i < whole; i += 64) compress(state, rest, i);
  const left = rest.length - whole;
  const end = left < 56 ? 64 : 128;
  for (let i = 0; i < left; i++) tail[i] = rest[whole + i];
  tail[left] = 0x80;
  tail.fill(0, left + 1, end);
  // Lengths over 2^53 bits do not fit into memory.
  const bits = (before + rest.length) * 8;
  const high = Math.floor(bits / 0x100000000);
  for (let i = 0; i < 4; i++) {
    tail[end - 8 + i] = high >>> (24 - 8 * i);
    tail[end - 4 + i] = bits >>> (24 - 8 * i);
  }
  compress(state, tail, 0);
  if (end === 128) compress(state, tail, 64);
  for (let i = 0; i < 8; i++) {
    const word = state[i];
    out[at + 4 * i] = word >>> 24;
    out[at + 4 * i + 1] = word >>> 16;
    out[at + 4 * i + 2] = word >>> 8;
    out[at + 4 * i + 3] = word;
  }
}

/**
 * The SHA-256 of a message.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(bytes) {
  const out = new Uint8Array(32);
  sha256Into(bytes, out, 0);
  return out;
}

/**
 * The SHA-256 of a message, written to a place in another array.
 * @param {Uint8Array} bytes
 * @param {Uint8Array} out
 * @param {number} at
 */
export function sha256Into(bytes, out, at) {
  scratch.set(INITIAL);
  finish(scratch, 0, bytes, out, at);
}

/** SHA-256 of a message given in pieces. */
export class Sha256 {
  constructor() {
    this.state = INITIAL.slice();
    this.pending = new Uint8Array(64);
    this.length = 0;
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {this}
   */
  update(bytes) {
    let at = 0;
    const held = this.length % 64;
    this.length += bytes.length;
    if (held > 0) {
      const taken = Math.min(64 - held, bytes.length);
      this.pending.set(bytes.subarray(0, taken), held);
      if (held + taken < 64) return this;
      compress(this.state, this.pending, 0);
      at = taken;
    }
    for (; at + 64 <= bytes.length; at += 64) compress(this.state, bytes, at);
    this.pending.set(bytes.subarray(at));
    return this;
  }

  /**
   * The digest of the message so far. More pieces may follow.
   * @returns {Uint8Array<ArrayBuffer>} 32 bytes
   */
  digest() {
    const out = new Uint8Array(32);
    const held = this.length % 64;
    scratch.set(this.state);
    finish(scratch, this.length - held, this.pending.subarray(0, held), out, 0);
    return out;
  }
}

const keyBlock = new Uint8Array(64);

/**
 * A key of HMAC-SHA256, with its two first blocks already mixed: each message then saves half of
 * the work.
 */
export class HmacKey {
  /** @param {Uint8Array} key of any length */
  constructor(key) {
    /** @type {Int32Array} */
    this.inner = INITIAL.slice();
    /** @type {Int32Array} */
    this.outer = INITIAL.slice();
    const short = key.length > 64 ? sha256(key) : key;
    for (let i = 0; i < 64; i++) keyBlock[i] = (i < short.length ? short[i] : 0) ^ 0x36;
    compress(this.inner, keyBlock, 0);
    for (let i = 0; i < 64; i++) keyBlock[i] ^= 0x36 ^ 0x5c;
    compress(this.outer, keyBlock, 0);
    keyBlock.fill(0);
  }

  /**
   * @param {Uint8Array} message
   * @returns {Uint8Array<ArrayBuffer>} 32 bytes
   */
  sign(message) {
    const out = new Uint8Array(32);
    scratch.set(this.inner);
    finish(scratch, 64, message, out, 0);
    scratch.set(this.outer);
    finish(scratch, 64, out, out, 0);
    return out;
  }
}

/**
 * HMAC-SHA256.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function hmacSha256(key, message) {
  return new HmacKey(key).sign(message);
}
