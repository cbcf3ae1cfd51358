// The controls of the shuffle: play, pause, step, back, speed, by mouse and by keyboard.

import { dealtOf, framesOf, orderAfter, settledAfter } from "./frames.js";
import { Stage } from "./stage.js";
import { t } from "./strings.js";
import { el, svg } from "./text.js";
import { drawWord } from "./wordbar.js";

/**
 * @typedef {import("./frames.js").Frame} Frame
 * @typedef {import("./stage.js").Deck} Deck
 */

/** Milliseconds from one step to the next, and of the movement in a step. */
const SPEEDS = [
  { every: 2600, motion: 300 },
  { every: 1300, motion: 300 },
  { every: 650, motion: 300 },
  { every: 260, motion: 160 },
  { every: 60, motion: 0 },
];

/** Plays the frames of one deal. */
export class Player {
  constructor() {
    this.stage = new Stage();
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {Deck} */
    this.deck = { items: [], cards: true, method: "shuffle" };
    this.at = 0;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /** @type {(item: string) => string} */
    this.say = (item) => item;
    this.sentence = el("p", { class: "sentence", id: "sentence" });
    this.word = el("div", { class: "word-box" });
    this.position = el("input", {
      type: "range",
      id: "position",
      min: 0,
      max: 0,
      value: 0,
      input: () => {
        this.pause();
        this.go(Number(this.position.value));
      },
    });
    this.speed = el("input", { type: "range", id: "speed", min: 1, max: SPEEDS.length, value: 3 });
    /**
     * @param {string} id
     * @param {Node | string} inside
     * @param {string} name
     * @param {() => void} click
     */
    const button = (id, inside, name, click) =>
      el("button", { type: "button", id, "aria-label": name, title: name, click }, inside);
    this.playButton = button("play", t("watch.play"), t("watch.play"), () => this.toggle());
    this.playButton.className = "first";
    const controls = el(
      "div",
      { class: "controls" },
      el(
        "div",
        { class: "row" },
        button("start", icon("M5 4v16M19 4L8 12l11 8z"), t("watch.start"), () => this.jump(0)),
        button("back", icon("M17 4L6 12l11 8z"), t("watch.back"), () => this.step(-1)),
        this.playButton,
        button("step", icon("M7 4l11 8-11 8z"), t("watch.step"), () => this.step(1)),
        button("end", icon("M19 4v16M5 4l11 8-11 8z"), t("watch.end"), () =>
          this.jump(this.frames.length),
        ),
      ),
      el("label", { class: "slide" }, el("span", {}, t("watch.position")), this.position),
      el("label", { class: "slide" }, el("span", {}, t("watch.speed")), this.speed),
    );
    this.element = el(
      "section",
      { class: "panel player", "aria-label": t("watch.title") },
      this.sentence,
      this.stage.element,
      controls,
      el("p", { class: "soft small" }, t("watch.keys")),
      this.word,
    );
    this.stage.element.tabIndex = 0;
    this.stage.element.setAttribute("role", "group");
    this.stage.element.setAttribute("aria-label", t("watch.stage-keys"));
    // Only inside this element: elsewhere the arrows and the space bar scroll the page.
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * @param {Deck} deck
   * @param {import("../fairdeal/index.js").Replayed} replayed
   * @param {number} draw
   * @param {(item: string) => string} say the name of an item in a sentence
   */
  load(deck, replayed, draw, say) {
    this.show(deck, framesOf(replayed, deck.method, deck.items.length, draw), say);
  }

  /**
   * @param {Deck} deck
   * @param {Frame[]} frames
   * @param {(item: string) => string} say
   */
  show(deck, frames, say) {
    this.pause();
    this.deck = deck;
    this.say = say;
    this.frames = frames;
    this.position.max = String(this.frames.length);
    this.stage.load(deck);
    this.go(0);
  }

  /** The deal after the last frame, computed from the frames. @returns {string[]} */
  deal() {
    const { order, settled } = this.state(this.frames.length);
    return dealtOf(order, settled, this.deck.method).map((item) => this.deck.items[item]);
  }

  /**
   * @param {number} at
   * @returns {{order: number[], settled: number}}
   */
  state(at) {
    const n = this.deck.items.length;
    return {
      order: orderAfter(this.frames, n, at),
      settled: settledAfter(this.frames, n, at, this.deck.method),
    };
  }

  /**
   * Shows the state after a number of frames, without movement.
   * @param {number} at
   */
  go(at) {
    this.at = Math.max(0, Math.min(this.frames.length, at));
    const { order, settled } = this.state(this.at);
    this.stage.set(order, settled);
    this.tell();
  }

  /** @param {number} at */
  jump(at) {
    this.pause();
    this.go(at);
  }

  /** @param {1 | -1} by */
  step(by) {
    this.pause();
    if (by === 1) this.forward();
    else this.go(this.at - 1);
  }

  forward() {
    if (this.at >= this.frames.length) return;
    const before = this.state(this.at);
    const frame = this.frames[this.at++];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stage.move(frame, before, this.state(this.at), still ? 0 : this.pace().motion);
    this.tell();
  }

  pace() {
    return SPEEDS[Number(this.speed.value) - 1];
  }

  toggle() {
    if (this.timer !== null) return this.pause();
    if (this.at >= this.frames.length) this.go(0);
    const next = () => {
      this.forward();
      if (this.at >= this.frames.length) return this.pause();
      this.timer = setTimeout(next, this.pace().every);
    };
    this.timer = setTimeout(next, 0);
    this.named(t("watch.pause"));
  }

  pause() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.named(t("watch.play"));
    this.tell();
  }

  /** @param {string} name of the button that plays and pauses */
  named(name) {
    this.playButton.textContent = name;
    this.playButton.setAttribute("aria-label", name);
    this.playButton.title = name;
    // While it plays, a screen reader would read without a pause.
    this.sentence.setAttribute("aria-live", this.timer === null ? "polite" : "off");
  }

  tell() {
    const frame = this.at === 0 ? null : this.frames[this.at - 1];
    const text =
      frame === null ? t("watch.s-start", { n: this.deck.items.length }) : this.told(frame);
    if (this.sentence.textContent !== text) this.sentence.textContent = text;
    drawWord(this.word, frame);
    this.position.value = String(this.at);
    document.documentElement.dataset.step = `${this.at}/${this.frames.length}`;
  }

  /**
   * A frame as a sentence.
   * @param {Frame} frame
   * @returns {string}
   */
  told({ word, range, refused, i, j }) {
    const { order, settled } = this.state(this.at);
    const { order: before } = this.state(this.at - 1);
    const { method, items } = this.deck;
    const [chosen, other] = [this.say(items[before[j] ?? 0]), this.say(items[before[i]])];
    const values = {
      k: this.at,
      all: this.frames.length,
      word: word ?? 0,
      range,
      j: j + 1,
      i: i + 1,
      chosen,
      other,
    };
    const card = method === "cycle" ? i + 1 : items.length - i;
    const end = this.at === this.frames.length ? ` ${t("watch.s-end", { n: settled })}` : "";
    if (refused) return t("watch.s-refused", values);
    if (word === null && method === "shuffle")
      return t("watch.s-only", { ...values, chosen: this.say(items[order[0]]), t: card }) + end;
    if (word === null) return t("watch.s-only-two", values) + end;
    // In a draw of names, each place belongs to the name that was there at first.
    if (method === "cycle" && !this.deck.cards)
      return t("watch.s-draws", { ...values, owner: this.say(items[i]) }) + end;
    return t(i === j ? "watch.s-stays" : "watch.s-swap", { ...values, t: card }) + end;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || at.closest("input, select")) return;
    if (event.key === " " && at.closest("button")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.toggle(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      Home: () => this.jump(0),
      End: () => this.jump(this.frames.length),
    };
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }
}

/**
 * @param {string} path in a square of 24
 * @returns {SVGSVGElement}
 */
function icon(path) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}
