// Rounds and commitments in the form that a page shows, from entries or from the service.

import { roundState, roundTime } from "./chronicle.js";

/**
 * @typedef {import("./chronicle.js").Course} Course
 * @typedef {import("./chronicle.js").Round} Round
 * @typedef {{from: string, seed: string | null, hash: string | null, signed: boolean}} Player
 */

/**
 * @typedef {object} RoundView
 * @property {number} nonce
 * @property {"locked" | "dealt" | "voided"} state
 * @property {number} time
 * @property {Player[]} players
 * @property {string | null} cards
 * @property {number[] | null} indices
 * @property {string | null} digest of a long list's indices
 * @property {string | null} seal
 * @property {string | null} reason
 * @property {string | null} blame
 * @property {string[]} seats
 * @property {{t: number, item: number}[]} opened cards that are shown to everybody
 * @property {{index: number, kind: string, text: string | null}[]} entries
 */

/**
 * @param {Round} round
 * @returns {RoundView}
 */
export function viewOf(round) {
  const { nonce, lock, deal, voided } = round;
  const given = (lock ?? deal)?.entry.contributions ?? [];
  const opened = new Map((deal?.entry.opened ?? []).map(({ from, seed }) => [from, seed]));
  /** @type {any} */
  const result = deal?.entry.result ?? {};
  return {
    nonce,
    state: roundState(round),
    time: roundTime(round),
    players: given.map(({ from, seed, hash, key }) => ({
      from,
      seed: seed ?? opened.get(from) ?? null,
      hash: hash ?? null,
      signed: key !== undefined,
    })),
    cards: result.cards ?? null,
    indices: result.indices ?? null,
    digest: result.digest ?? null,
    seal: result.seal ?? null,
    reason: voided?.entry.reason ?? null,
    blame: voided?.entry.blame ?? null,
    seats: (lock ?? deal)?.entry.seats ?? [],
    opened: [],
    entries: [lock, deal, voided].flatMap((each) =>
      each === null ? [] : [{ index: each.index, kind: each.entry.entry, text: each.text }],
    ),
  };
}

/**
 * A round from the service's answer.
 * @param {any} told of spec/openapi.json
 * @returns {RoundView}
 */
export function viewOfTold(told) {
  const { nonce, state, locked, dealt, voided } = told;
  return {
    nonce,
    state,
    time: (dealt ?? voided ?? locked).time,
    players: told.players.map((/** @type {any} */ { from, seed, hash, signed }) => ({
      from,
      seed: seed ?? null,
      hash: hash ?? null,
      signed,
    })),
    cards: told.cards ?? null,
    indices: told.indices ?? told.items ?? null,
    digest: told.digest ?? null,
    seal: told.seal ?? null,
    reason: told.reason ?? null,
    blame: told.blame ?? null,
    seats: told.seats ?? [],
    opened: told.opened ?? [],
    entries: /** @type {const} */ ([
      ["lock", locked],
      ["deal", dealt],
      ["void", voided],
    ]).flatMap(([kind, at]) => (at === undefined ? [] : [{ index: at.index, kind, text: null }])),
  };
}

/**
 * A commitment's row in a list.
 * @typedef {object} CourseView
 * @property {string} commitment
 * @property {string} table
 * @property {number} index
 * @property {number} time
 * @property {number} revealBy
 * @property {number} most
 * @property {number} done rounds that were dealt or voided
 * @property {number | null} locked
 * @property {import("./chronicle.js").State} state
 * @property {Course["ended"]} ended
 * @property {boolean} whole
 * @property {Record<string, unknown>} terms
 * @property {string | null} text of its commit
 */

/**
 * @param {Course} course
 * @param {import("./chronicle.js").State} state
 * @returns {CourseView}
 */
export function courseView(
  { commitment, table, index, time, revealBy, most, next, locked, ended, whole, terms, text },
  state,
) {
  return {
    commitment,
    table,
    index,
    time,
    revealBy,
    most,
    done: next,
    locked,
    state,
    ended,
    whole,
    terms,
    text,
  };
}
