// A raffle's number, and the message in which its organiser tells it to everybody before the draw.

import { copyButton } from "../copied.js";
import { count, t, time } from "../strings.js";
import { el } from "../text.js";

/** @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts */

/**
 * @param {RaffleFacts} facts
 * @param {"before" | "after" | "void"} when the draw, or whether the raffle was given up
 * @returns {HTMLElement}
 */
export function drawIdentity(facts, when) {
  const { rules, deck, out, number } = facts;
  const title = rules.title ?? t("raffle.untitled");
  const of = count("raffle.of", rules.winners, { w: rules.winners, n: deck.count });
  const hour = out === null ? "" : time(1000 * out);
  const message = t("raffle.announcement", { title, of, when: hour, number });
  return el(
    "section",
    { class: "identity", id: "identity" },
    el("h2", {}, t("raffle.id")),
    el("code", { id: "raffle-number" }, number),
    el("p", { class: "soft small" }, t(`raffle.id-${when}`)),
    when === "before" ? el("div", {}, copyButton(message, { word: t("raffle.announce") })) : null,
  );
}
