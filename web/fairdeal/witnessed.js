// Which witnesses of a policy had seen the entries of a receipt, and by when (spec/receipt.md, section
// 11.11).

import { lastBefore } from "./beacon.js";
import { TOLERANCE } from "./findings.js";

/**
 * The witnesses that had seen an entry by a second: without it, if nothing says when.
 * @typedef {{by?: number, witnesses: string[]}} SeenBy
 */

/**
 * @typedef {{lock?: SeenBy, deal?: SeenBy, reveal?: SeenBy}} Witnessed
 */

/** The sizes of a receipt that a quorum of witnesses signed. */
export class Coverage {
  /** @param {import("./policy.js").Policy} policy */
  constructor(policy) {
    this.policy = policy;
    /** @type {{size: number | bigint, signed: (bigint | null)[], by: number | null}[]} */
    this.sizes = [];
    /** How many witnesses signed each size that no quorum signed. */
    this.few = [{ size: Infinity, count: 0 }];
  }

  /**
   * Adds a size whose root is the log's.
   * @param {number | bigint} size
   * @param {import("./cosignature.js").Cosigned | null | undefined} cosigned
   */
  add(size, cosigned) {
    const { times = null, signed = [] } = cosigned ?? {};
    if (times !== null) this.sizes.push({ size, signed, by: times.by });
    else
      this.few.push({ size: Number(size), count: signed.filter((time) => time !== null).length });
  }

  /**
   * The sizes that cover an entry.
   * @param {number} index
   */
  over(index) {
    return this.sizes.filter(({ size }) => size > index);
  }

  /**
   * Why a lock is not covered, in words.
   * @param {number} index
   * @returns {string | null} null if it is covered
   */
  missing(index) {
    if (this.over(index).length > 0) return null;
    const { witnesses, q } = this.policy;
    const all = witnesses.length === 1 ? "1 witness has" : `${witnesses.length} witnesses have`;
    // Signatures of different sizes do not add up.
    const most = Math.max(...this.few.flatMap(({ size, count }) => (size > index ? [count] : [])));
    const needs = most < q ? `your policy needs ${q}` : "this is no quorum of your policy";
    return `${most} of your ${all} signed the lock yet; ${needs}`;
  }

  /**
   * Whether every entry that is no anchor is covered.
   * @param {readonly import("./receipt.js").ReceiptEntry[]} entries
   * @returns {boolean}
   */
  hasAll(entries) {
    return entries.every(
      ({ index, read: { entry } }) => entry?.entry === "anchor" || this.over(index).length > 0,
    );
  }

  /**
   * The second by which an entry had been seen.
   * @param {number} index
   * @returns {number | null}
   */
  by(index) {
    const all = this.over(index).flatMap(({ by }) => by ?? []);
    return all.length === 0 ? null : Math.min(...all);
  }

  /**
   * Whether the time of a deal is shown.
   * @param {number} index
   * @param {number} time in milliseconds
   * @returns {boolean}
   */
  shows(index, time) {
    const by = this.by(index);
    return by !== null && Math.abs(1000 * by - time) <= TOLERANCE;
  }

  /**
   * How many seconds before the beacon's round was out a lock had been seen.
   * @param {import("./round.js").Locked | null} locked
   * @returns {number | null} null if that does not show it to be before the beacon
   */
  beforeBeacon(locked) {
    if (locked === null || locked.named === null) return null;
    const by = this.by(locked.index);
    return by !== null && by <= lastBefore(locked.named) ? locked.named.out - by : null;
  }

  /**
   * The witnesses that had seen each entry of a round.
   * @param {Record<"lock" | "deal" | "reveal", number | null>} indices null for an entry that the
   * round does not have
   * @returns {Witnessed | undefined} undefined if none of them is covered
   */
  seen(indices) {
    const all = Object.entries(indices).flatMap(([kind, index]) =>
      index === null || this.over(index).length === 0 ? [] : [[kind, this.seenBy(index)]],
    );
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }

  /**
   * @param {number} index of an entry that is covered
   * @returns {SeenBy}
   */
  seenBy(index) {
    const by = this.by(index);
    // A time of 0 is none. No second is over 2^53.
    const inTime = (/** @type {bigint} */ time) => by === null || (time >= 1n && time <= by);
    const over = this.over(index);
    const witnesses = this.policy.witnesses.flatMap(({ name }, place) =>
      over.some(({ signed: { [place]: time } }) => time !== null && inTime(time)) ? [name] : [],
    );
    return { ...(by === null ? {} : { by }), witnesses };
  }
}
