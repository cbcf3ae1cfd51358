// Detects the kind of a dropped file, so that a reader can drop all files at once.

import { textOrNull } from "../fairdeal/bytes.js";
import { EVIDENCE, evidenceFiles } from "../fairdeal/evidence.js";
import { readFile, readReceipt } from "../fairdeal/receipt.js";

/**
 * @typedef {"receipt" | "key" | "since" | "mine" | "list" | "evidence"} FileKind
 */

/**
 * @typedef {object} Sorted
 * @property {FileKind} kind
 * @property {string} [origin] the log that a receipt or a key claims, not verified yet
 * @property {string} [broken] why a file that was taken for a receipt cannot be read as one
 * @property {string} [text] of a key
 * @property {string[]} [each] of several contributions in one file, the text of each
 * @property {Pick<import("../fairdeal/evidence.js").EvidenceFiles, "files" | "mine" | "since">} [evidence]
 *   the parts of an evidence file
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
  const sorted = await kindOf(name, bytes);
  if (sorted.kind !== "receipt") return sorted;
  try {
    readReceipt(readFile(bytes));
    return sorted;
  } catch (error) {
    return { ...sorted, broken: /** @type {Error} */ (error).message };
  }
}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<Sorted>}
 */
async function kindOf(name, bytes) {
  const text = textOrNull(bytes)?.replace(/^\ufeff/, "") ?? null;
  if (text === null) return { kind: "receipt" };
  if (KEY.test(text)) return { kind: "key", text: text.trim(), origin: text.split("+")[0] };
  const json = parsed(text);
  if (json !== null)
    return (await sortJson(json)) ?? (isList(name) ? { kind: "list" } : { kind: "receipt" });
  if (/^[^{\n]+\n\d+\n[^\n]+\n(.*\n)*\n— /.test(text))
    return { kind: "since", origin: text.split("\n")[0] };
  return isList(name) ? { kind: "list" } : { kind: "receipt" };
}

/** @param {string} name */
function isList(name) {
  return /\.(txt|list|csv)$/i.test(name);
}

/**
 * @param {string} text
 * @returns {any}
 */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {any} value
 * @returns {Promise<Sorted | null>}
 */
async function sortJson(value) {
  const evidence = value.format === EVIDENCE ? await partsOf(value) : null;
  if (evidence !== null) return { kind: "evidence", evidence };
  const receipt = value.receipt ?? value;
  if (typeof receipt?.checkpoint === "string")
    return { kind: "receipt", origin: receipt.checkpoint.split("\n")[0] };
  const brought = [value].flat();
  const isMine =
    brought.length > 0 &&
    brought.every((each) => typeof each?.from === "string" && typeof each.seed === "string");
  return isMine ? { kind: "mine", each: brought.map((each) => JSON.stringify(each)) } : null;
}

/**
 * The parts of an evidence file; null if it is none.
 * @param {object} value
 * @returns {Promise<Sorted["evidence"] | null>}
 */
async function partsOf(value) {
  try {
    const { files, mine, since } = await evidenceFiles(value);
    return { files, mine, since };
  } catch {
    return null;
  }
}
