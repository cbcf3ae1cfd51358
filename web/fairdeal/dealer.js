// The game server's side of a round: collect the hashes, lock, collect the openings, deal. If a
// player does not open, void the round with blame.

import { givenBy, openedBy } from "./answers.js";
import * as is from "./expected.js";
import { cardsOf } from "./hands.js";
import { givenKey } from "./key.js";
import { Problem } from "./problem.js";
import { FairdealError, plain, shown } from "./refused.js";

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
 * @property {import("./client.js").Receipt} [lock] the lock's receipt, for `open`
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
 * @property {Record<string, NoAnswer>} reasons why each of them has no answer
 * @property {import("./hands.js").Hands | null} cards the known cards, by seat and street; null if
 *   the table has no layout. Of a sealed deal these are the opened ones: see `show`
 * @property {EntryAnswer} lock
 * @property {EntryAnswer} deal
 */

const PATIENCE = 15_000;

const CLIENT = is.withAll("what client(baseUrl, { token }) made", {
  table: is.FUNCTION,
  lock: is.FUNCTION,
  deal: is.FUNCTION,
  void: is.FUNCTION,
});
const ROUND = {
  table: is.TEXT,
  players: is.listOf("texts", is.TEXT),
  ask: is.FUNCTION,
  timeouts: is.OBJECT,
  hashes: is.OBJECT,
  fewest: is.COUNT,
  show: is.listOf("numbers", is.COUNT),
  everybody: is.FLAG,
  next: is.FLAG,
  tell: is.FUNCTION,
};

/** @param {RoundInput} input @throws {TypeError} */
function expectRound(input) {
  const call = "round(input)";
  const argument = 'input with "table", "players" and "ask"';
  is.expectOptions(call, argument, input, ROUND, ["table", "players", "ask"]);
  const { players, fewest = 1, timeouts = {} } = input;
  is.expectOptions(call, "timeouts", timeouts, { contribute: is.NUMBER, open: is.NUMBER });
  const twice = players.find((player, i) => players.indexOf(player) < i);
  const found = twice === undefined ? "none" : `${shown(twice)} twice`;
  if (players.length === 0 || twice !== undefined)
    throw new TypeError(`${call}: expected players, one or more different labels, found ${found}`);
  if (fewest > players.length)
    throw new TypeError(
      `${call}: expected fewest, at most the ${players.length} players, found ${fewest}`,
    );
}

/**
 * Why a player has no answer: `late`, none came in time; `failed`, the call of `ask` threw the
 * `cause`; `missing`, the answer was null or undefined; `wrong`, it was not this player's to this
 * question; `refused`, the service refused it, and the `cause` is its `Problem`.
 * @typedef {"late" | "failed" | "missing" | "wrong" | "refused"} NoAnswerCode
 */

/** Why a player has no answer. */
export class NoAnswer extends FairdealError {
  name = "NoAnswer";
  /** @type {NoAnswerCode} */
  code;

  /**
   * @param {NoAnswerCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(code, message, options);
    this.code = code;
  }
}

/**
 * Why an answer is none.
 * @param {any} answer
 * @param {string} player
 * @param {Question["ask"]} ask
 * @returns {NoAnswer}
 */
function whyNot(answer, player, ask) {
  const from = answer?.from;
  const none = answer === null || answer === undefined;
  const found = none
    ? String(answer)
    : from === player
      ? "another one"
      : `one with "from" ${shown(from)}`;
  return new NoAnswer(
    none ? "missing" : "wrong",
    `expected the answer of ${shown(player)} to "${ask}" of this round, found ${found}`,
  );
}

/** @param {unknown} error @returns {string} */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Too few players answered. Its code is `nobody-left`. */
export class NobodyLeft extends FairdealError {
  name = "NobodyLeft";

  /** @param {ReadonlyMap<string, NoAnswer>} reasons */
  constructor(reasons) {
    const all = [...reasons].map(([player, { message }]) => `${plain(player)} (${plain(message)})`);
    super("nobody-left", `too few players are left: no answer of ${all.join(", ")}`);
    /** The players who did not answer. */
    this.absent = [...reasons.keys()];
    /** Why each of them has no answer. @type {Record<string, NoAnswer>} */
    this.reasons = Object.fromEntries(reasons);
  }
}

/** Deals rounds at the tables of a service. */
export class Dealer {
  /**
   * @param {Client} client with a token that may write
   * @param {{key?: string}} [options]
   */
  constructor(client, options = {}) {
    const call = "dealer(client, options)";
    is.expectOptions(call, 'options such as "key"', options, { key: is.TEXT });
    is.expectMembers(call, { client }, { client: CLIENT }, ["client"]);
    const { key } = options;
    this.client = client;
    this.key = key === undefined ? null : givenKey(key);
  }

  /**
   * Deals one round. When a player does not open in time, the round is voided with blame, and the
   * others play the next round: they bring new seeds, because some of their seeds are known now.
   * @param {RoundInput} input
   * @returns {Promise<Round>}
   * @throws {NobodyLeft} if fewer than `fewest` players answer
   */
  async round(input) {
    expectRound(input);
    const { fewest = 1 } = input;
    /** Why each absent player has no answer. @type {Map<string, NoAnswer>} */
    const reasons = new Map();
    // The void of the round before is sent with the next lock, so that the others lose no time.
    /** @type {{commitment: string, void: RoundVoid} | undefined} */
    let before;
    let hashes = input.hashes ?? {};
    for (;;) {
      const left = input.players.filter((player) => !reasons.has(player));
      const at = await this.next(input.table, before);
      const asked = left.length < fewest ? [] : left;
      const { signed, void: voids, ...round } = at;
      const facts = { ...at, key: this.key };
      const given = await this.collect(
        asked,
        input,
        { ask: "contribute", ...round, seats: left },
        (answer, player) => givenBy(answer, player, facts),
        reasons,
        hashes,
      );
      hashes = {};
      if (given.size < fewest || given.size === 0) {
        if (voids !== undefined) await this.void(at.commitment, voids, input);
        throw new NobodyLeft(reasons);
      }
      // The received hashes are for a round with other seats, so their players are asked again.
      if (given.size < left.length) continue;
      const done = await this.play(input, round, left, given, voids, reasons);
      if ("deal" in done) {
        const without = { absent: [...reasons.keys()], reasons: Object.fromEntries(reasons) };
        return { ...round, seats: left, ...without, cards: cardsOf(done.deal), ...done };
      }
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
   * @param {Map<string, NoAnswer>} reasons
   * @returns {Promise<{lock: EntryAnswer, deal: EntryAnswer} | {absent: string[], locked: boolean}>}
   */
  async play(input, { commitment, nonce }, seats, given, before, reasons) {
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
        reasons,
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
      const refused = new NoAnswer("refused", messageOf(error), { cause: error });
      for (const player of absent) reasons.set(player, refused);
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
   * @param {Map<string, NoAnswer>} reasons gets why a player has not answered
   * @param {Record<string, Given>} [known] answers received before
   * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
   */
  async collect(players, { ask, timeouts = {} }, question, check, reasons, known = {}) {
    const limit = timeouts[question.ask] ?? PATIENCE;
    const answers = await Promise.all(
      players.map(async (player) => {
        const late = new AbortController();
        let timer;
        /** @type {Promise<never>} */
        const end = new Promise((_, reject) => {
          const says = `no answer to "${question.ask}" within ${limit} milliseconds`;
          timer = setTimeout(() => reject(new NoAnswer("late", says)), limit);
        });
        // It may end while a hash that came before is checked.
        end.catch(() => undefined);
        try {
          // A hash for another round is not valid for this one: the player is asked.
          const given = await check(known[player], player);
          if (given !== null) return given;
          const asked = ask({ ...question, player, signal: late.signal });
          const answer = await Promise.race([asked, end]);
          return (await check(answer, player)) ?? whyNot(answer, player, question.ask);
        } catch (error) {
          if (error instanceof NoAnswer) return error;
          return new NoAnswer("failed", messageOf(error), { cause: error });
        } finally {
          clearTimeout(timer);
          late.abort();
        }
      }),
    );
    return new Map(
      players.flatMap((player, i) => {
        const answer = answers[i];
        if (!(answer instanceof NoAnswer)) return [[player, answer]];
        reasons.set(player, answer);
        return [];
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
