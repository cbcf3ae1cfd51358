// Evidence: all records of a player in one file, and the verdict on it (spec/receipt.md, section
// 11.10).

import { expectFile, expectObject } from "./expected.js";
import { utf8 } from "./bytes.js";
import { canonical } from "./jcs.js";
import { isObject } from "./json.js";
import { readFile, readSeen, sizeOf } from "./receipt.js";
import { Refused } from "./refused.js";
import { readKept } from "./mine.js";
import { judgeFiles, verifyReceipts } from "./verify.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 */

/** The value of `format` of an evidence file. */
export const EVIDENCE = "fairdeal/evidence/v1";

/**
 * A head of the log, and the roots that the log had at other sizes, as this head proves them.
 * @typedef {object} Since
 * @property {string} checkpoint a signed note
 * @property {{size: number, root: string, proof: string[]}[]} [seen] as in a receipt
 */

/**
 * Writes the file.
 * @param {string} key the log's verifier key
 * @param {ReturnType<typeof import("./record.js").shownBy>} shown
 * @param {readonly {code: string, says: string}[]} claims
 * @returns {string}
 */
export function evidence(key, { files, mine, since }, claims) {
  const parts = {
    files: files.map(({ name, text }) => ({ name, file: JSON.parse(text) })),
    mine,
    since,
    findings: claims.map(({ code, says }) => ({ code, says })),
  };
  return JSON.stringify({ format: EVIDENCE, key, ...parts }, null, 1);
}

/**
 * The parts of an evidence file, in the form that a verifier takes.
 * @typedef {object} EvidenceFiles
 * @property {{name: string, file: string}[]} files receipts and openings
 * @property {Kept[]} mine
 * @property {Since[]} since
 * @property {{code: string, says: string}[]} findings the claims of the player's kit
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
 * Splits an evidence file into its parts.
 * @param {string | Uint8Array | object} file
 * @returns {Promise<EvidenceFiles>}
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `evidence`, if it is not
 * one
 */
export async function evidenceFiles(file) {
  const value = readFile(file);
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
    const named = exactly(each, what, ["name", "file"]);
    if (!isObject(named.file)) throw new Refused("evidence", `${what}.file: expected an object`);
    return { name: text(named.name, `${what}.name`), file: canonical(named.file) };
  });
  const mine = await Promise.all(
    list(evidence.mine, "mine", (each, what) => within(what, () => readKept(canonical(each)))),
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
 * Judges an evidence file: each receipt alone, all together, with the player's contributions, and
 * with the heads that the player saw. Evidence of another shape is an `invalid-receipt`.
 * @param {string | Uint8Array | object} file
 * @param {{key: string}} options the log's verifier key, from another place: the key in the file
 *   proves nothing
 * @returns {Promise<import("./verify.js").Verdicts & {says: {code: string, says: string}[]}>}
 *   `says` has the kit's claims, which prove nothing
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `key`
 */
export async function verifyEvidence(file, options) {
  expectFile("verifyEvidence(file, options)", "file", file);
  expectObject("verifyEvidence(file, options)", 'options with "key"', options);
  const { key } = options;
  try {
    const { files, mine, since, findings: says } = await evidenceFiles(file);
    return { ...(await judgeFiles(files, { key }, { mine, since })).verdicts, says };
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "evidence") throw error;
    const invalid = await verifyReceipts([{ name: "evidence", file }], { key });
    for (const each of invalid.receipts) {
      if ("findings" in each)
        each.findings = each.findings.map((finding) => ({ ...finding, says: error.message }));
    }
    return { ...invalid, says: [] };
  }
}
