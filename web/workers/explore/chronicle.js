// The entries as people look at them: tables, their commitments, and the rounds of each. It does
// not judge; the audit does.

import { readEntry } from "../../fairdeal/entry.js";

/**
 * @typedef {import("../../fairdeal/entry.js").UnderCommitment} UnderCommitment
 * @typedef {import("../../fairdeal/entry.js").Commit} Commit
 * @typedef {import("../../fairdeal/entry.js").Lock} Lock
 * @typedef {import("../../fairdeal/entry.js").Deal} Deal
 * @typedef {import("../../fairdeal/entry.js").VoidEntry} VoidEntry
 * @typedef {Exclude<UnderCommitment, Commit>} Later
 */

/**
 * @template E
 * @typedef {{index: number, entry: E, text: string}} At
 */

/**
 * @typedef {object} Round
 * @property {number} nonce
 * @property {At<Lock> | null} lock
 * @property {At<Deal> | null} deal
 * @property {At<VoidEntry> | null} voided
 */

/**
 * @typedef {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided" | "overdue"} State
 */

/**
 * @typedef {object} Course
 * @property {string} commitment
 * @property {string} table
 * @property {number} index of the commit
 * @property {number} time
 * @property {number} revealBy
 * @property {number} most rounds
 * @property {number} next one more than the last round that was dealt or voided
 * @property {number | null} locked the round that is locked
 * @property {{kind: "revealed" | "voided", time: number, index: number, seed: string | null, reason: string | null} | null} ended
 * @property {Map<number, Round>} rounds
 * @property {boolean} whole whether all of its entries were read
 * @property {Record<string, unknown>} terms of the commit, or as the service gives them
 * @property {string | null} text of the commit
 */

const decoder = new TextDecoder();

/**
 * The state of a commitment.
 * @param {Course} course
 * @param {number} now
 * @returns {State}
 */
export function stateOf({ ended, locked, next, most, revealBy }, now) {
  if (ended !== null) return ended.kind;
  if (now > revealBy) return "overdue";
  if (locked !== null) return "locked";
  if (next >= most) return "used-up";
  return next > 0 ? "open" : "unused";
}

/**
 * The state of a round.
 * @param {Round} round
 * @returns {"locked" | "dealt" | "voided"}
 */
export function roundState({ deal, voided }) {
  if (deal !== null) return "dealt";
  return voided !== null ? "voided" : "locked";
}

/**
 * When a round was dealt, voided or locked.
 * @param {Round} round
 * @returns {number}
 */
export function roundTime({ lock, deal, voided }) {
  return (deal ?? voided ?? lock)?.entry.time ?? 0;
}

export class Chronicle {
  constructor() {
    /** In log order. @type {Map<string, Course>} */
    this.courses = new Map();
    /** @type {Map<string, Course[]>} */
    this.tables = new Map();
    /**
     * Commitments whose commit was not read, with their later entries.
     * @type {Map<string, {entry: Later, index: number, text: string}[]>}
     */
    this.unknown = new Map();
    this.deals = 0;
    this.voids = 0;
    this.reveals = 0;
    this.unreadable = 0;
    /** @type {number | null} */
    this.firstTime = null;
    /** @type {number | null} */
    this.lastTime = null;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} index
   */
  add(bytes, index) {
    const { entry } = readEntry(bytes);
    if (entry === null) {
      this.unreadable++;
      return;
    }
    this.firstTime = Math.min(this.firstTime ?? entry.time, entry.time);
    this.lastTime = Math.max(this.lastTime ?? entry.time, entry.time);
    // It is of no table.
    if (entry.entry === "anchor") return;
    const text = decoder.decode(bytes);
    if (entry.entry === "commit") return this.commit(entry, index, text);
    if (entry.entry === "deal") this.deals++;
    else if (entry.entry === "void") this.voids++;
    else if (entry.entry === "reveal") this.reveals++;
    const course = this.courses.get(entry.commitment);
    if (course !== undefined) return this.apply(course, entry, index, text);
    const waiting = this.unknown.get(entry.commitment);
    if (waiting === undefined) this.unknown.set(entry.commitment, [{ entry, index, text }]);
    else waiting.push({ entry, index, text });
  }

  /**
   * @param {Commit} entry
   * @param {number} index
   * @param {string} text
   */
  commit(entry, index, text) {
    if (this.courses.has(entry.commitment)) return;
    this.put({
      commitment: entry.commitment,
      table: entry.table,
      index,
      time: entry.time,
      revealBy: entry.reveal_by,
      most: entry.rounds,
      next: 0,
      locked: null,
      ended: null,
      rounds: new Map(),
      whole: true,
      terms: entry,
      text,
    });
  }

  /**
   * Adds the service's data about a commitment whose commit was not read.
   * @param {any} standing of spec/openapi.json
   */
  tell(standing) {
    if (this.courses.has(standing.commitment)) return;
    const isEnded = standing.state === "revealed" || standing.state === "voided";
    this.put({
      commitment: standing.commitment,
      table: standing.table,
      index: standing.index,
      time: standing.time,
      revealBy: standing.reveal_by,
      most: standing.rounds,
      next: standing.next,
      locked: standing.locked ?? null,
      // The time of its end is not given; the deadline is the latest possible time.
      ended: isEnded
        ? { kind: standing.state, time: standing.reveal_by, index: -1, seed: null, reason: null }
        : null,
      rounds: new Map(),
      whole: false,
      terms: standing,
      text: null,
    });
    const course = /** @type {Course} */ (this.courses.get(standing.commitment));
    for (const { entry, index, text } of this.unknown.get(standing.commitment) ?? [])
      this.apply(course, entry, index, text);
    this.unknown.delete(standing.commitment);
  }

  /** @param {Course} course */
  put(course) {
    this.courses.set(course.commitment, course);
    const table = this.tables.get(course.table);
    if (table === undefined) this.tables.set(course.table, [course]);
    else table.splice(placeOf(table, course.index), 0, course);
  }

  /**
   * @param {Course} course
   * @param {Later} entry
   * @param {number} index
   * @param {string} text
   */
  apply(course, entry, index, text) {
    if (entry.entry === "reveal") {
      course.ended ??= {
        kind: "revealed",
        time: entry.time,
        index,
        seed: entry.server_seed,
        reason: null,
      };
      if (course.ended.index < 0)
        Object.assign(course.ended, { time: entry.time, index, seed: entry.server_seed });
      return;
    }
    if (entry.nonce === undefined) {
      const { time, reason } = /** @type {VoidEntry} */ (entry);
      course.ended ??= { kind: "voided", time, index, seed: null, reason };
      return;
    }
    const { nonce } = entry;
    const round = course.rounds.get(nonce) ?? { nonce, lock: null, deal: null, voided: null };
    course.rounds.set(nonce, round);
    if (entry.entry === "lock") {
      round.lock ??= { index, entry, text };
      course.locked = nonce;
      return;
    }
    if (entry.entry === "deal") round.deal ??= { index, entry, text };
    else round.voided ??= { index, entry, text };
    if (course.locked === nonce) course.locked = null;
    course.next = Math.max(course.next, nonce + 1);
  }

  /**
   * Rounds that were dealt and wait for the reveal. A round that was voided waits for nothing.
   * @returns {number}
   */
  waiting() {
    let count = 0;
    for (const { ended, next, rounds } of this.courses.values()) {
      if (ended !== null) continue;
      count += next;
      for (const round of rounds.values()) if (roundState(round) === "voided") count--;
    }
    return count;
  }

  /**
   * Commitments that are open and overdue.
   * @param {number} now
   * @returns {number}
   */
  overdue(now) {
    let count = 0;
    for (const course of this.courses.values()) if (stateOf(course, now) === "overdue") count++;
    return count;
  }
}

/**
 * @param {readonly Course[]} table in the order of the log
 * @param {number} index
 * @returns {number} the position for a commitment of this index
 */
function placeOf(table, index) {
  let at = table.length;
  while (at > 0 && table[at - 1].index > index) at--;
  return at;
}
