// The cloth of a raffle: the time until the draw, or the winners with the verdict.

import { count, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { drawHeadline } from "../verdict.js";
import { dayAndHour, place, when } from "./words.js";

/**
 * @typedef {import("./words.js").Headline} Headline
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../../fairdeal/raffle.js").Winner} Winner
 */

/** So many winners have a ticket; the others are in a list. */
const MOST_TICKETS = 12;
/** Characters of a line on a ticket. */
const MOST_LINE = 80;
/** Characters of a line in large letters, and in middle ones. */
const [SHORT, MIDDLE] = [5, 14];
/** Of a hashed line. */
const FIRST = 12;

const UNITS = /** @type {const} */ (["days", "hours", "minutes", "seconds"]);

/** The places of the time until the draw. */
class Countdown {
  constructor() {
    this.digits = UNITS.map(() => el("span", { class: "digits" }));
    // The hour of the draw says it to those who do not see it: a second is no news.
    this.element = el(
      "div",
      { class: "countdown", role: "timer", "aria-live": "off", "aria-label": t("raffle.to-go") },
      UNITS.map((unit, i) =>
        el("div", {}, this.digits[i], el("span", { class: "unit" }, t(`raffle.${unit}`))),
      ),
    );
  }

  /** @param {number} left seconds */
  show(left) {
    const rest = Math.max(0, Math.ceil(left));
    const parts = [
      Math.floor(rest / 86_400),
      Math.floor(rest / 3600) % 24,
      Math.floor(rest / 60) % 60,
      rest % 60,
    ];
    parts.forEach((value, i) => {
      this.digits[i].textContent = i === 0 ? String(value) : String(value).padStart(2, "0");
    });
  }
}

/** What the cloth shows. */
export class RaffleCloth {
  /** @param {HTMLElement} find the form for the reader's own ticket */
  constructor(find) {
    this.find = find;
    this.countdown = new Countdown();
    this.headline = el("div", { id: "headline", role: "status" });
    this.top = el("div", { class: "raffle-top" });
    this.middle = el("div", { class: "raffle-middle" });
    this.actions = el("div", { class: "raffle-actions" });
    this.element = el(
      "section",
      { class: "cloth answer raffle none" },
      this.top,
      this.middle,
      this.headline,
      this.actions,
    );
  }

  /** @param {string} kind @param {boolean} isFirst whether the heading says the sentence */
  #kind(kind, isFirst) {
    this.element.className = `cloth answer raffle ${kind}${isFirst ? " alone" : ""}`;
  }

  /**
   * A sentence alone, or under what the document says.
   * @param {Headline} found
   * @param {RaffleFacts | null} facts
   * @param {Node[]} [actions]
   */
  say(found, facts, actions = []) {
    this.#kind(found.state, true);
    this.top.replaceChildren(...(facts === null ? [] : [about(facts, "raffle.draw-of")]));
    this.middle.replaceChildren();
    this.headline.replaceChildren(drawHeadline(found, "h1", " "));
    const isSame = actions.length === 1 && actions[0] === this.actions.firstChild;
    // A field that is put in again loses the focus.
    if (!isSame) this.actions.replaceChildren(...actions);
  }

  /**
   * The time until the draw.
   * @param {RaffleFacts & {out: number}} facts
   * @param {"fair" | "none"} kind whether the promise is in the log
   */
  wait(facts, kind) {
    const { rules, deck, out } = facts;
    this.#kind(kind, false);
    this.top.replaceChildren(
      el("p", { class: "meta" }, title(rules)),
      el("h1", {}, count("raffle.of", rules.winners, { w: rules.winners, n: deck.count })),
      ...(rules.prizes === undefined
        ? []
        : [
            el(
              "p",
              { class: "meta" },
              rules.prizes.flatMap((each, i) => [i === 0 ? "" : " · ", theirs(each, 200)]),
            ),
          ]),
    );
    const hour = t("raffle.zone", { when: dayAndHour(1000 * out) });
    if (!this.middle.contains(this.countdown.element))
      this.middle.replaceChildren(this.countdown.element, el("p", { class: "hour" }, hour));
    this.headline.replaceChildren();
    this.actions.replaceChildren(this.find);
  }

  /** @param {number} left seconds until the draw */
  tick(left) {
    this.countdown.show(left);
  }

  /**
   * The winners, and the verdict.
   * @param {Headline} found
   * @param {RaffleFacts} facts
   * @param {readonly Winner[]} drawn
   * @param {{own: string | null, names: Map<string, string>}} known the reader's line, and addresses
   *   of lines
   * @param {Node[]} actions
   */
  draw(found, facts, drawn, { own, names }, actions) {
    const look = found.isUsual === true ? "none" : found.state;
    this.#kind(look, false);
    const { rules } = facts;
    // Nobody wins a raffle that was given up.
    const isDraw = found.state !== "none";
    this.top.replaceChildren(
      about(facts, isDraw ? "raffle.drawn-on" : "raffle.draw-of"),
      el("h1", {}, t(isDraw ? "raffle.winners" : "raffle.would-be")),
    );
    const rest = drawn.slice(MOST_TICKETS);
    this.middle.replaceChildren(
      el(
        "ol",
        { class: "tickets", "data-n": Math.min(drawn.length, MOST_TICKETS) },
        drawn
          .slice(0, MOST_TICKETS)
          .map(({ line }, i) => ticket(line, names.get(line), i, rules.prizes?.[i], line === own)),
      ),
      ...(rest.length === 0 ? [] : [others(rest, rules.prizes ?? [], { own, names })]),
    );
    this.headline.replaceChildren(drawHeadline({ ...found, state: look }, "h2", " "));
    this.actions.replaceChildren(...actions);
  }
}

/** @param {RaffleFacts["rules"]} rules */
const title = ({ title: name }) => (name === undefined ? t("raffle.untitled") : theirs(name, 200));

/**
 * What raffle it is, and the time of its draw.
 * @param {RaffleFacts} facts
 * @param {"raffle.drawn-on" | "raffle.draw-of"} word
 */
function about({ rules, out }, word) {
  const draw = out === null ? "" : ` · ${t(word, { when: when(1000 * out) })}`;
  return el("p", { class: "meta" }, title(rules), draw);
}

/**
 * @param {string} line of a winner
 * @param {string | undefined} name its address
 * @param {number} i
 * @param {string | undefined} prize
 * @param {boolean} isOwn
 */
function ticket(line, name, i, prize, isOwn) {
  const n = name === undefined && isHashed(line) ? MIDDLE : [...(name ?? line)].length;
  const size = n > MIDDLE ? " long" : n > SHORT ? " middle" : "";
  return el(
    "li",
    { class: `ticket${isOwn ? " own" : ""}`, "data-line": line.slice(0, MOST_LINE) },
    el("p", { class: "stub" }, el("strong", {}, place(i + 1)), " ", t("raffle.prize")),
    el(
      "div",
      { class: "ticket-body" },
      el("p", { class: `ticket-line${size}` }, shownLine(line, name)),
      isOwn ? el("p", { class: "own-word" }, t("raffle.yours")) : null,
      prize === undefined ? null : el("p", { class: "what" }, theirs(prize, 200)),
    ),
  );
}

/**
 * @param {readonly Winner[]} rest
 * @param {readonly string[]} prizes
 * @param {{own: string | null, names: Map<string, string>}} known
 */
function others(rest, prizes, { own, names }) {
  return el(
    "details",
    { class: "other-winners" },
    el("summary", {}, count("raffle.more", rest.length)),
    el(
      "ol",
      { start: MOST_TICKETS + 1 },
      rest.map(({ line }, i) =>
        el(
          "li",
          { class: line === own ? "own" : null },
          el("span", {}, place(MOST_TICKETS + i + 1)),
          el("span", {}, shownLine(line, names.get(line))),
          el("span", {}, theirs(prizes[MOST_TICKETS + i] ?? "", 200)),
        ),
      ),
    ),
  );
}

/** @param {string} line */
const isHashed = (line) => /^[0-9a-f]{64}$/.test(line);

/** A line; of a hashed one its beginning, which is enough for its owner. @param {string} line */
export const shortLine = (line) => (isHashed(line) ? `${line.slice(0, FIRST)}…` : line);

/**
 * A line of the list; of a hashed one its address, or else its beginning.
 * @param {string} line
 * @param {string} [name] its address
 */
export const shownLine = (line, name) =>
  name === undefined && isHashed(line)
    ? el("code", { title: line }, shortLine(line))
    : theirs(name ?? line, MOST_LINE);
