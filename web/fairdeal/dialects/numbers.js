// HMAC digests become words, and words become choices (spec/dialects.md, sections 17.2 and 18 to
// 21).

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";

/** @typedef {(number: number) => Uint8Array} Digests the digest of the message that ends in this number */

/**
 * The meaning of the number in a message: the index of a digest whose words are all used, of a
 * draw, or of a position of the deck. Each draw and position has one digest, of which the first
 * word that is not refused is used.
 * @typedef {"digests" | "draws" | "positions"} Counts
 */

/**
 * The mapping of a word u to one of m values: floor(u · m / 2^32); or u mod m with words refused
 * from the largest multiple of m under 2^32 or under 2^32 − 1 on; or u mod m, no word refused.
 * @typedef {"multiply" | "modulo-2^32" | "modulo-2^32-1" | "remainder"} Mapping
 */

/**
 * @typedef {object} Numbers
 * @property {Counts} counts
 * @property {number} from the first number of a message
 * @property {Mapping} mapping
 * @property {number | null} retry added to the number if a digest has no usable word; null: no
 *   answer
 */

const ALL_WORDS = 0x100000000;

/**
 * The first word that is refused.
 * @param {Mapping} mapping
 * @param {number} ways
 * @returns {number}
 */
export function refusedFrom(mapping, ways) {
  if (mapping === "modulo-2^32") return ALL_WORDS - (ALL_WORDS % ways);
  if (mapping === "modulo-2^32-1") return ALL_WORDS - 1 - ((ALL_WORDS - 1) % ways);
  return ALL_WORDS;
}

/**
 * The value that a word gives; exact, because the product stays under 2^53.
 * @param {Mapping} mapping
 * @param {number} word
 * @param {number} ways
 * @returns {number}
 */
export function valueOf(mapping, word, ways) {
  return mapping === "multiply" ? Math.floor((word * ways) / ALL_WORDS) : word % ways;
}

/**
 * @param {Uint8Array} digest
 * @param {number} index 0 to 7
 * @returns {number}
 */
export function wordAt(digest, index) {
  const at = 4 * index;
  return (
    ((digest[at] << 24) | (digest[at + 1] << 16) | (digest[at + 2] << 8) | digest[at + 3]) >>> 0
  );
}

/** The choices of one deal, drawn one after the other. */
export class Choices {
  /**
   * @param {Numbers} numbers
   * @param {Digests} digests
   */
  constructor(numbers, digests) {
    this.numbers = numbers;
    this.digests = digests;
    this.draws = 0;
    this.next = 8;
    /** @type {Uint8Array} */
    this.digest = new Uint8Array(32);
  }

  /**
   * @param {number} ways
   * @param {number} position of the deck, for this choice
   * @returns {number} under `ways`, or −1 if the scheme has no answer
   */
  choose(ways, position) {
    const limit = this.limit(ways);
    const word =
      this.numbers.counts === "digests" ? this.streamWord(limit) : this.ownWord(limit, position);
    return word < 0 ? -1 : valueOf(this.numbers.mapping, word, ways);
  }

  /** @param {number} ways @returns {number} the first word that is refused */
  limit(ways) {
    return refusedFrom(this.numbers.mapping, ways);
  }

  /** @param {number} limit @returns {number} */
  streamWord(limit) {
    for (;;) {
      if (this.next === 8) {
        this.digest = this.digests(this.numbers.from + this.draws++);
        this.next = 0;
      }
      const word = wordAt(this.digest, this.next++);
      if (word < limit) return word;
    }
  }

  /** @param {number} limit @param {number} position @returns {number} */
  ownWord(limit, position) {
    const { counts, from, retry } = this.numbers;
    let number = from + (counts === "draws" ? this.draws : position);
    this.draws++;
    for (;;) {
      const digest = this.digests(number);
      for (let i = 0; i < 8; i++) {
        const word = wordAt(digest, i);
        if (word < limit) return word;
      }
      if (retry === null) return -1;
      number += retry;
    }
  }
}

/**
 * The digests of `prefix` and a number in decimal, under a key. The message is written into one
 * buffer: a deal of a shoe has 415 of them.
 * @param {HmacKey} key
 * @param {string} prefix
 * @returns {Digests}
 */
export function hmacDigests(key, prefix) {
  const start = utf8(prefix);
  const message = new Uint8Array(start.length + 20);
  message.set(start);
  return (number) => {
    const digits = String(number);
    for (let i = 0; i < digits.length; i++) message[start.length + i] = digits.charCodeAt(i);
    return key.sign(message.subarray(0, start.length + digits.length));
  };
}

/** The last key by its bytes. Rows of one seed follow each other, so one key is enough. */
export class Keys {
  constructor() {
    this.last = "";
    /** @type {HmacKey | null} */
    this.key = null;
  }

  /**
   * @param {string} name the key's unique name
   * @param {() => Uint8Array} bytes
   * @returns {HmacKey}
   */
  of(name, bytes) {
    if (this.key === null || this.last !== name) {
      this.key = new HmacKey(bytes());
      this.last = name;
    }
    return this.key;
  }
}
