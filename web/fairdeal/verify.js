// Receipts and openings under a key, one or several (spec/receipt.md, sections 11.5 to 11.10).

import { Beacons, CHAINS } from "./beacon.js";
import { fromHex, utf8 } from "./bytes.js";
import { openCheckpoint, signedCheckpoint } from "./checkpoint.js";
import { isLabel } from "./contribution.js";
import { readListOf } from "./deck.js";
import {
  ANY,
  BYTES,
  NOTE,
  OBJECT,
  TEXT,
  expectFile,
  expectFiles,
  expectOptions,
} from "./expected.js";
import { isWithoutDeal } from "./findings.js";
import { EVIDENCE, isToJudge, takeApart } from "./given.js";
import { isObject } from "./json.js";
import { givenKey } from "./key.js";
import { continues } from "./merkle.js";
import { OF_ANOTHER_ROUND, keptOf, readMine, readPlayers, roundName } from "./mine.js";
import { POLICY, policyFor } from "./policy.js";
import { readFile, readSeen } from "./receipt.js";
import { Refused, shown } from "./refused.js";
import { judgeTogether } from "./several.js";
import { Judgement } from "./verdict.js";
import { Breath } from "./wait.js";

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
 * @property {import("./policy.js").Policy} [policy] the witnesses that you believe, as `readPolicy`
 *   gives it
 * @property {readonly import("./beacon.js").Chain[]} [chains] chains of beacons that you know beside
 *   quicknet, as `readChain` gives them
 * @property {string | Uint8Array} [since] a checkpoint that you saved: the receipts must be of the
 * same log
 * @property {readonly (Kept | File | import("./given.js").GivenFile)[] | Kept} [mine] what you kept:
 *   your contributions, of which exactly these must have been mixed, and receipts, openings and
 *   evidence, above all the receipt of the lock
 * @property {Record<string, string>} [players] for labels, the public keys that their players gave
 * you
 * @property {string} [seat] the seat whose cards an opening must show
 * @property {Uint8Array} [list] the file of the list that was dealt: another list is refused
 */

/**
 * A contribution, or the file that holds it.
 * @typedef {Kept | string | Uint8Array} KeptFile
 */

/**
 * What one file alone is verified with: `mine` has contributions alone, because receipts are
 * compared with each other by `verifyReceipts`.
 * @typedef {Omit<VerifyOptions, "since" | "mine"> & {mine?: Kept |
 *   readonly (KeptFile | {name: string, file: KeptFile})[]}} ReceiptOptions
 */

const OPTIONS = {
  key: TEXT,
  policy: POLICY,
  chains: CHAINS,
  since: NOTE,
  mine: ANY,
  players: OBJECT,
  seat: TEXT,
  list: BYTES,
};

/**
 * The verdict on several files. `spec/schema/verify.json` describes it.
 * @typedef {object} Verdicts
 * @property {boolean} holds whether every file was read and holds, and they do not contradict each
 * other
 * @property {import("./verdict.js").State} [state] of all files; absent if there is none
 * @property {number} [continues] the size of the saved view that all files continue; absent if it is
 * over 2^53 - 1
 * @property {{code: "unavailable" | "other-round", says: string}} [error] if nothing was found, and
 *   nothing shows whether a file continues the saved view, or all contributions of the reader are of
 *   other rounds
 * @property {{code: string, says: string}[]} [says] claims in evidence, which prove nothing
 * @property {ReceiptFinding[]} findings what the files show together
 * @property {(({file: string} & Verdict) | {file: string, error: {code: string, says: string}})[]}
 * receipts
 */

/**
 * The reader's inputs, read.
 * @typedef {object} Reader
 * @property {import("./key.js").Key} key
 * @property {import("./policy.js").Policy | null} policy
 * @property {Beacons} beacons
 * @property {Kept[]} mine
 * @property {import("./given.js").GivenFile[]} kept the other files that the reader kept
 * @property {Map<string, string>} players
 * @property {string | undefined} seat
 * @property {Uint8Array | undefined} list
 * @property {import("./checkpoint.js").Checkpoint | null} since
 */

/**
 * @param {VerifyOptions} options
 * @returns {Promise<Reader>}
 */
async function readOptions(options) {
  const { since, mine = [], players = {}, seat, list, chains } = options;
  const key = givenKey(options.key);
  const policy = policyFor(options.policy, key);
  if (seat !== undefined && !isLabel(seat)) {
    throw new Refused(
      "seat",
      `a seat has 1 to 64 bytes and no control characters; found ${shown(seat)}`,
    );
  }
  /** @type {Kept[]} */
  const own = [];
  /** @type {Reader["kept"]} */
  const kept = [];
  for (const [i, given] of (Array.isArray(mine) ? mine : [mine]).entries()) {
    const named = isNamed(given) ? given : { name: `mine ${i + 1}`, file: given };
    const value = readMine(named.file);
    if (isToJudge(value)) kept.push({ ...named, kept: true });
    else own.push(await keptOf(value));
  }
  const keys = readPlayers(players);
  const saved = since === undefined ? null : await readSaved(since, key);
  const beacons = new Beacons(chains);
  return { key, policy, beacons, mine: own, kept, players: keys, seat, list, since: saved };
}

/**
 * Whether something is a file with its name.
 * @param {any} given
 * @returns {given is import("./given.js").GivenFile}
 */
function isNamed(given) {
  return typeof given === "object" && given !== null && "name" in given && "file" in given;
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
 * @param {import("./given.js").Taken["value"]} file
 * @param {Reader} reader
 * @returns {Promise<Judgement>}
 */
async function judge(file, reader) {
  const judgement = new Judgement(reader.key, file, reader.policy, reader.beacons);
  await judgement.judge();
  if (reader.list !== undefined) compareList(judgement, reader.list);
  return judgement;
}

/**
 * Verifies one receipt or opening, which is compared with no other file.
 * @param {File} file its text, its bytes, or the result of `JSON.parse`
 * @param {ReceiptOptions} options
 * @returns {Promise<Verdict>}
 * @throws {Refused} `unavailable`, if the file is not readable JSON; `evidence`, if it is evidence;
 *   `key`, `policy`, `mine`, `players`, `seat`, `list` or `list-mismatch`, if another input is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function verifyReceipt(file, options) {
  const call = "verifyReceipt(file, options)";
  expectFile(call, "file", file);
  expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  const reader = await readOptions(options);
  for (const [name, given] of /** @type {const} */ ([
    ["since", reader.since !== null],
    ["mine", reader.kept.length > 0],
  ])) {
    if (given)
      throw new Refused(
        name,
        `"${name}" has more to compare this file with: give the file to verifyReceipts`,
      );
  }
  const value = readFile(file);
  if (isObject(value) && value.format === EVIDENCE)
    throw new Refused("evidence", "this file is evidence, which has files: use verifyEvidence");
  const judgement = await judge(value, reader);
  expectOpening([judgement], reader.seat);
  return judgement.verdict(reader.mine, reader.players, reader.seat);
}

/**
 * Verifies several receipts, openings and evidence: each file alone, and then all together.
 * @param {readonly (import("./given.js").GivenFile | string | Uint8Array)[]} files each with a name,
 * or numbered from 1
 * @param {VerifyOptions} options
 * @returns {Promise<Verdicts>}
 * @throws {Refused} if an input other than the files is wrong; `unavailable`, if there is no file
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function verifyReceipts(files, options) {
  const call = "verifyReceipts(files, options)";
  expectFiles(call, files);
  expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  return (await judgeFiles(files, options)).verdicts;
}

/**
 * A file, judged alone, or why it cannot be read.
 * @typedef {{name: string, kept?: boolean} & ({judgement: Judgement, error: null}
 *   | {judgement: null, error: {code: string, says: string}})} JudgedFile
 */

/**
 * What evidence has besides its files (section 11.10).
 * @typedef {object} InEvidence
 * @property {readonly Kept[]} mine in evidence that the reader kept
 * @property {readonly Kept[]} [claimed] in other evidence
 * @property {readonly (import("./given.js").Since & {name?: string})[]} since
 */

/**
 * The verdict on files, and what it says of each contribution of the reader in each file.
 * @typedef {object} JudgedFiles
 * @property {Verdicts} verdicts
 * @property {Judgement["compared"][]} compared
 */

/**
 * The same as `verifyReceipts`, with the values that were judged.
 * @param {readonly (import("./given.js").GivenFile | string | Uint8Array)[]} files
 * @param {VerifyOptions} options
 * @returns {Promise<JudgedFiles & {files: import("./given.js").Taken[], mine: Kept[]}>} `mine`: all
 *   contributions that the reader kept
 * @throws {Refused}
 */
export async function judgeFiles(files, options) {
  const reader = await readOptions(options);
  const named = files.map((given, i) =>
    typeof given === "string" || given instanceof Uint8Array
      ? { name: String(i + 1), file: given }
      : given,
  );
  const { files: taken, says, ...evidence } = await takeApart([...named, ...reader.kept]);
  if (taken.length === 0)
    throw new Refused(
      "unavailable",
      "expected one file or more, found none: nothing can be judged",
    );
  /** @type {JudgedFile[]} */
  const all = [];
  const breath = new Breath();
  for (const { name, kept, value, error } of taken) {
    // A file can have a deal of 2^20 items.
    await breath.take();
    all.push(
      error === null
        ? { name, kept, judgement: await judge(value, reader), error: null }
        : { name, kept, judgement: null, error: { code: error.code, says: error.message } },
    );
  }
  expectOpening(
    all.flatMap(({ judgement }) => (judgement === null ? [] : [judgement])),
    reader.seat,
  );
  const { verdicts, compared } = await conclude(all, reader, evidence);
  return {
    verdicts: says.length > 0 ? { ...verdicts, says } : verdicts,
    compared,
    files: taken,
    mine: [...reader.mine, ...evidence.mine],
  };
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
 * @param {InEvidence} evidence
 * @returns {Promise<JudgedFiles>}
 */
export async function conclude(
  all,
  { key, mine: given = [], players = new Map(), seat, since = null },
  { mine: inKept, claimed = [], since: sawAll },
) {
  /** @type {import("./several.js").Named[]} */
  const read = all.flatMap(({ name, judgement }) =>
    judgement === null ? [] : [{ name, judgement }],
  );
  const [ofKept, ofOthers] = [byRound(inKept), byRound(claimed)];
  const more = {
    locks: all.flatMap(({ kept, judgement }) =>
      kept === true && judgement !== null ? [judgement.openLock] : [],
    ),
    gave: given.length + inKept.length + claimed.length > 0,
  };
  const apart = new Set(all.filter((each) => since !== null && isApart(each, since)));
  const receipts = all.map((each) => {
    const { name, judgement, error } = each;
    if (judgement === null) return { file: name, error };
    const round = judgement.roundName;
    // The operator may never have answered the other contributions in evidence.
    const mine = [...given, ...(ofKept.get(round) ?? [])];
    const claims = ofOthers.get(round);
    const verdict = judgement.verdict(mine, players, seat, { ...more, claimed: claims });
    if (apart.has(each) && verdict.state !== "caught") delete verdict.state;
    return { file: name, ...verdict };
  });
  const heads = (
    await Promise.all(sawAll.map((each, i) => headOf(each, each.name ?? `since[${i}]`, key)))
  ).filter(({ roots }) => roots.length > 0);
  if (since !== null) heads.push({ name: "the saved view", roots: [since] });
  const findings = await judgeTogether(key, read, heads);
  const holds = findings.length === 0 && receipts.every((each) => "holds" in each && each.holds);
  const state = stateOf(receipts, findings, apart.size > 0);
  const found = [{ findings }, ...receipts].some(
    (each) => "findings" in each && each.findings.length > 0,
  );
  // In evidence, a contribution that names no round counts for nothing.
  const gave = given.length > 0 || [...inKept, ...claimed].some(({ log }) => log !== undefined);
  const others = all.flatMap(({ kept, judgement }) =>
    kept === true || judgement === null ? [] : [judgement],
  );
  // Whether nothing that the reader gave is of the round of a file (section 11.9).
  const isOther =
    gave &&
    others.length > 0 &&
    others.every(
      ({ compared, roundName: round }) =>
        compared.every(({ outcome }) => outcome === "other-round") && !ofOthers.has(round),
    );
  const isForked = findings.some(({ code }) => code === "inconsistent");
  const verdicts = /** @type {Verdicts} */ ({
    holds,
    ...(state === undefined ? {} : { state }),
    ...(isOther && !found ? { error: OF_ANOTHER_ROUND } : {}),
    ...(since === null ? {} : joined(all, apart, found, isForked, since)),
    findings,
    receipts,
  });
  return { verdicts, compared: all.map(({ judgement }) => judgement?.compared ?? []) };
}

/**
 * Contributions by the name of their round.
 * @param {readonly Kept[]} all
 * @returns {Map<string, Kept[]>}
 */
function byRound(all) {
  /** @type {Map<string, Kept[]>} */
  const rounds = new Map();
  for (const own of all) {
    const name = roundName(own);
    const same = rounds.get(name);
    if (same === undefined) rounds.set(name, [own]);
    else same.push(own);
  }
  return rounds;
}

/**
 * Whether the reader did not keep a file, and it is not joined with a saved view (section 11.9).
 * @param {JudgedFile} file a kept file is the reader's own, and may be older
 * @param {import("./checkpoint.js").Checkpoint} since
 * @returns {boolean}
 */
function isApart({ kept, judgement }, { size }) {
  if (kept === true || judgement === null) return false;
  const { logged, checkpoint, proved } = judgement;
  return logged !== true || (checkpoint?.size !== size && !proved.has(Number(size)));
}

/**
 * What a saved view shows of files, if nothing contradicts it.
 * @param {readonly JudgedFile[]} all
 * @param {ReadonlySet<JudgedFile>} apart
 * @param {boolean} found whether there is a finding
 * @param {boolean} forked whether there is one among the files
 * @param {import("./checkpoint.js").Checkpoint} since
 * @returns {Pick<Verdicts, "continues" | "error">}
 */
function joined(all, apart, found, forked, { size }) {
  const [first] = apart;
  if (first === undefined) {
    const unknown = all.some(({ judgement }) => judgement?.logged !== true);
    // A double cannot count more.
    const exact = size <= Number.MAX_SAFE_INTEGER;
    return forked || unknown || !exact ? {} : { continues: Number(size) };
  }
  if (found) return {};
  const says = `${first.name}: its checkpoint has ${first.judgement?.checkpoint?.size} entries, the saved view ${size}: only the log shows whether one continues the other`;
  return { error: { code: "unavailable", says } };
}

/**
 * The state of several files (section 11.4).
 * @param {readonly object[]} receipts
 * @param {readonly ReceiptFinding[]} findings what they show together
 * @param {boolean} apart whether one is not joined with a saved view
 * @returns {import("./verdict.js").State | undefined}
 */
function stateOf(receipts, findings, apart) {
  const of = (/** @type {object} */ each) => ("state" in each ? each.state : undefined);
  if (findings.length > 0 || receipts.some((each) => of(each) === "caught")) return "caught";
  if (apart) return undefined;
  const left = receipts.filter(
    (each) => !("holds" in each && isWithoutDeal(/** @type {Verdict} */ (each))),
  );
  const states = new Set(left.map(of));
  if (states.size === 0 || states.has(undefined)) return undefined;
  return states.has("unproved") ? "unproved" : "fair";
}

/**
 * A head in evidence, with the roots that it shows; without roots if it proves nothing.
 * @param {import("./given.js").Since} since
 * @param {string} name
 * @param {import("./key.js").Key} key
 * @returns {Promise<import("./several.js").Head>}
 */
async function headOf({ checkpoint: note, seen }, name, key) {
  const checkpoint = await signedCheckpoint(utf8(note), key);
  if (checkpoint === null) return { name, roots: [] };
  const { size, root } = checkpoint;
  const proved = (seen === undefined ? [] : readSeen(seen, size)).filter((each) =>
    continues(each.size, fromHex(each.root), size, fromHex(root), each.proof),
  );
  return { name, roots: [checkpoint, ...proved] };
}
