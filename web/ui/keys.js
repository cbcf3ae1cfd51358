// The keys that a reader keeps in this browser, one for each log, with their sources; and the keys
// that the reader found to differ from a printed one.

import { keep, kept } from "./kept.js";

/**
 * @typedef {object} KeptKey
 * @property {string} key
 * @property {string} from in the reader's words, perhaps empty; of a compared key, where the
 *   operator says that it is printed
 * @property {number} when
 * @property {boolean} compared whether the reader compared it, character by character, with a
 *   printed one
 * @property {string} [policy] the reader's policy for the log: each octet is one character
 */

/**
 * @param {"keys" | "keys-differ"} name
 * @returns {Record<string, any>}
 */
function read(name) {
  try {
    const value = JSON.parse(kept(name) ?? "null");
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Something else wrote there.
  }
  return {};
}

/**
 * @param {"keys" | "keys-differ"} name
 * @param {Record<string, any>} all
 */
function write(name, all) {
  keep(name, JSON.stringify(all));
}

/**
 * @param {string} origin
 * @returns {KeptKey | null}
 */
export function keyOf(origin) {
  const keys = read("keys");
  const found = Object.hasOwn(keys, origin) ? keys[origin] : null;
  return typeof found?.key === "string" &&
    originOf(found.key) === origin &&
    typeof found.when === "number"
    ? {
        ...found,
        from: String(found.from ?? ""),
        compared: found.compared === true,
        policy: typeof found.policy === "string" ? found.policy : undefined,
      }
    : null;
}

/**
 * @param {string} key
 * @param {string} from
 * @param {boolean} [compared]
 */
export function keepKey(key, from, compared = false) {
  const origin = originOf(key);
  const before = keyOf(origin);
  const policy = before?.key === key ? before.policy : undefined;
  write("keys", { ...read("keys"), [origin]: { key, from, when: Date.now(), compared, policy } });
}

/**
 * Keeps a policy with the key of its log, or forgets it.
 * @param {string} key that is kept
 * @param {string | null} policy
 */
export function keepPolicy(key, policy) {
  const before = keyOf(originOf(key));
  if (before?.key !== key) return;
  write("keys", { ...read("keys"), [originOf(key)]: { ...before, policy: policy ?? undefined } });
}

/** @param {string} key */
export function forgetKey(key) {
  const keys = read("keys");
  if (keyOf(originOf(key))?.key !== key) return;
  delete keys[originOf(key)];
  write("keys", keys);
}

/**
 * Whether the reader said that this key differs from the printed one. Then nothing is checked with
 * it, whoever gives it.
 * @param {string} key
 * @returns {boolean}
 */
export function differs(key) {
  return Object.hasOwn(read("keys-differ"), key);
}

/**
 * @param {string} key
 * @param {boolean} does
 */
export function setDiffers(key, does) {
  const { [key]: _, ...others } = read("keys-differ");
  if (!does && !differs(key)) return;
  write("keys-differ", does ? { ...others, [key]: Date.now() } : others);
}

/**
 * The log's origin is the key's name.
 * @param {string} key
 * @returns {string}
 */
export function originOf(key) {
  return key.split("+")[0];
}

/**
 * The name of a key, without the key: it says which key is meant, and proves nothing.
 * @param {string} key
 * @returns {string}
 */
export function nameOfKey(key) {
  return key.split("+", 2).join("+");
}
