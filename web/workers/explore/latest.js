// The newest hands of a log, as its entries tell them. Nothing here is judged.

import { placeOf } from "../../fairdeal/layout.js";
import { roundState, roundTime } from "./chronicle.js";

/**
 * @typedef {import("./chronicle.js").Chronicle} Chronicle
 * @typedef {import("./chronicle.js").Course} Course
 * @typedef {import("./chronicle.js").Round} Round
 */

/**
 * A hand in a short list.
 * @typedef {object} Hand
 * @property {string} table
 * @property {string} commitment
 * @property {number} nonce
 * @property {number} index of its last entry
 * @property {number} time
 * @property {"locked" | "voided" | "sealed" | "dealt" | "revealed"} state `dealt`: its cards are in
 *   the log, and the seed is still secret
 * @property {string | null} cards
 * @property {number[] | null} indices
 * @property {number[]} places that a short list shows: the board, or the first ones
 */

/** A short list shows so many cards of a hand. */
const MOST_SHOWN = 5;
/** Longer deals have no board within their first cards. */
const MOST_PLACES = 128;

/**
 * @param {Chronicle} chronicle
 * @param {number} most
 * @returns {Hand[]} the newest first
 */
export function latestOf({ courses }, most) {
  const all = [...courses.values()].flatMap((course) =>
    [...course.rounds.values()].map((round) => ({ course, round, index: indexOf(round) })),
  );
  return all
    .sort((a, b) => b.index - a.index)
    .slice(0, most)
    .map(({ course, round, index }) => handOf(course, round, index));
}

/**
 * @param {Round} round
 * @returns {number} of its last entry
 */
function indexOf({ lock, deal, voided }) {
  return Math.max(lock?.index ?? -1, deal?.index ?? -1, voided?.index ?? -1);
}

/**
 * @param {Course} course
 * @param {Round} round
 * @param {number} index
 * @returns {Hand}
 */
function handOf({ table, commitment, terms, ended }, round, index) {
  const { nonce, deal } = round;
  /** @type {any} */
  const result = deal?.entry.result ?? {};
  const seats = (round.lock ?? deal)?.entry.seats?.length ?? 0;
  return {
    table,
    commitment,
    nonce,
    index,
    time: roundTime(round),
    state: stateOfHand(roundState(round), result.seal !== undefined, ended?.kind === "revealed"),
    cards: result.cards ?? null,
    indices: result.indices?.slice(0, MOST_PLACES) ?? null,
    places: placesOf(terms, seats),
  };
}

/**
 * @param {"locked" | "dealt" | "voided"} state
 * @param {boolean} isSealed
 * @param {boolean} isRevealed
 * @returns {Hand["state"]}
 */
export function stateOfHand(state, isSealed, isRevealed) {
  if (state !== "dealt") return state;
  if (isRevealed) return "revealed";
  return isSealed ? "sealed" : "dealt";
}

/**
 * The places of the cards that everybody sees, or the first places.
 * @param {any} terms of a commitment, as the log or the service tells them
 * @param {number} seats
 * @returns {number[]}
 */
export function placesOf({ draw, layout }, seats) {
  const count = Math.min(Number(draw) || 0, MOST_PLACES);
  const all = Array.from({ length: count }, (_, t) => t);
  const hasBoard =
    Number.isInteger(layout?.hand) && Array.isArray(layout.board) && layout.board.length > 0;
  const board = hasBoard ? all.filter((t) => "street" in (placeOf(layout, seats, t) ?? {})) : [];
  return (board.length > 0 ? board : all).slice(0, MOST_SHOWN);
}
