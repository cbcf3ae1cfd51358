// The sentence of a verdict with its sign.

import { isKey, t } from "./strings.js";
import { el, plain, svg } from "./text.js";

/** @typedef {import("./sentence.js").Headline} Headline */

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
export function drawHeadline(
  { state, isLate = false, sentence, detail, says },
  level = "h1",
  meta = "",
) {
  const word = `v.word.${state}`;
  return el(
    "div",
    { class: `verdict ${state}${isLate ? " late" : ""}` },
    meta !== "" ? el("p", { class: "meta" }, meta) : null,
    el(
      "div",
      { class: "sentence-line" },
      sign(isLate ? "unproved" : state),
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
