// Waits.

import { Refused } from "./refused.js";

/** The maximum wait before a request is sent again, whatever the service asks for. */
const LONGEST_WAIT = 30_000;

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, Math.min(milliseconds, LONGEST_WAIT));
    function end() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** How long a program computes before a page may answer and draw, in milliseconds. */
const LONGEST_BREATH = 20;

/** Pauses between the parts of a long computation. */
export class Breath {
  constructor() {
    this.last = Date.now();
  }

  /** Lets a page answer and draw, if it is time. */
  async take() {
    if (Date.now() - this.last < LONGEST_BREATH) return;
    await pause(0);
    this.last = Date.now();
  }
}

/**
 * How long a lock waits for witnesses, in milliseconds: some logs write down their signatures once a
 * minute.
 */
const COVER_WAIT = 75_000;
/** The first and the longest pause before the log is asked for them again, in milliseconds. */
const PAUSES = [500, 5_000];

/**
 * What a seat made of a message.
 * @typedef {object} Taken
 * @property {{blind: string, commitment: string, from: string, nonce: number, seed: string} | null} reply
 * @property {{says: string, commitment: string, nonce: number} | null} waits the round whose lock
 *   waits for witnesses
 */

/** @type {Taken} */
export const NOTHING = { reply: null, waits: null };

/**
 * Takes a message, and asks the log until its witnesses cover the lock in it. The seat takes other
 * messages meanwhile.
 * @param {import("./player.js").Seat} seat
 * @param {object | string | Uint8Array} message
 * @param {boolean} accepts whether the player accepts an uncovered lock when the time is over
 * @returns {Promise<Taken["reply"]>}
 * @throws {Refused} `uncovered`
 */
export async function untilCovered(seat, message, accepts) {
  const { log, coverWait = COVER_WAIT } = seat;
  const end = performance.now() + (log === null ? 0 : coverWait);
  let [wait, longest] = PAUSES;
  let found = message;
  for (;;) {
    const left = Math.ceil(end - performance.now());
    const isAccepted = accepts && left <= 0;
    // Of the log's answer nothing is accepted: it may be another round's.
    let { reply, waits } = await seat.inTurn(found, isAccepted && found === message);
    // An answer that does not show the lock ends no wait.
    if (reply === null && found !== message && (waits === null || isAccepted))
      ({ reply, waits } = await seat.inTurn(message, isAccepted));
    if (reply !== null || waits === null) return reply;
    const { says, commitment, nonce } = waits;
    if (log === null || left <= 0) throw new Refused("uncovered", `${says}: the seed stays secret`);
    await pause(Math.min(wait, left));
    wait = Math.min(2 * wait, longest);
    // The last answer may be there a second later.
    const limit = Math.min(Math.max(end - performance.now(), 1_000), 10_000);
    const signal = AbortSignal.timeout(Math.ceil(limit));
    found = await log.receipt(commitment, nonce, { signal }).catch(() => message);
  }
}

/** A limit of the time that messages wait for a log in a queue, whatever each message asks it. */
export class Patience {
  /** @param {number} most milliseconds */
  constructor(most) {
    this.most = most;
    this.before = 0;
    /** @type {number | null} */
    this.since = null;
  }

  /** How long messages have waited so far. @returns {number} milliseconds */
  get waited() {
    return this.before + (this.since === null ? 0 : performance.now() - this.since);
  }

  /**
   * Asks the log. One after the other.
   * @template T
   * @param {number} arrived what `waited` was when the message came
   * @param {(limit: AbortSignal) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async ask(arrived, ask) {
    const left = Math.ceil(this.most - (this.waited - arrived));
    this.since = performance.now();
    try {
      return await ask(left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort());
    } finally {
      this.before = this.waited;
      this.since = null;
    }
  }
}
