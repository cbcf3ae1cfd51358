// The checkpoints that the reader saw, one for each log, and the evidence of a fork.

import { keep, kept } from "../kept.js";

/**
 * @typedef {object} Memory
 * @property {string} note as it was signed
 * @property {number} size
 * @property {string} root
 * @property {number} when it was seen
 * @property {boolean} signed whether the log's key was known then
 */

/**
 * Two checkpoints of one log that cannot both be true.
 * @typedef {object} Fork
 * @property {string} key that signed both
 * @property {string} saved
 * @property {string} now
 * @property {number} savedWhen
 * @property {number} when
 * @property {string} says
 */

/**
 * @template T
 * @param {string} name
 * @returns {T | null}
 */
function read(name) {
  try {
    const value = JSON.parse(kept(name) ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} origin
 * @returns {Memory | null}
 */
export function seenOf(origin) {
  /** @type {Memory | null} */
  const found = read(`seen.${origin}`);
  return typeof found?.note === "string" &&
    typeof found.size === "number" &&
    typeof found.when === "number"
    ? found
    : null;
}

/**
 * @param {string} origin
 * @param {Memory | null} memory null to forget it
 * @returns {boolean} whether this browser keeps it
 */
export function keepSeen(origin, memory) {
  return keep(`seen.${origin}`, memory === null ? null : JSON.stringify(memory));
}

/**
 * @param {string} origin
 * @returns {Fork | null}
 */
export function forkOf(origin) {
  /** @type {Fork | null} */
  const found = read(`fork.${origin}`);
  return [found?.key, found?.saved, found?.now].every((each) => typeof each === "string")
    ? found
    : null;
}

/**
 * @param {string} origin
 * @param {Fork | null} fork null to forget it
 */
export function keepFork(origin, fork) {
  keep(`fork.${origin}`, fork === null ? null : JSON.stringify(fork));
}
