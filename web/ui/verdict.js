// Parts of a verdict that several pages show: the sentence with its sign, and rows of cards.

import { cardRow, short } from "./cards.js";
import { nth } from "./places.js";
import { isKey, t } from "./strings.js";
import { el, plain, svg } from "./text.js";

/**
 * @typedef {import("./sentence.js").Headline} Headline
 * @typedef {import("./cards.js").Dealt} Dealt
 */

/**
 * Each sign has a different outline, so that nobody needs to see colours.
 * @type {Record<string, string[]>}
 */
const SIGNS = {
  holds: ["M24 3a21 21 0 1 1 0 42 21 21 0 0 1 0-42z", "M13 25l8 8 15-17"],
  fails: ["M15 3h18l12 12v18L33 45H15L3 33V15z", "M16 16l16 16M32 16L16 32"],
  unreadable: ["M24 4l22 40H2z", "M24 18v12M24 36v1.5"],
  pending: ["M5 5h38v38H5z", "M24 13v12l8 6"],
  missing: [
    "M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38z",
    "M20 19a4.5 4.5 0 1 1 6 4.2c-1.5.7-2 1.6-2 3.8M24 33v.5",
  ],
};

/** Signs that look like another one. @type {Record<string, string>} */
const SAME = { fair: "holds", caught: "fails", unproved: "unreadable", none: "missing" };

/**
 * @param {string} state
 * @returns {SVGSVGElement}
 */
export function sign(state) {
  const [outline, mark] = SIGNS[SAME[state] ?? state];
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 48 48", "aria-hidden": "true" },
    svg("path", { class: "outline", d: outline }),
    svg("path", { class: "mark", d: mark }),
  );
}

/**
 * The sentence with its sign. A state is a sentence itself, and needs no word.
 * @param {Headline} headline
 * @param {"h1" | "h2"} [level]
 * @param {string} [meta] what it is about, in place of the word
 * @returns {HTMLElement}
 */
export function drawHeadline({ state, sentence, detail, says }, level = "h1", meta = "") {
  const word = `v.word.${state}`;
  return el(
    "div",
    { class: `verdict ${state}` },
    meta !== "" ? el("p", { class: "meta" }, meta) : null,
    el(
      "div",
      { class: "sentence-line" },
      sign(state),
      el(
        "div",
        {},
        meta === "" && isKey(word) ? el("p", { class: "word" }, t(word)) : null,
        el(level, { class: sentence.length > MOST_LARGE ? "long" : null }, sentence),
      ),
    ),
    detail === undefined ? null : el("p", { class: "says" }, detail),
    says === undefined ? null : el("p", { class: "says" }, plain(says)),
  );
}

/** A sentence of more characters has smaller letters. */
const MOST_LARGE = 40;

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

/**
 * @param {string} title
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
function section(title, ...children) {
  return el("section", { class: "panel" }, el("h2", {}, title), ...children);
}

export { section };
