// A seat's records of each round, kept in a storage: the contribution, every receipt received, and
// the findings.

import { toHex, utf8 } from "./bytes.js";
import { readFile } from "./receipt.js";
import { sha256 } from "./sha256.js";
import { alone } from "./storage.js";
import { Judgement } from "./verdict.js";

/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./continuity.js").Head} Head
 */

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
 * The record of one round; or of a commitment, which has no nonce.
 * @typedef {object} Record
 * @property {string} commitment
 * @property {number | null} nonce
 * @property {string} table
 * @property {Stage} stage
 * @property {{name: string, text: string}[]} files receipts and openings, as received
 * @property {Kept} [kept] the player's contribution. Secret until it is opened
 * @property {string} [opened] SHA-256 of the lock under which it was opened
 * @property {string[]} [seats] the seats that the game announced beforehand
 * @property {string[]} since signed heads of the log that the files contradict
 * @property {ReceiptFinding[]} findings
 * @property {string[]} shown
 * @property {string[]} notShown
 * @property {PlacedCard[]} cards
 * @property {number} [revealBy]
 */

/** How many rounds and commitments are checked again after the page was reloaded. */
const MOST_RECENT = 96;
/** How many promises of one table are compared with each other. */
const MOST_PROMISES = 12;

/** The order of a round's stages. @type {Stage[]} */
export const STAGES = ["promised", "given", "locked", "opened", "dealt", "revealed", "voided"];

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
    this.name = `${key.name}+${key.id} ${from}`;
    /** @type {Head | null} */
    this.saved = null;
    /** @type {{id: string, table: string, nonce: number | null}[]} */
    this.recent = [];
    /** @type {Map<string, Judgement>} */
    this.judged = new Map();
  }

  /**
   * Runs alone, among all tabs.
   * @template T
   * @param {() => Promise<T>} run
   * @returns {Promise<T>}
   */
  alone(run) {
    return alone(this.storage, this.name, run);
  }

  /** Reads the records that an earlier page kept. */
  async load() {
    const { saved = null, recent = [] } = (await this.storage.get(this.name)) ?? {};
    // Another tab may have newer records.
    if (this.saved === null || (saved !== null && saved.size > this.saved.size)) this.saved = saved;
    this.recent = recent;
  }

  /**
   * @param {string} commitment
   * @param {number | null} nonce
   * @returns {Promise<Record | null>}
   */
  async find(commitment, nonce) {
    return (await this.storage.get(this.place(idOf(commitment, nonce)))) ?? null;
  }

  /**
   * Keeps a record, and adds it to the index.
   * @param {Record} record
   */
  async keep(record) {
    const id = idOf(record.commitment, record.nonce);
    await this.storage.set(this.place(id), record);
    await this.load();
    const known = this.recent.some((each) => each.id === id);
    if (!known)
      this.recent = [...this.recent, { id, table: record.table, nonce: record.nonce }].slice(
        -MOST_RECENT,
      );
    await this.write();
  }

  /**
   * Keeps a head of the log that continues the kept one.
   * @param {Head} head
   */
  async save(head) {
    await this.load();
    if (this.saved !== null && this.saved.size >= head.size) return;
    this.saved = head;
    await this.write();
  }

  async write() {
    await this.storage.set(this.name, { saved: this.saved, recent: this.recent });
  }

  /** @param {string} id @returns {string} */
  place(id) {
    return `${this.name} ${id}`;
  }

  /**
   * Whether a seed is new. This call marks it as used.
   * @param {string} seed
   * @returns {Promise<boolean>}
   */
  async use(seed) {
    const place = this.place(`seed ${toHex(sha256(utf8(seed)))}`);
    if ((await this.storage.get(place)) === true) return false;
    await this.storage.set(place, true);
    return true;
  }

  /**
   * The records that are compared with a new one: the rounds of its commitment, and the promises of
   * its table.
   * @param {Record} record
   * @returns {Promise<Record[]>}
   */
  async beside({ commitment, nonce, table }) {
    const promises = this.recent
      .filter((each) => each.table === table && each.nonce === null)
      .slice(-MOST_PROMISES);
    const rounds =
      nonce === null
        ? []
        : [nonce - 1, nonce].filter((each) => each >= 0).map((each) => idOf(commitment, each));
    const ids = new Set([...promises.map(({ id }) => id), idOf(commitment, null), ...rounds]);
    const found = await Promise.all([...ids].map((id) => this.storage.get(this.place(id))));
    return found.filter((each) => each !== undefined);
  }

  /** Every record that is checked again. @returns {Promise<Record[]>} */
  async all() {
    const found = await Promise.all(this.recent.map(({ id }) => this.storage.get(this.place(id))));
    return found.filter((each) => each !== undefined);
  }

  /**
   * The judgement of a file. Each file is judged once.
   * @param {string} text
   * @returns {Promise<Judgement>}
   */
  async judge(text) {
    const known = this.judged.get(text);
    if (known !== undefined) return known;
    const judgement = new Judgement(this.key, readFile(text));
    await judgement.judge();
    if (this.judged.size > 4 * MOST_RECENT) this.judged.clear();
    this.judged.set(text, judgement);
    return judgement;
  }
}

/**
 * @param {string} commitment
 * @param {number | null} nonce
 * @returns {string}
 */
function idOf(commitment, nonce) {
  return `${commitment} ${nonce ?? "-"}`;
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
    shown: [],
    notShown: [],
    cards: [],
  };
}
