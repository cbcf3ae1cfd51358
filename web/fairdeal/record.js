// The record of one round, or of a commitment: what was brought, received and found.

import { toHex, utf8 } from "./bytes.js";
import { readEntry } from "./entry.js";
import { canonical } from "./jcs.js";
import { shown } from "./refused.js";
import { stageOf } from "./seen-cards.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./verdict.js").Judgement} Judgement */
/** @typedef {import("./evidence.js").Since} Since */
/** @typedef {import("./book.js").KeptHead} KeptHead */

/** @typedef {"promised" | "given" | "locked" | "opened" | "dealt" | "revealed" | "voided"} Stage */

/**
 * A card whose place is known, with its item if that is shown.
 * @typedef {object} PlacedCard
 * @property {number} t the place in the deal
 * @property {number} [item]
 * @property {string} [card] if the deck is a named one
 * @property {string} [seat]
 * @property {number} [street]
 */

/**
 * What the kit noticed, and no file shows to others: it accuses nobody.
 * @typedef {{code: string, says: string}} Claim
 */

/**
 * A receipt or an opening, as received.
 * @typedef {object} RecordFile
 * @property {string} name
 * @property {string} text
 * @property {true} [kept] of the lock's receipt that was kept before the seed was opened
 *   (spec/receipt.md, section 11.8)
 */

/**
 * The record of one round; or of a commitment, which has no nonce.
 * @typedef {object} Record
 * @property {string} commitment
 * @property {number | null} nonce
 * @property {string} table
 * @property {string} [after] the commitment that this one follows at its table
 * @property {Stage} stage
 * @property {RecordFile[]} files
 * @property {number[]} [sizes] of the log in receipts that a later one replaced
 * @property {import("./mine.js").Kept} [kept] the player's contribution. Secret until it is opened
 * @property {string} [opened] SHA-256 of the lock under which it was opened
 * @property {string[]} [seats] the seats that the game announced beforehand
 * @property {number} [turn] how many rounds the player had brought a contribution to before
 * @property {import("./findings.js").ReceiptFinding[]} findings that accuse the operator
 * @property {Claim[]} claims
 * @property {import("./mine.js").Outcome} [outcome] of comparing the contribution
 * @property {import("./verdict.js").State} [state] of the last receipt
 * @property {import("./verdict.js").Shown[]} shown
 * @property {import("./verdict.js").NotShown[]} notShown
 * @property {PlacedCard[]} cards
 * @property {number} [revealBy]
 */

/**
 * What a player's policy of witnesses says of a lock.
 * @typedef {object} Cover
 * @property {string | null} uncovered why witnesses do not cover the lock; null if they do, or there
 *   is no policy
 * @property {boolean} accepts whether the player accepts an uncovered lock
 */

/** The claim that a seed was opened under a lock that was not covered. It is no doubt of a verdict. */
export const ACCEPTED = "opened-uncovered";

/** How many of the sizes in replaced receipts are kept for an export. */
const MOST_SIZES = 256;

/** The order of a round's stages. @type {Stage[]} */
export const STAGES = ["promised", "given", "locked", "opened", "dealt", "revealed", "voided"];

/**
 * Whether a round has come to a stage.
 * @param {Stage} stage
 * @param {Stage} wanted
 * @returns {boolean}
 */
export function isFrom(stage, wanted) {
  return STAGES.indexOf(stage) >= STAGES.indexOf(wanted);
}

/**
 * @param {string} commitment
 * @param {number | null} nonce
 * @param {string} table
 * @returns {Record}
 */
export function newRecord(commitment, nonce, table) {
  return {
    commitment,
    nonce,
    table,
    stage: "promised",
    files: [],
    findings: [],
    claims: [],
    shown: [],
    notShown: [],
    cards: [],
  };
}

/**
 * Records once what the kit noticed.
 * @param {Record} record
 * @param {string} code
 * @param {string} says
 */
function claim(record, code, says) {
  if (!record.claims.some((each) => each.code === code)) record.claims.push({ code, says });
}

/**
 * Keeps a file with the others of its round, in the place of those that show nothing more: a log
 * makes a new receipt of a round with each checkpoint.
 * @param {Record} record
 * @param {Judgement} judgement
 * @param {string} text
 * @returns {KeptHead[]} what those showed of the log besides their checkpoints, which are kept
 */
export function fileIn(record, judgement, text) {
  if (record.files.some((each) => each.text === text)) return [];
  const kind = judgement.receipt?.opening
    ? "opening"
    : stageOf(judgement).replace(/ed$/, "").replace("promis", "promise").replace("dealt", "deal");
  const round = record.nonce === null ? "" : `-${record.nonce}`;
  const name = `${kind}-${record.commitment.slice(0, 8)}${round}-${nextNumber(record.files)}.json`;
  record.files.push({ name, text });
  // What was caught stays, and so does all that could show it.
  if (record.findings.length > 0 || judgement.findings.length > 0 || !judgement.logged) return [];
  const [last, ...others] = record.files.map(read).reverse();
  const old = others.filter((each) => isReplaced(each, last));
  record.files = record.files.filter(({ text }) => old.every((each) => each.text !== text));
  const heads = old.flatMap(({ receipt: { checkpoint: note, seen = [] } }) =>
    seen.map((/** @type {any} */ each) => ({
      size: each.size,
      root: each.root,
      note,
      seen: [each],
    })),
  );
  const sizes = old.map(({ receipt: { checkpoint } }) => Number(checkpoint.split("\n")[1]));
  const all = new Set([...(record.sizes ?? []), ...sizes, ...heads.map(({ size }) => size)]);
  if (old.length > 0) record.sizes = [...all].slice(-MOST_SIZES);
  return heads;
}

/**
 * A number that no file's name has yet.
 * @param {readonly RecordFile[]} files
 * @returns {number}
 */
export function nextNumber(files) {
  return 1 + Math.max(0, ...files.map(({ name }) => Number(/(\d+)\.json$/.exec(name)?.[1] ?? 0)));
}

/**
 * The last receipt in the files of a round.
 * @param {readonly RecordFile[]} files
 * @returns {import("./json.js").JsonObject | null}
 */
export function lastReceipt(files) {
  const all = files.map(({ text }) => JSON.parse(text)).reverse();
  return all.find(({ format }) => format.includes("receipt")) ?? null;
}

/**
 * A file with its receipt.
 * @param {RecordFile} each
 */
function read(each) {
  const file = JSON.parse(each.text);
  return { ...each, file, receipt: file.receipt ?? file };
}

/**
 * Whether a receipt has all entries of another one, but for anchors: a log has newer ones. Their
 * sizes stay as heads.
 * @param {any} receipt
 * @param {any} old
 * @returns {boolean}
 */
function hasEntries(receipt, old) {
  /** @param {{index: number, entry: string}} entry */
  const has = ({ index, entry }) =>
    receipt.entries.some(
      (/** @type {any} */ each) => each.index === index && each.entry === entry,
    ) || readEntry(utf8(entry)).entry?.entry === "anchor";
  return old.entries.every(has);
}

/**
 * Whether the last file of a record, which holds, has all that an older one shows.
 * @param {ReturnType<typeof read>} old
 * @param {ReturnType<typeof read>} last
 * @returns {boolean}
 */
function isReplaced({ kept, file: old, receipt }, { file, receipt: now }) {
  if (kept === true || !hasEntries(now, receipt)) return false;
  if (old.card_seals === undefined || file.card_seals === undefined)
    return old.card_seals === file.card_seals;
  const cards = file.opened.map(canonical);
  return (
    canonical(old.card_seals) === canonical(file.card_seals) &&
    old.opened.every((/** @type {any} */ card) => cards.includes(canonical(card)))
  );
}

/**
 * Takes over what a file says of its round.
 * @param {Record} record
 * @param {Judgement} judgement
 * @param {{verdict: import("./verdict.js").Verdict, outcome?: Record["outcome"]}} judged
 */
export function follow(record, judgement, { verdict, outcome }) {
  const stage = stageOf(judgement);
  if (isFrom(stage, record.stage)) {
    const { state, shown: tokens, not_shown: notShown } = verdict;
    Object.assign(record, { stage, state, shown: tokens, notShown });
  }
  if (outcome !== undefined && outcome !== "early") record.outcome = outcome;
  record.revealBy = judgement.course?.commit.reveal_by;
}

/**
 * Opens the contribution under a lock, if it may be opened: only if the lock has exactly this
 * contribution, never under another lock, and never when the round or its commitment is over. The
 * lock's receipt, which is in the record, is marked
 * as kept: nothing may be sent before the record is kept.
 * @param {Record} record
 * @param {Judgement} judgement of the lock's receipt
 * @param {{text: string, outcome?: Record["outcome"], ended: string | null} & Cover} at `outcome` of
 *   comparing the contribution with it; `ended`: what is known to have ended the commitment
 * @returns {boolean | string} whether the opening may be sent, once the record is kept; a text if it
 *   may be sent as soon as witnesses cover the lock
 */
export function openUnder(record, { locked, receipt }, at) {
  const { text, outcome, ended, uncovered, accepts } = at;
  if (outcome !== "agrees" || locked === null || isFrom(record.stage, "dealt")) return false;
  const bytes = receipt?.entries.find(({ index }) => index === locked.index)?.bytes;
  if (bytes === undefined) return false;
  if (ended !== null) {
    const says = `this lock came when its commitment was ${ended} already: the seed stays secret`;
    claim(record, "late-lock", says);
    return false;
  }
  const { seats } = locked.lock;
  const agreed = record.seats;
  if (agreed !== undefined && canonical(seats ?? []) !== canonical(agreed)) {
    claim(record, "seats", `the lock has other seats than those agreed: ${shown(String(seats))}`);
    return false;
  }
  const lock = toHex(sha256(bytes));
  if (record.opened !== undefined && record.opened !== lock) return false;
  if (uncovered !== null && !accepts) return uncovered;
  if (record.opened === lock) return true;
  if (uncovered !== null)
    claim(
      record,
      ACCEPTED,
      `your seed was opened before witnesses had seen the lock: ${uncovered}`,
    );
  record.opened = lock;
  record.stage = "opened";
  for (const file of record.files) if (file.text === text) file.kept = true;
  return true;
}

/**
 * What a player's records show.
 * @param {readonly Record[]} records
 * @param {import("./book.js").Book} book
 * @returns {Promise<{files: {name: string, text: string}[], mine: import("./mine.js").Kept[],
 *   since: Since[]}>}
 */
export async function shownBy(records, book) {
  const { saved, heads } = book.view;
  // A seed that is not opened yet is secret.
  const mine = records.flatMap(({ kept, opened }) =>
    kept !== undefined && opened !== undefined ? [kept] : [],
  );
  const all = records.map(lastOf);
  const replaced = await book.headsAt(records.flatMap(({ sizes = [] }) => sizes));
  const since = [
    ...book.caught.flatMap((each) => each.since),
    ...all.flatMap((each) => each.since),
    ...[...replaced, ...(saved === null ? [] : [saved]), ...heads].map(sinceOf),
  ];
  const once = new Map(since.map((each) => [JSON.stringify(each), each]));
  return { files: all.flatMap(({ files }) => files), mine, since: [...once.values()] };
}

/**
 * A head in evidence.
 * @param {KeptHead} head
 * @returns {Since}
 */
export function sinceOf({ note, seen }) {
  return { checkpoint: note, ...(seen === undefined ? {} : { seen }) };
}

/**
 * The files of a record, with the last receipt in the place of those before it, whose entries it
 * has: a half-dealt round would leave a verifier without a state. What the others show besides stays
 * as heads. The kept lock stays, and so does everything that was caught.
 * @param {Record} record
 * @returns {{files: {name: string, text: string}[], since: Since[]}}
 */
function lastOf({ files, findings }) {
  const all = files.map(read);
  const last = all.filter(({ file, receipt }) => file === receipt).pop();
  if (last === undefined || findings.length > 0) return { files, since: [] };
  const old = all.filter(({ kept, receipt }) => kept !== true && hasEntries(last.file, receipt));
  return {
    files: all.flatMap((each) => {
      if (!old.includes(each) || each === last) return [each];
      const opening = { ...each.file, receipt: last.file };
      return each.file === each.receipt ? [] : [{ ...each, text: JSON.stringify(opening) }];
    }),
    since: old.flatMap(({ receipt: { checkpoint, seen }, file }) =>
      file === last.file ? [] : [{ checkpoint, ...(seen === undefined ? {} : { seen }) }],
    ),
  };
}
