// A chain of hashes: each is the SHA-256 of the next one, and the last of them was published
// (spec/dialects.md, section 22).

import { sha256, sha256Into } from "../sha256.js";
import { equal, fromHex, toHex, utf8 } from "../bytes.js";

/** A claim of more steps is not computed. */
export const MOST_STEPS = 20_000_000;

/**
 * At this interval, a hash of the followed chain is kept, so that the next row needs few steps,
 * whatever the order of the rows.
 */
const SPACING = 256;

/** How far beyond a wrong claim the chain is followed, if no place on it is known yet. */
const BEYOND = 1_000;

/**
 * The result for a hash: its place on the chain; or not on the chain, with `found` instead of the
 * expected hash; or unknown, because the search would cost too much.
 * @typedef {{place: number} | {steps: number, found: string, expected: string}
 *   | "too-far"} Followed
 */

/** The verified part of one chain. */
export class Chain {
  /** @param {import("./links.js").Published} published */
  constructor({ end, most, hashesText }) {
    this.end = end;
    this.most = most;
    this.next = hashesText ? hashText : hashBytes;
    /** @type {Map<number, Uint8Array>} */
    this.hashes = new Map([[0, fromHex(end)]]);
    /** @type {number[]} the keys of `hashes`, ascending */
    this.places = [0];
    /** @type {Map<number, number[]>} places by the first word of their hash */
    this.byWord = new Map();
    this.index(0, fromHex(end));
  }

  /**
   * Follows a hash that claims a place.
   * @param {Uint8Array} hash
   * @param {number} place
   * @param {number} [most] steps that may be computed
   * @returns {Followed}
   */
  at(hash, place, most = MOST_STEPS) {
    const near = this.nearest(place);
    const steps = place - near;
    if (steps > most) return "too-far";
    const expected = /** @type {Uint8Array} */ (this.hashes.get(near));
    const word = firstWord(expected);
    const reached = Uint8Array.from(hash);
    /** @type {[number, Uint8Array][]} */
    const passed = [[place, hash]];
    let early = 0;
    for (let taken = 1; taken <= steps; taken++) {
      if (firstWord(reached) === word && equal(reached, expected)) early = taken - 1;
      this.next(reached);
      const left = place - taken;
      if (left % SPACING === 0 && left > near) passed.push([left, Uint8Array.from(reached)]);
    }
    if (equal(reached, expected)) {
      for (const [where, what] of passed) this.add(where, what);
      return { place };
    }
    const found = toHex(reached);
    // The hash's own place is kept, so that a slightly wrong claim does not cost the next rows as
    // much again.
    const late = early > 0 || near > 0 ? 0 : this.stepsTo(reached, expected, BEYOND);
    if (early > 0) this.at(hash, near + early, most);
    else if (late > 0) this.at(hash, place + late, Infinity);
    return { steps, found, expected: toHex(expected) };
  }

  /**
   * @param {Uint8Array} reached is changed
   * @param {Uint8Array} expected
   * @param {number} most
   * @returns {number} the number of steps from one hash to the other; 0 if it is not reached
   */
  stepsTo(reached, expected, most) {
    for (let taken = 1; taken <= most; taken++) {
      this.next(reached);
      if (equal(reached, expected)) return taken;
    }
    return 0;
  }

  /**
   * Finds the place of a hash without a claimed place.
   * @param {Uint8Array} hash
   * @param {number} [most] steps that may be computed
   * @returns {Followed}
   */
  find(hash, most = MOST_STEPS) {
    const reached = Uint8Array.from(hash);
    for (let steps = 0; steps <= most; steps++) {
      const near = this.placeOf(reached);
      if (near !== null && near + steps <= this.most) return this.at(hash, near + steps, most);
      this.next(reached);
    }
    return "too-far";
  }

  /**
   * The place of a kept hash.
   * @param {Uint8Array} hash
   * @returns {number | null}
   */
  placeOf(hash) {
    const places = this.byWord.get(firstWord(hash));
    if (places === undefined) return null;
    for (const place of places)
      if (equal(/** @type {Uint8Array} */ (this.hashes.get(place)), hash)) return place;
    return null;
  }

  /**
   * The last kept place up to this one.
   * @param {number} place
   * @returns {number}
   */
  nearest(place) {
    return this.places[this.countUpTo(place) - 1];
  }

  /** @param {number} place @returns {number} how many kept places are at most this one */
  countUpTo(place) {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.places[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} place @param {Uint8Array} hash */
  add(place, hash) {
    if (this.hashes.has(place)) return;
    this.hashes.set(place, hash);
    this.places.splice(this.countUpTo(place), 0, place);
    this.index(place, hash);
  }

  /** @param {number} place @param {Uint8Array} hash */
  index(place, hash) {
    const word = firstWord(hash);
    const others = this.byWord.get(word);
    if (others === undefined) this.byWord.set(word, [place]);
    else others.push(place);
  }
}

/** Replaces a hash by the one of the game before. @param {Uint8Array} hash */
function hashBytes(hash) {
  sha256Into(hash, hash, 0);
}

/** The same for a chain that hashes text. @param {Uint8Array} hash */
function hashText(hash) {
  hash.set(sha256(utf8(toHex(hash))));
}

/** @param {Uint8Array} hash @returns {number} */
function firstWord(hash) {
  return (hash[0] << 24) | (hash[1] << 16) | (hash[2] << 8) | hash[3];
}
