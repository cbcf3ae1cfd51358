// A raffle's number, and the message in which its organiser tells it to everybody before the draw.

import { copyButton } from "../copied.js";
import { count, t } from "../strings.js";
import { el, plain } from "../text.js";
import { shortLine } from "./cloth.js";
import { nameOf } from "./whole.js";
import { weekday } from "./words.js";

/** @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts */

/**
 * @param {RaffleFacts} facts
 * @param {"before" | "after" | "void" | "changed"} when the draw; or whether the raffle was given up, or the
 *   list is not its own
 * @param {() => string} page its address; empty if it is a file
 * @returns {HTMLElement}
 */
export function drawIdentity(facts, when, page) {
  const { number } = facts;
  return el(
    "section",
    { class: "identity", id: "identity" },
    el("h2", {}, t("raffle.id")),
    el("code", { id: "raffle-number" }, number),
    el("p", { class: "soft small" }, t(`raffle.id-${when}`)),
    when === "before"
      ? el(
          "div",
          {},
          copyButton(() => announcement(facts, page()), { word: t("raffle.announce") }),
        )
      : null,
  );
}

/** By what a message names a raffle. @param {RaffleFacts} facts */
const named = ({ rules, out, number }) => ({
  title: plain(rules.title ?? t("raffle.untitled")),
  when: out === null ? "" : weekday(1000 * out),
  number,
});

/** @param {RaffleFacts} facts @param {string} page */
function announcement(facts, page) {
  const { winners, prizes = [] } = facts.rules;
  return t("raffle.announcement", {
    ...named(facts),
    of: count("raffle.of", winners, { w: winners, n: facts.deck.count }),
    prizes:
      prizes.length === 0 ? "" : ` ${t("raffle.review.prizes")}: ${plain(prizes.join(", "))}.`,
    page: page === "" ? t("raffle.announcement-file", { file: nameOf(facts) }) : page,
  });
}

/**
 * The winners in order, each with the number of its place, as a message to everybody has them.
 * @param {readonly import("../../fairdeal/raffle.js").Winner[]} drawn
 * @param {Map<string, string>} names the addresses of lines
 */
const winnersOf = (drawn, names) =>
  drawn.map(({ line }, i) => `${i + 1}. ${plain(names.get(line) ?? shortLine(line))}`);

/**
 * Whether a text names the winners: then it is from after the draw.
 * @param {string} text
 * @param {readonly import("../../fairdeal/raffle.js").Winner[]} drawn
 * @param {Map<string, string>} names the addresses of lines
 */
export const namesWinners = (text, drawn, names) =>
  drawn.length > 0 &&
  [names, new Map()].some((each) => winnersOf(drawn, each).every((one) => text.includes(one)));

/**
 * The winners, for a message to everybody.
 * @param {RaffleFacts} facts
 * @param {readonly import("../../fairdeal/raffle.js").Winner[]} drawn
 * @param {Map<string, string>} names the addresses of lines
 */
export function winnersText(facts, drawn, names) {
  const all = winnersOf(drawn, names).map((winner, i) => {
    const prize = facts.rules.prizes?.[i];
    return `${winner}${prize === undefined ? "" : `: ${plain(prize)}`}\n`;
  });
  return t("raffle.winners-text", { ...named(facts), winners: all.join("") });
}
