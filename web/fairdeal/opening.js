// The cards of an opening, and who gets which (spec/receipt.md, sections 12.1 and 12.2).

import { equal, fromHex, toHex } from "./bytes.js";
import { deckCards, itemsOf } from "./deck.js";
import { placeOf } from "./layout.js";
import { shown } from "./refused.js";
import { closesEarly } from "./result.js";
import { replayedOrder } from "./round.js";
import { cardSeal, sealOf } from "./seal.js";

/**
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./entry.js").Deal} Deal
 * @typedef {import("./receipt.js").OpenedCard} OpenedCard
 * @typedef {import("./verdict.js").Judgement} Judgement
 */

/**
 * The place of a card: a seat, a street, the burnt cards, or nobody's.
 * @typedef {{t: number, seat: string, card: number} | {t: number, street: number}
 *   | {t: number, burnt: number} | {t: number, nobody: true}} Placed
 */

/**
 * Steps 2 and 3: why the cards of an opening are not those that its deal sealed; null if they are.
 * Anybody can write such a file.
 * @param {Deal} deal
 * @param {{cardSeals: Uint8Array, opened: OpenedCard[]}} opening
 * @returns {string | null}
 */
export function judgeSeals({ commitment, nonce, result }, { cardSeals, opened }) {
  const seal = toHex(sealOf(cardSeals));
  if (seal !== result.seal) return `the card seals have the seal ${seal}, the deal ${result.seal}`;
  for (const { t, item, salt } of opened) {
    const ours = cardSeal(fromHex(commitment), nonce, t, item, salt);
    if (!equal(ours, cardSeals.subarray(32 * t, 32 * t + 32)))
      return `card ${t} is not item ${item} with this salt`;
  }
  return null;
}

/**
 * Step 4: why the operator cannot have sealed these cards by the rules; null if it may have.
 * @param {Commit} commit
 * @param {number} count of card seals
 * @param {ReadonlyMap<number, number>} pairs of places and items
 * @returns {string | null}
 */
export function judgePossible({ method, deck, draw }, count, pairs) {
  if (count !== draw) return `there are ${count} card seals, the commit draws ${draw}`;
  const items = itemsOf(deck);
  for (const item of pairs.values())
    if (item >= items) return `item ${item} is opened, and the deck has ${items}`;
  if (new Set(pairs.values()).size !== pairs.size) return "an item is opened at two places";
  if (method === "cycle" && closesEarly(pairs, items))
    return "the cards opened close a cycle without the others";
  return null;
}

/**
 * The owners of the cards at some places, at least one.
 * @param {Commit} commit
 * @param {readonly string[]} seats
 * @param {Iterable<number>} places
 * @returns {Placed[] | undefined} undefined if no layout says it
 */
export function placed({ layout }, seats, places) {
  if (layout === undefined) return undefined;
  return Array.from(places, (t) => {
    const place = placeOf(layout, seats.length, t);
    if (place === null) return { t, nobody: true };
    return "seat" in place ? { t, seat: seats[place.seat], card: place.card } : { t, ...place };
  });
}

/**
 * The places of the cards that a file shows.
 * @param {Judgement} judgement
 * @returns {Placed[] | undefined} undefined if section 12.2 says so
 */
export function placesOf({ locked, dealt, course, receipt, opened }) {
  const seats = locked?.lock.seats ?? (locked === null ? dealt?.deal.seats : undefined);
  if (seats === undefined || dealt === null || course === null || receipt === null)
    return undefined;
  const { commit } = course;
  if (commit.layout === undefined) return undefined;
  if (receipt.opening !== null) {
    const places = receipt.opening.opened.map(({ t }) => t);
    return opened ? placed(commit, seats, places) : undefined;
  }
  const { cards, indices, seal } = dealt.deal.result;
  const sealed = seal === undefined ? undefined : replayedOrder(dealt)?.length;
  const count = cards === undefined ? (indices?.length ?? sealed) : cards.length / 2;
  return count === undefined ? undefined : placed(commit, seats, Array(count).keys());
}

/**
 * Judges the seat of an opening.
 * @param {Judgement} judgement
 * @param {string} seat
 * @param {Placed[] | undefined} places
 * @returns {import("./findings.js").Found | null}
 */
export function misplaced({ receipt, dealt }, seat, places) {
  if (receipt === null || receipt.opening === null) return null;
  const index = dealt?.index ?? receipt.entries[receipt.entries.length - 1].index;
  const code = "placed-mismatch";
  if (places === undefined) return { code, index, says: "nothing says whose the cards are" };
  const other = receipt.opening.opened.find(({ t }) => {
    const place = places.find((each) => each.t === t);
    return place === undefined || !("street" in place || ("seat" in place && place.seat === seat));
  });
  if (other === undefined) return null;
  return { code, index, says: `card ${other.t} is neither of ${shown(seat)} nor of a street` };
}

/**
 * The cards of an opening in the form of a verdict.
 * @param {Commit} commit
 * @param {readonly OpenedCard[]} opened
 * @param {readonly Placed[] | undefined} places
 * @returns {{t: number, item: number, card?: string, seat?: string}[]}
 */
export function openedCards({ deck }, opened, places) {
  const cards = typeof deck === "string" ? deckCards(deck) : null;
  return opened.map(({ t, item }) => {
    const place = places?.find((each) => each.t === t);
    return {
      t,
      item,
      ...(cards === null ? {} : { card: cards[item] }),
      ...(place !== undefined && "seat" in place ? { seat: place.seat } : {}),
    };
  });
}
