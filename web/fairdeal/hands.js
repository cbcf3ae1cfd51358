// Who got which cards of a round with a layout, by seat and street.

import { deckCards } from "./deck.js";
import { expectObject } from "./expected.js";
import { groupsOf } from "./layout.js";
import { placed } from "./opening.js";
import { readFile, readReceipt } from "./receipt.js";

/** @typedef {import("./opening.js").Placed} Placed */

/**
 * A card such as `Ah`; of a list, the number of the item, from 0.
 * @typedef {string | number} Card
 */

/**
 * The known cards of a round, each list in the order of the deal. The seats are in a member of
 * their own, because a label can be `board`.
 * @typedef {object} Hands
 * @property {Record<string, Card[]>} seats by label; a seat without a known card is absent
 * @property {Card[][]} board by street; a street is empty if only later ones are known
 * @property {Card[]} burnt
 * @property {Card[]} nobody what was dealt after the board
 */

/**
 * The cards in a verdict, or in an answer of the service.
 * @typedef {object} Shown
 * @property {object} [receipt] of an answer
 * @property {readonly Placed[]} [placed] of a verdict
 * @property {string} [cards]
 * @property {readonly number[]} [indices]
 * @property {readonly number[]} [items]
 * @property {readonly {t: number, item: number, card?: string}[]} [opened]
 */

/**
 * The known cards of a round, by seat and street: of a verdict of `verifyReceipt`, or of the
 * service's answer to a deal or an opening. An answer is not judged here: it is what the service
 * says.
 * @param {Shown} shown
 * @returns {Hands | null} null if no layout or no seats say whose the cards are, or nothing is dealt
 * @throws {import("./refused.js").Refused} `invalid-receipt` or `unavailable`, if the answer's
 *   receipt is none
 */
export function cardsOf(shown) {
  expectObject("cardsOf(shown)", "a verdict, or an answer of the service", shown);
  for (const [name, says] of [
    ["entries", "a receipt: give the verdict of verifyReceipt"],
    ["receipts", 'verdicts on files: give one of its "receipts"'],
  ])
    if (name in shown)
      throw new TypeError(
        `cardsOf(shown): expected a verdict, or an answer of the service, found ${says}`,
      );
  const { receipt, placed: judged } = shown;
  if (receipt === undefined) return judged === undefined ? null : handsOf(judged, known(shown, []));
  const { entries } = readReceipt(readFile(receipt));
  /** @type {import("./entry.js").Commit | undefined} */
  let commit;
  /** @type {string[] | undefined} */
  let seats;
  let isDealt = false;
  for (const { entry } of entries.map(({ read }) => read)) {
    if (entry?.entry === "commit") commit ??= entry;
    if (entry?.entry === "lock" || entry?.entry === "deal") seats ??= entry.seats;
    if (entry?.entry === "deal") isDealt = true;
  }
  if (commit === undefined || seats === undefined || !isDealt) return null;
  const deck = typeof commit.deck === "string" ? deckCards(commit.deck) : [];
  const cards = known(shown, deck);
  const places = placed(commit, seats, [...cards.keys()]);
  return places === undefined ? null : handsOf(places, cards);
}

/**
 * The cards by their places in the deal.
 * @param {Shown} shown
 * @param {readonly string[]} deck empty if the cards are named, or are those of a list
 * @returns {Map<number, Card>}
 */
function known({ cards, indices, items, opened = [] }, deck) {
  const all = cards?.match(/../g) ?? indices ?? items ?? [];
  return new Map([
    ...all.entries(),
    ...opened.map(
      ({ t, item, card }) => /** @type {[number, Card]} */ ([t, card ?? deck[item] ?? item]),
    ),
  ]);
}

/**
 * @param {readonly Placed[]} places
 * @param {ReadonlyMap<number, Card>} cards
 * @returns {Hands}
 */
function handsOf(places, cards) {
  const known = places.filter(({ t }) => cards.get(t) !== undefined);
  const groups = groupsOf(known.sort((a, b) => a.t - b.t));
  /** @param {number[]} at @returns {Card[]} */
  const named = (at = []) => at.map((t) => /** @type {Card} */ (cards.get(t)));
  // A label may be `__proto__`: this makes it a member like any other.
  return {
    seats: Object.fromEntries([...groups.seats].map(([seat, at]) => [seat, named(at)])),
    board: Array.from(groups.streets, named),
    burnt: named(groups.burnt),
    nobody: named(groups.nobody),
  };
}
