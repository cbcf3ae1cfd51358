// A raffle's number, and the message in which its organiser tells it to everybody before the draw.

import { copyButton } from "../copied.js";
import { count, t, time } from "../strings.js";
import { el } from "../text.js";

/** @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts */

/**
 * @param {RaffleFacts} facts
 * @param {boolean} isBefore the draw
 * @returns {HTMLElement}
 */
export function drawIdentity(facts, isBefore) {
  const { rules, deck, out, number } = facts;
  const title = rules.title ?? t("raffle.untitled");
  const of = count("raffle.of", rules.winners, { w: rules.winners, n: deck.count });
  const when = out === null ? "" : time(1000 * out);
  const message = t("raffle.announcement", { title, of, when, number });
  return el(
    "section",
    { class: "identity", id: "identity" },
    el("h2", {}, t("raffle.id")),
    el("code", { id: "raffle-number" }, number),
    el("p", { class: "soft small" }, t(isBefore ? "raffle.id-before" : "raffle.id-after")),
    isBefore ? el("div", {}, copyButton(message, { word: t("raffle.announce") })) : null,
  );
}
