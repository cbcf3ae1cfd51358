// The cloth with a verdict on it: the hand, the sentence, and the other cards.

import { el } from "./text.js";
import { drawHeadline } from "./verdict.js";

/** @typedef {import("./sentence.js").Headline} Headline */

/**
 * What lies on the cloth next to the sentence.
 * @typedef {object} Scene
 * @property {Node | null} hand the large cards
 * @property {Node | null} board all other cards
 * @property {string} meta table, round and day
 */

/**
 * The colour of a cloth says what the page knows; late is what was caught of times alone.
 * @param {Headline} found
 * @param {Node | null} hand
 */
const classesOf = ({ state, isLate = false }, hand) =>
  `cloth answer ${state}${isLate ? " late" : ""}${hand === null ? " wide" : ""}`;

/** The cloth of a page. Its sentence is a live region, which must be there before its text. */
export class Cloth {
  constructor() {
    this.hand = el("div", { class: "cloth-hand" });
    this.headline = el("div", { id: "headline", role: "status" });
    this.actions = el("div", { class: "cloth-actions" });
    this.board = el("div", { class: "cloth-board" });
    this.element = el(
      "section",
      { class: "cloth answer", hidden: true },
      this.hand,
      el("div", { class: "cloth-side" }, this.headline, this.actions, this.board),
    );
  }

  /**
   * @param {Headline} found
   * @param {Scene | null} scene
   * @param {Node | null} actions what the reader can do about the verdict
   */
  show(found, scene, actions) {
    const { hand = null, board = null, meta } = scene ?? {};
    this.element.hidden = false;
    this.element.className = classesOf(found, hand);
    this.headline.replaceChildren(drawHeadline(found, "h1", meta));
    fill(this.hand, hand);
    fill(this.actions, actions);
    fill(this.board, board);
  }

  clear() {
    this.element.hidden = true;
    for (const each of [this.headline, this.hand, this.actions, this.board]) fill(each, null);
  }
}

/** @param {HTMLElement} place @param {Node | null} node */
function fill(place, node) {
  place.replaceChildren(...(node === null ? [] : [node]));
  place.hidden = node === null && place.id !== "headline";
}

/**
 * A cloth that stays as it is: of one file among several, and on the pages of others.
 * @param {Headline} found
 * @param {Scene | null} scene
 * @returns {HTMLElement}
 */
export function laidCloth(found, scene) {
  const { hand = null, board = null, meta } = scene ?? {};
  return el(
    "div",
    { class: classesOf(found, hand) },
    hand === null ? null : el("div", { class: "cloth-hand" }, hand),
    el(
      "div",
      { class: "cloth-side" },
      drawHeadline(found, "h2", meta),
      board === null ? null : el("div", { class: "cloth-board" }, board),
    ),
  );
}
