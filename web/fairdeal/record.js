// The record of one round, or of a commitment: what was brought, received and found.

import { toHex } from "./bytes.js";
import { canonical } from "./jcs.js";
import { shown } from "./refused.js";
import { stageOf } from "./seen-cards.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./verdict.js").Judgement} Judgement */

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
 * @property {true} [kept] of the lock's receipt that was kept before the seed was opened (section
 *   11.8)
 */

/**
 * The record of one round; or of a commitment, which has no nonce.
 * @typedef {object} Record
 * @property {string} commitment
 * @property {number | null} nonce
 * @property {string} table
 * @property {Stage} stage
 * @property {RecordFile[]} files
 * @property {import("./mine.js").Kept} [kept] the player's contribution. Secret until it is opened
 * @property {string} [opened] SHA-256 of the lock under which it was opened
 * @property {string[]} [seats] the seats that the game announced beforehand
 * @property {number} [turn] how many rounds the player had brought a contribution to before
 * @property {import("./evidence.js").Since[]} since heads of the log that show a fork
 * @property {import("./findings.js").ReceiptFinding[]} findings that accuse the operator
 * @property {Claim[]} claims
 * @property {import("./mine.js").Outcome} [outcome] of comparing the contribution
 * @property {import("./verdict.js").State} [state] of the last receipt
 * @property {string[]} shown
 * @property {string[]} notShown
 * @property {PlacedCard[]} cards
 * @property {number} [revealBy]
 * @property {"revealed" | "voided"} [ended] of a commitment: what ended it
 */

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
    since: [],
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
 * Keeps a file with the others of its round.
 * @param {Record} record
 * @param {Judgement} judgement
 * @param {string} text
 */
export function fileIn(record, judgement, text) {
  if (record.files.some((each) => each.text === text)) return;
  const kind = judgement.receipt?.opening
    ? "opening"
    : stageOf(judgement).replace(/ed$/, "").replace("promis", "promise").replace("dealt", "deal");
  const round = record.nonce === null ? "" : `-${record.nonce}`;
  record.files.push({
    name: `${kind}-${record.commitment.slice(0, 8)}${round}-${record.files.length + 1}.json`,
    text,
  });
}

/**
 * Adds heads that show a fork.
 * @param {Record} record
 * @param {readonly import("./evidence.js").Since[]} since
 * @returns {boolean} whether one of them is new
 */
export function addSince(record, since) {
  const known = new Set(record.since.map((each) => JSON.stringify(each)));
  const more = since.filter((each) => !known.has(JSON.stringify(each)));
  record.since.push(...more);
  return more.length > 0;
}

/**
 * Opens the contribution under a lock, if it may be opened: never under another lock, and never
 * when the dealer's seed is public. The lock's receipt, which is in the record, is marked as kept.
 * @param {Record} record
 * @param {Judgement} judgement of the lock's receipt
 * @param {{text: string, from: string, ended: Record["ended"]}} at `ended`: what is known to have
 *   ended the commitment
 * @returns {boolean} whether the opening may be sent, once the record is kept
 */
export function openUnder(record, { locked, dealt, course, receipt }, { text, from, ended }) {
  const { kept, nonce, seats: agreed } = record;
  if (kept === undefined || nonce === null || locked === null || dealt !== null) return false;
  if ((course?.locked ?? null) === null) return false;
  const mine = locked.lock.contributions?.find((each) => each.from === from);
  const bytes = receipt?.entries.find(({ index }) => index === locked.index)?.bytes;
  if (mine === undefined || mine.hash !== kept.hash || bytes === undefined) return false;
  const { seats } = locked.lock;
  if (agreed !== undefined && canonical(seats ?? []) !== canonical(agreed)) {
    claim(record, "seats", `the lock has other seats than those agreed: ${shown(String(seats))}`);
    return false;
  }
  const lock = toHex(sha256(bytes));
  if (record.opened !== undefined) return record.opened === lock;
  if (ended !== undefined) {
    claim(
      record,
      "late-lock",
      `this lock was shown when its commitment was ${ended} already: the seed stays secret`,
    );
    return false;
  }
  if (isFrom(record.stage, "dealt")) return false;
  record.opened = lock;
  record.stage = "opened";
  for (const file of record.files) if (file.text === text) file.kept = true;
  return true;
}
