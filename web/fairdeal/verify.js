// Receipts and openings under a key, one or several (spec/receipt.md, sections 11.5 to 11.10).

import { fromHex, utf8 } from "./bytes.js";
import { openCheckpoint } from "./checkpoint.js";
import { isLabel } from "./contribution.js";
import { readListOf } from "./deck.js";
import { expectFile, expectFiles, expectObject } from "./expected.js";
import { readKey } from "./key.js";
import { continues } from "./merkle.js";
import { readKept, readPlayers } from "./mine.js";
import { readFile, readSeen } from "./receipt.js";
import { Refused, shown } from "./refused.js";
import { judgeTogether } from "./several.js";
import { Judgement } from "./verdict.js";

/**
 * @typedef {import("./verdict.js").Verdict} Verdict
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./mine.js").Kept} Kept
 */

/**
 * A file: its text, its bytes, or the result of `JSON.parse`. Give the text or the bytes:
 * `JSON.parse` hides faults that a strict reader refuses.
 * @typedef {string | Uint8Array | object} File
 */

/**
 * @typedef {object} VerifyOptions
 * @property {string} key the verifier key, whose name is the log's origin
 * @property {string | Uint8Array} [since] a checkpoint that you saved: the receipts must be of the
 * same log
 * @property {readonly (Kept | string | Uint8Array)[] | Kept} [mine] your contributions: exactly
 *   these must have been mixed
 * @property {Record<string, string>} [players] for labels, the public keys that their players gave
 * you
 * @property {string} [seat] the seat whose cards an opening must show
 * @property {Uint8Array} [list] the file of the list that was dealt: another list is refused
 */

/**
 * The verdict on several files. `spec/schema/verify.json` describes it.
 * @typedef {object} Verdicts
 * @property {boolean} holds whether every file was read and holds, and they do not contradict each
 * other
 * @property {import("./verdict.js").State} [state] of all files; absent if there is none
 * @property {number} [continues] the size of the saved view that all files continue
 * @property {ReceiptFinding[]} findings what the files show together
 * @property {(({file: string} & Verdict) | {file: string, error: {code: string, says: string}})[]}
 * receipts
 */

/**
 * The reader's inputs, read.
 * @typedef {object} Reader
 * @property {import("./key.js").Key} key
 * @property {Kept[]} mine
 * @property {Map<string, string>} players
 * @property {string | undefined} seat
 * @property {Uint8Array | undefined} list
 * @property {import("./checkpoint.js").Checkpoint | null} since
 */

/**
 * @param {VerifyOptions} options
 * @returns {Promise<Reader>}
 */
async function readOptions({ key: text, since, mine = [], players = {}, seat, list }) {
  const key = readKey(text);
  if (seat !== undefined && !isLabel(seat)) {
    throw new Refused(
      "seat",
      `a seat has 1 to 64 bytes and no control characters; found ${shown(seat)}`,
    );
  }
  const all = Array.isArray(mine) ? mine : [mine];
  const saved = since === undefined ? null : await readSaved(since, key);
  const kept = await Promise.all(all.map(readKept));
  return { key, mine: kept, players: readPlayers(players), seat, list, since: saved };
}

/**
 * @param {string | Uint8Array} note
 * @param {import("./key.js").Key} key
 * @returns {Promise<import("./checkpoint.js").Checkpoint>}
 */
async function readSaved(note, key) {
  const { checkpoint, bad, signed } = await openCheckpoint(
    typeof note === "string" ? utf8(note) : note,
    key,
  );
  // Its bytes were changed on the way to the reader's disk, or it is of another log.
  if (bad !== null || checkpoint === null)
    throw new Refused("unavailable", `the saved checkpoint cannot be used: ${bad}`);
  if (signed !== true)
    throw new Refused(
      "unavailable",
      "this platform cannot verify the signature of the saved checkpoint",
    );
  if (checkpoint.size === 0n)
    throw new Refused("since", "the saved checkpoint is empty, which every log continues");
  return checkpoint;
}

/**
 * Compares a file with the reader's saved view.
 * @param {Judgement} judgement
 * @param {import("./checkpoint.js").Checkpoint} saved
 */
function compareSaved(judgement, saved) {
  const { checkpoint, logged } = judgement;
  // A file that the key did not sign contradicts nobody.
  if (checkpoint === null || logged !== true) return;
  const root =
    checkpoint.size === saved.size ? checkpoint.root : judgement.proved.get(Number(saved.size));
  if (root === undefined) {
    throw new Refused(
      "unavailable",
      `the receipt's checkpoint has ${checkpoint.size} entries, the saved one ${saved.size}: only the log shows whether one continues the other`,
    );
  }
  if (root === saved.root) return;
  const says = `at size ${saved.size} the saved view has root ${saved.root}, this receipt ${root}: the log signed both, this is a fork`;
  judgement.find("inconsistent", undefined, says);
}

/**
 * Refuses a list that is not the dealt one.
 * @param {Judgement} judgement
 * @param {Uint8Array} list
 */
function compareList({ course }, list) {
  if (course === null) return;
  const { deck } = course.commit;
  if (typeof deck === "string")
    throw new Refused("list", `the deck is ${deck}, which needs no list`);
  readListOf(list, deck);
}

/**
 * @param {import("./json.js").Json} file
 * @param {Reader} reader
 * @returns {Promise<Judgement>}
 */
async function judge(file, reader) {
  const judgement = new Judgement(reader.key, file);
  await judgement.judge();
  if (reader.since !== null) compareSaved(judgement, reader.since);
  if (reader.list !== undefined) compareList(judgement, reader.list);
  return judgement;
}

/**
 * Verifies one receipt or opening.
 * @param {File} file its text, its bytes, or the result of `JSON.parse`
 * @param {VerifyOptions} options
 * @returns {Promise<Verdict>}
 * @throws {Refused} `unavailable`, if the file is not readable JSON, or the saved checkpoint cannot
 *   be used; `key`, `mine`, `players`, `seat`, `since`, `list` or `list-mismatch`, if another input
 *   is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function verifyReceipt(file, options) {
  const call = "verifyReceipt(file, options)";
  expectFile(call, "file", file);
  expectObject(call, 'options with "key"', options);
  const reader = await readOptions(options);
  const judgement = await judge(readFile(file), reader);
  expectOpening([judgement], reader.seat);
  return judgement.verdict(reader.mine, reader.players, reader.seat);
}

/**
 * Verifies several receipts and openings: each alone, and then all together.
 * @param {readonly ({name: string, file: File} | string | Uint8Array)[]} files each with a name, or
 * numbered from 1
 * @param {VerifyOptions} options
 * @returns {Promise<Verdicts>}
 * @throws {Refused} if an input other than the files is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function verifyReceipts(files, options) {
  const call = "verifyReceipts(files, options)";
  expectFiles(call, files);
  expectObject(call, 'options with "key"', options);
  return (await judgeFiles(files, options)).verdicts;
}

/**
 * A file, judged alone, or why it cannot be read.
 * @typedef {{name: string, judgement: Judgement, error: null}
 *   | {name: string, judgement: null, error: {code: string, says: string}}} JudgedFile
 */

/**
 * The verdict on files, and what it says of each contribution of the reader in each file.
 * @typedef {object} JudgedFiles
 * @property {Verdicts} verdicts
 * @property {Judgement["compared"][]} compared
 */

/**
 * The same as `verifyReceipts`, with the other parts of evidence (section 11.10).
 * @param {readonly ({name: string, file: File} | string | Uint8Array)[]} files
 * @param {VerifyOptions} options
 * @param {{mine: readonly Kept[], since: readonly import("./evidence.js").Since[]}} [evidence]
 * @returns {Promise<JudgedFiles>}
 * @throws {Refused}
 */
export async function judgeFiles(files, options, evidence = { mine: [], since: [] }) {
  const reader = await readOptions(options);
  /** @type {JudgedFile[]} */
  const all = await Promise.all(
    files.map(async (given, i) => {
      const { name, file } =
        typeof given === "string" || given instanceof Uint8Array
          ? { name: String(i + 1), file: given }
          : given;
      try {
        return { name, judgement: await judge(readFile(file), reader), error: null };
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== "unavailable") throw error;
        const { code, message: says } = error;
        return { name, judgement: null, error: { code, says } };
      }
    }),
  );
  expectOpening(
    all.flatMap(({ judgement }) => (judgement === null ? [] : [judgement])),
    reader.seat,
  );
  return conclude(all, reader, evidence);
}

/**
 * A seat needs an opening among the files. A file that is no receipt may have been one.
 * @param {readonly Judgement[]} files that can be read
 * @param {string | undefined} seat
 * @throws {Refused} `seat`
 */
function expectOpening(files, seat) {
  if (seat === undefined || files.length === 0) return;
  if (!files.some(({ receipt }) => receipt === null || receipt.opening !== null))
    throw new Refused("seat", `no file is an opening, whose cards could be for ${shown(seat)}`);
}

/**
 * The verdict on files that are judged alone already.
 * @param {readonly JudgedFile[]} all
 * @param {Pick<Reader, "key"> & Partial<Reader>} reader
 * @param {{mine: readonly Kept[], since: readonly import("./evidence.js").Since[]}} evidence
 * @returns {Promise<JudgedFiles>}
 */
export async function conclude(
  all,
  { key, mine: given = [], players = new Map(), seat, since = null },
  evidence,
) {
  /** @type {import("./several.js").Named[]} */
  const read = all.flatMap(({ name, judgement }) =>
    judgement === null ? [] : [{ name, judgement }],
  );
  // The operator may never have answered the others.
  const answered = evidence.mine.filter((own) =>
    read.some(({ judgement }) => judgement.isRoundOf(own)),
  );
  const mine = [...given, ...answered];
  const gave = given.length + evidence.mine.length > 0;
  const receipts = all.map(({ name, judgement, error }) =>
    judgement === null
      ? { file: name, error }
      : { file: name, ...judgement.verdict(mine, players, seat, gave) },
  );
  const heads = await Promise.all(
    evidence.since.map((each, i) => rootsOf(each, `since[${i}]`, key)),
  );
  const saw = heads.filter((roots) => roots.length > 0);
  const logged = read.filter(({ judgement }) => judgement.logged === true);
  const findings = logged.length + saw.length > 1 ? judgeTogether(key, logged, saw.flat()) : [];
  const holds = findings.length === 0 && receipts.every((each) => "holds" in each && each.holds);
  const state = stateOf(receipts, findings);
  const verdicts = /** @type {Verdicts} */ ({
    holds,
    ...(state === undefined ? {} : { state }),
    ...(holds && since !== null ? { continues: Number(since.size) } : {}),
    findings,
    receipts,
  });
  return { verdicts, compared: all.map(({ judgement }) => judgement?.compared ?? []) };
}

/**
 * The state of several files (section 11.4).
 * @param {readonly object[]} receipts
 * @param {readonly ReceiptFinding[]} findings what they show together
 * @returns {import("./verdict.js").State | undefined}
 */
function stateOf(receipts, findings) {
  const states = receipts.map((each) => ("state" in each ? each.state : undefined));
  if (findings.length > 0 || states.includes("caught")) return "caught";
  if (states.includes(undefined)) return undefined;
  return states.includes("unproved") ? "unproved" : "fair";
}

/**
 * The roots that a head in evidence shows; none if it proves nothing.
 * @param {import("./evidence.js").Since} since
 * @param {string} name
 * @param {import("./key.js").Key} key
 * @returns {Promise<import("./several.js").Head[]>}
 */
async function rootsOf({ checkpoint: note, seen }, name, key) {
  const { checkpoint, bad, signed } = await openCheckpoint(utf8(note), key);
  if (checkpoint === null || bad !== null || signed !== true) return [];
  const { size, root } = checkpoint;
  const proved = (seen === undefined ? [] : readSeen(seen, size)).filter((each) =>
    continues(each.size, fromHex(each.root), size, fromHex(root), each.proof),
  );
  return [{ size, root }, ...proved].map((each) => ({ name, size: each.size, root: each.root }));
}
