// A drawn word as two bars: its place among the places, and its refused part.

import { ALL_WORDS, productOf } from "./frames.js";
import { number, t } from "./strings.js";
import { append, el, svg } from "./text.js";

/** @typedef {import("./frames.js").Frame} Frame */

const WIDTH = 1000;

/**
 * @param {HTMLElement} box that the bars are drawn in
 * @param {Frame | null} frame
 */
export function drawWord(box, frame) {
  if (frame === null || frame.word === null) {
    box.replaceChildren(
      el("p", { class: "soft" }, t(frame === null ? "watch.no-word-yet" : "watch.no-word")),
    );
    return;
  }
  const { word, range, refused, words = ALL_WORDS } = frame;
  const { product, place, rest, limit } = productOf(word, range, words);
  const facts = /** @type {[string, string][]} */ ([
    [t("watch.word"), number(word)],
    [t("watch.range"), number(range)],
    [t("watch.product"), number(product)],
    [t("watch.place"), number(place + 1)],
    [t("watch.rest"), number(rest)],
    [t("watch.limit"), number(limit)],
  ]);
  box.replaceChildren(
    el(
      "div",
      { class: "bars" },
      el("p", { class: "small" }, t("watch.bar-places", { range })),
      places(word / words, range, place, refused),
      el(
        "p",
        { class: "small" },
        t(words === ALL_WORDS ? "watch.bar-rest" : "watch.bar-bytes", { limit, words }),
      ),
      restBar(rest, limit, words),
    ),
    el(
      "dl",
      { class: "facts word-facts" },
      facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
      el(
        "div",
        { class: refused ? "refused" : "accepted" },
        el("dt", {}, t("watch.decision")),
        el("dd", {}, refused ? `✗ ${t("watch.refused")}` : `✓ ${t("watch.accepted")}`),
      ),
    ),
  );
}

/**
 * @param {number} share of all words that are smaller
 * @param {number} range
 * @param {number} place
 * @param {boolean} refused
 * @returns {SVGSVGElement}
 */
function places(share, range, place, refused) {
  const cell = WIDTH / range;
  const bar = svg(
    "svg",
    {
      class: "bar",
      viewBox: `0 0 ${WIDTH} 30`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    svg("rect", { class: "ground", x: 0, y: 4, width: WIDTH, height: 22 }),
    svg("rect", {
      class: refused ? "chosen-not" : "chosen",
      x: place * cell,
      y: 4,
      width: Math.max(cell, 3),
      height: 22,
    }),
  );
  if (range <= 120) {
    for (let k = 1; k < range; k++)
      append(bar, [svg("line", { class: "tick", x1: k * cell, x2: k * cell, y1: 4, y2: 26 })]);
  }
  const x = share * WIDTH;
  append(bar, [svg("line", { class: "needle", x1: x, x2: x, y1: 0, y2: 30 })]);
  return bar;
}

/**
 * The refused part is drawn wider than it is, because it would be invisible.
 * @param {number} rest
 * @param {number} limit
 * @param {number} words
 * @returns {SVGSVGElement}
 */
function restBar(rest, limit, words) {
  const hatched = limit === 0 ? 0 : Math.max((limit / words) * WIDTH, words === ALL_WORDS ? 36 : 0);
  const x =
    rest < limit
      ? (rest / limit) * hatched
      : hatched + ((rest - limit) / (words - limit)) * (WIDTH - hatched);
  const hatch = svg(
    "pattern",
    {
      id: "hatch",
      width: 8,
      height: 8,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("rect", { class: "hatch-ground", width: 8, height: 8 }),
    svg("line", { class: "hatch", x1: 0, x2: 0, y1: 0, y2: 8 }),
  );
  return svg(
    "svg",
    {
      class: "bar",
      viewBox: `0 0 ${WIDTH} 30`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    svg("defs", {}, hatch),
    svg("rect", { class: "ground", x: 0, y: 4, width: WIDTH, height: 22 }),
    svg("rect", { x: 0, y: 4, width: hatched, height: 22, fill: "url(#hatch)" }),
    svg("line", { class: "needle", x1: x, x2: x, y1: 0, y2: 30 }),
  );
}
