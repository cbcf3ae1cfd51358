// The numbers of an audit that are reported but not judged (spec/audit.md, section 14).

import { Beacons } from "./beacon.js";
import { compareText } from "./bytes.js";
import { contributionsOf } from "./entry.js";

/**
 * @typedef {import("./life.js").Judged} Judged
 * @typedef {import("./life.js").Course} Course
 * @typedef {import("./entry.js").Grammatical} Grammatical
 */

/**
 * @typedef {object} TableNumbers
 * @property {number} commitments
 * @property {number} deals
 * @property {number} voided_rounds
 * @property {number} voided_locks
 * @property {number} voided_commitments
 */

/**
 * @typedef {object} Reported
 * @property {Record<string, number>} rounds_per_commitment
 * @property {number} never_used
 * @property {number} ended_early
 * @property {number} voided_locks
 * @property {number} unanswered_locks
 * @property {number} unrevealed_deals
 * @property {Record<string, number>} commitments_per_table
 * @property {Record<string, TableNumbers>} tables
 * @property {Record<string, number>} blamed
 * @property {{count: number, shortest: number | null, longest: number | null, total: number,
 *   by_doubling: Record<string, number>}} reveal_delays `total` is exact up to 2^53 − 1
 * @property {Record<string, number>} weak_seeds
 * @property {boolean} seeds_not_told_apart
 * @property {number} rounds_without_committed_first
 * @property {number} beacon_rounds
 * @property {number} beacon_voids voids of locked rounds after the beacon's round was out
 */

const MOST_SEEDS = 100_000;
const MOST_LISTED = 100;
const MOST_TOTAL = 2n ** 64n - 1n;

/** Counts the entries of a log. */
export class Report {
  /** @param {Beacons} [beacons] chains that met each commit */
  constructor(beacons = new Beacons(null)) {
    this.chains = beacons;
    this.commitments = 0;
    this.deals = 0;
    this.voids = 0;
    this.reveals = 0;
    /** Contributions with a signature. */
    this.signatures = 0;
    this.beacons = 0;
    /** Deals with a beacon whose chain is not known. */
    this.unverified = 0;
    this.beaconVoids = 0;
    this.withoutCommittedFirst = 0;
    /** @type {Map<string, TableNumbers>} */
    this.tables = new Map();
    /** @type {Map<string, number>} */
    this.blamed = new Map();
    /** The givers of each seed: one label, or several. @type {Map<string, string | Set<string>>} */
    this.givers = new Map();
    this.notToldApart = false;
    this.delays = { count: 0, shortest: Infinity, longest: 0, total: 0n };
    /** @type {Map<number, number>} */
    this.byDoubling = new Map();
  }

  /**
   * Counts an entry that had effect.
   * @param {Grammatical} entry
   * @param {Judged} judged
   */
  count(entry, judged) {
    const { course } = judged;
    if (course === null) return;
    for (const { from, seed, key } of contributionsOf(entry)) {
      if (key !== undefined) this.signatures++;
      if (seed !== undefined) this.seed(seed, from);
    }
    if (entry.entry === "commit") {
      this.commitments++;
      this.table(entry.table).commitments++;
    } else if (entry.entry === "deal") this.deal(entry, judged, course);
    else if (entry.entry === "void") this.void(entry, judged, course);
    else if (entry.entry === "reveal") this.reveal(Math.max(0, entry.time - course.commit.time));
  }

  /**
   * @param {import("./entry.js").Deal} deal
   * @param {Judged} judged
   * @param {Course} course
   */
  deal(deal, { answered: locked }, { commit, index }) {
    this.deals++;
    this.table(commit.table).deals++;
    if (deal.beacon !== undefined) this.beacons++;
    if (deal.beacon !== undefined && this.chains.chainOf(commit) === null) this.unverified++;
    for (const { seed, from } of deal.opened ?? []) this.seed(seed, from);
    // Anybody can attach a `seen` to a contribution that is not signed.
    const tied = ((locked?.lock ?? deal).contributions ?? []).every(
      ({ hash, seen, key }) =>
        hash !== undefined || (key !== undefined && seen !== undefined && seen.size > index),
    );
    if (!tied) this.withoutCommittedFirst++;
  }

  /**
   * @param {import("./entry.js").VoidEntry} entry
   * @param {Judged} judged
   * @param {Course} course
   */
  void({ nonce, blame, time }, { answered }, { commit }) {
    this.voids++;
    const table = this.table(commit.table);
    if (nonce === undefined) table.voided_commitments++;
    else table.voided_rounds++;
    if (answered !== null) table.voided_locks++;
    const named = answered?.named ?? null;
    if (named !== null && time > 1000 * named.out) this.beaconVoids++;
    if (blame === undefined) return;
    const times = this.blamed.get(blame);
    if (times !== undefined || this.blamed.size < MOST_LISTED)
      this.blamed.set(blame, (times ?? 0) + 1);
  }

  /** @param {number} delay in milliseconds */
  reveal(delay) {
    this.reveals++;
    const { delays } = this;
    delays.count++;
    delays.shortest = Math.min(delays.shortest, delay);
    delays.longest = Math.max(delays.longest, delay);
    delays.total += BigInt(delay);
    let power = delay === 0 ? 0 : 1;
    while (power > 0 && 2 * power <= delay) power *= 2;
    this.byDoubling.set(power, (this.byDoubling.get(power) ?? 0) + 1);
  }

  /**
   * @param {string} name
   * @returns {TableNumbers}
   */
  table(name) {
    let table = this.tables.get(name);
    if (table === undefined) {
      table = {
        commitments: 0,
        deals: 0,
        voided_rounds: 0,
        voided_locks: 0,
        voided_commitments: 0,
      };
      this.tables.set(name, table);
    }
    return table;
  }

  /**
   * @param {string} seed
   * @param {string} from
   */
  seed(seed, from) {
    const givers = this.givers.get(seed);
    if (givers === undefined) {
      if (this.givers.size < MOST_SEEDS) this.givers.set(seed, from);
      else this.notToldApart = true;
    } else if (typeof givers === "string") {
      if (givers !== from) this.givers.set(seed, new Set([givers, from]));
    } else if (givers.size < MOST_SEEDS) {
      givers.add(from);
    }
  }

  /** @returns {Record<string, number>} */
  weakSeeds() {
    /** @type {[string, number][]} */
    const weak = [];
    for (const [seed, givers] of this.givers) {
      if (typeof givers !== "string" && givers.size >= 3) weak.push([seed, givers.size]);
    }
    weak.sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
    return byText(weak.slice(0, MOST_LISTED));
  }

  /**
   * @param {ReadonlyMap<string, Course>} courses at the end of the log
   * @returns {Reported}
   */
  end(courses) {
    /** @type {Map<number, number>} */
    const rounds = new Map();
    const all = [...courses.values()];
    for (const course of all) rounds.set(course.rounds, (rounds.get(course.rounds) ?? 0) + 1);
    /** @type {Map<number, number>} */
    const perTable = new Map();
    let voidedLocks = 0;
    for (const { commitments, voided_locks } of this.tables.values()) {
      perTable.set(commitments, (perTable.get(commitments) ?? 0) + 1);
      voidedLocks += voided_locks;
    }
    /** @param {(course: Course) => boolean} test */
    const howMany = (test) => all.filter(test).length;
    const { count, shortest, longest, total } = this.delays;
    return {
      rounds_per_commitment: byNumber(rounds),
      never_used: howMany(({ used }) => !used),
      ended_early: howMany(
        ({ ended, rounds: done, commit }) => ended === "revealed" && done < commit.rounds,
      ),
      voided_locks: voidedLocks,
      unanswered_locks: howMany(({ locked }) => locked !== null),
      unrevealed_deals: all.reduce((sum, { deals }) => sum + deals.length, 0),
      commitments_per_table: byNumber(perTable),
      tables: byText([...this.tables]),
      blamed: byText([...this.blamed]),
      reveal_delays: {
        count,
        shortest: count === 0 ? null : shortest,
        longest: count === 0 ? null : longest,
        total: Number(total < MOST_TOTAL ? total : MOST_TOTAL),
        by_doubling: byNumber(this.byDoubling),
      },
      weak_seeds: this.weakSeeds(),
      seeds_not_told_apart: this.notToldApart,
      rounds_without_committed_first: this.withoutCommittedFirst,
      beacon_rounds: this.beacons,
      beacon_voids: this.beaconVoids,
    };
  }
}

/**
 * An object whose members are in ascending order of their bytes. (JavaScript itself puts names like
 * "7" first.)
 * @template T
 * @param {[string, T][]} members
 * @returns {Record<string, T>}
 */
function byText(members) {
  return Object.fromEntries(members.sort((a, b) => compareText(a[0], b[0])));
}

/**
 * @param {ReadonlyMap<number, number>} members
 * @returns {Record<string, number>}
 */
function byNumber(members) {
  return Object.fromEntries([...members].sort((a, b) => a[0] - b[0]));
}
