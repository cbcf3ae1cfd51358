// What the cosignatures of witnesses prove of a whole log (spec/audit.md, sections 13.3 and 15.1).

import { lastBefore } from "./beacon.js";
import { TOLERANCE, moment } from "./findings.js";

/**
 * An entry that had effect.
 * @typedef {{time: number, index: number, commitment: string | null, nonce: number | null}} At
 */

/** @typedef {import("./cosignature.js").Cosigned} Cosigned */

/**
 * The numbers of section 15.1.
 * @typedef {object} Witnesses
 * @property {string} policy its hash
 * @property {number} anchors that had effect
 * @property {number} proving how many of them prove
 * @property {number | null} size the greatest that is proved
 * @property {number | null} by the second by which a quorum of witnesses had seen it
 * @property {number | null} longest the most seconds from one size to the next
 * @property {number} not_covered entries
 * @property {number} reveals_not_in_time
 * @property {number} locks_not_before_beacon
 * @property {number} voids_not_before_beacon
 */

/**
 * An entry, and the last moment by which witnesses must have seen it, in milliseconds.
 * @typedef {{index: number, before: number}} Due
 */

/** The entries whose time is greater than that of all before them. */
export class Latest {
  constructor() {
    /** @type {At[]} */
    this.all = [];
  }

  /** @param {At} at */
  take(at) {
    if (this.all.length === 0 || at.time > this.all[this.all.length - 1].time) this.all.push(at);
  }

  /**
   * How many are under a size.
   * @param {number} size
   * @returns {number}
   */
  count(size) {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle].index < size) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The first one of those under a size that have the greatest time.
   * @param {number} size
   * @returns {At | null}
   */
  under(size) {
    return this.all[this.count(size) - 1] ?? null;
  }

  /**
   * Forgets those that no size from this one on needs.
   * @param {number} size
   */
  forget(size) {
    const old = this.count(size) - 1;
    // Not a few of many: a hostile log could make this slow.
    if (2 * old >= this.all.length) this.all.splice(0, old);
  }
}

/** The anchors of a log, and its checkpoint, under a policy. */
export class Proving {
  /**
   * @param {import("./policy.js").Policy} policy
   * @param {Latest} latest entries that had effect
   */
  constructor(policy, latest) {
    this.policy = policy;
    this.latest = latest;
    this.anchors = 0;
    this.isProved = 0;
    /**
     * The sizes that prove, in ascending order, if the log has roots.
     * @type {{size: number, by: number | null}[]}
     */
    this.sizes = [];
    /** Entries that are ahead of time, and what says so, if the log has roots. @type {Map<At, string>} */
    this.ahead = new Map();
    /**
     * The reveals, and the finding on one that an earlier audit of the reader missed.
     * @type {(Due & {missed: import("./findings.js").Finding | null})[]}
     */
    this.reveals = [];
    /** The locks of deals with a beacon. @type {Due[]} */
    this.locks = [];
    /** The voids of rounds whose lock names a beacon's round. @type {Due[]} */
    this.voids = [];
  }

  /**
   * Takes an entry that had effect.
   * @param {import("./entry.js").Grammatical} entry
   * @param {number} index
   * @param {import("./life.js").Judged} judged
   * @param {import("./signatures.js").Checks} checks
   */
  take(entry, index, { findings, course, answered, onlyMissed }, { cosigned }) {
    if (entry.entry === "reveal" && course !== null)
      this.reveals.push({
        index,
        before: course.commit.reveal_by + TOLERANCE,
        missed: onlyMissed,
      });
    const named = answered?.named ?? null;
    if (entry.entry === "deal" && entry.beacon !== undefined)
      this.locks.push({
        index: answered?.index ?? index,
        before: named === null ? -Infinity : 1000 * lastBefore(named),
      });
    if (entry.entry === "void" && answered?.lock.beacon !== undefined)
      this.voids.push({ index, before: named === null ? -Infinity : 1000 * named.out });
    if (entry.entry !== "anchor") return;
    this.anchors++;
    if (findings.some(({ code }) => code === "split-view")) return;
    if (this.prove(entry.size, cosigned)) this.isProved++;
    this.latest.forget(entry.size);
  }

  /**
   * Takes a size whose root is the log's, if the log has roots.
   * @param {number} size over those before it
   * @param {Cosigned | null | undefined} cosigned
   * @returns {boolean} whether it proves
   */
  prove(size, cosigned) {
    const times = cosigned?.times ?? null;
    if (times === null || size === 0) return false;
    this.sizes.push({ size, by: times.by });
    const last = this.latest.under(size);
    if (times.by !== null && last !== null && last.time > 1000 * times.by + TOLERANCE)
      this.ahead.set(
        last,
        `and under your policy the witnesses had signed a tree that has it by ${moment(1000 * times.by)} (${cosigned?.names})`,
      );
    return true;
  }

  /**
   * @param {number} entries how many were read
   * @param {boolean} hasRoots
   * @returns {Witnesses}
   */
  end(entries, hasRoots) {
    const sizes = hasRoots ? this.sizes : [];
    const last = sizes[sizes.length - 1] ?? { size: null, by: null };
    const seconds = sizes.flatMap(({ by }) => by ?? []);
    return {
      policy: this.policy.hash,
      anchors: this.anchors,
      proving: hasRoots ? this.isProved : 0,
      size: last.size,
      by: last.by,
      longest:
        seconds.length < 2
          ? null
          : seconds.reduce((most, by, i) => Math.max(most, by - (seconds[i - 1] ?? by)), 0),
      not_covered: entries - (last.size ?? 0),
      reveals_not_in_time: this.late(hasRoots).length,
      locks_not_before_beacon: this.notSeen(this.locks, hasRoots).length,
      voids_not_before_beacon: this.notSeen(this.voids, hasRoots).length,
    };
  }

  /**
   * The reveals that nothing shows to be in time, the last one first.
   * @param {boolean} hasRoots
   */
  late(hasRoots) {
    return this.notSeen(this.reveals, hasRoots);
  }

  /**
   * The entries that nothing shows to have been seen by their moment, the last one first.
   * @template {Due} T
   * @param {readonly T[]} entries
   * @param {boolean} hasRoots
   * @returns {T[]}
   */
  notSeen(entries, hasRoots) {
    const sizes = hasRoots ? this.sizes : [];
    let place = sizes.length;
    let by = Infinity;
    // From the last entry on, so that each size is passed once. Locks may be dealt in another order.
    return [...entries]
      .sort((a, b) => b.index - a.index)
      .filter(({ index, before }) => {
        for (; place > 0 && sizes[place - 1].size > index; place--)
          by = Math.min(by, sizes[place - 1].by ?? Infinity);
        return 1000 * by > before;
      });
  }
}
