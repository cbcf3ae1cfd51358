// Detects the kind of a dropped file, so that a reader can drop all files at once.

import { textOrNull } from "../fairdeal/bytes.js";
import { EVIDENCE, partsOf } from "../fairdeal/given.js";
import { exactly } from "../fairdeal/jcs.js";
import { readFile, readReceipt } from "../fairdeal/receipt.js";
import { isPolicy } from "./policy-file.js";

/** @typedef {import("../fairdeal/json.js").Json} Json */

/**
 * @typedef {"receipt" | "key" | "since" | "mine" | "list" | "policy"} FileKind `receipt`: any file to judge,
 *   also an opening or evidence
 */

/**
 * @typedef {object} Sorted
 * @property {FileKind} kind
 * @property {string} [origin] the log that a receipt or a key claims, not verified yet
 * @property {string} [broken] why a file that was taken for a receipt cannot be read as one
 * @property {string} [text] of a key
 * @property {string[]} [each] of several contributions in one file, the text of each
 */

const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\r?\n?$/;

/**
 * The kind of a file. An unknown file is taken for a receipt, which is then refused by name, before
 * the reader is asked for a key that would not help.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<Sorted>}
 */
export async function sortFile(name, bytes) {
  const value = valueOf(bytes);
  const sorted = kindOf(name, bytes, value);
  if (sorted.kind !== "receipt") return sorted;
  try {
    // Its contributions are read when it is judged: each has signatures.
    if (value?.format === EVIDENCE) await partsOf(value, (own) => /** @type {any} */ (own));
    else readReceipt(value ?? readFile(bytes));
    return sorted;
  } catch (error) {
    const isRaffle = /"format": *"fairdeal\/raffle\/v1"/.test(textOrNull(bytes) ?? "");
    const says = /** @type {Error} */ (error).message;
    return { ...sorted, broken: isRaffle ? "this is a raffle: open it with raffle.html" : says };
  }
}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {any} value
 * @returns {Sorted}
 */
function kindOf(name, bytes, value) {
  /** @type {Sorted} */
  const other = { kind: /\.(txt|list|csv)$/i.test(name) ? "list" : "receipt" };
  if (value !== null) return ofJson(value) ?? other;
  if (isPolicy(bytes)) return { kind: "policy" };
  const text = textOrNull(bytes)?.replace(/^\ufeff/, "") ?? null;
  if (text === null) return { kind: "receipt" };
  if (KEY.test(text)) return { kind: "key", text: text.trim(), origin: text.split("+")[0] };
  return /^[^{\n]+\n\d+\n[^\n]+\n(.*\n)*\n— /.test(text)
    ? { kind: "since", origin: text.split("\n")[0] }
    : other;
}

/**
 * The JSON object or array in a file; null if there is none.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
function valueOf(bytes) {
  try {
    const value = readFile(bytes);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {any} value
 * @returns {Sorted | null}
 */
function ofJson(value) {
  const file = value.format === EVIDENCE ? value.files?.[0]?.file : value;
  const receipt = file?.receipt ?? file;
  if (typeof receipt?.checkpoint === "string")
    return { kind: "receipt", origin: receipt.checkpoint.split("\n")[0] };
  /** @type {Json[]} */
  const brought = [value].flat();
  const isMine =
    brought.length > 0 &&
    brought.every(
      (/** @type {any} */ each) => typeof each?.from === "string" && typeof each.seed === "string",
    );
  return isMine ? { kind: "mine", each: brought.map(exactly) } : null;
}
