// The keys that a reader keeps in this browser, one for each log, with their sources.

import { keep, kept } from "./kept.js";

/**
 * @typedef {object} KeptKey
 * @property {string} key
 * @property {string} from in the reader's words, perhaps empty
 * @property {number} when
 */

/** @returns {Record<string, KeptKey>} by the log's origin */
function all() {
  try {
    const value = JSON.parse(kept("keys") ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * @param {string} origin
 * @returns {KeptKey | null}
 */
export function keyOf(origin) {
  const keys = all();
  const found = Object.hasOwn(keys, origin) ? keys[origin] : null;
  return typeof found?.key === "string" &&
    originOf(found.key) === origin &&
    typeof found.when === "number"
    ? { ...found, from: String(found.from ?? "") }
    : null;
}

/**
 * @param {string} key
 * @param {string} from
 */
export function keepKey(key, from) {
  const keys = { ...all(), [originOf(key)]: { key, from, when: Date.now() } };
  keep("keys", JSON.stringify(keys));
}

/** @param {string} key */
export function forgetKey(key) {
  const keys = all();
  delete keys[originOf(key)];
  keep("keys", JSON.stringify(keys));
}

/**
 * The log's origin is the key's name.
 * @param {string} key
 * @returns {string}
 */
export function originOf(key) {
  return key.split("+")[0];
}
