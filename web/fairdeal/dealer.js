// The game server's side of a round: collect the hashes, lock, collect the openings, deal. If a
// player does not open, void the round with blame.

import { givenBy, openedBy } from "./answers.js";
import { expectObject } from "./expected.js";
import { cardsOf } from "./hands.js";
import { readKey } from "./key.js";
import { Problem } from "./problem.js";
import { FairdealError, plain } from "./refused.js";

/**
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").EntryAnswer} EntryAnswer
 * @typedef {import("./client.js").Given} Given
 * @typedef {import("./client.js").RoundVoid} RoundVoid
 */

/**
 * A question to a player.
 * @typedef {object} Question
 * @property {"contribute" | "open"} ask `contribute`: answer with the result of `seat.contribute`;
 *   `open`: with that of `seat.receive` for `lock`
 * @property {string} player
 * @property {string} commitment
 * @property {number} nonce
 * @property {string[]} seats
 * @property {Record<string, unknown>} [lock] the lock's receipt, for `open`
 * @property {AbortSignal} signal aborted when it is too late to answer
 */

/**
 * @typedef {object} RoundInput
 * @property {string} table its open commitment is used
 * @property {string[]} players the label of each, in the order of their seats. Players who do not
 *   answer are left out of the next try
 * @property {(question: Question) => Promise<Given | null | undefined>} ask
 * @property {{contribute?: number, open?: number}} [timeouts] milliseconds for each answer; 15,000
 *   by default
 * @property {Record<string, Given>} [hashes] hashes received before: players can give the next
 *   round's hash with this one
 * @property {number} [fewest] the minimum number of players of a round; 1 by default
 * @property {number[]} [show] sealed cards that are opened with the deal
 * @property {boolean} [everybody] whether these cards are opened for everybody
 * @property {boolean} [next] whether the table gets a next commitment
 * @property {(name: "lock" | "void" | "deal", answer: EntryAnswer) => void} [tell] called for each
 *   entry when it is logged
 */

/**
 * @typedef {object} Round
 * @property {string} commitment
 * @property {number} nonce
 * @property {string[]} seats the players who were dealt cards
 * @property {string[]} absent the players who did not answer, in the order in which that was
 *   noticed
 * @property {import("./hands.js").Hands | null} cards the known cards, by seat and street; null if
 *   the table has no layout. Of a sealed deal these are the opened ones: see `show`
 * @property {EntryAnswer} lock
 * @property {EntryAnswer} deal
 */

const PATIENCE = 15_000;

/** Too few players answered. Its code is `nobody-left`. */
export class NobodyLeft extends FairdealError {
  name = "NobodyLeft";

  /** @param {string[]} absent */
  constructor(absent) {
    super(
      "nobody-left",
      `too few players are left: ${absent.map(plain).join(", ")} did not answer`,
    );
    /** The players who did not answer. */
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
  }

  /**
   * Deals one round. When a player does not open in time, the round is voided with blame, and the
   * others play the next round: they bring new seeds, because some of their seeds are known now.
   * @param {RoundInput} input
   * @returns {Promise<Round>}
   * @throws {NobodyLeft} if fewer than `fewest` players answer
   */
  async round(input) {
    const { fewest = 1 } = input;
    /** @type {string[]} */
    const absent = [];
    // The void of the round before is sent with the next lock, so that the others lose no time.
    /** @type {{commitment: string, void: RoundVoid} | undefined} */
    let before;
    let hashes = input.hashes ?? {};
    for (;;) {
      const left = input.players.filter((player) => !absent.includes(player));
      const at = await this.next(input.table, before);
      const asked = left.length < fewest ? [] : left;
      const { signed, void: voids, ...round } = at;
      const facts = { ...at, key: this.key };
      const given = await this.collect(
        asked,
        input,
        { ask: "contribute", ...round, seats: left },
        (answer, player) => givenBy(answer, player, facts),
        hashes,
      );
      hashes = {};
      absent.push(...asked.filter((player) => !given.has(player)));
      if (given.size < fewest || given.size === 0) {
        if (voids !== undefined) await this.void(at.commitment, voids, input);
        throw new NobodyLeft(absent);
      }
      // The received hashes are for a round with other seats, so their players are asked again.
      if (given.size < left.length) continue;
      const done = await this.play(input, round, left, given, voids);
      if ("deal" in done)
        return { ...round, seats: left, absent, cards: cardsOf(done.deal), ...done };
      absent.push(...done.absent);
      // With a lock that was refused, the void of the round before was not logged either.
      if (!done.locked) continue;
      const { commitment, nonce } = round;
      const [blame] = done.absent;
      before = { commitment, void: { nonce, reason: "a hash was not opened in time", blame } };
      const { commitment: now } = await this.client.table(input.table);
      if (now.commitment !== commitment || now.locked !== nonce || nonce + 1 < now.rounds) continue;
      // No lock of this commitment follows, but the next commitment does.
      await this.void(commitment, before.void, input);
      before = undefined;
    }
  }

  /**
   * The table's next round. A round that an earlier program left locked is voided.
   * @param {string} table
   * @param {{commitment: string, void: RoundVoid} | undefined} before
   * @returns {Promise<{commitment: string, nonce: number, signed: boolean, void?: RoundVoid}>}
   *   `void`: of the round before, which is sent with the next lock
   */
  async next(table, before) {
    const {
      commitment: { commitment, locked, next, signed },
    } = await this.client.table(table);
    if (locked === undefined) return { commitment, nonce: next, signed };
    // The service voids what is locked when the commitment's time is over: then nothing is left to
    // void, and another round of that number is not the one that a player is blamed for.
    if (before?.commitment === commitment && before.void.nonce === locked)
      return { commitment, nonce: locked + 1, signed, void: before.void };
    await this.client.void(commitment, { nonce: locked, reason: "the dealer restarted" });
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
      const lock = await this.client.lock(commitment, {
        nonce,
        contributions: [...given.values()],
        seats,
        void: before,
      });
      locked = true;
      input.tell?.("lock", lock);
      const opened = await this.collect(
        seats,
        input,
        { ask: "open", commitment, nonce, seats, lock: lock.receipt },
        async (answer, player) => {
          const hash = given.get(player);
          return hash === undefined
            ? null
            : openedBy(answer, hash, { commitment, nonce, key: this.key });
        },
      );
      const absent = seats.filter((player) => !opened.has(player));
      if (absent.length > 0) return { absent, locked };
      const deal = await this.client.deal(commitment, {
        nonce,
        contributions: [...opened.values()],
        open: input.show,
        public: input.everybody,
        next: input.next,
      });
      input.tell?.("deal", deal);
      return { lock, deal };
    } catch (error) {
      // Only the service could find this: the problem says whose answer is wrong.
      const named = error instanceof Problem && error.status < 500 ? error.from : [];
      const absent = seats.filter((player) => named.includes(player));
      if (absent.length === 0) throw error;
      return { absent, locked };
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
   * Asks all players at once. A player whose call fails, or whose answer is missing, wrong or late,
   * has not answered.
   * @param {string[]} players
   * @param {RoundInput} input
   * @param {Omit<Question, "player" | "signal">} question
   * @param {(answer: unknown, player: string) => Promise<Given | null>} check refuses an answer for
   *   another seat
   * @param {Record<string, Given>} [known] answers received before
   * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
   */
  async collect(players, { ask, timeouts = {} }, question, check, known = {}) {
    const answers = await Promise.all(
      players.map(async (player) => {
        const late = new AbortController();
        let timer;
        const end = new Promise((resolve) => {
          timer = setTimeout(() => resolve(null), timeouts[question.ask] ?? PATIENCE);
        });
        try {
          // A hash for another round is not valid for this one: the player is asked.
          const given = await check(known[player], player);
          return (
            given ??
            (await check(
              await Promise.race([ask({ ...question, player, signal: late.signal }), end]),
              player,
            ))
          );
        } catch {
          return null;
        } finally {
          clearTimeout(timer);
          late.abort();
        }
      }),
    );
    return new Map(
      players.flatMap((player, i) => {
        const answer = answers[i];
        return answer === null ? [] : [[player, answer]];
      }),
    );
  }
}

/**
 * A dealer at a service.
 * @param {Client} client with a token that may write
 * @param {{key?: string}} [options] `key`, the log's verifier key: without it only the service
 *   finds a wrong answer of a player, and refuses everybody's lock or deal for it
 * @returns {Dealer}
 */
export function dealer(client, options) {
  return new Dealer(client, options);
}
