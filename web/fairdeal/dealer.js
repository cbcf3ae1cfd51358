// The game server's side of a round: collect the hashes, lock, collect the openings, deal; and void, with blame, the round of
// whoever does not answer.

import { Problem } from "./problem.js";

/**
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").EntryAnswer} EntryAnswer
 * @typedef {import("./client.js").Given} Given
 * @typedef {import("./client.js").VoidRequest} VoidRequest
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
  /** @param {Client} client with a token that may write */
  constructor(client) {
    this.client = client;
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
    /** @type {VoidRequest | undefined} */
    let before;
    let hashes = input.hashes ?? {};
    for (;;) {
      const left = input.players.filter((player) => !absent.includes(player));
      const at = await this.next(input.table, before);
      const asked = left.length < fewest ? [] : left;
      const given = await this.collect(asked, input, { ask: "contribute", ...at, seats: left }, hashes);
      hashes = {};
      absent.push(...asked.filter((player) => !given.has(player)));
      if (given.size < fewest || given.size === 0) {
        if (before !== undefined) await this.void(at.commitment, before, input);
        throw new NobodyLeft(absent);
      }
      // The hashes that came are for a round with other seats: their players are asked again.
      if (given.size < left.length) continue;
      const done = await this.play(input, at, left, given, before);
      if ("deal" in done) return { ...at, seats: left, absent, ...done };
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
   * @param {VoidRequest | undefined} before the void that goes with the next lock
   * @returns {Promise<{commitment: string, nonce: number}>}
   */
  async next(table, before) {
    const { commitment: { commitment, locked, next } } = await this.client.table(table);
    if (before !== undefined) return { commitment, nonce: next + 1 };
    if (locked === undefined) return { commitment, nonce: next };
    await this.client.void(commitment, { nonce: locked, reason: "the dealer started anew" });
    return this.next(table, undefined);
  }

  /**
   * Locks and deals.
   * @param {RoundInput} input
   * @param {{commitment: string, nonce: number}} at
   * @param {string[]} seats
   * @param {Map<string, Given>} given
   * @param {VoidRequest | undefined} before
   * @returns {Promise<{lock: EntryAnswer, deal: EntryAnswer} | {absent: string[], locked: boolean}>}
   */
  async play(input, { commitment, nonce }, seats, given, before) {
    let locked = false;
    try {
      const lock = await this.client.lock(commitment, { nonce, contributions: [...given.values()], seats, void: before });
      locked = true;
      input.tell?.("lock", lock);
      const opened = await this.collect(seats, input, { ask: "open", commitment, nonce, seats, lock: lock.receipt });
      const absent = seats.filter((player) => !opened.has(player));
      if (absent.length > 0) return { absent, locked };
      const deal = await this.client.deal(commitment, {
        nonce, contributions: [...opened.values()], open: input.show, public: input.everybody, next: input.next,
      });
      input.tell?.("deal", deal);
      return { lock, deal };
    } catch (error) {
      // A hash that is not signed, or an opening that does not give it, is no answer either: the problem says whose.
      if (error instanceof Problem && error.status < 500 && error.from.length > 0) return { absent: error.from, locked };
      throw error;
    }
  }

  /**
   * @param {string} commitment
   * @param {VoidRequest} request
   * @param {RoundInput} input
   */
  async void(commitment, request, { tell }) {
    const answer = await this.client.void(commitment, request);
    tell?.("void", answer);
  }

  /**
   * Asks all players at once. Who fails, says nothing, or is late has not answered.
   * @param {string[]} players
   * @param {RoundInput} input
   * @param {Omit<Question, "player" | "signal">} question
   * @param {Record<string, Given>} [known] answers that are here already
   * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
   */
  async collect(players, { ask, timeouts = {} }, question, known = {}) {
    const answers = await Promise.all(players.map(async (player) => {
      const given = known[player];
      // A hash for another round would only be refused.
      if (given?.commitment === question.commitment && given.nonce === question.nonce) return given;
      const late = new AbortController();
      let timer;
      const end = new Promise((resolve) => {
        timer = setTimeout(() => resolve(null), timeouts[question.ask] ?? PATIENCE);
      });
      try {
        const answer = await Promise.race([ask({ ...question, player, signal: late.signal }), end]);
        return isFrom(answer, player) ? answer : null;
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
 * Whether an answer is this player's own: nobody answers for another seat.
 * @param {unknown} answer
 * @param {string} player
 * @returns {answer is Given}
 */
function isFrom(answer, player) {
  return typeof answer === "object" && answer !== null && /** @type {Given} */ (answer).from === player;
}

/**
 * A dealer at a service.
 * @param {Client} client with a token that may write
 * @returns {Dealer}
 */
export function dealer(client) {
  return new Dealer(client);
}
