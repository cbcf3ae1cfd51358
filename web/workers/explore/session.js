// One log that is shown: its newest entries, and new entries.

import { utf8 } from "../../fairdeal/bytes.js";
import { Refused } from "../../fairdeal/refused.js";
import { FULL } from "../../fairdeal/tile.js";
import { Chronicle } from "./chronicle.js";
import { readSeen } from "./compare.js";
import { follow } from "./live.js";
import { Unreachable } from "./reader.js";

/**
 * @typedef {import("./reader.js").Log} Log
 * @typedef {import("./reader.js").Remote} Remote
 * @typedef {import("./live.js").Connection} Connection
 */

/** The number of newest entries that are read at first, unless the page wants fewer. */
const WINDOW = 64 * FULL;
const AT_ONCE = 8;
/** The maximum number of commitments that are requested one by one. */
const MOST_ASKED = 200;
/** The interval at which a page is told about changes, in milliseconds. */
const BREATH = 200;
/** The intervals at which the checkpoint is read: with events, and without. */
const LOOK = { live: 5_000, mirror: 15_000 };

/**
 * @typedef {object} Summary
 * @property {number} first the index of the first entry that was read
 * @property {number} next the number of known entries
 * @property {number} tables
 * @property {number} commitments
 * @property {number} deals
 * @property {number} voids
 * @property {number} reveals
 * @property {number} open commitments that are neither revealed nor voided
 * @property {number} waiting rounds of these commitments that were dealt
 * @property {number} overdue
 * @property {number} unreadable
 * @property {number} unknown commitments of which only later entries were read
 * @property {number | null} broken the first entry that should be there and cannot be read
 * @property {number | null} firstTime
 * @property {number | null} lastTime
 */

/**
 * @typedef {{kind: "loading", entries: number, of: number} | {kind: "changed", summary: Summary}
 *   | {kind: "checkpoint", seen: import("./compare.js").Seen, when: number}
 *   | {kind: "fault", says: string} | {kind: "connection", connection: Connection, retryAt: number | null}} News
 */

export class Session {
  /**
   * @param {Log} log
   * @param {(news: News) => void} tell
   * @param {number} [window] the number of newest entries that are read at first
   */
  constructor(log, tell, window = WINDOW) {
    this.log = log;
    this.tell = tell;
    this.window = window;
    this.chronicle = new Chronicle();
    this.first = 0;
    this.next = 0;
    /** @type {Uint8Array} */
    this.note = new Uint8Array(0);
    this.hasApi = false;
    /** Tables of which every commitment is known. @type {Set<string>} */
    this.complete = new Set();
    /** Entries are read by one call after the other. */
    this.turn = Promise.resolve();
    this.told = false;
    this.isLost = false;
    /** The first missing entry. @type {number | null} */
    this.broken = null;
  }

  /** @returns {Promise<import("./compare.js").Seen>} */
  async open() {
    const seen = await this.look();
    if (seen === null)
      throw Object.assign(new Error("there is no checkpoint here"), { code: "no-log" });
    this.hasApi = await this.log.api("v1/commitments?most=1").then(
      (answer) => Array.isArray(answer?.commitments),
      () => false,
    );
    await this.load(Math.max(0, Math.floor((seen.size - this.window) / FULL) * FULL), seen.size);
    this.connect();
    return seen;
  }

  /** Reads the checkpoint, and reports a new one. */
  async look() {
    const bytes = await this.log.checkpoint();
    if (bytes === null) return null;
    const seen = readSeen(bytes);
    this.note = bytes;
    this.tell({ kind: "checkpoint", seen, when: Date.now() });
    return seen;
  }

  /**
   * Reads the entries from one index to another again.
   * @param {number} from a multiple of 256
   * @param {number} to
   */
  async load(from, to) {
    const chronicle = new Chronicle();
    const next = await this.read(from, to, (bytes, index) => chronicle.add(bytes, index), true);
    [this.chronicle, this.first, this.next] = [chronicle, from, next];
    this.complete.clear();
    await this.complement();
    this.changed();
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {(bytes: Uint8Array, index: number) => void} take
   * @param {boolean} loud whether to report the progress
   * @returns {Promise<number>} the index after the last read entry: less than `to` if an entry is
   *   missing
   */
  async read(from, to, take, loud) {
    this.broken = null;
    const last = Math.ceil(to / FULL);
    for (let index = Math.floor(from / FULL); index < last; index += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, last - index) }, (_, i) => index + i);
      const bundles = await Promise.all(
        some.map((each) => this.bundle(each, Math.min(FULL, to - each * FULL))),
      );
      for (const [i, entries] of bundles.entries()) {
        if (entries === null) {
          this.broken = some[i] * FULL;
          return Math.max(from, this.broken);
        }
        entries.forEach((bytes, at) => {
          const place = some[i] * FULL + at;
          if (place >= from && place < to) take(bytes, place);
        });
      }
      if (loud)
        this.tell({
          kind: "loading",
          entries: Math.min(to, (index + some.length) * FULL) - from,
          of: to - from,
        });
    }
    return to;
  }

  /**
   * @param {number} index
   * @param {number} width
   * @returns {Promise<Uint8Array[] | null>} null if it is missing, or is not a bundle
   */
  async bundle(index, width) {
    try {
      return await this.log.bundle(index, width);
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  /** Asks the service for commitments that began before the first entry that was read. */
  async complement() {
    if (!this.hasApi || this.first === 0) return;
    const open = await this.log.api("v1/commitments?open=true&most=1000").catch(() => null);
    for (const standing of open?.commitments ?? []) this.chronicle.tell(standing);
    const left = [...this.chronicle.unknown.keys()].slice(0, MOST_ASKED);
    while (left.length > 0) {
      const answers = await Promise.all(
        left
          .splice(0, AT_ONCE)
          .map((each) => this.log.api(`v1/commitments/${each}`).catch(() => null)),
      );
      for (const standing of answers) if (standing !== null) this.chronicle.tell(standing);
    }
  }

  /** Reads the entries that are new by the checkpoint. One call at a time. */
  grow() {
    this.turn = this.turn
      .then(async () => {
        const seen = await this.look();
        if (this.isLost && !this.hasApi)
          this.tell({ kind: "connection", connection: "mirror", retryAt: null });
        this.isLost = false;
        if (seen === null || seen.size <= this.next) return;
        await this.read(this.next, seen.size, (bytes, index) => this.take(bytes, index), false);
      })
      .catch((error) => {
        if (!(error instanceof Unreachable))
          this.tell({ kind: "fault", says: /** @type {Error} */ (error).message });
        this.isLost = true;
        if (!this.hasApi)
          this.tell({
            kind: "connection",
            connection: "offline",
            retryAt: Date.now() + LOOK.mirror,
          });
      });
    return this.turn;
  }

  /** Reads twice as many entries as before. */
  async earlier() {
    const first = Math.max(
      0,
      this.first - Math.max(WINDOW, Math.ceil((this.next - this.first) / FULL) * FULL),
    );
    this.turn = this.turn.then(() => this.load(first, this.next));
    await this.turn;
    await this.grow();
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} index
   */
  take(bytes, index) {
    if (index !== this.next) return;
    this.chronicle.add(bytes, index);
    this.next++;
    this.changed();
  }

  connect() {
    if (!this.log.isRemote)
      return this.tell({ kind: "connection", connection: "file", retryAt: null });
    const { base } = /** @type {Remote} */ (this.log);
    /** @param {number} pause */
    const look = (pause) => setTimeout(() => void this.grow().then(() => look(pause)), pause);
    if (!this.hasApi) {
      this.tell({ kind: "connection", connection: "mirror", retryAt: null });
      return look(LOOK.mirror);
    }
    look(LOOK.live);
    follow(base, () => this.next, {
      open: () => {
        this.tell({ kind: "connection", connection: "live", retryAt: null });
        // In an empty log, an event before the stream was open is not sent again.
        void this.grow();
      },
      event: (index, text) => {
        if (index > this.next) void this.grow();
        else this.take(utf8(text), index);
      },
      lost: (retryAt) => this.tell({ kind: "connection", connection: "offline", retryAt }),
    });
  }

  /** Tells the page, but not for every entry. */
  changed() {
    if (this.told) return;
    this.told = true;
    setTimeout(() => {
      this.told = false;
      this.tell({ kind: "changed", summary: this.summary() });
    }, BREATH);
  }

  /** @returns {Summary} */
  summary() {
    const { tables, courses, deals, voids, reveals, unreadable, unknown, firstTime, lastTime } =
      this.chronicle;
    const open = [...courses.values()].filter(({ ended }) => ended === null);
    return {
      first: this.first,
      next: this.next,
      open: open.length,
      waiting: this.chronicle.waiting(),
      tables: tables.size,
      commitments: courses.size,
      deals,
      voids,
      reveals,
      overdue: this.chronicle.overdue(Date.now()),
      unreadable,
      unknown: unknown.size,
      broken: this.broken,
      firstTime,
      lastTime,
    };
  }

  /**
   * Reads all commitments of a table, if the service has them.
   * @param {string} table
   */
  async ensureTable(table) {
    if (
      !this.hasApi ||
      this.complete.has(table) ||
      (this.first === 0 && this.chronicle.tables.has(table))
    )
      return;
    this.complete.add(table);
    for (let from = 0; from !== undefined && from < Math.max(1, this.first);) {
      const page = await this.log
        .api(`v1/commitments?table=${encodeURIComponent(table)}&from=${from}&most=1000`)
        .catch(() => null);
      for (const standing of page?.commitments ?? []) this.chronicle.tell(standing);
      from = page?.next;
    }
  }

  /**
   * @param {string} commitment
   * @returns {Promise<import("./chronicle.js").Course | null>}
   */
  async course(commitment) {
    const known = this.chronicle.courses.get(commitment);
    if (known !== undefined) return known;
    const standing = /^[0-9a-f]{64}$/.test(commitment)
      ? await this.log.api(`v1/commitments/${commitment}`).catch(() => null)
      : null;
    if (standing !== null) this.chronicle.tell(standing);
    return this.chronicle.courses.get(commitment) ?? null;
  }
}
