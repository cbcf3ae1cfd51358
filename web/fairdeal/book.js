// A seat's records of each round, kept in a storage: the contribution, every receipt received, and
// what was caught.

import { toHex, utf8 } from "./bytes.js";
import { shownBy } from "./evidence.js";
import { readFile } from "./receipt.js";
import { sha256 } from "./sha256.js";
import { alone } from "./storage.js";
import { Judgement } from "./verdict.js";
import { conclude } from "./verify.js";

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
 * What the kit noticed, and no file shows to others: it accuses nobody.
 * @typedef {{code: string, says: string}} Claim
 */

/**
 * What was caught, and the places of the records that show it.
 * @typedef {ReceiptFinding & {records: string[]}} Caught
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
 * @property {number} [turn] how many rounds the player had brought a contribution to before
 * @property {import("./evidence.js").Since[]} since heads of the log that show a fork
 * @property {ReceiptFinding[]} findings that accuse the operator
 * @property {Claim[]} claims
 * @property {import("./mine.js").Outcome} [outcome] of comparing the contribution
 * @property {import("./verdict.js").State} [state] of the last receipt
 * @property {string[]} shown
 * @property {string[]} notShown
 * @property {PlacedCard[]} cards
 * @property {number} [revealBy]
 */

/** How many rounds and commitments an export of everything has. */
const MOST_RECENT = 96;
/** How many promises of one table are compared with each other. */
const MOST_PROMISES = 12;
/** How many heads of the log wait for a proof. */
const MOST_HEADS = 32;

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
    /** The place of what was caught: of the log, because a page may give each visit a new label. */
    this.ofLog = `${key.name}+${key.id} caught`;
    /** @type {Head | null} */
    this.saved = null;
    /** Heads of which nothing proved yet that they are of this log. @type {Head[]} */
    this.heads = [];
    /** @type {string[]} */
    this.recent = [];
    /** The round that the player sees. @type {{commitment: string, nonce: number} | null} */
    this.current = null;
    /** How many rounds the player has brought a contribution to. */
    this.turns = 0;
    /** Nothing is ever removed from it. @type {Caught[]} */
    this.caught = [];
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
    const index = (await this.storage.get(this.name)) ?? {};
    const { saved = null, heads = [], recent = [], current = null, turns = 0 } = index;
    // Another tab may have newer records.
    if (this.saved === null || (saved !== null && saved.size > this.saved.size)) this.saved = saved;
    Object.assign(this, { heads, recent, current, turns });
    this.caught = (await this.storage.get(this.ofLog)) ?? [];
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
    if (record.nonce === null) await this.list(`table ${record.table}`, id, MOST_PROMISES);
    if (this.recent.includes(id)) return;
    this.recent = [...this.recent, id].slice(-MOST_RECENT);
    await this.write();
  }

  /**
   * Appends to a list that has an end.
   * @param {string} name
   * @param {string} id
   * @param {number} most
   */
  async list(name, id, most) {
    const ids = (await this.storage.get(this.place(name))) ?? [];
    if (!ids.includes(id)) await this.storage.set(this.place(name), [...ids, id].slice(-most));
  }

  /**
   * Keeps a head of the log that continues the kept one.
   * @param {Head | null} head
   * @param {readonly Head[]} [open] heads of which nothing is proved yet
   */
  async save(head, open) {
    await this.load();
    if (head !== null && (this.saved === null || this.saved.size < head.size)) this.saved = head;
    if (open !== undefined) this.heads = open.slice(0, MOST_HEADS);
    await this.write();
  }

  /**
   * The round that the player sees from now on.
   * @param {Record} record
   */
  async show({ commitment, nonce }) {
    if (nonce === null || (this.current?.commitment === commitment && this.current.nonce === nonce))
      return;
    this.current = { commitment, nonce };
    await this.write();
  }

  async write() {
    const { saved, heads, recent, current, turns } = this;
    await this.storage.set(this.name, { saved, heads, recent, current, turns });
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
    /** @type {string[]} */
    const promises = (await this.storage.get(this.place(`table ${table}`))) ?? [];
    const rounds =
      nonce === null
        ? []
        : [nonce - 1, nonce].filter((each) => each >= 0).map((each) => idOf(commitment, each));
    const ids = [...promises, idOf(commitment, null), ...rounds];
    return this.records(ids.map((id) => this.place(id)));
  }

  /**
   * @param {Iterable<string>} places
   * @returns {Promise<Record[]>}
   */
  async records(places) {
    const all = [...new Set(places)].map((place) => this.storage.get(place));
    return (await Promise.all(all)).filter((each) => each !== undefined);
  }

  /**
   * Judges a record as a verifier of its evidence will, and keeps what accuses the operator.
   * @param {Record} record
   */
  async catch(record) {
    const placeOf = (/** @type {Record} */ each) => this.place(idOf(each.commitment, each.nonce));
    const place = placeOf(record);
    const others = (await this.beside(record)).filter((each) => placeOf(each) !== place);
    const { files, mine, since } = shownBy([...others, record], this.saved);
    const all = await Promise.all(
      files.map(async ({ name, text }) => ({
        name,
        judgement: await this.judge(text),
        error: null,
      })),
    );
    // Its seed is told to others only if it was opened, or if something is found now.
    const secret = record.kept === undefined || mine.includes(record.kept) ? [] : [record.kept];
    const evidence = { mine: [...mine, ...secret], since };
    const { findings, receipts } = (await conclude(all, { key: this.key }, evidence)).verdicts;
    // What the other files show alone was found with their own records.
    const own = receipts.slice(-record.files.length);
    const found = [
      ...findings,
      ...own.flatMap((each) => ("findings" in each ? each.findings : [])),
    ].filter(({ accuses }) => accuses === "operator");
    for (const each of found) {
      /** @param {ReceiptFinding} other */
      const same = ({ code, index, says }) =>
        code === each.code && index === each.index && says === each.says;
      if (!record.findings.some(same)) record.findings.push(each);
      if (this.caught.some(same)) continue;
      const records = [place, ...others.map(placeOf)];
      // Another seat at this log may have caught something else.
      await alone(this.storage, this.ofLog, async () => {
        const before = (await this.storage.get(this.ofLog)) ?? [];
        this.caught = [...before, { ...each, records }];
        await this.storage.set(this.ofLog, this.caught);
      });
    }
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
 * The name of a record.
 * @param {string} commitment
 * @param {number | null} nonce
 * @returns {string}
 */
export function idOf(commitment, nonce) {
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
    claims: [],
    shown: [],
    notShown: [],
    cards: [],
  };
}
