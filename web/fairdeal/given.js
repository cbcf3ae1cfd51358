// What a verifier is given: files, and evidence in the place of the files in it (spec/receipt.md,
// sections 11.9 and 11.10).

import { utf8 } from "./bytes.js";
import { exactly as exactText } from "./jcs.js";
import { isObject } from "./json.js";
import { keptOf } from "./mine.js";
import { readFile, readSeen, sizeOf } from "./receipt.js";
import { Refused } from "./refused.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {{code: string, says: string}} Claim of a player's program
 */

/** The value of `format` of an evidence file. */
export const EVIDENCE = "fairdeal/evidence/v1";

const FORMATS = new Set(["fairdeal/receipt/v1", "fairdeal/opening/v1", EVIDENCE]);

/**
 * Whether a value is a file to judge, and not a contribution.
 * @param {Json} value
 * @returns {boolean}
 */
export function isToJudge(value) {
  return isObject(value) && typeof value.format === "string" && FORMATS.has(value.format);
}

/**
 * A head of the log, and the roots that the log had at other sizes, as this head proves them.
 * @typedef {object} Since
 * @property {string} checkpoint a signed note
 * @property {{size: number, root: string, proof: string[]}[]} [seen] as in a receipt
 */

/**
 * The parts of an evidence file.
 * @typedef {object} Parts
 * @property {{name: string, file: import("./json.js").JsonObject}[]} files receipts and openings
 * @property {Kept[]} mine
 * @property {Since[]} since
 * @property {Claim[]} findings
 */

/**
 * The parts of an evidence file, in the form that a verifier takes.
 * @typedef {Omit<Parts, "files"> & {files: {name: string, file: string}[]}} EvidenceFiles
 */

/**
 * @param {Json} value
 * @param {string} what
 * @param {readonly string[]} members
 * @param {string} [optional]
 * @returns {Record<string, Json>}
 */
function exactly(value, what, members, optional) {
  const found = isObject(value) ? Object.keys(value).filter((name) => name !== optional) : [];
  if (
    !isObject(value) ||
    found.length !== members.length ||
    !members.every((member) => found.includes(member))
  ) {
    const may = optional === undefined ? "" : `, and perhaps ${optional}`;
    throw new Refused(
      "evidence",
      `${what}: expected an object with exactly ${members.join(", ")}${may}`,
    );
  }
  return value;
}

/** @param {Json} value @param {string} what @returns {string} */
function text(value, what) {
  if (typeof value !== "string") throw new Refused("evidence", `${what}: expected a text`);
  return value;
}

/**
 * Says where a refusal is.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} read
 * @returns {Promise<T>}
 */
async function within(what, read) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refused) throw new Refused("evidence", `${what}: ${error.message}`);
    throw error;
  }
}

/**
 * @template T
 * @param {Json} value
 * @param {string} what
 * @param {(each: Json, what: string) => T} read
 * @returns {T[]}
 */
function list(value, what, read) {
  if (!Array.isArray(value)) throw new Refused("evidence", `${what}: expected an array`);
  return value.map((each, i) => read(each, `${what}[${i}]`));
}

/**
 * @param {Json} value
 * @param {(own: Json) => Kept | Promise<Kept>} [readOwn] reads a contribution
 * @returns {Promise<Parts>}
 * @throws {Refused} `evidence`, if it is not evidence; `unavailable`, if it has no files
 */
export async function partsOf(value, readOwn = keptOf) {
  if (!isObject(value) || value.format !== EVIDENCE)
    throw new Refused("evidence", `expected an object of the format ${EVIDENCE}`);
  const evidence = exactly(value, "evidence", [
    "format",
    "key",
    "files",
    "mine",
    "since",
    "findings",
  ]);
  text(evidence.key, "key");
  const files = list(evidence.files, "files", (each, what) => {
    const { name, file } = exactly(each, what, ["name", "file"]);
    if (!isObject(file)) throw new Refused("evidence", `${what}.file: expected an object`);
    return { name: text(name, `${what}.name`), file };
  });
  const mine = await Promise.all(
    list(evidence.mine, "mine", (each, what) => within(what, () => readOwn(each))),
  );
  const since = await Promise.all(
    list(evidence.since, "since", (each, what) => within(what, () => readSince(each, what))),
  );
  const findings = list(evidence.findings, "findings", (each, what) => {
    const { code, says } = exactly(each, what, ["code", "says"]);
    return { code: text(code, `${what}.code`), says: text(says, `${what}.says`) };
  });
  if (files.length === 0)
    throw new Refused("unavailable", "evidence without files: nothing can be judged");
  return { files, mine, since, findings };
}

/**
 * @param {Json} value
 * @param {string} what
 * @returns {Since}
 */
function readSince(value, what) {
  const { checkpoint, seen } = exactly(value, what, ["checkpoint"], "seen");
  const note = text(checkpoint, `${what}.checkpoint`);
  if (seen === undefined) return { checkpoint: note };
  readSeen(seen, sizeOf(utf8(note)));
  return { checkpoint: note, seen: /** @type {Since["seen"]} */ (/** @type {unknown} */ (seen)) };
}

/**
 * Splits an evidence file into its parts.
 * @param {string | Uint8Array | object} file
 * @returns {Promise<EvidenceFiles>}
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `evidence`, if it is not
 * one
 */
export async function evidenceFiles(file) {
  const { files, ...parts } = await partsOf(readFile(file));
  return { files: files.map((each) => ({ ...each, file: exactText(each.file) })), ...parts };
}

/**
 * A file that a verifier is given.
 * @typedef {object} GivenFile
 * @property {string} name
 * @property {string | Uint8Array | object} file
 * @property {boolean} [kept] whether the reader kept it (section 11.8)
 */

/**
 * A file to judge: its value, or why it is an `invalid-receipt`; null, with the error, if it cannot
 * be read.
 * @typedef {object} Taken
 * @property {string} name
 * @property {string | Uint8Array | object} file
 * @property {boolean} kept
 * @property {Json | Refused} value
 * @property {Refused | null} error
 */

/**
 * Reads files, and puts the files of evidence in its place.
 * @param {readonly GivenFile[]} given
 */
export async function takeApart(given) {
  /** @type {Taken[]} */
  const files = [];
  /** In evidence that the reader kept, and in other evidence. @type {[Kept[], Kept[]]} */
  const [mine, claimed] = [[], []];
  /** @type {(Since & {name: string})[]} */
  const since = [];
  /** @type {Claim[]} */
  const says = [];
  for (const { name, file, kept = false } of given) {
    try {
      const value = readFile(file);
      if (!isObject(value) || value.format !== EVIDENCE) {
        files.push({ name, file, kept, value, error: null });
        continue;
      }
      const parts = await partsOf(value);
      for (const { name: inner, file: value } of parts.files) {
        const text = exactText(value);
        files.push({ name: `${name}: ${inner}`, file: text, kept, value, error: null });
      }
      (kept ? mine : claimed).push(...parts.mine);
      parts.since.forEach((each, i) => since.push({ ...each, name: `${name}: since[${i}]` }));
      says.push(...parts.findings);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const invalid = error.code === "evidence";
      files.push({
        name,
        file,
        kept,
        value: invalid ? new Refused("invalid-receipt", error.message) : null,
        error: invalid ? null : error,
      });
    }
  }
  return { files, mine, claimed, since, says };
}
