// A seat's records of each round, kept in a storage: the contribution, every receipt received, and
// what was caught. What is of the log and not of a player is shared by all seats at this log.

import { toHex, utf8 } from "./bytes.js";
import { shownBy } from "./evidence.js";
import { keyText } from "./key.js";
import { readFile } from "./receipt.js";
import { sha256 } from "./sha256.js";
import { alone, placeOf } from "./storage.js";
import { Judgement } from "./verdict.js";
import { conclude } from "./verify.js";

/**
 * @typedef {import("./record.js").Record} Record
 * @typedef {import("./record.js").Claim} Claim
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./continuity.js").Head} Head
 * @typedef {{commitment: string, nonce: number | null}} Id of a record
 */

/**
 * A signed head of which nothing proved yet that it is of this log, and the place of the record
 * that it came with.
 * @typedef {Head & {of: string}} OpenHead
 */

/**
 * What was caught, the places of the records that show it, and the heads that show it with them.
 * @typedef {ReceiptFinding & {records: string[], since: import("./evidence.js").Since[]}} Caught
 */

/**
 * A reveal that was missing when it was due, by this device's clock (spec/audit.md, "What was
 * missed").
 * @typedef {object} Missed
 * @property {string} commitment
 * @property {number} clock when it was found missing
 * @property {number} size of the largest head of the log that was seen by then
 * @property {Claim} claim
 */

/** How many rounds and commitments an export of everything has. */
const MOST_RECENT = 96;
/** How many promises of one table are compared with each other. */
const MOST_PROMISES = 12;

/** The records of one seat at one log. */
export class Book {
  /**
   * @param {import("./storage.js").Storage} storage
   * @param {import("./key.js").Key} key of the log
   * @param {string} from
   */
  constructor(storage, key, from) {
    this.storage = storage;
    this.key = key;
    this.from = from;
    // A page may give each visit a new label, so what a browser saw of the log is of no label.
    /** The highest head that the log is known to continue. @type {Head | null} */
    this.saved = null;
    /** @type {OpenHead[]} */
    this.heads = [];
    /** Counts the changes of both. */
    this.version = 0;
    /** Nothing is ever removed from it. @type {Caught[]} */
    this.caught = [];
    /** @type {Missed[]} */
    this.missed = [];
    /** @type {Id[]} */
    this.recent = [];
    /** A round of each commitment whose end the player waits for. @type {Id[]} */
    this.waits = [];
    /** The round that the player sees. @type {Id | null} */
    this.current = null;
    /** How many rounds the player has brought a contribution to. */
    this.turns = 0;
    /** @type {Map<string, Judgement>} */
    this.judged = new Map();
  }

  /**
   * The name of a value of this log.
   * @param {...(string | number)} parts
   * @returns {string}
   */
  name(...parts) {
    return placeOf(keyText(this.key), ...parts);
  }

  /**
   * The name of a record. A commitment's is shared by all seats: nothing in it is a player's.
   * @param {Id} id
   * @returns {string}
   */
  place({ commitment, nonce }) {
    return nonce === null
      ? this.name("commitment", commitment)
      : this.name("round", this.from, commitment, nonce);
  }

  /**
   * Runs alone, among all tabs and all seats at this log.
   * @template T
   * @param {() => Promise<T>} run
   * @returns {Promise<T>}
   */
  alone(run) {
    return alone(this.storage, this.name(), run);
  }

  /** Reads what this page and others have kept. */
  async load() {
    const names = [this.name("view"), this.name("caught"), this.name("missed"), this.seat];
    const [view, caught, missed, seat] = await Promise.all(
      names.map((name) => this.storage.get(name)),
    );
    const { saved = null, heads = [], version = 0 } = view ?? {};
    const { recent = [], waits = [], current = null, turns = 0 } = seat ?? {};
    Object.assign(this, { saved, heads, version, recent, waits, current, turns });
    Object.assign(this, { caught: caught ?? [], missed: missed ?? [] });
  }

  /** The name of this seat's own values. */
  get seat() {
    return this.name("seat", this.from);
  }

  async write() {
    const { recent, waits, current, turns } = this;
    await this.storage.set(this.seat, { recent, waits, current, turns });
  }

  /**
   * @param {string} commitment
   * @param {number | null} nonce
   * @returns {Promise<Record | null>}
   */
  async find(commitment, nonce) {
    return (await this.storage.get(this.place({ commitment, nonce }))) ?? null;
  }

  /**
   * Keeps a record, and adds it to the index.
   * @param {Record} record
   */
  async keep(record) {
    const { commitment, nonce, kept } = record;
    await this.storage.set(this.place(record), record);
    await this.load();
    if (nonce === null) await this.promise(record);
    const { length } = this.recent;
    if (!this.recent.some((each) => sameId(each, record)))
      this.recent = [...this.recent, { commitment, nonce }].slice(-MOST_RECENT);
    const waits = this.waits.filter((each) => each.commitment !== commitment);
    const over = (nonce === null ? record : await this.find(commitment, null))?.ended;
    if (over === undefined && nonce !== null && kept !== undefined)
      waits.push({ commitment, nonce });
    else if (over === undefined && waits.length < this.waits.length) waits.push(...this.waits.filter((each) => each.commitment === commitment));
    if (length === this.recent.length && JSON.stringify(waits) === JSON.stringify(this.waits))
      return;
    this.waits = waits;
    await this.write();
  }
}
