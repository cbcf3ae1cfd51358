// Everything that a player knows, in one file, and what it shows (web/play.md, "The evidence file").

import { canonical } from "./jcs.js";
import { isObject } from "./json.js";
import { readFile } from "./receipt.js";
import { Refused } from "./refused.js";
import { verifyReceipt, verifyReceipts } from "./verify.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./verdict.js").ReceiptFinding} ReceiptFinding
 */

/** What an evidence file says that it is. */
export const EVIDENCE = "fairdeal/evidence/v1";

/**
 * Writes the file.
 * @param {string} key the log's verifier key
 * @param {readonly import("./book.js").Record[]} records
 * @param {import("./continuity.js").Head | null} saved
 * @returns {string}
 */
export function evidence(key, records, saved) {
  const files = records.flatMap((each) => each.files.map(({ name, text }) => ({ name, file: JSON.parse(text) })));
  const since = new Set(records.flatMap((each) => each.since));
  if (saved !== null) since.add(saved.note);
  // What is not opened yet is secret, unless its round is lost: the seed is never used again.
  const mine = records.flatMap(({ kept, opened, findings }) => (
    kept !== undefined && (opened !== undefined || findings.length > 0) ? [kept] : []
  ));
  const findings = records.flatMap((each) => each.findings.map(({ code, says }) => ({ code, says })));
  return JSON.stringify({ format: EVIDENCE, key, files, mine, since: [...since], findings }, null, 1);
}

/**
 * What an evidence file holds, each as a verifier takes it.
 * @typedef {object} EvidenceFiles
 * @property {{name: string, file: string}[]} files receipts and openings
 * @property {Kept[]} mine
 * @property {string[]} since signed checkpoints
 * @property {{code: string, says: string}[]} findings what the player's kit said
 */

/**
 * Takes an evidence file apart.
 * @param {string | Uint8Array | object} text
 * @returns {EvidenceFiles}
 * @throws {Refused} `unavailable` or `evidence`, if it is not one
 */
export function evidenceFiles(text) {
  const value = readFile(text);
  if (!isObject(value) || value.format !== EVIDENCE) throw new Refused("evidence", `expected an object of the format ${EVIDENCE}`);
  const { files, mine, since, findings } = value;
  for (const [name, list] of Object.entries({ files, mine, since, findings })) {
    if (!Array.isArray(list)) throw new Refused("evidence", `${name}: expected an array`);
  }
  const named = /** @type {Json[]} */ (files).map((each, i) => {
    if (!isObject(each) || typeof each.name !== "string" || !isObject(each.file)) {
      throw new Refused("evidence", `files[${i}]: expected a name and a file`);
    }
    return { name: each.name, file: canonical(each.file) };
  });
  return { .../** @type {any} */ ({ mine, since, findings }), files: named };
}

/**
 * Judges an evidence file: each receipt alone, all together, with what the player brought, and against the heads that the
 * player saw.
 * @param {string | Uint8Array | object} text
 * @param {{key: string}} options the log's verifier key, from elsewhere: the file's own word for it proves nothing
 * @returns {Promise<import("./verify.js").Verdicts & {says: {code: string, says: string}[]}>} `says` is the kit's word: it shows nothing
 * @throws {Refused}
 */
export async function verifyEvidence(text, { key }) {
  const { files, mine, since, findings: says } = evidenceFiles(text);
  // What is of a round that no file shows was never answered: it says nothing.
  const shown = await verifyReceipts(files, { key });
  const rounds = new Set(shown.receipts.map((each) => ("holds" in each ? `${each.commitment} ${each.nonce}` : "")));
  const verdicts = await verifyReceipts(files, { key, mine: mine.filter(({ commitment, nonce }) => rounds.has(`${commitment} ${nonce}`)) });
  const findings = [...verdicts.findings];
  for (const note of since) {
    for (const { file } of files) {
      const against = await verifyReceipt(file, { key, since: note }).catch((error) => {
        if (error instanceof Refused && error.code === "unavailable") return null;
        throw error;
      });
      const fork = against?.findings.find(({ code, says: why }) => code === "inconsistent" && why.startsWith("at size"));
      if (fork !== undefined && !findings.some((each) => each.says === fork.says)) findings.push(fork);
    }
  }
  return { ...verdicts, holds: verdicts.holds && findings.length === 0, findings, says };
}
