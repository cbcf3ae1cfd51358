// The stage of a round and the places of its cards, as a receipt shows them.

import { readCards, kindText } from "./deck.js";

/**
 * @typedef {import("./record.js").PlacedCard} PlacedCard
 * @typedef {import("./record.js").Stage} Stage
 */

/**
 * The stage of a round.
 * @param {import("./verdict.js").Judgement} judgement
 * @returns {Stage}
 */
export function stageOf({ course, dealt, locked, receipt }) {
  const voided = receipt?.entries.some(({ read: { entry } }) => entry?.entry === "void") ?? false;
  if (voided || course?.ended === "voided") return "voided";
  if (course?.ended === "revealed") return "revealed";
  return dealt !== null ? "dealt" : locked !== null ? "locked" : "promised";
}

/**
 * The cards that a verdict makes known, by their places.
 * @param {import("./verdict.js").Verdict} verdict
 * @param {readonly PlacedCard[]} known before
 * @returns {PlacedCard[]}
 */
export function cardsIn({ cards, indices, opened = [], placed = [] }, known) {
  /** @type {Map<number, PlacedCard>} */
  const all = new Map(known.map((each) => [each.t, each]));
  const put = (/** @type {PlacedCard} */ each) => all.set(each.t, { ...all.get(each.t), ...each });
  for (const kind of readCards(cards)?.entries() ?? [])
    put({ t: kind[0], card: kindText(kind[1]) });
  for (const [t, item] of indices?.entries() ?? []) put({ t, item });
  for (const { t, item, card } of opened) put({ t, item, ...(card === undefined ? {} : { card }) });
  for (const each of placed) {
    if ("seat" in each) put({ t: each.t, seat: each.seat });
    else if ("street" in each) put({ t: each.t, street: each.street });
  }
  return [...all.values()].sort((a, b) => a.t - b.t);
}
