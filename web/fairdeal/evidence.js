// Evidence: all records of a player in one file, and the verdict on it (spec/receipt.md, section
// 11.10).

import { CHAINS } from "./beacon.js";
import { FLAG, TEXT, expectFile, expectOptions } from "./expected.js";
import { EVIDENCE } from "./given.js";
import { legible } from "./jcs.js";
import { POLICY } from "./policy.js";
import { fileOf } from "./receipt.js";
import { Refused } from "./refused.js";
import { judgeFiles } from "./verify.js";

export { EVIDENCE, evidenceFiles } from "./given.js";

const OPTIONS = { key: TEXT, policy: POLICY, chains: CHAINS, kept: FLAG };

/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./given.js").Since} Since
 */

/**
 * Writes the file.
 * @param {string} key the log's verifier key
 * @param {Awaited<ReturnType<typeof import("./record.js").shownBy>>} shown
 * @param {readonly {code: string, says: string}[]} claims
 * @returns {string}
 */
export function evidence(key, { files, mine, since }, claims) {
  // A file is written as it is: a reader's JSON.parse would round its numbers.
  const inside = files.map(
    ({ name, text }) => `{"name": ${JSON.stringify(name)}, "file": ${fileOf(text)}}`,
  );
  const findings = claims.map(({ code, says }) => ({ code, says }));
  const rest = JSON.stringify({ mine, since, findings }, null, 1).slice(1);
  const head = `"format": ${JSON.stringify(EVIDENCE)},\n "key": ${JSON.stringify(key)}`;
  return legible(`{\n ${head},\n "files": [${inside.join(",\n")}],${rest}`);
}

/**
 * Judges an evidence file: each receipt alone, all together, with the player's contributions, and
 * with the heads that the player saw. Evidence of another shape is an `invalid-receipt`.
 * @param {string | Uint8Array | object} file
 * @param {{key: string, policy?: import("./policy.js").Policy,
 *   chains?: readonly import("./beacon.js").Chain[], kept?: boolean}} options the log's verifier key,
 *   from another place: the key in the file proves nothing; the witnesses that you believe; chains of
 *   beacons; and whether you kept this file yourself
 * @returns {Promise<import("./verify.js").Verdicts>} `says` has the claims of the player's program,
 *   which prove nothing
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `key`; `policy`
 */
export async function verifyEvidence(file, options) {
  const call = "verifyEvidence(file, options)";
  expectFile(call, "file", file);
  expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  const { kept, ...believed } = options;
  const { verdicts } = await judgeFiles([{ name: "evidence", file, kept }], believed);
  const [first] = verdicts.receipts;
  if ("error" in first && !("holds" in first))
    throw new Refused(first.error.code, first.error.says);
  return { says: [], ...verdicts };
}
