// What lies on the cloth next to the sentence: the hand, and the other cards by seat and street.

import { cardRow, cardsIn, drawBack, drawCard, short } from "./cards.js";
import { groupsOf } from "../fairdeal/layout.js";
import { handName, howMany, isHoldem, placeName, streetName } from "./places.js";
import { otherKeyIn } from "./sentence.js";
import { count, day, number, t } from "./strings.js";
import { apart, el, theirs } from "./text.js";
import { longRow, names } from "./rows.js";

/**
 * @typedef {import("./cloth.js").Scene} Scene
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./cards.js").Dealt} Dealt
 * @typedef {import("../fairdeal/layout.js").Groups} Groups
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 */

/** A hand of so many cards still fits into the place for the reader's hand. */
const MOST_LARGE = 5;
/** So many seats can be chosen by buttons. */
const MOST_CHOICES = 10;
/** A hostile file has thousands of seats. So many are drawn. */
const MOST_SEATS = 60;

/**
 * The cards of a verdict, laid out.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly string[] | null} items the names of a list
 * @param {string | null} mine the reader's seat
 * @returns {Scene}
 */
export function drawScene(verdict, dossier, items, mine) {
  const meta = metaOf(verdict, dossier);
  if (otherKeyIn(verdict, dossier) !== undefined) return { hand: null, board: null, meta };
  const dealt = dealtOf(verdict, dossier, items);
  if (dealt === null) return { hand: null, board: drawHidden(verdict, dossier), meta };
  const wrong = wrongPlaces(verdict, dossier);
  const { placed } = verdict;
  const [first] = wrong;
  const duel =
    first === undefined ? null : drawDuel(first, dealt, /** @type {Dossier} */ (dossier), items);
  if (placed === undefined || placed.length === 0)
    return { ...laidOut(dealt, wrong, duel, verdict), meta };
  const groups = groupsOf(placed);
  const seats = [...groups.seats.keys()];
  const known = mine !== null && groups.seats.has(mine);
  if (duel !== null) {
    const order = known ? [mine, ...seats.filter((seat) => seat !== mine)] : seats;
    const hands = drawSeats(order, groups, dealt, { wrong, mine });
    hands.classList.add("large");
    const rest = drawBoard(groups, dealt, { wrong, dossier });
    return { hand: duel, board: el("div", {}, hands, rest), meta };
  }
  if (seats.length === 0)
    return { hand: null, board: drawBoard(groups, dealt, { wrong, dossier }), meta };
  const table = el("div", {});
  const hand = el("div", { class: "whose" });
  const choose = (/** @type {string} */ seat) => {
    hand.replaceChildren(
      ...drawHand(seat, groups, dealt, { dossier, known }),
      ...(known || seats.length === 1 || seats.length > MOST_CHOICES
        ? []
        : [drawChoice(seats, seat, choose)]),
    );
    const board = drawBoard(groups, dealt, { wrong, dossier });
    board.querySelector(".groups")?.classList.add("large");
    const folded = board.querySelector(".folded");
    const others = seats.filter((each) => each !== seat);
    const hands = drawSeats(others, groups, dealt, { wrong, mine: null });
    table.replaceChildren(board, el("div", { class: "beside" }, hands, folded));
  };
  choose(known ? mine : seats[0]);
  return { hand, board: table, meta };
}

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {string}
 */
function metaOf(verdict, dossier) {
  const areCards = verdict.cards !== undefined || typeof dossier?.commit?.deck === "string";
  const { table, nonce, time } = verdict;
  return [
    table === undefined ? null : t("meta.table", { table: apart(table, 100) }),
    nonce === undefined ? null : t(areCards ? "meta.hand" : "meta.draw", { n: nonce + 1 }),
    time === undefined ? null : day(time),
  ]
    .filter((each) => each !== null)
    .join(" · ");
}

/**
 * What was dealt, by place; of an opening, what was opened.
 * @typedef {{pieces: Map<number, string>, areCards: boolean, opened: boolean}} Pieces
 */

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly string[] | null} items
 * @returns {Pieces | null}
 */
function dealtOf({ cards, indices, opened }, dossier, items) {
  if (opened !== undefined) {
    const areCards = opened.every(({ card }) => card !== undefined);
    const named = names(
      opened.map(({ item }) => item),
      items,
    );
    const pieces = opened.map(
      ({ t: at, card }, i) => /** @type {const} */ ([at, areCards ? (card ?? "") : named[i]]),
    );
    return { pieces: new Map(pieces), areCards, opened: true };
  }
  const all =
    cards !== undefined
      ? cardsIn(cards)
      : indices === undefined
        ? null
        : names(indices, items, dossier?.commit?.method === "cycle");
  if (all === null) return null;
  return { pieces: new Map(all.entries()), areCards: cards !== undefined, opened: false };
}

/** @param {Pieces} dealt @param {readonly number[]} at @returns {Dealt} */
function some({ pieces, areCards }, at) {
  const found = at.map((each) => pieces.get(each) ?? "");
  return areCards ? { cards: found } : { items: found };
}

/**
 * The places at which the log has another card than the seeds give, if the verdict says so.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {number[]}
 */
export function wrongPlaces({ state, findings }, dossier) {
  const isFound = findings.some(({ code }) => code === "result-mismatch");
  return state === "caught" && isFound ? (dossier?.expected?.differs ?? []) : [];
}

/**
 * A deal whose layout is not known: a few cards are large, many are rows.
 * @param {Pieces} dealt
 * @param {readonly number[]} wrong
 * @param {Node | null} duel
 * @param {Verdict} verdict
 * @returns {{hand: Node | null, board: Node | null}}
 */
function laidOut(dealt, wrong, duel, verdict) {
  const at = [...dealt.pieces.keys()];
  const label = t(dealt.areCards ? "card.title" : "card.title-items");
  if (duel === null && dealt.areCards && at.length <= MOST_LARGE)
    return {
      hand: el(
        "div",
        { class: "whose" },
        drawFan(some(dealt, at)),
        dealt.opened ? el("p", { class: "whose-hand" }, el("span", {}, placesOf(at))) : null,
      ),
      board: null,
    };
  const captions = dealt.opened ? at.map((each) => number(each + 1)) : undefined;
  const row = longRow(some(dealt, at), { label, differs: new Set(wrong), captions });
  if (!dealt.areCards) (row.querySelector(".cards") ?? row).classList.add("listed");
  const unnamed =
    !dealt.areCards && verdict.indices !== undefined && /^#\d/.test(dealt.pieces.get(0) ?? "")
      ? el("p", { class: "soft small" }, t("card.unnamed"))
      : null;
  return { hand: duel, board: el("div", { class: "stack" }, unnamed, row) };
}

/** @param {readonly number[]} at */
function placesOf(at) {
  return count("cloth.places", at.length, {
    places: at.map((each) => number(each + 1)).join(", "),
  });
}

/** @param {Dealt} dealt */
function drawFan(dealt) {
  const row = cardRow(dealt);
  row.classList.add("fan");
  row.dataset.n = String(row.childElementCount);
  return row;
}

/**
 * The hand of a seat, large.
 * @param {string} seat
 * @param {Groups} groups
 * @param {Pieces} dealt
 * @param {{dossier: Dossier | null, known: boolean}} options
 * @returns {Node[]}
 */
function drawHand(seat, groups, dealt, { dossier, known }) {
  const at = groups.seats.get(seat) ?? [];
  const cards = some(dealt, at);
  const large =
    dealt.areCards && at.length <= MOST_LARGE ? drawFan(cards) : longRow(cards, { label: seat });
  const named = handOf(at, groups, dealt, dossier);
  return [
    large,
    el(
      "p",
      { class: "whose-hand" },
      known ? el("strong", {}, t("cloth.yours")) : null,
      el("span", {}, theirs(seat, 64), named === null ? null : ` · ${named}`),
    ),
  ];
}

/**
 * The best hand of a seat with the board, in words: hold'em only.
 * @param {readonly number[]} at the places of the seat's cards
 * @param {Groups} groups
 * @param {Pieces} dealt
 * @param {Dossier | null} dossier
 * @param {Map<number, string>} [pieces] other cards than the dealt ones
 * @returns {string | null}
 */
function handOf(at, groups, dealt, dossier, pieces = dealt.pieces) {
  if (!dealt.areCards || !isHoldem(dossier?.commit)) return null;
  const board = groups.streets.flat();
  if (at.length !== 2 || board.length !== 5) return null;
  return handName([...at, ...board].map((each) => pieces.get(each) ?? ""));
}

/**
 * Buttons for whose hand is large, when the reader's seat is not known.
 * @param {readonly string[]} seats
 * @param {string} now
 * @param {(seat: string) => void} choose
 * @returns {HTMLElement}
 */
function drawChoice(seats, now, choose) {
  const group = el(
    "div",
    { class: "choice", role: "group", "aria-label": t("cloth.whose") },
    seats.map((seat) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": String(seat === now),
          click: () => {
            const { parentElement } = group;
            choose(seat);
            /** @type {HTMLElement | null} */ (
              parentElement?.querySelector('[aria-pressed="true"]') ?? null
            )?.focus();
          },
        },
        theirs(seat, 24),
      ),
    ),
  );
  return group;
}

/**
 * The hands of some seats, with their names.
 * @param {readonly string[]} seats
 * @param {Groups} groups
 * @param {Pieces} dealt
 * @param {{wrong: readonly number[], mine: string | null}} options
 */
function drawSeats(seats, groups, dealt, { wrong, mine }) {
  return el(
    "dl",
    { class: "groups hands" },
    seats
      .slice(0, MOST_SEATS)
      .map((seat) =>
        group(
          seat === mine ? el("span", {}, t("cloth.you"), " ", theirs(seat, 64)) : theirs(seat, 64),
          groups.seats.get(seat) ?? [],
          dealt,
          wrong,
        ),
      ),
    seats.length <= MOST_SEATS
      ? null
      : el("div", {}, el("dt", {}, t("and-more", { n: seats.length - MOST_SEATS })), el("dd")),
  );
}

/**
 * The board by street, and what is folded: burnt cards, and the cards that nobody got.
 * @param {Groups} groups
 * @param {Pieces} dealt
 * @param {{wrong: readonly number[], dossier: Dossier | null}} options
 */
function drawBoard({ streets, burnt, nobody }, dealt, { wrong, dossier }) {
  /** @type {HTMLElement[]} */
  const board = [];
  streets.forEach((at, street) =>
    board.push(group(streetName(street, dossier?.commit), at, dealt, wrong)),
  );
  const folded = el(
    "div",
    { class: "folded" },
    fold("cloth.burnt", burnt, dealt, wrong),
    fold("cloth.nobody", nobody, dealt, wrong),
  );
  return el(
    "div",
    {},
    board.length === 0 ? null : el("dl", { class: "groups" }, board),
    folded.childElementCount === 0 ? null : folded,
  );
}

/**
 * @param {"cloth.burnt" | "cloth.nobody"} key
 * @param {readonly number[]} at
 * @param {Pieces} dealt
 * @param {readonly number[]} wrong
 */
function fold(key, at, dealt, wrong) {
  if (at.length === 0) return null;
  const label = count(key, at.length);
  const differs = new Set(wrong.map((each) => at.indexOf(each)));
  return el("details", {}, el("summary", {}, label), longRow(some(dealt, at), { label, differs }));
}

/**
 * @param {Node | string} name
 * @param {readonly number[]} at
 * @param {Pieces} dealt
 * @param {readonly number[]} wrong
 */
function group(name, at, dealt, wrong) {
  const differs = new Set(wrong.map((each) => at.indexOf(each)));
  return el("div", {}, el("dt", {}, name), el("dd", {}, cardRow(some(dealt, at), { differs })));
}

/**
 * The card that the seeds give, and the card that the log has, side by side.
 * @param {number} at
 * @param {Pieces} dealt
 * @param {Dossier} dossier
 * @param {readonly string[] | null} items
 * @returns {HTMLElement}
 */
function drawDuel(at, { pieces, areCards }, { expected, commit }, items) {
  const ours =
    expected?.cards?.[at] ??
    (expected?.indices === undefined
      ? undefined
      : names(expected.indices, items, commit?.method === "cycle")[at]);
  /**
   * @param {string | undefined} piece
   * @param {string} says
   * @param {string} kind
   */
  const side = (piece, says, kind) =>
    el(
      "figure",
      { class: kind },
      piece === undefined
        ? el("span", { class: "item" }, t("card.nothing"))
        : areCards
          ? drawCard(piece)
          : el("span", { class: "item" }, theirs(piece, 60)),
      el(
        "figcaption",
        {},
        areCards && piece !== undefined ? el("strong", {}, short(piece)) : null,
        says,
      ),
    );
  return el(
    "div",
    { class: "duel", "data-first": at },
    side(ours, t("card.expected"), "expected"),
    el("span", { class: "unequal", role: "img", "aria-label": t("cloth.unequal") }, "≠"),
    side(pieces.get(at), t("card.logged"), "differs"),
  );
}

/**
 * What lies face down, or is too long for the log.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {HTMLElement | null}
 */
function drawHidden({ seal, digest }, dossier) {
  const draw = Number(dossier?.commit?.draw ?? 0);
  const areCards = typeof dossier?.commit?.deck === "string";
  if (digest !== undefined)
    return el("p", { class: "soft" }, t("card.digest", { what: howMany(draw, areCards) }));
  if (seal === undefined) return null;
  return el(
    "div",
    { class: "stack" },
    el(
      "div",
      { class: "cards", "aria-hidden": "true" },
      Array.from({ length: Math.min(draw, 13) }, drawBack),
    ),
    el("p", { class: "soft" }, t("card.sealed", { what: howMany(draw, areCards) })),
  );
}

/**
 * A wrong card in the words of the table: whose it is, and what it changes.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {string | null}
 */
export function aboutWrong(verdict, dossier) {
  const [at] = wrongPlaces(verdict, dossier);
  if (at === undefined || verdict.placed === undefined) return null;
  const place = placeName(at, verdict.placed, dossier?.commit);
  if (place === null) return null;
  const itIs = t("place.is", { place });
  const dealt = dealtOf(verdict, dossier, null);
  const owner = verdict.placed.find((each) => each.t === at);
  const ours = dossier?.expected?.cards;
  if (dealt === null || ours === undefined || owner === undefined || !("seat" in owner))
    return itIs;
  const groups = groupsOf(verdict.placed);
  const seat = groups.seats.get(owner.seat) ?? [];
  const right = handOf(seat, groups, dealt, dossier, new Map(ours.entries()));
  const logged = handOf(seat, groups, dealt, dossier);
  if (right === null || logged === null || right === logged) return itIs;
  const who = apart(owner.seat, 64);
  return `${itIs} ${t("place.changes", { who, right, logged })}`;
}
