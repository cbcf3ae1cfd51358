// The cards or items of a round: in a line of the list, and on the round's own page.

import { cardRow, cardsIn, drawBack } from "../cards.js";
import { count, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { longRow } from "../rows.js";

/** @typedef {import("../../workers/explore/views.js").RoundView} RoundView */

/** @param {RoundView} round */
export function drawShort({ cards, indices, digest, seal, reason }) {
  if (cards !== null) {
    const suits = /** @type {Record<string, string>} */ ({ c: "♣", d: "♦", h: "♥", s: "♠" });
    return cardsIn(cards)
      .slice(0, 12)
      .map(([rank, suit]) => `${rank === "T" ? "10" : rank}${suits[suit] ?? suit}`)
      .join(" ");
  }
  if (indices !== null)
    return indices
      .slice(0, 12)
      .map((each) => `#${each}`)
      .join(" ");
  if (reason !== null) return theirs(reason, 80);
  return seal !== null ? t("explore.sealed") : digest === null ? "" : `${digest.slice(0, 16)}…`;
}

/**
 * @param {RoundView} round
 * @param {number} draw the number of items of a deal
 * @returns {HTMLElement | null}
 */
export function drawDealt({ cards, indices, seal, digest, opened, state }, draw) {
  const title = t(cards === null && seal === null ? "card.title-items" : "card.title");
  if (cards !== null)
    return el(
      "div",
      { class: "stack" },
      el("h3", {}, title),
      longRow({ cards: cardsIn(cards) }, { label: title }),
    );
  if (indices !== null)
    return el(
      "div",
      { class: "stack" },
      el("h3", {}, title),
      longRow({ items: indices.map((each) => `#${each}`) }, { label: title }),
    );
  if (seal !== null) {
    return el(
      "div",
      { class: "stack" },
      el("h3", {}, title),
      el("p", {}, t("card.sealed", { n: draw })),
      el(
        "div",
        { class: "cards", "aria-hidden": "true" },
        Array.from({ length: Math.min(draw, 13) }, drawBack),
      ),
      opened.length === 0
        ? null
        : el(
            "div",
            {},
            el("p", {}, count("explore.opened", opened.length)),
            cardRow(
              { items: opened.map(({ item }) => `#${item}`) },
              {
                label: t("explore.opened-cards"),
                captions: opened.map(({ t: place }) => String(place + 1)),
              },
            ),
          ),
    );
  }
  if (digest !== null)
    return el(
      "div",
      { class: "stack" },
      el("h3", {}, title),
      el("p", {}, t("card.digest")),
      el("p", { class: "hex" }, digest),
    );
  return state === "dealt" ? el("p", {}, t("explore.no-result")) : null;
}
