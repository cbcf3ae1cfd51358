// A seat's records of each round, kept in a storage: the contribution, every receipt received, and
// what was caught. What a browser saw of a log, and what it caught there, is of no label: a page may
// give each visit a new one.

import { toHex, utf8 } from "./bytes.js";
import { isSameFinding, joined, withAll } from "./caught.js";
import { Judged, sizesIn } from "./judged.js";
import { keyText } from "./key.js";
import { sha256 } from "./sha256.js";
import { sinceOf } from "./record.js";
import { alone, placeOf } from "./storage.js";
import {
  isCaught,
  readCaught,
  readEnd,
  readHead,
  readMissed,
  readNonce,
  readPromises,
  readRecord,
  readSeat,
  readView,
} from "./stored.js";
import { conclude } from "./verify.js";

/**
 * @typedef {import("./record.js").Record} Record
 * @typedef {import("./record.js").Claim} Claim
 * @typedef {import("./verdict.js").Judgement} Judgement
 * @typedef {import("./evidence.js").Since} Since
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./continuity.js").Head} Head
 */

/**
 * What a record is of. `from` is the label of its seat.
 * @typedef {{commitment: string, nonce: number | null, from?: string}} Id
 */

/**
 * A signed head of which nothing proved yet that it is of this log, and the record that it came
 * with.
 * @typedef {Head & Required<Id>} OpenHead
 */

/**
 * A head with the proof of its root, if its note is of a larger tree.
 * @typedef {Head & {seen?: Since["seen"]}} KeptHead
 */

/**
 * What a browser saw of a log: the highest head that the log is known to continue, and the heads
 * that are not linked with it yet. `version` counts the changes.
 * @typedef {{saved: Head | null, heads: OpenHead[], version: number}} View
 */

/**
 * What was caught, the places of the records that show it, and the heads that show it with them.
 * @typedef {ReceiptFinding & {records: string[], since: Since[]}} Caught
 */

/**
 * A commitment whose reveal was not in the first `size` entries of the log when it was due, by this
 * device's clock. It accuses nobody, because that clock may be wrong.
 * @typedef {{commitment: string, size: number, claim: Claim}} Missed
 */

/**
 * A record in the index. `judged`: with the reveal of its commitment, and what was found is in
 * `caught`.
 * @typedef {Id & {judged?: true}} Indexed
 */

/** How many promises, and rounds that were judged with their reveal, the index keeps. */
const MOST_RECENT = 96;
/** How many promises of one table, and how many that follow one promise, are compared. */
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
    this.log = keyText(key);
    /** @type {View} */
    this.view = { saved: null, heads: [], version: 0 };
    /** Nothing is ever removed from it. @type {Caught[]} */
    this.caught = [];
    /** The records that show what was caught and is not written yet. @type {Map<string, Record>} */
    this.unkept = new Map();
    /** @type {Missed[]} */
    this.missed = [];
    /** Every round whose reveal did not come, and the last other records. @type {Indexed[]} */
    this.recent = [];
    /** The rounds with a contribution whose commitment is not over. @type {Id[]} */
    this.waits = [];
    /** The round that the player sees. @type {Id | null} */
    this.current = null;
    /** How many rounds the player has brought a contribution to. */
    this.turns = 0;
    this.judged = new Judged(key);
    /** Whether something in the storage could not be read. */
    this.isDamaged = false;
  }

  /**
   * The name of a value of this log.
   * @param {...(string | number)} parts
   * @returns {string}
   */
  name(...parts) {
    return placeOf(this.log, ...parts);
  }

  /**
   * The name of a record. A commitment's is shared by all seats: nothing in it is a player's.
   * @param {Id} id
   * @returns {string}
   */
  place({ commitment, nonce, from = this.from }) {
    return nonce === null
      ? this.name("commitment", commitment)
      : this.name("round", from, commitment, nonce);
  }

  /**
   * Reads a value; what cannot be read is as if it were not there.
   * @template T
   * @param {string} place
   * @param {import("./stored.js").Reader<T>} reader
   * @returns {Promise<T | undefined>}
   */
  async read(place, reader) {
    const value = await this.storage.get(place);
    // A page's own storage may have null for what is not there.
    if (value === undefined || (value === null && reader !== readNonce)) return undefined;
    return reader(value, () => (this.isDamaged = true));
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

  /**
   * Reads what this page and others have kept, and writes what was caught while the storage was
   * full. Call it alone: others change it.
   */
  async load() {
    const [view, caught, missed, seat] = await Promise.all([
      this.seen(),
      this.read(this.name("caught"), readCaught),
      this.read(this.name("missed"), readMissed),
      this.read(this.name("seat", this.from), readSeat),
    ]);
    const { recent = [], waits = [], current = null, turns = 0 } = seat ?? {};
    Object.assign(this, { view, caught: withAll(caught ?? [], this.caught), missed: missed ?? [] });
    Object.assign(this, { recent, waits, current, turns });
    // If it is still full, what was caught stays in this page.
    await this.keepCaught().catch(() => undefined);
  }

  /** What this browser has seen of the log. @returns {Promise<View>} */
  async seen() {
    const view = await this.read(this.name("view"), readView);
    return view ?? { saved: null, heads: [], version: 0 };
  }

  /**
   * The name of the first head of a size.
   * @param {number} size
   * @returns {string}
   */
  headAt(size) {
    return this.name("head", size);
  }

  /**
   * The first heads of these sizes.
   * @param {Iterable<number>} sizes
   * @returns {Promise<KeptHead[]>}
   */
  async headsAt(sizes) {
    const all = [...new Set(sizes)].map((size) => this.read(this.headAt(size), readHead));
    return (await Promise.all(all)).flatMap((each) => each ?? []);
  }

  /**
   * Keeps what this browser has seen of the log.
   * @param {Head | null} saved
   * @param {OpenHead[]} heads
   * @param {readonly KeptHead[]} [met] the first head of each size is kept for ever: it contradicts any
   *   other
   */
  async see(saved, heads, met = []) {
    for (const head of met) {
      const place = this.headAt(head.size);
      if ((await this.read(place, readHead)) === undefined) await this.storage.set(place, head);
    }
    const before = this.view;
    if (JSON.stringify([saved, heads]) === JSON.stringify([before.saved, before.heads])) return;
    this.view = { saved, heads, version: before.version + 1 };
    await this.storage.set(this.name("view"), this.view);
  }

  /**
   * @param {string} commitment
   * @param {number | null} nonce
   * @returns {Promise<Record | null>}
   */
  async find(commitment, nonce) {
    return (await this.recordAt(this.place({ commitment, nonce }))) ?? null;
  }

  /**
   * The record at a place, with what could not be written yet.
   * @param {string} place
   * @returns {Promise<Record | undefined>}
   */
  async recordAt(place) {
    const kept = await this.read(place, readRecord);
    const held = this.unkept.get(place);
    return held === undefined ? kept : joined(kept, held);
  }

  /**
   * Keeps a record, and adds it to the index.
   * @param {Record} record
   */
  async keep(record) {
    const { commitment, nonce, table, after } = record;
    await this.storage.set(this.place(record), record);
    if (nonce === null)
      for (const place of [this.name("table", table), this.name("after", table, after ?? "")])
        await this.promise(place, commitment);
    if (this.recent.some((each) => isSame(each, record))) return;
    this.recent = latest([...this.recent, { commitment, nonce }]);
    await this.write();
  }

  /**
   * Appends to the promises of a table, or to those that say that they follow one promise.
   * @param {string} place of the list
   * @param {string} commitment
   */
  async promise(place, commitment) {
    const known = (await this.read(place, readPromises)) ?? [];
    if (known.includes(commitment)) return;
    await this.storage.set(place, [...known, commitment].slice(-MOST_PROMISES));
  }

  /**
   * The round that the player sees from now on.
   * @param {Record} record
   */
  async show({ commitment, nonce }) {
    if (nonce === null) return;
    if (this.current !== null && isSame(this.current, { commitment, nonce })) return;
    this.current = { commitment, nonce };
    await this.write();
  }

  async write() {
    const { recent, waits, current, turns } = this;
    await this.storage.set(this.name("seat", this.from), { recent, waits, current, turns });
  }

  /**
   * Whether a seed is new, at every log. This call marks it as used.
   * @param {string} seed
   * @returns {Promise<boolean>}
   */
  async use(seed) {
    const place = placeOf("seed", toHex(sha256(utf8(seed))));
    if (((await this.storage.get(place)) ?? undefined) !== undefined) return false;
    await this.storage.set(place, true);
    return true;
  }

  /**
   * What ended a commitment, as any file of any seat showed.
   * @param {string} commitment
   * @returns {Promise<string | null>} `revealed` or `voided`; null if nothing did
   */
  async ended(commitment) {
    return (await this.read(this.name("ended", commitment), readEnd)) ?? null;
  }

  /**
   * Keeps what ended a commitment.
   * @param {string} commitment
   * @param {Judgement} judgement
   */
  async end(commitment, { course }) {
    if (course === null || course.ended === null) return;
    const place = this.name("ended", commitment);
    if ((await this.ended(commitment)) === null) await this.storage.set(place, course.ended);
  }

  /**
   * Waits no longer for a commitment, once all its rounds were judged with the file that ended it.
   * @param {Record} record that was judged
   * @param {Judgement} judgement of its new file
   * @param {boolean} linked whether this file is of the log that this browser saw, as far as the
   *   seat can know
   */
  async settle({ commitment, nonce }, { course, receipt }, linked) {
    const place = this.name("reveal", this.from, commitment);
    const isKnown = (await this.read(place, readNonce)) !== undefined;
    const isRevealed = course?.ended === "revealed";
    if (isRevealed && !isKnown) await this.storage.set(place, nonce);
    const isOver = linked && course !== null && course.ended !== null;
    if (isKnown || isRevealed)
      this.recent = latest(
        this.recent.map((each) =>
          each.commitment === commitment ? { ...each, judged: true } : each,
        ),
      );
    if (isOver) this.waits = this.waits.filter((each) => each.commitment !== commitment);
    if (isKnown || isRevealed || isOver) await this.write();
    if (!isOver) return;
    const last = receipt?.entries.find(
      ({ read: { entry } }) =>
        entry?.entry === "reveal" || (entry?.entry === "void" && entry.nonce === undefined),
    );
    // It was in the log when it was due, and was only not shown.
    const inTime = (/** @type {Missed} */ each) =>
      each.commitment === commitment && last !== undefined && last.index < each.size;
    if (this.missed.some(inTime)) await this.miss(this.missed.filter((each) => !inTime(each)));
  }

  /** @param {Missed[]} missed */
  async miss(missed) {
    this.missed = missed;
    await this.storage.set(this.name("missed"), missed);
  }

  /**
   * The records that are compared with a new one: the rounds of its commitment around it; all in
   * the index and the one that shows the seed, once it is public and they can be dealt again; and
   * the last promises of its table, with all that name the same promise before them.
   * @param {Record} record
   * @param {boolean} [over] whether the record itself shows that its commitment is over
   * @returns {Promise<Record[]>}
   */
  async beside({ commitment, nonce, table, after = "" }, over = false) {
    const lists = [this.name("table", table), this.name("after", table, after)].map((place) =>
      this.read(place, readPromises),
    );
    const promises = [...(await Promise.all(lists)).flatMap((each) => each ?? []), commitment];
    const isOver = over || (await this.ended(commitment)) !== null;
    const near =
      nonce === null
        ? []
        : [
            { commitment, nonce: nonce - 1 },
            { commitment, nonce },
            { commitment, nonce: nonce + 1 },
          ];
    const rounds = this.recent.filter((each) => isOver && each.commitment === commitment);
    const reveal = await this.read(this.name("reveal", this.from, commitment), readNonce);
    if (reveal !== undefined) rounds.push({ commitment, nonce: reveal });
    return this.records([
      ...promises.map((each) => this.place({ commitment: each, nonce: null })),
      ...[...near, ...rounds].map((each) => this.place(each)),
    ]);
  }

  /**
   * The records at these places.
   * @param {Iterable<string>} places
   * @returns {Promise<Record[]>}
   */
  async records(places) {
    const all = await Promise.all([...new Set(places)].map((place) => this.recordAt(place)));
    return all.flatMap((each) => each ?? []);
  }

  /**
   * Judges a record as a verifier of its evidence will. What accuses the operator is caught from
   * now on, also if nothing can be written: `keepCaught` writes it.
   * @param {Record} record gets the findings
   * @param {readonly Since[]} proved heads that show a fork
   * @param {readonly KeptHead[]} met the heads that were compared now
   * @param {string} [place] of the record
   * @returns {Promise<{verdict: import("./verdict.js").Verdict, outcome?: import("./mine.js").Outcome}[]>}
   *   of each file of the record, with what it says of the contribution
   */
  async catch(record, proved, met, place = this.place(record)) {
    const judged = await Promise.all(record.files.map(({ text }) => this.judge(text)));
    const isOver = judged.some(({ course }) => (course?.ended ?? null) !== null);
    const beside = await this.beside(record, isOver);
    const others = beside.filter((each) => this.place(each) !== place);
    const files = await Promise.all(
      [...others, record].flatMap((each) =>
        each.files.map(async ({ name, text, kept = false }) => ({
          name,
          judgement: await this.judge(text),
          error: null,
          kept,
        })),
      ),
    );
    const sizes = new Set(files.flatMap(({ judgement }) => sizesIn(judgement)));
    const { saved } = this.view;
    const heads = [...(saved === null ? [] : [saved]), ...(await this.headsAt(sizes))];
    const views = [...heads, ...met.filter(({ size }) => sizes.has(size))].map(sinceOf);
    const once = new Map(views.map((each) => [JSON.stringify(each), each]));
    const since = [...once.values(), ...proved];
    const mine = record.kept === undefined ? [] : [record.kept];
    const { verdicts, compared } = await conclude(
      files,
      { key: this.key, mine },
      { mine: [], since },
    );
    // What the other files show alone was found with their own records.
    const start = files.length - record.files.length;
    const own = record.files.map((_, i) => ({
      verdict: /** @type {import("./verdict.js").Verdict} */ (
        /** @type {unknown} */ (verdicts.receipts[start + i])
      ),
      outcome: compared[start + i][0]?.outcome,
    }));
    const found = [...verdicts.findings, ...own.flatMap(({ verdict }) => verdict.findings)].filter(
      ({ accuses }) => accuses === "operator",
    );
    for (const each of found)
      if (!record.findings.some((other) => isSameFinding(other, each))) record.findings.push(each);
    const records = [place, ...others.map((each) => this.place(each))];
    this.caught = withAll(
      this.caught,
      found.map((each) => ({ ...each, records, since })),
    );
    if (found.length > 0) this.unkept.set(place, structuredClone(record));
    return own;
  }

  /** Writes what was caught. Call it alone. */
  async keepCaught() {
    if (this.unkept.size === 0) return;
    // First the records: without its findings an export leaves out its older files.
    for (const [place, record] of this.unkept)
      await this.storage.set(place, joined(await this.read(place, readRecord), record));
    const place = this.name("caught");
    // Another version of this program may read what this one cannot.
    const others = [(await this.storage.get(place)) ?? []].flat().filter((each) => !isCaught(each));
    await this.storage.set(place, [...this.caught, ...others]);
    this.unkept.clear();
  }

  /**
   * The judgement of a file.
   * @param {string} text
   * @returns {Promise<Judgement>}
   */
  judge(text) {
    return this.judged.judge(text);
  }
}

/**
 * @param {Id} a
 * @param {Id} b
 * @returns {boolean}
 */
function isSame(a, b) {
  return a.commitment === b.commitment && a.nonce === b.nonce;
}

/**
 * Without the oldest records, but never without a round whose reveal did not come: it is dealt again
 * then, however many came after it.
 * @param {readonly Indexed[]} records
 * @returns {Indexed[]}
 */
function latest(records) {
  const mayGo = (/** @type {Indexed} */ { nonce, judged }) => judged === true || nonce === null;
  let left = records.filter(mayGo).length - MOST_RECENT;
  return records.filter((each) => !mayGo(each) || left-- <= 0);
}
