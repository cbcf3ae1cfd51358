// A verdict as shown to a reader: the sentence, the cards, and who brought which seed.

import { cardRow, cardsIn, drawBack, short } from "./cards.js";
import { isKey, number, parts, t, time } from "./strings.js";
import { el, plain, svg, theirs } from "./text.js";

/**
 * @typedef {import("./sentence.js").Headline} Headline
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("./cards.js").Dealt} Dealt
 * @typedef {import("../fairdeal/index.js").Kept} Kept
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
 * @returns {HTMLElement}
 */
export function drawHeadline({ state, sentence, detail, says }, level = "h1") {
  const word = `v.word.${state}`;
  return el(
    "div",
    { class: `verdict ${state}` },
    sign(state),
    el(
      "div",
      {},
      isKey(word) ? el("p", { class: "word" }, t(word)) : null,
      el(level, {}, sentence),
      detail === undefined ? null : el("p", { class: "says" }, detail),
      says === undefined ? null : el("p", { class: "says" }, plain(says)),
    ),
  );
}

const FIRST_SHOWN = 104;
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
  const row = piece(0, FIRST_SHOWN);
  if (all.length <= FIRST_SHOWN) return row;
  let shown = FIRST_SHOWN;
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
 * The dealt cards or items.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly string[] | null} items the names of a list
 * @returns {HTMLElement | null}
 */
export function drawResult(verdict, dossier, items) {
  if (verdict.opened !== undefined) return drawOpened(verdict.opened, items);
  const cycle = dossier?.commit?.method === "cycle";
  const dealt = dealtOf(verdict, items, cycle);
  if (dealt === null) return drawUnseen(verdict, dossier);
  const title = t("cards" in dealt ? "card.title" : "card.title-items");
  const expected = dossier?.expected ?? null;
  const compared =
    expected !== null &&
    expected.differs.length > 0 &&
    verdict.findings.some(({ code }) => code === "result-mismatch");
  if (!compared) return section(title, longRow(dealt, { label: title }), drawSeats(verdict, dealt));
  /** @type {Dealt} */
  const ours =
    expected.cards === undefined
      ? { items: names(expected.indices ?? [], items, cycle) }
      : { cards: expected.cards };
  return section(title, drawCompared(ours, dealt, t("card.came")), drawSeats(verdict, dealt));
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
          t("card.first", { t: first, expected: said(a[first]), came: said(b[first]) }),
        ),
    el("h3", {}, t("card.expected")),
    longRow(expected, { label: t("card.expected") }),
    el("h3", {}, whose),
    longRow(came, { label: whose, differs }),
  );
}

/**
 * @param {Verdict} verdict
 * @param {readonly string[] | null} items
 * @param {boolean} cycle
 * @returns {Dealt | null}
 */
function dealtOf({ cards, indices }, items, cycle) {
  if (cards !== undefined) return { cards: cardsIn(cards) };
  return indices === undefined ? null : { items: names(indices, items, cycle) };
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
 * @param {NonNullable<Verdict["opened"]>} opened
 * @param {readonly string[] | null} items
 * @returns {HTMLElement}
 */
function drawOpened(opened, items) {
  const title = t("card.title");
  const captions = opened.map(({ t: place }) => `${place}`);
  const cards = opened.flatMap(({ card }) => (card === undefined ? [] : [card]));
  /** @type {Dealt} */
  const dealt =
    cards.length === opened.length
      ? { cards }
      : {
          items: names(
            opened.map(({ item }) => item),
            items,
          ),
        };
  return section(title, longRow(dealt, { label: title, captions }));
}

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {HTMLElement | null}
 */
function drawUnseen({ seal, digest }, dossier) {
  const draw = Number(dossier?.commit?.draw ?? 0);
  if (seal !== undefined) {
    return section(
      t("card.title"),
      el("p", {}, t("card.sealed", { n: draw })),
      el(
        "div",
        { class: "cards", "aria-hidden": "true" },
        Array.from({ length: Math.min(draw, 13) }, drawBack),
      ),
    );
  }
  if (digest === undefined) return null;
  const ours = dossier?.expected?.digest;
  return section(
    t("card.title-items"),
    el("p", {}, t("card.digest")),
    el("p", {}, digest),
    ours === undefined || ours === digest
      ? null
      : el("p", { class: "wrong" }, `${t("card.expected")}: ${ours}`),
  );
}

/**
 * @param {Verdict} verdict
 * @param {Dealt} dealt
 * @returns {HTMLElement | null}
 */
function drawSeats({ placed }, dealt) {
  if (placed === undefined) return null;
  /** @type {Map<string, {head: Node | string, at: number[]}>} */
  const groups = new Map();
  for (const each of placed) {
    const [key, head] =
      "seat" in each
        ? [`seat ${each.seat}`, theirs(each.seat, 64)]
        : "street" in each
          ? [`street ${each.street}`, t("seat.street", { n: each.street + 1 })]
          : "burnt" in each
            ? ["burnt", t("seat.burnt")]
            : ["nobody", t("seat.nobody")];
    const group = groups.get(key) ?? { head, at: [] };
    group.at.push(each.t);
    groups.set(key, group);
  }
  /** @param {number[]} at @returns {Dealt} */
  const some = (at) =>
    "cards" in dealt
      ? { cards: at.map((i) => dealt.cards[i]) }
      : { items: at.map((i) => dealt.items[i]) };
  return el(
    "div",
    { class: "stack" },
    el("h3", {}, t("card.seats")),
    el(
      "dl",
      { class: "seats" },
      [...groups.values()].map(({ head, at }) =>
        el("div", {}, el("dt", {}, head), el("dd", {}, cardRow(some(at)))),
      ),
    ),
  );
}

/**
 * The seeds, with the players who brought them, and what the comparison with the reader's own
 * contributions says.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly Kept[]} mine
 * @param {import("./sentence.js").Compared} [compared]
 * @returns {HTMLElement | null}
 */
export function drawBrought(verdict, dossier, mine, compared = []) {
  if (dossier === null || dossier.commit === null) return null;
  const players = (verdict.contributions ?? []).map((each) => {
    const own = mine.some(
      ({ from, seed }) => from === each.from && (each.seed === undefined || seed === each.seed),
    );
    const about = [
      each.committed_first ? t("who.tied") : t("who.untied"),
      each.hash === undefined ? null : t("who.hashed"),
      each.seen === undefined ? null : t("who.saw", { n: each.seen.size }),
      each.key === undefined ? null : t("who.signed", { key: `${each.key.slice(0, 8)}…` }),
    ]
      .filter((text) => text !== null)
      .join(" · ");
    return el(
      "li",
      { class: own ? "mine" : null },
      el(
        "p",
        { class: "from" },
        theirs(each.from, 64),
        own ? el("strong", { class: "tag" }, t("who.mine")) : null,
      ),
      el(
        "p",
        { class: "seed" },
        each.seed === undefined ? el("em", {}, t("who.hidden")) : theirs(each.seed, 300),
      ),
      el("p", { class: "soft small" }, about),
    );
  });
  const seed = dossier.reveal?.server_seed;
  return section(
    t("who.title"),
    players.length === 0 && verdict.time !== undefined
      ? el("p", { class: "note" }, t("who.nobody"))
      : null,
    ...compared.map(({ from, outcome }) =>
      el(
        "p",
        { class: "note", "data-outcome": outcome },
        parts(`mine.${outcome}`, { from: theirs(from, 64) }),
      ),
    ),
    el(
      "ul",
      { class: "who" },
      players,
      el(
        "li",
        {},
        el("p", { class: "from" }, t("who.operator")),
        el(
          "p",
          { class: "seed" },
          typeof seed === "string" ? theirs(seed, 64) : el("em", {}, t("who.operator-seed")),
        ),
        el(
          "p",
          { class: "soft small" },
          `${t("fact.promise")}: ${plain(String(dossier.commit.commitment ?? "")).slice(0, 16)}…`,
        ),
      ),
    ),
  );
}

/**
 * Table, round, time and log.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {HTMLElement | null}
 */
export function drawFacts(verdict, dossier) {
  if (dossier === null) return null;
  /** @type {[string, Node | string][]} */
  const facts = [];
  if (verdict.table !== undefined) facts.push([t("fact.table"), theirs(verdict.table, 100)]);
  if (verdict.nonce !== undefined) facts.push([t("fact.round"), number(verdict.nonce)]);
  if (verdict.time !== undefined) facts.push([t("fact.time"), time(verdict.time)]);
  facts.push([
    t("fact.log"),
    t("fact.log-size", { origin: plain(dossier.origin).slice(0, 200), n: plain(dossier.size) }),
  ]);
  return el(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
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
