// The player's side of a game: a new seed for each round, hashed and signed, opened only when the
// log has its lock; every receipt is judged, compared with all others, and kept.

import { Book } from "./book.js";
import { client } from "./client.js";
import { connect } from "./connect.js";
import { contribution, toGive, toOpen } from "./contribute.js";
import { documentsIn } from "./documents.js";
import { isSupported } from "./ed25519.js";
import { evidence } from "./evidence.js";
import { accused, doubt } from "./findings.js";
import { UNLINKED, link } from "./heads.js";
import { keepKey } from "./keep-key.js";
import { uncovered } from "./judged.js";
import { keyText } from "./key.js";
import { fileIn, follow, isFrom, lastReceipt, newRecord, openUnder, shownBy } from "./record.js";
import { Refused } from "./refused.js";
import { IDLE, Target, expectInput, expectPlayer, mayFollow, overdue, stateOf } from "./seat.js";
import { cardsIn } from "./seen-cards.js";
import { sessionKey } from "./session.js";
import { defaultStorage } from "./storage.js";
import { termsOf } from "./terms.js";
import { Timers } from "./timers.js";
import { NOTHING, Patience, untilCovered } from "./wait.js";

/**
 * @import { Claim, PlacedCard, Record } from "./record.js"
 * @import { Judgement } from "./verdict.js"
 * @typedef {import("./client.js").Given & {hash: string}} Contributed what a seat gives for a round
 * @typedef {import("./seat.js").ContributeInput} ContributeInput
 * @typedef {import("./seat.js").PlayerOptions} PlayerOptions
 * @typedef {import("./seat.js").ReceiveOptions} ReceiveOptions
 * @typedef {import("./seat.js").SeatState} SeatState
 */

/** The time before a log that did not answer is asked again, in milliseconds. */
const ASK_AGAIN = 15_000;
/**
 * How long a message waits for a log that should link it and those before it, in milliseconds. A
 * dealer waits 15 seconds for an opening, and blames the player: a slow log must not lead to that.
 */
const PATIENCE = 5_000;
/** The timer that links heads; the others have the names of commitments. */
const LINK = "";
/** How wrong a device's clock may be before the dealer is said to be late, in milliseconds. */
const TOLERANCE = 300_000;

/** One player at one log. Its event `verdict` has a {@link SeatState} as `detail`. */
export class Seat extends Target {
  /**
   * @param {PlayerOptions} options
   * @param {Book} book
   * @param {CryptoKeyPair} pair
   */
  constructor({ log = null, key, from, fetch, ...options }, book, pair) {
    super();
    const { clock = Date.now, tolerance = TOLERANCE, policy, coverWait } = options;
    this.verifierKey = key;
    this.from = from;
    this.book = book;
    this.pair = pair;
    this.clock = clock;
    this.tolerance = tolerance;
    this.policy = policy;
    this.coverWait = coverWait;
    this.log = log === null ? null : client(log, { fetch, retries: 2, timeout: 10_000 });
    /** @type {SeatState} */
    this.state = IDLE;
    /** The record that the state is of. @type {Record | null} */
    this.shown = null;
    this.timers = new Timers();
    this.patience = new Patience(PATIENCE);
    /** Handles one document after the other. @type {Promise<unknown>} */
    this.turn = Promise.resolve();
  }

  /**
   * Makes a contribution for a round: the hash of a new seed, signed, with the log's head that was
   * seen. A second call, also in another tab, gives the same contribution.
   * @template {ContributeInput} I
   * @param {I} input
   * @returns {Promise<I extends {count: number} ? Contributed[] : Contributed>} for the game's server
   * @throws {Refused} if the promise does not hold, has other terms, or the seed was used before
   */
  async contribute(input) {
    expectInput(input, this.from);
    const { commitment, nonce, count, seed, promise, seats, expect = {} } = input;
    const given = promise ?? (await this.log?.receipt(commitment));
    if (given !== undefined) await this.inTurn(given);
    const terms = await termsOf(this.book, commitment, expect, (due) => this.isLate(due));
    const most = Math.min(count ?? 1, terms.rounds - nonce);
    if (most < 1) {
      const says = `this commitment has ${terms.rounds} rounds, from 0; found ${nonce}`;
      throw new Refused("nonce", says);
    }
    const all = [];
    for (let i = 0; i < most; i++) {
      all.push(
        await this.book.alone(() =>
          this.give(commitment, nonce + i, terms.table, seats, i === 0, i === 0 ? seed : undefined),
        ),
      );
    }
    return /** @type {any} */ (count === undefined ? all[0] : all);
  }

  /**
   * @param {string} commitment
   * @param {number} nonce
   * @param {string} table
   * @param {string[] | undefined} seats
   * @param {boolean} next whether the player sees this round from now on
   * @param {string | undefined} seed
   */
  async give(commitment, nonce, table, seats, next, seed) {
    const record = (await this.book.find(commitment, nonce)) ?? newRecord(commitment, nonce, table);
    const [wrong] = record.findings;
    if (wrong !== undefined) throw new Refused("caught", `${wrong.code}: ${wrong.says}`);
    if (record.kept !== undefined) {
      if (seed !== undefined && seed !== record.kept.seed)
        throw new Refused("seed", "another seed was given for this round already");
      // Somebody left the table before the lock, so the game's server asks again.
      if (seats !== undefined && record.opened === undefined)
        await this.book.keep({ ...record, seats });
      return toGive(record.kept);
    }
    if (isFrom(record.stage, "locked"))
      throw new Refused("nonce", `this round is ${record.stage} already`);
    await this.book.load();
    const kept = await contribution({
      from: this.from,
      commitment,
      nonce,
      seed,
      key: this.verifierKey,
      sign: this.pair,
      seen: this.book.view.saved?.note,
    });
    if (!(await this.book.use(kept.seed)))
      throw new Refused("seed", "this seed was used before: whoever saw it then knows it now");
    const turn = this.book.turns++;
    this.book.waits.push({ commitment, nonce });
    await this.book.write();
    Object.assign(record, {
      kept,
      turn,
      stage: "given",
      ...(seats === undefined ? {} : { seats }),
    });
    // Kept before the hash is sent: a round whose seed is lost would have to be voided.
    await this.book.keep(record);
    const lower = this.shown?.commitment === commitment && (this.shown.nonce ?? -1) > nonce;
    if (next && !lower) this.shown = null;
    await this.tell(record);
    return toGive(kept);
  }

  /**
   * Takes a message of the game's server: a receipt, an opening, an answer of the service, or an
   * object that holds these.
   * @param {string | Uint8Array | object} message
   * @param {ReceiveOptions} [options]
   * @returns {Promise<{blind: string, commitment: string, from: string, nonce: number, seed: string} | null>}
   *   the reply: the opening of this player's hash, if its lock holds; null if there is no reply
   * @throws {Refused} `uncovered`, if the player's witnesses did not sign the lock in time
   */
  receive(message, { acceptUncovered } = {}) {
    return untilCovered(this, message, acceptUncovered === true);
  }

  /**
   * Takes a message after those before it: each is compared with them.
   * @param {string | Uint8Array | object} message
   * @param {boolean} [accepts] whether the player accepts an uncovered lock
   * @returns {Promise<import("./wait.js").Taken>}
   */
  inTurn(message, accepts = false) {
    const arrived = this.patience.waited;
    const now = this.turn.then(() => this.stored(() => this.takeAll(message, arrived, accepts)));
    this.turn = now.catch(() => undefined);
    return now;
  }

  /**
   * @param {string | Uint8Array | object} message
   * @param {number} arrived see {@link Patience}
   * @param {boolean} accepts
   */
  async takeAll(message, arrived, accepts) {
    // A server need not send the round's receipt again with each card.
    const { commitment, nonce, files } = this.shown ?? newRecord("", null, "");
    const known = (/** @type {string} */ c, /** @type {number} */ n) =>
      c === commitment && n === nonce ? lastReceipt(files) : null;
    let all = NOTHING;
    for (const { text } of documentsIn(message, known)) {
      const { reply, waits } = await this.take(text, arrived, accepts);
      all = { reply: reply ?? all.reply, waits: waits ?? all.waits };
    }
    return all;
  }

  /** @param {string} text @param {number} arrived @param {boolean} accepts */
  async take(text, arrived, accepts) {
    const judgement = await this.book.judge(text);
    const { commitment, course, unknown } = judgement;
    const found = accused(judgement.findings, judgement.isSigned);
    const accuses = found.some((each) => each.accuses === "operator");
    // A file that anybody can write is not kept: nothing follows from it but from its signed head.
    const isKept = accuses || (found.length === 0 && course !== null);
    if (!isKept || unknown || commitment === null) {
      if (judgement.isHead) await this.link({ text, judgement }, arrived);
      await this.unsure(found, judgement);
      return NOTHING;
    }
    const { book, policy } = this;
    const cover = { uncovered: await uncovered(judgement, policy, text), accepts };
    for (;;) {
      const connected = await this.patience.ask(arrived, (limit) =>
        connect(book, this.log, judgement, judgement, limit),
      );
      const taken = await book.alone(() => this.put(text, judgement, connected, cover));
      // Another tab, or another seat, saw more of the log meanwhile: this is compared with that.
      if (taken !== null) return taken;
    }
  }

  /**
   * Takes a judged file into its round's record. Runs alone.
   * @param {string} text
   * @param {Judgement} judgement
   * @param {import("./connect.js").Connected} connected
   * @param {import("./record.js").Cover} cover
   * @returns {Promise<import("./wait.js").Taken | null>} null if the view is not the one that was compared
   */
  async put(text, judgement, { version, proved, since, saved, heads, forks, met }, cover) {
    const { book } = this;
    const { nonce, receipt } = judgement;
    const commitment = judgement.commitment ?? "";
    await book.load();
    if (book.view.version !== version) return null;
    const commit = receipt?.entries[0].read.entry;
    const { table, after } = commit?.entry === "commit" ? commit : { table: "", after: undefined };
    const record = (await book.find(commitment, nonce)) ?? newRecord(commitment, nonce, table);
    if (after !== undefined) record.after = after;
    const seen = [...met, ...fileIn(record, judgement, text)];
    // Before anything is written: a full storage hides no cheat.
    const judged = await book.catch(record, since, seen);
    const own = judged[record.files.findIndex((each) => each.text === text)];
    // First the files that show it, then what was caught: a page can close at any time.
    await book.see(saved, [...heads, ...forks], seen);
    await book.keep(record);
    await book.end(commitment, judgement);
    await book.keepCaught();
    await book.see(saved, heads);
    await book.settle(record, judgement, proved || this.log === null);
    follow(record, judgement, own);
    record.cards = cardsIn(own.verdict, record.cards);
    const ended = await book.ended(commitment);
    const opens =
      proved &&
      record.findings.length === 0 &&
      openUnder(record, judgement, { text, outcome: own.outcome, ended, ...cover });
    // With the lock's receipt, before the opening leaves (spec/receipt.md, section 11.8).
    await book.keep(record);
    const isOpen = !proved && this.log === null && record.stage === "locked";
    const waits = typeof opens === "string" ? { says: opens, commitment, nonce: nonce ?? 0 } : null;
    const trouble = waits === null ? [] : [{ code: "uncovered", says: waits.says }];
    await this.tell(record, isOpen ? [UNLINKED] : trouble);
    this.watch(record);
    const reply = opens === true && record.kept !== undefined ? toOpen(record.kept) : null;
    return { reply: reply === null ? null : { ...reply, commitment, nonce: nonce ?? 0 }, waits };
  }

  /**
   * Runs what uses the storage, and tells if that fails.
   * @template T
   * @param {() => Promise<T>} run
   * @returns {Promise<T>}
   */
  async stored(run) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Refused) throw error;
      const says = `this browser's storage failed, so nothing is opened: ${error}`;
      this.emit(this.stateNow([{ code: "storage", says }]));
      throw error;
    }
  }

  /**
   * @param {import("./findings.js").ReceiptFinding[]} found in a file that does not accuse the
   *   operator
   * @param {Judgement} judgement
   */
  async unsure(found, { logged, commitment }) {
    // What is known of a whole round is not lost by a file of something else.
    const isOver = this.shown?.stage === "revealed" && this.shown.commitment !== commitment;
    await this.tellNow(isOver ? [] : [doubt(found, logged)]);
  }

  /**
   * Whether the log can be asked to link a head. Without its address nothing can be linked but by
   * the files themselves.
   */
  get isOpen() {
    return this.log !== null && this.book.view.heads.length > 0;
  }

  /**
   * The state of the round that the player sees.
   * @param {Claim[]} [trouble] what was noticed just now
   */
  stateNow(trouble = []) {
    return stateOf(this.shown, this.book, this.isOpen ? [...trouble, UNLINKED] : trouble);
  }

  /**
   * Tells the state of the round that the player sees, which may be this one now.
   * @param {Record} record
   * @param {Claim[]} [trouble]
   */
  async tell(record, trouble = []) {
    if (mayFollow(record, this.shown)) {
      this.shown = record;
      if (record.turn !== undefined) await this.book.show(record);
      this.emit(this.stateNow(trouble));
    } else this.emit(this.stateNow());
  }

  /** @param {Claim[]} trouble what was noticed just now */
  async tellNow(trouble) {
    // Another tab may have caught something, and that stays caught for ever.
    await this.book.alone(() => this.book.load());
    this.emit(this.stateNow(trouble));
  }

  /** @param {SeatState} state */
  emit(state) {
    this.state = state;
    this.linkLater();
    this.dispatchEvent(new CustomEvent("verdict", { detail: state }));
  }

  /**
   * Whether something was due, by this device's clock.
   * @param {number} due
   * @returns {boolean}
   */
  isLate(due) {
    return this.clock() > due + this.tolerance;
  }

  /**
   * Checks again when the reveal is due.
   * @param {Record} record
   */
  watch(record) {
    const { commitment, nonce, revealBy } = record;
    if (nonce === null) return;
    clearTimeout(this.timers.get(commitment));
    const isDue = this.book.waits.some((each) => each.commitment === commitment);
    if (revealBy === undefined || !isDue) return;
    this.checkLater(record, Math.max(revealBy + this.tolerance - this.clock(), 0) + 250);
  }

  /**
   * Reads the present state of a round from the log, if its seed is still due.
   * @param {string} commitment
   * @param {number | null} nonce
   */
  async check(commitment, nonce) {
    const { book } = this;
    const isDue = () => book.waits.some((each) => each.commitment === commitment);
    try {
      if (this.log === null) throw new Refused("unavailable", "there is no log to ask");
      if (isDue()) await this.inTurn(await this.log.receipt(commitment, nonce ?? undefined));
    } catch {
      // Without an answer nobody is accused. The badge says so, and the log is asked again.
      if (this.log !== null) this.checkLater({ commitment, nonce }, ASK_AGAIN);
      return this.tellNow([{ code: "silent", says: "the log does not answer" }]);
    }
    await book.alone(async () => {
      await book.load();
      const record = await book.find(commitment, nonce);
      const due = record?.revealBy;
      // A voided round does not end its commitment: the seed is still due.
      if (due === undefined || !isDue() || !this.isLate(due)) return;
      if (!book.missed.some((each) => each.commitment === commitment)) {
        const size = book.view.saved?.size ?? 0;
        const missed = { commitment, size, claim: overdue(due, this.clock(), size) };
        await book.miss([...book.missed, missed]);
      }
      this.emit(this.stateNow());
      // The reveal may come. That it was missing is remembered: its time may be false.
      this.checkLater({ commitment, nonce }, 4 * ASK_AGAIN);
    });
  }

  /**
   * Links the heads that were not linked, also that of a file that is not kept.
   * @param {{text: string, judgement: Judgement}} [file]
   * @param {number} [arrived] nothing waits for it if there is no file
   */
  async link(file, arrived = 0) {
    const run = (/** @type {AbortSignal | undefined} */ limit = undefined) =>
      link(this.book, this.log, file, limit);
    while (!(await (file === undefined ? run() : this.patience.ask(arrived, run))));
    if (file === undefined) await this.tellNow([]);
  }

  /** Links the heads later, if one is not linked. One timer is for all of them. */
  linkLater() {
    if (this.isOpen && !this.timers.has(LINK))
      this.timers.wake(LINK, ASK_AGAIN, () => this.stored(() => this.link()));
  }

  /** @param {import("./book.js").Id} round @param {number} after milliseconds */
  checkLater({ commitment, nonce }, after) {
    this.timers.wake(commitment, after, () => this.check(commitment, nonce));
  }

  /**
   * This player's cards of the round, in the order in which they were dealt.
   * @returns {PlacedCard[]}
   */
  get cards() {
    return this.state.cards.filter(({ seat }) => seat === this.from);
  }

  /** All known cards of the round. @returns {PlacedCard[]} */
  get places() {
    return this.state.cards;
  }

  /**
   * The records of this seat, in one file: see `verifyEvidence`. It always has all that shows what
   * was caught. Unopened seeds are left out.
   * @param {{all?: boolean}} [options] `all`: of every table; by default of the present commitment,
   *   and of its table's last promises
   * @returns {Promise<string>}
   */
  async export({ all = false } = {}) {
    const { book, shown: now } = this;
    await book.alone(() => book.load());
    const near = now === null ? [] : await book.beside(now);
    const recent = book.recent.filter((each) => all || each.commitment === now?.commitment);
    // A file that is kept for its head alone would leave a fair round without a state.
    const heads = book.view.heads.filter((each) => each.commitment !== "");
    const records = await book.records([
      ...book.caught.flatMap(({ records: places }) => places),
      ...[...heads, ...recent, ...near].map((each) => book.place(each)),
    ]);
    const late = book.missed.map(({ claim }) => claim);
    const open = book.view.heads.length > 0 ? [UNLINKED] : [];
    const claims = [...book.caught, ...late, ...records.flatMap((each) => each.claims), ...open];
    return evidence(this.verifierKey, await shownBy(records, book), claims);
  }

  /** Shows again what an earlier page showed last, and waits for what it waited for. */
  async resume() {
    const { current, waits } = this.book;
    this.shown = current === null ? null : await this.book.find(current.commitment, current.nonce);
    this.state = this.stateNow();
    for (const { commitment, nonce } of waits) {
      const record = await this.book.find(commitment, nonce);
      if (record !== null) this.watch(record);
    }
    this.linkLater();
  }

  /** Stops the timers. The kept records stay. */
  close() {
    this.timers.stop();
  }
}

/**
 * A player's seat at a log.
 * @param {PlayerOptions} options
 * @returns {Promise<Seat>}
 * @throws {Refused} `from`, `key`, `policy`; or `unavailable`, if this platform has no Ed25519
 */
export async function player(options) {
  const log = expectPlayer(options);
  const { from, storage = defaultStorage() } = options;
  if (!(await isSupported()))
    throw new Refused(
      "unavailable",
      "this platform has no Ed25519: nothing can be signed or verified",
    );
  const book = new Book(storage, log, from);
  await keepKey(book);
  await book.load();
  const pair = await book.alone(() => sessionKey(book));
  const seat = new Seat({ ...options, key: keyText(log) }, book, pair);
  await seat.resume();
  return seat;
}
