// The keystream of ChaCha20 (RFC 8439) under a zero nonce, from block 0 (spec/shuffle.md, section
// 3).

/**
 * One block: 16 words. The rounds are written out so that the words stay in registers.
 * @param {Int32Array} state 16 words: constants, key, counter, nonce
 * @param {Uint32Array} out 16 words
 */
function block(state, out) {
  let x0 = state[0];
  let x1 = state[1];
  let x2 = state[2];
  let x3 = state[3];
  let x4 = state[4];
  let x5 = state[5];
  let x6 = state[6];
  let x7 = state[7];
  let x8 = state[8];
  let x9 = state[9];
  let x10 = state[10];
  let x11 = state[11];
  let x12 = state[12];
  let x13 = state[13];
  let x14 = state[14];
  let x15 = state[15];
  for (let round = 0; round < 20; round += 2) {
    x0 = (x0 + x4) | 0;
    x12 ^= x0;
    x12 = (x12 << 16) | (x12 >>> 16);
    x8 = (x8 + x12) | 0;
    x4 ^= x8;
    x4 = (x4 << 12) | (x4 >>> 20);
    x0 = (x0 + x4) | 0;
    x12 ^= x0;
    x12 = (x12 << 8) | (x12 >>> 24);
    x8 = (x8 + x12) | 0;
    x4 ^= x8;
    x4 = (x4 << 7) | (x4 >>> 25);
    x1 = (x1 + x5) | 0;
    x13 ^= x1;
    x13 = (x13 << 16) | (x13 >>> 16);
    x9 = (x9 + x13) | 0;
    x5 ^= x9;
    x5 = (x5 << 12) | (x5 >>> 20);
    x1 = (x1 + x5) | 0;
    x13 ^= x1;
    x13 = (x13 << 8) | (x13 >>> 24);
    x9 = (x9 + x13) | 0;
    x5 ^= x9;
    x5 = (x5 << 7) | (x5 >>> 25);
    x2 = (x2 + x6) | 0;
    x14 ^= x2;
    x14 = (x14 << 16) | (x14 >>> 16);
    x10 = (x10 + x14) | 0;
    x6 ^= x10;
    x6 = (x6 << 12) | (x6 >>> 20);
    x2 = (x2 + x6) | 0;
    x14 ^= x2;
    x14 = (x14 << 8) | (x14 >>> 24);
    x10 = (x10 + x14) | 0;
    x6 ^= x10;
    x6 = (x6 << 7) | (x6 >>> 25);
    x3 = (x3 + x7) | 0;
    x15 ^= x3;
    x15 = (x15 << 16) | (x15 >>> 16);
    x11 = (x11 + x15) | 0;
    x7 ^= x11;
    x7 = (x7 << 12) | (x7 >>> 20);
    x3 = (x3 + x7) | 0;
    x15 ^= x3;
    x15 = (x15 << 8) | (x15 >>> 24);
    x11 = (x11 + x15) | 0;
    x7 ^= x11;
    x7 = (x7 << 7) | (x7 >>> 25);
    x0 = (x0 + x5) | 0;
    x15 ^= x0;
    x15 = (x15 << 16) | (x15 >>> 16);
    x10 = (x10 + x15) | 0;
    x5 ^= x10;
    x5 = (x5 << 12) | (x5 >>> 20);
    x0 = (x0 + x5) | 0;
    x15 ^= x0;
    x15 = (x15 << 8) | (x15 >>> 24);
    x10 = (x10 + x15) | 0;
    x5 ^= x10;
    x5 = (x5 << 7) | (x5 >>> 25);
    x1 = (x1 + x6) | 0;
    x12 ^= x1;
    x12 = (x12 << 16) | (x12 >>> 16);
    x11 = (x11 + x12) | 0;
    x6 ^= x11;
    x6 = (x6 << 12) | (x6 >>> 20);
    x1 = (x1 + x6) | 0;
    x12 ^= x1;
    x12 = (x12 << 8) | (x12 >>> 24);
    x11 = (x11 + x12) | 0;
    x6 ^= x11;
    x6 = (x6 << 7) | (x6 >>> 25);
    x2 = (x2 + x7) | 0;
    x13 ^= x2;
    x13 = (x13 << 16) | (x13 >>> 16);
    x8 = (x8 + x13) | 0;
    x7 ^= x8;
    x7 = (x7 << 12) | (x7 >>> 20);
    x2 = (x2 + x7) | 0;
    x13 ^= x2;
    x13 = (x13 << 8) | (x13 >>> 24);
    x8 = (x8 + x13) | 0;
    x7 ^= x8;
    x7 = (x7 << 7) | (x7 >>> 25);
    x3 = (x3 + x4) | 0;
    x14 ^= x3;
    x14 = (x14 << 16) | (x14 >>> 16);
    x9 = (x9 + x14) | 0;
    x4 ^= x9;
    x4 = (x4 << 12) | (x4 >>> 20);
    x3 = (x3 + x4) | 0;
    x14 ^= x3;
    x14 = (x14 << 8) | (x14 >>> 24);
    x9 = (x9 + x14) | 0;
    x4 ^= x9;
    x4 = (x4 << 7) | (x4 >>> 25);
  }
  out[0] = x0 + state[0];
  out[1] = x1 + state[1];
  out[2] = x2 + state[2];
  out[3] = x3 + state[3];
  out[4] = x4 + state[4];
  out[5] = x5 + state[5];
  out[6] = x6 + state[6];
  out[7] = x7 + state[7];
  out[8] = x8 + state[8];
  out[9] = x9 + state[9];
  out[10] = x10 + state[10];
  out[11] = x11 + state[11];
  out[12] = x12 + state[12];
  out[13] = x13 + state[13];
  out[14] = x14 + state[14];
  out[15] = x15 + state[15];
}

/**
 * The state before block 0.
 * @param {Uint8Array} key 32 bytes
 * @returns {Int32Array}
 */
function start(key) {
  const state = new Int32Array(16);
  // "expand 32-byte k", read as little-endian words.
  state[0] = 0x61707865;
  state[1] = 0x3320646e;
  state[2] = 0x79622d32;
  state[3] = 0x6b206574;
  for (let i = 0; i < 8; i++) {
    state[4 + i] =
      key[4 * i] | (key[4 * i + 1] << 8) | (key[4 * i + 2] << 16) | (key[4 * i + 3] << 24);
  }
  return state;
}

/** The words of a deal: the keystream as unsigned 32-bit integers, little-endian. */
export class Words {
  /** @param {Uint8Array} key 32 bytes */
  constructor(key) {
    this.state = start(key);
    this.words = new Uint32Array(16);
    /** How many words were drawn. */
    this.drawn = 0;
  }

  /**
   * The next word.
   * @returns {number}
   */
  next() {
    const at = this.drawn % 16;
    if (at === 0) {
      block(this.state, this.words);
      // No deal needs 2^32 blocks, so the counter stays in one word.
      this.state[12]++;
    }
    this.drawn++;
    return this.words[at];
  }
}

/**
 * The keystream as bytes.
 * @param {Uint8Array} key 32 bytes
 * @param {number} length in bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function keystream(key, length) {
  const words = new Words(key);
  const bytes = new Uint8Array(length);
  let word = 0;
  for (let i = 0; i < length; i++) {
    word = i % 4 === 0 ? words.next() : word >>> 8;
    bytes[i] = word;
  }
  return bytes;
}
