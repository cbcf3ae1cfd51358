// The game server's side of a round: collect the hashes, lock, collect the openings, deal; and void, with blame, the round of
// whoever does not answer.

import { givenBy, openedBy } from "./answers.js";
import { expectObject } from "./expected.js";
import { readKey } from "./key.js";
import { Problem } from "./problem.js";

/**
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").EntryAnswer} EntryAnswer
 * @typedef {import("./client.js").Given} Given
 * @typedef {import("./client.js").RoundVoid} RoundVoid
 */

/**
 * What a player is asked.
 * @typedef {object} Question
 * @property {"contribute" | "open"} ask `contribute`: what `seat.contribute` gives; `open`: what `seat.receive` gives for `lock`
 * @property {string} player
 * @property {string} commitment
 * @property {number} nonce
 * @property {string[]} seats
 * @property {Record<string, unknown>} [lock] the lock's receipt, for `open`
 * @property {AbortSignal} signal aborted once it is too late to answer
 */

/**
 * @typedef {object} RoundInput
 * @property {string} table where the open commitment is looked up
 * @property {string[]} players the label of each, in the order of their seats. Those who do not answer are left out of the next try
 * @property {(question: Question) => Promise<Given | null | undefined>} ask
 * @property {{contribute?: number, open?: number}} [timeouts] milliseconds for each answer; 15,000 if they are not given
 * @property {Record<string, Given>} [hashes] those that are here already: players can give the next round's with this one
 * @property {number} [fewest] how many players a round needs; 1 if it is not given
 * @property {number[]} [show] sealed cards that are opened with the deal
 * @property {boolean} [everybody] whether everybody may see them
 * @property {boolean} [next] whether the table's next commitment follows
 * @property {(name: "lock" | "void" | "deal", answer: EntryAnswer) => void} [tell] hears of each entry as it is logged
 */

/**
 * @typedef {object} Round
 * @property {string} commitment
 * @property {number} nonce
 * @property {string[]} seats those who were dealt to
 * @property {string[]} absent those who did not answer, in the order in which that was noticed
 * @property {EntryAnswer} lock
 * @property {EntryAnswer} deal
 */

const PATIENCE = 15_000;

/** Too few players are left. */
export class NobodyLeft extends Error {
  /** @param {string[]} absent */
  constructor(absent) {
    super(`too few players are left: ${absent.join(", ")} did not answer`);
    this.name = "NobodyLeft";
    this.absent = absent;
  }
}

/** Deals rounds at the tables of a service. */
export class Dealer {
  /**
   * @param {Client} client with a token that may write
   * @param {{key?: string}} [options]
   */
  constructor(client, options = {}) {
    expectObject("dealer(client, options)", 'options such as "key"', options);
    const { key } = options;
    this.client = client;
    this.key = key === undefined ? null : readKey(key);
    /** @type {Promise<string> | undefined} */
    this.coming = undefined;
  }

  /** What players sign for: the log's name. @returns {Promise<string>} */
  origin() {
    this.coming ??= this.client.checkpoint().then((note) => note.split("\n")[0]);
    return this.coming;
  }

  /**
   * Deals one round. When a player does not open in time, the round is voided and blamed on them, and the others go on with
   * the next one: they bring new seeds, because some of theirs are known now.
   * @param {RoundInput} input
   * @returns {Promise<Round>}
   * @throws {NobodyLeft} once fewer than `fewest` players answer
   */
  async round(input) {
    const { fewest = 1 } = input;
    /** @type {string[]} */
    const absent = [];
    // The void of the round before goes with the next lock: the others lose no time.
    /** @type {RoundVoid | undefined} */
    let before;
    let hashes = input.hashes ?? {};
    for (;;) {
      const left = input.players.filter((player) => !absent.includes(player));
      const at = await this.next(input.table, before);
      const asked = left.length < fewest ? [] : left;
      const { signed, ...round } = at;
      const facts = { ...at, origin: await this.origin(), key: this.key };
      const given = await this.collect(asked, input, { ask: "contribute", ...round, seats: left }, (answer, player) => givenBy(answer, player, facts), hashes);
      hashes = {};
      absent.push(...asked.filter((player) => !given.has(player)));
      if (given.size < fewest || given.size === 0) {
        if (before !== undefined) await this.void(at.commitment, before, input);
        throw new NobodyLeft(absent);
      }
      // The hashes that came are for a round with other seats: their players are asked again.
      if (given.size < left.length) continue;
      const done = await this.play(input, round, left, given, before);
      if ("deal" in done) return { ...round, seats: left, absent, ...done };
      absent.push(...done.absent);
      before = done.locked ? { nonce: at.nonce, reason: "a hash was not opened in time", blame: done.absent[0] } : undefined;
      const { commitment: { rounds } } = await this.client.table(input.table);
      if (before === undefined || at.nonce + 1 < rounds) continue;
      // No lock of this commitment comes after it. The next commitment does.
      await this.void(at.commitment, before, input);
      before = undefined;
    }
  }

  /**
   * The table's next round. A round that a program left locked when it ended is voided.
   * @param {string} table
   * @param {RoundVoid | undefined} before the void that goes with the next lock
   * @returns {Promise<{commitment: string, nonce: number, signed: boolean}>}
   */
  async next(table, before) {
    const { commitment: { commitment, locked, next, signed } } = await this.client.table(table);
    if (before !== undefined) return { commitment, nonce: next + 1, signed };
    if (locked === undefined) return { commitment, nonce: next, signed };
    await this.client.void(commitment, { nonce: locked, reason: "the dealer started anew" });
    return this.next(table, undefined);
  }

  /**
   * Locks and deals.
   * @param {RoundInput} input
   * @param {{commitment: string, nonce: number}} at
   * @param {string[]} seats
   * @param {Map<string, Given>} given
   * @param {RoundVoid | undefined} before
   * @returns {Promise<{lock: EntryAnswer, deal: EntryAnswer} | {absent: string[], locked: boolean}>}
   */
  async play(input, { commitment, nonce }, seats, given, before) {
    let locked = false;
    try {
      const lock = await this.client.lock(commitment, { nonce, contributions: [...given.values()], seats, void: before });
      locked = true;
      input.tell?.("lock", lock);
      const opened = await this.collect(seats, input, { ask: "open", commitment, nonce, seats, lock: lock.receipt }, async (answer, player) => {
        const hash = given.get(player);
        return hash === undefined ? null : openedBy(answer, hash, { commitment, nonce });
      });
      const absent = seats.filter((player) => !opened.has(player));
      if (absent.length > 0) return { absent, locked };
      const deal = await this.client.deal(commitment, {
        nonce, contributions: [...opened.values()], open: input.show, public: input.everybody, next: input.next,
      });
      input.tell?.("deal", deal);
      return { lock, deal };
    } catch (error) {
      // What only the service could tell: the problem says whose answer it is.
      if (error instanceof Problem && error.status < 500 && error.from.length > 0) return { absent: error.from, locked };
      throw error;
    }
  }

  /**
   * @param {string} commitment
   * @param {RoundVoid} request
   * @param {RoundInput} input
   */
  async void(commitment, request, { tell }) {
    const answer = await this.client.void(commitment, request);
    tell?.("void", answer);
  }

  /**
   * Asks all players at once. Who fails, says nothing, says something wrong, or is late has not answered.
   * @param {string[]} players
   * @param {RoundInput} input
   * @param {Omit<Question, "player" | "signal">} question
   * @param {(answer: unknown, player: string) => Promise<Given | null>} check nobody answers for another seat
   * @param {Record<string, Given>} [known] answers that are here already
   * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
   */
  async collect(players, { ask, timeouts = {} }, question, check, known = {}) {
    const answers = await Promise.all(players.map(async (player) => {
      const late = new AbortController();
      let timer;
      const end = new Promise((resolve) => {
        timer = setTimeout(() => resolve(null), timeouts[question.ask] ?? PATIENCE);
      });
      try {
        // A hash for another round is none for this one: the player is asked.
        const given = await check(known[player], player);
        return given ?? await check(await Promise.race([ask({ ...question, player, signal: late.signal }), end]), player);
      } catch {
        return null;
      } finally {
        clearTimeout(timer);
        late.abort();
      }
    }));
    return new Map(players.flatMap((player, i) => {
      const answer = answers[i];
      return answer === null ? [] : [[player, answer]];
    }));
  }
}

/**
 * A dealer at a service.
 * @param {Client} client with a token that may write
 * @param {{key?: string}} [options] `key`, the log's verifier key: without it, a player who forges what they saw stops a round
 * @returns {Dealer}
 */
export function dealer(client, options) {
  return new Dealer(client, options);
}
