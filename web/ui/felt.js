// The table's cloth: two hands of five, each card with two sides.

import { drawBack, drawCard, nameOf } from "./cards.js";
import { t } from "./strings.js";
import { el } from "./text.js";

/** A hand of five places. */
class Hand {
  /** @param {string} name @param {string} title */
  constructor(name, title) {
    this.places = Array.from({ length: 5 }, () => el("li", { class: "place-of-card" }));
    this.says = el("span", { class: "hand-says" });
    this.element = el(
      "section",
      { class: `hand ${name}`, "aria-label": title },
      el("h2", {}, title, " ", this.says),
      el("ol", { class: "five" }, this.places),
    );
    this.clear();
  }

  /** Five empty places. */
  clear() {
    this.says.textContent = "";
    for (const place of this.places) {
      place.className = "place-of-card";
      place.replaceChildren();
    }
  }

  /** Five cards face down. */
  deal() {
    this.says.textContent = "";
    for (const place of this.places) {
      place.className = "place-of-card dealt";
      place.replaceChildren(
        el("span", { class: "turn" }, el("span", { class: "side back-side" }, drawBack())),
      );
    }
  }

  /**
   * Turns the cards over, from left to right.
   * @param {readonly string[]} cards
   * @param {readonly number[]} [wrong] places that are marked
   */
  show(cards, wrong = []) {
    this.places.forEach((place, i) => {
      if (cards[i] === undefined) return;
      const back = drawBack();
      // Two sides, one card: only the face has a name.
      back.setAttribute("aria-hidden", "true");
      place.replaceChildren(
        el(
          "span",
          { class: "turn" },
          el("span", { class: "side back-side" }, back),
          el("span", { class: "side face-side" }, drawCard(cards[i])),
        ),
      );
      place.className = `place-of-card dealt shown${wrong.includes(i) ? " differs" : ""}`;
      if (wrong.includes(i))
        place.append(
          el("span", { class: "silent" }, t("play.swapped", { card: nameOf(cards[i]) })),
        );
    });
  }
}

/** The cloth with both hands and the text between them. */
export class Felt {
  constructor() {
    this.house = new Hand("house", t("play.house"));
    this.yours = new Hand("yours", t("play.you"));
    this.result = el("p", { class: "result", role: "status" });
    this.button = el("button", { type: "button", id: "deal", class: "deal" }, t("play.deal"));
    this.score = el("p", { class: "score" });
    this.element = el(
      "div",
      { class: "felt" },
      this.house.element,
      el("div", { class: "middle" }, this.result, this.button, this.score),
      this.yours.element,
    );
  }

  clear() {
    this.house.deal();
    this.yours.deal();
    this.result.textContent = "";
    this.element.dataset.end = "";
  }

  /**
   * @param {string} text
   * @param {"won" | "lost" | "split" | "caught" | ""} end
   */
  say(text, end = "") {
    this.result.textContent = text;
    this.element.dataset.end = end;
  }
}
