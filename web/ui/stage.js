// The deck on its stage: unsettled items above the line, settled items under it, swaps along arcs.

import { face, nameOf } from "./cards.js";
import { t } from "./strings.js";
import { el, plain, svg } from "./text.js";

/**
 * @typedef {import("./frames.js").Frame} Frame
 * @typedef {import("./frames.js").Method} Method
 * @typedef {{x: number, y: number}} Point
 */

/**
 * @typedef {object} Deck
 * @property {string[]} items cards, or names
 * @property {boolean} cards
 * @property {Method} method
 */

const GAP = 4;
/** The maximum height of both zones together, so that both are visible. */
const MOST_HEIGHT = 540;

/** Draws a deck, and moves its pieces. */
export class Stage {
  constructor() {
    this.picture = svg("svg", { class: "stage", role: "img" });
    this.element = el("div", { class: "stage-box" }, this.picture);
    /** @type {Deck} */
    this.deck = { items: [], cards: true, method: "shuffle" };
    /** @type {SVGGElement[]} */
    this.pieces = [];
    /** @type {{order: number[], settled: number}} */
    this.now = { order: [], settled: 0 };
    this.size = { width: 0, w: 44, h: 62, columns: 1, line: 0 };
    new ResizeObserver(() => {
      if (Math.abs(this.element.clientWidth - this.size.width) > 1) this.layout();
    }).observe(this.element);
  }

  /** @param {Deck} deck */
  load(deck) {
    this.deck = deck;
    this.pieces = deck.items.map((item) =>
      deck.cards
        ? svg("g", { class: "piece" }, svg("g", {}, ...face(item)))
        : svg(
            "g",
            { class: "piece name" },
            svg("rect", { class: "box", rx: 5 }),
            svg("text", {}, ""),
          ),
    );
    this.now = { order: deck.items.map((_, i) => i), settled: 0 };
    this.layout();
  }

  /** Fits everything into the available width. */
  layout() {
    const width = this.element.clientWidth || 600;
    const { items, cards } = this.deck;
    const best = fit(items.length, width, cards);
    const zone = best.rows * (best.h + GAP);
    this.size = { width, w: best.w, h: best.h, columns: best.columns, line: 24 + zone };
    const height = 2 * zone + 62;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("height", String(height));
    this.picture.replaceChildren(
      svg("text", { class: "zone-name", x: 0, y: 14 }, t("watch.loose")),
      svg("line", {
        class: "line",
        x1: 0,
        x2: width,
        y1: this.size.line + 4,
        y2: this.size.line + 4,
      }),
      svg("text", { class: "zone-name", x: 0, y: this.size.line + 24 }, t("watch.settled")),
      ...this.pieces,
    );
    for (const [i, piece] of this.pieces.entries()) this.fit(piece, i);
    this.set(this.now.order, this.now.settled);
  }

  /**
   * @param {SVGGElement} piece
   * @param {number} i
   */
  fit(piece, i) {
    const { w, h } = this.size;
    if (this.deck.cards)
      return piece.firstElementChild?.setAttribute("transform", `scale(${w / 60})`);
    const [box, text] = piece.children;
    box.setAttribute("width", String(w));
    box.setAttribute("height", String(h - 4));
    const most = Math.floor((w - 14) / 8.5);
    const name = plain(this.deck.items[i]);
    text.textContent = name.length > most ? `${name.slice(0, most - 1)}…` : name;
    text.setAttribute("x", "8");
    text.setAttribute("y", "20");
  }

  /**
   * The place of the item at a position.
   * @param {number} position
   * @param {number} settled
   * @returns {Point}
   */
  spot(position, settled) {
    const { w, h, columns, line } = this.size;
    const n = this.deck.items.length;
    const under = position >= n - settled;
    const slot = under && this.deck.method === "shuffle" ? n - 1 - position : position;
    const top = under ? line + 34 : 24;
    return { x: (slot % columns) * (w + GAP), y: top + Math.floor(slot / columns) * (h + GAP) };
  }

  /**
   * Shows a state at once.
   * @param {number[]} order
   * @param {number} settled
   */
  set(order, settled) {
    this.now = { order, settled };
    order.forEach((item, position) => {
      const piece = this.pieces[item];
      for (const motion of piece.getAnimations()) motion.cancel();
      place(piece, this.spot(position, settled));
      piece.classList.toggle("settled", position >= order.length - settled);
      piece.classList.remove("moves");
    });
    const settledNames = order
      .slice(order.length - settled)
      .map((item) =>
        this.deck.cards ? nameOf(this.deck.items[item]) : plain(this.deck.items[item]),
      );
    this.picture.setAttribute(
      "aria-label",
      t("watch.stage", {
        n: settled,
        all: order.length,
        names: settledNames.slice(0, 8).join(", ") || t("card.nothing"),
      }),
    );
  }

  /**
   * Shows a swap as movement, and then the state after it.
   * @param {Frame} frame
   * @param {{order: number[], settled: number}} before
   * @param {{order: number[], settled: number}} after
   * @param {number} duration in milliseconds; 0 is no movement
   */
  move({ i, j, refused }, before, after, duration) {
    this.set(after.order, after.settled);
    if (refused || duration === 0) return;
    const chosen = this.pieces[before.order[j]];
    const other = this.pieces[before.order[i]];
    const [from, last] = [this.spot(j, before.settled), this.spot(i, before.settled)];
    chosen.parentElement?.append(other, chosen);
    const there = i === j ? [from] : arc(from, last, 1);
    glide(chosen, [...there, ...straight(last, this.spot(i, after.settled))], duration);
    // In a cycle, the last item settles by itself after the last but one.
    if (i !== j)
      glide(other, [...arc(last, from, -1), this.spot(j, after.settled)], duration * 0.6);
    chosen.classList.add("moves");
  }
}

/**
 * The size of pieces: the largest that fits, or a little smaller if then all rows are full.
 * @param {number} items
 * @param {number} width
 * @param {boolean} cards
 * @returns {{w: number, h: number, columns: number, rows: number}}
 */
function fit(items, width, cards) {
  const widths = cards
    ? Array.from({ length: 25 }, (_, k) => 46 - k)
    : [Math.min(150, (width - GAP) / 2 - GAP)];
  const sizes = widths.map((w) => {
    const columns = Math.max(1, Math.min(items, Math.floor((width + GAP) / (w + GAP))));
    return { w, h: cards ? w * 1.4 : 34, columns, rows: Math.ceil(items / columns) };
  });
  const largest =
    sizes.find(({ rows, h }) => 2 * rows * (h + GAP) <= MOST_HEIGHT) ?? sizes[sizes.length - 1];
  const full = sizes.find(
    ({ w, columns }) => w <= largest.w && w >= largest.w * 0.8 && items % columns === 0,
  );
  return full ?? largest;
}

/**
 * @param {SVGGElement} piece
 * @param {Point} at
 */
function place(piece, { x, y }) {
  piece.style.transform = `translate(${x}px, ${y}px)`;
}

/**
 * Points on an arc between two points.
 * @param {Point} from
 * @param {Point} to
 * @param {1 | -1} side of the straight line
 * @returns {Point[]}
 */
function arc(from, to, side) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = side * Math.min(70, 14 + length * 0.25);
  const [cx, cy] = [
    (from.x + to.x) / 2 - (dy / length) * bend,
    (from.y + to.y) / 2 + (dx / length) * bend,
  ];
  return Array.from({ length: 13 }, (_, k) => {
    const u = k / 12;
    const v = 1 - u;
    return {
      x: v * v * from.x + 2 * u * v * cx + u * u * to.x,
      y: v * v * from.y + 2 * u * v * cy + u * u * to.y,
    };
  });
}

/**
 * @param {Point} from
 * @param {Point} to
 * @returns {Point[]}
 */
function straight(from, to) {
  return Array.from({ length: 7 }, (_, k) => ({
    x: from.x + ((to.x - from.x) * (k + 1)) / 7,
    y: from.y + ((to.y - from.y) * (k + 1)) / 7,
  }));
}

/**
 * @param {SVGGElement} piece
 * @param {Point[]} points
 * @param {number} duration
 */
function glide(piece, points, duration) {
  piece.animate(
    points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration, easing: "ease-in-out" },
  );
}
