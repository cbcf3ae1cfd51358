// One hand with the dealer of web/play.md: the calls, and the player's kit's verdict on each
// answer.

import { DECKS } from "../fairdeal/deck.js";
import { readJson } from "../fairdeal/json.js";
import { Problem, problemOf } from "../fairdeal/problem.js";

/**
 * @typedef {import("../fairdeal/elements.js").FairdealSeat} FairdealSeat
 * @typedef {import("../fairdeal/player.js").SeatState} SeatState
 * @typedef {{key: string, log: string, house: string, rules: string, cheats: string[]}} About
 */

/**
 * Callbacks that show a hand's steps.
 * @typedef {object} View
 * @property {(commitment: string) => void} promised
 * @property {(given: {hash: string, seen?: {size: number}}) => void} given
 * @property {(index: number) => void} locked
 * @property {() => void} opened
 * @property {(cards: string[], fair: boolean, wrong: number[]) => Promise<void>} yours
 * @property {(cards: string[]) => Promise<void>} theirs
 * @property {(seed: string) => void} revealed
 * @property {(state: SeatState) => void} ended `waiting` if the reveal is missing so far
 */

const CARDS = DECKS.get("standard-52") ?? [];

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function call(path, body) {
  const init =
    body === undefined
      ? {}
      : {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, { ...init, signal: AbortSignal.timeout(20_000) });
  } catch (error) {
    throw new Problem({ status: 0, code: "unreachable", detail: String(error) });
  }
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** The dealer's table. */
export class Game {
  /** @param {FairdealSeat} seat */
  constructor(seat) {
    this.seat = seat;
    /** The previous hand. @type {string | undefined} */
    this.last = undefined;
    /** @type {About | undefined} */
    this.known = undefined;
  }

  /** The dealer's description of itself. @returns {Promise<About>} */
  async about() {
    this.known = await call("play");
    return /** @type {About} */ (this.known);
  }

  /**
   * Plays one hand to its end, or until the kit stops it.
   * @param {View} view
   * @param {{cheat?: string, seed?: string}} choice
   */
  async hand(view, { cheat, seed }) {
    const start = await call("play/rounds", cheat === undefined ? { after: this.last } : { cheat });
    const { round, commitment, nonce, seats, promise } = start;
    if (cheat === undefined) this.last = round;
    const expect = {
      deck: "standard-52",
      draw: 10,
      sealed: true,
      signed: true,
      mixing: "hashes",
      layout: { hand: 5 },
      rules: this.known?.rules,
    };
    const given = await this.seat.contribute({ commitment, nonce, promise, seats, seed, expect });
    view.promised(commitment);
    view.given(given);
    const answer = await call(`play/rounds/${round}/hash`, given);
    const opening = await this.seat.receive(answer).catch((error) => {
      // Its witnesses have not signed the lock: the state says how many have.
      if (error.code === "uncovered") return null;
      throw error;
    });
    if (opening === null) return view.ended(this.seat.state);
    view.locked(lastIndex(answer.lock));
    view.opened();
    const dealt = await call(`play/rounds/${round}/open`, opening);
    await this.seat.receive(dealt);
    const state = this.seat.state;
    const fair = state.state === "waiting";
    await view.yours(claimed(dealt.opening), fair, swapped(state, dealt.opening));
    if (!fair) return view.ended(state);
    const shown = await call(`play/rounds/${round}/show`, {});
    // The badge may say "fair" then: not before the house's cards are face up.
    await view.theirs(claimed(shown.opening));
    await this.seat.receive(shown);
    if (shown.reveal !== undefined) view.revealed(seedOf(shown.reveal));
    view.ended(this.seat.state);
  }
}

/**
 * The cards in an opening, in deal order: the dealer's claim, which is not verified yet.
 * @param {any} opening
 * @returns {string[]}
 */
function claimed(opening) {
  return [...opening.opened].sort((a, b) => a.t - b.t).map(({ item }) => CARDS[item] ?? "??");
}

/**
 * The places of cards that are not the dealt ones.
 * @param {SeatState} state
 * @param {any} opening
 * @returns {number[]}
 */
function swapped({ claims }, opening) {
  const places = [...opening.opened].map(({ t }) => t).sort((a, b) => a - b);
  return claims.flatMap(({ code, says }) => {
    const t = code === "opening-mismatch" ? /^card (\d+) is not/.exec(says)?.[1] : undefined;
    return t === undefined ? [] : [places.indexOf(Number(t))];
  });
}

/** @param {any} receipt @returns {number} */
function lastIndex(receipt) {
  return receipt.entries[receipt.entries.length - 1].index;
}

/** @param {any} receipt @returns {string} */
function seedOf(receipt) {
  return String(
    /** @type {any} */ (readJson(receipt.entries[receipt.entries.length - 1].entry)).server_seed ??
      "",
  );
}
