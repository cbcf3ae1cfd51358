// The form for the reader's own ticket: a typed line, or an entrant's link. Neither leaves the page.

import { parts, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { sign } from "../verdict.js";
import { shownLine } from "./cloth.js";
import { place } from "./words.js";

/**
 * @typedef {import("../../workers/raffle.js").FoundLine} FoundLine
 * @typedef {import("../../workers/raffle.js").ListFacts} ListFacts
 */

/** A form, and what it found. */
export class FindForm {
  /** @param {(text: string) => void} find */
  constructor(find) {
    const label = t("raffle.find-label");
    this.input = el("input", {
      name: "line",
      autocomplete: "off",
      spellcheck: "false",
      required: true,
      placeholder: t("raffle.find-short"),
    });
    this.label = el("span", { class: "silent" }, label);
    this.hint = el("p", { class: "soft small", hidden: true }, t("raffle.find-hashed"));
    this.told = el("div", { class: "find-told", role: "status", id: "found" });
    this.element = el(
      "form",
      {
        class: "find-ticket",
        id: "find",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (this.input.value.trim() !== "") find(this.input.value);
        },
      },
      this.hint,
      el(
        "div",
        { class: "find-line" },
        el("label", {}, this.label, this.input),
        el(
          "button",
          { class: "first" },
          el("span", { class: "on-cloth" }, t("raffle.find")),
          el("span", { class: "in-side" }, t("raffle.find-go")),
        ),
      ),
      this.told,
    );
  }

  /** @param {boolean} isHashed whether nobody can type their line */
  expect(isHashed) {
    this.hint.hidden = !isHashed;
    this.label.textContent = t(isHashed ? "raffle.find-own" : "raffle.find-label");
    this.input.placeholder = t(isHashed ? "raffle.find-own-short" : "raffle.find-short");
  }

  /** @param {readonly string[]} alike lines that the reader may mean */
  #offer(alike) {
    const choose = (/** @type {string} */ line) => () => {
      this.input.value = line;
      this.element.requestSubmit();
    };
    const buttons = alike.map((line) =>
      el("button", { type: "button", class: "plain", click: choose(line) }, theirs(line, 60)),
    );
    return el("div", { class: "row alike" }, t("raffle.alike"), buttons);
  }

  /** @param {"raffle.bad-link" | "raffle.no-link" | "raffle.other-link" | "raffle.plain-link"} [says] */
  wrong(says = "raffle.bad-link") {
    this.told.replaceChildren(el("p", { class: "find-answer" }, t(says)));
  }

  /**
   * @param {FoundLine} found
   * @param {number} total lines of the list
   * @param {boolean} isDrawn
   * @param {readonly string[]} prizes
   */
  show(found, total, isDrawn, prizes) {
    const { line, tickets, item = 0, address, alike = [], isMore = false } = found;
    const name = address === undefined ? shownLine(line) : theirs(address, 100);
    const values = { line: name, item: item + 1, count: total, n: tickets };
    const says = parts(
      tickets === 0 ? "raffle.out" : tickets === 1 ? "raffle.in" : "raffle.in-several",
      values,
    );
    this.element.dataset.tickets = String(tickets);
    this.told.replaceChildren(
      el(
        "p",
        { class: `find-answer ${tickets > 0 ? "holds" : "missing"}` },
        sign(tickets > 0 ? "holds" : "missing"),
        el(
          "span",
          {},
          says,
          tickets > 0 && isDrawn ? [" ", el("strong", {}, outcome(found, prizes))] : null,
          // The organiser of a hashed list knows no winner without their link.
          isDrawn && found.place !== undefined && !this.hint.hidden
            ? ` ${t("raffle.claim")}`
            : null,
        ),
      ),
      alike.length === 0 ? "" : this.#offer(alike),
      isMore ? el("p", { class: "small" }, t("raffle.alike-more")) : "",
    );
  }
}

/**
 * @param {FoundLine} found
 * @param {readonly string[]} prizes
 * @returns {(Node | string)[]}
 */
function outcome({ place: at }, prizes) {
  if (at === undefined) return [t("raffle.lost")];
  const prize = prizes[at];
  return prize === undefined
    ? [t("raffle.won", { nth: place(at + 1) })]
    : parts("raffle.won-what", { nth: place(at + 1), prize: theirs(prize, 200) });
}
