// Rows of cards, or of the items of a list.

import { cardRow, short } from "./cards.js";
import { nth } from "./places.js";
import { t } from "./strings.js";
import { el, plain } from "./text.js";

/** @typedef {import("./cards.js").Dealt} Dealt */

/** So many cards and so many items are shown at first: two decks, or what can be read at once. */
const FIRST_SHOWN = { cards: 104, items: 24 };
const MORE_SHOWN = 2000;

/**
 * Cards or items; the first ones, and a button for more.
 * @param {Dealt} dealt
 * @param {{label: string, differs?: ReadonlySet<number>, captions?: string[]}} options
 * @returns {HTMLElement}
 */
export function longRow(dealt, options) {
  const all = "cards" in dealt ? dealt.cards : dealt.items;
  /** @param {number} from @param {number} to @returns {HTMLElement} */
  const piece = (from, to) =>
    cardRow("cards" in dealt ? { cards: all.slice(from, to) } : { items: all.slice(from, to) }, {
      ...options,
      captions: options.captions?.slice(from, to),
      differs: new Set([...(options.differs ?? [])].map((place) => place - from)),
    });
  let shown = FIRST_SHOWN["cards" in dealt ? "cards" : "items"];
  const row = piece(0, shown);
  if (all.length <= shown) return row;
  const more = el(
    "button",
    {
      type: "button",
      click: () => {
        const next = Math.min(all.length, shown + MORE_SHOWN);
        row.append(...piece(shown, next).childNodes);
        shown = next;
        if (shown === all.length) more.remove();
        else more.textContent = t("and-more", { n: all.length - shown });
      },
    },
    t("and-more", { n: all.length - shown }),
  );
  return el("div", { class: "stack" }, row, el("div", {}, more));
}

/**
 * Two rows, and the places at which they differ.
 * @param {Dealt} expected
 * @param {Dealt} came
 * @param {string} whose the owner of the second row
 * @returns {HTMLElement}
 */
export function drawCompared(expected, came, whose) {
  const [a, b] = [expected, came].map((dealt) => ("cards" in dealt ? dealt.cards : dealt.items));
  const differs = new Set(
    Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).filter((i) => a[i] !== b[i]),
  );
  const [first] = differs;
  /** @param {string | undefined} each */
  const said = (each) =>
    each === undefined ? t("card.nothing") : "cards" in expected ? short(each) : plain(each);
  return el(
    "div",
    { class: "stack" },
    first === undefined
      ? null
      : el(
          "p",
          { class: "wrong", "data-first": first },
          t("card.first", { nth: nth(first + 1), expected: said(a[first]), came: said(b[first]) }),
        ),
    el("h3", {}, t("card.expected")),
    longRow(expected, { label: t("card.expected") }),
    el("h3", {}, whose),
    longRow(came, { label: whose, differs }),
  );
}

/**
 * The items of a list by their names, or else by their numbers.
 * @param {readonly number[]} indices
 * @param {readonly string[] | null} items
 * @param {boolean} [cycle] whether each place belongs to the item of that number: then the text
 *   says who draws whom
 * @returns {string[]}
 */
export function names(indices, items, cycle = false) {
  const name = (/** @type {number} */ index) => items?.[index] ?? `#${index + 1}`;
  return indices.map((index, place) => (cycle ? `${name(place)} → ${name(index)}` : name(index)));
}
