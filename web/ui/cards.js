// Cards, drawn. A card has two characters, rank and suit, as in the log: "Qh", "Td", "X1".

import { el, svg, theirs } from "./text.js";
import { t } from "./strings.js";

/** @typedef {import("./strings.js").Key} Key */

/** The path of each suit in a square of 24. @type {Record<string, string>} */
const SHAPES = {
  s: "M12 1.5C9.2 6.6 3 10 3 15.2a4.6 4.6 0 0 0 8.2 2.8c-.1 2-1 3.6-2.7 4.5h7c-1.7-.9-2.6-2.5-2.7-4.5A4.6 4.6 0 0 0 21 15.2C21 10 14.8 6.6 12 1.5z",
  h: "M12 22C8 17.4 2.5 13.4 2.5 8.3A4.9 4.9 0 0 1 12 6.4a4.9 4.9 0 0 1 9.5 1.9C21.5 13.4 16 17.4 12 22z",
  d: "M12 1.5C14 5.5 16.5 9 19.5 12 16.5 15 14 18.5 12 22.5 10 18.5 7.5 15 4.5 12 7.5 9 10 5.5 12 1.5z",
  c: "M12 1.8a4.7 4.7 0 0 1 3.6 7.7 4.7 4.7 0 1 1-2.5 7.8c.1 2.1.9 4.1 2.6 5.2H8.3c1.7-1.1 2.5-3.1 2.6-5.2a4.7 4.7 0 1 1-2.5-7.8A4.7 4.7 0 0 1 12 1.8z",
  x: "M12 1.5l2.9 7.2 7.7.5-5.9 5 1.9 7.5L12 17.6l-6.6 4.1 1.9-7.5-5.9-5 7.7-.5z",
};

const RANKS = "23456789TJQKA";

/**
 * Splits a result's text into cards.
 * @param {string} text
 * @returns {string[]}
 */
export function cardsIn(text) {
  return text.match(/../gs) ?? [];
}

/**
 * A card's name in words.
 * @param {string} card
 * @returns {string}
 */
export function nameOf(card) {
  const [rank, suit] = card;
  if (rank === "X") return t("card.joker", { n: Number(suit) });
  if (!RANKS.includes(rank) || !(suit in SHAPES)) return card;
  const named = "TJQKA".includes(rank) ? t(/** @type {Key} */ (`rank.${rank}`)) : rank;
  return t("card.name", { rank: named, suit: t(/** @type {Key} */ (`suit.${suit}`)) });
}

/**
 * A card's short form for running text, such as "Q♥" and "10♦".
 * @param {string} card
 * @returns {string}
 */
export function short(card) {
  const [rank, suit] = card;
  if (rank === "X") return nameOf(card);
  const sign = { c: "♣", d: "♦", h: "♥", s: "♠" }[suit];
  return sign === undefined ? card : `${rank === "T" ? "10" : rank}${sign}`;
}

/**
 * The parts of a card's face, 60 by 84.
 * @param {string} card
 * @returns {SVGElement[]}
 */
export function face(card) {
  const [rank, suit] = card;
  const joker = rank === "X";
  const shape = joker ? "x" : suit;
  const sign = rank === "T" ? "10" : joker ? `J${suit}` : rank;
  return [
    svg("rect", { class: "face", x: 1, y: 1, width: 58, height: 82, rx: 6 }),
    svg(
      "text",
      {
        class: shape,
        x: 6,
        y: 25,
        ...(sign.length > 1 ? { textLength: 25, lengthAdjust: "spacingAndGlyphs" } : {}),
      },
      sign,
    ),
    svg("path", { class: shape, d: SHAPES[shape] ?? "", transform: "translate(6 31) scale(.62)" }),
    svg("path", {
      class: shape,
      d: SHAPES[shape] ?? "",
      transform: "translate(20 42) scale(1.45)",
    }),
  ];
}

/**
 * A card as a picture with a name.
 * @param {string} card
 * @returns {SVGSVGElement}
 */
export function drawCard(card) {
  return svg(
    "svg",
    { class: "card", viewBox: "0 0 60 84", role: "img", "aria-label": nameOf(card) },
    ...face(card),
  );
}

/**
 * The back of a hidden card.
 * @returns {SVGSVGElement}
 */
export function drawBack() {
  const weave = svg("path", {
    class: "weave",
    d: "M10 10L50 74M50 10L10 74M30 10L50 42L30 74L10 42z",
  });
  return svg(
    "svg",
    { class: "card", viewBox: "0 0 60 84", role: "img", "aria-label": t("card.hidden") },
    svg("rect", { class: "face", x: 1, y: 1, width: 58, height: 82, rx: 6 }),
    svg("rect", { class: "back", x: 6, y: 6, width: 48, height: 72, rx: 3 }),
    weave,
  );
}

/**
 * A deal's result: cards, or items of a list by their names or numbers.
 * @typedef {{cards: string[]} | {items: string[]}} Dealt
 */

/**
 * A row of cards or items, in deal order.
 * @param {Dealt} dealt
 * @param {{label?: string, differs?: ReadonlySet<number>, captions?: (string | Node)[]}} [options]
 *   `differs` has the places that are marked as wrong
 * @returns {HTMLElement}
 */
export function cardRow(dealt, { label, differs, captions } = {}) {
  const things =
    "cards" in dealt
      ? dealt.cards.map(drawCard)
      : dealt.items.map((item) => el("span", { class: "item" }, theirs(item, 80)));
  return el(
    "ol",
    { class: "cards", "aria-label": label },
    things.map((thing, i) =>
      el(
        "li",
        { class: differs?.has(i) ? "differs" : null },
        thing,
        differs?.has(i) ? el("span", { class: "silent" }, t("card.differs")) : null,
        captions?.[i] === undefined ? null : el("span", { class: "place" }, captions[i]),
      ),
    ),
  );
}

/**
 * The sign of a suit, for decoration.
 * @param {string} suit
 * @returns {SVGSVGElement}
 */
export function suitSign(suit) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: SHAPES[suit] }),
  );
}
