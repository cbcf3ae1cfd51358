// Counts over the rows of a file. They are not verdicts.

import { number, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { section } from "../verdict.js";
import { english, rowLinks } from "./words.js";

/**
 * @typedef {NonNullable<import("../../workers/check.js").FileAnswer["rows_show"]>} Together
 * @typedef {import("../../fairdeal/dialects/rows-show.js").Tally} Tally
 */

/**
 * @param {Together} found
 * @param {(row: number) => void} show
 * @returns {HTMLElement}
 */
export function drawTogether(found, show) {
  const { notes } = found;
  /** @type {HTMLElement[]} */
  const facts = [];
  /** @param {string} name @param {string | Node} value @param {number[]} [rows] */
  const fact = (name, value, rows = []) => {
    facts.push(el("div", {}, el("dt", {}, name), el("dd", {}, value, rowLinks(rows, show))));
  };
  /** @param {string} name @param {Tally | undefined} tally */
  const tally = (name, tally) => {
    if (tally !== undefined && tally.count > 0) fact(name, number(tally.count), tally.rows);
  };

  fact(t("together.rows"), number(found.rows));
  if (found.commitments !== undefined) {
    const { count, longest, longest_row: row, only_nonce_0: only } = found.commitments;
    fact(t("together.commitments"), t("together.commitments-of", { n: count, longest }), count === 0 ? [] : [row]);
    tally(t("together.only-0"), only);
  }
  for (const [name, gaps] of /** @type {const} */ ([["together.nonce-gaps", found.nonce_gaps], ["together.game-gaps", found.game_gaps]])) {
    if (gaps !== undefined && gaps.missing > 0) fact(t(name), t("together.gaps", { n: gaps.missing, places: gaps.places }), gaps.examples.map(({ row }) => row));
  }
  const { count: twice, same_result: same, other_result: other, examples } = found.given_twice;
  if (twice > 0) fact(t("together.twice"), t("together.twice-of", { n: twice, same, other }), examples.map(({ row }) => row));
  tally(t("together.two-commitments"), found.exchanged?.seeds_under_two_commitments);
  tally(t("together.two-seeds"), found.exchanged?.commitments_with_two_seeds);
  tally(t("together.used-again"), found.seeds_used_again);
  tally(t("together.never-revealed"), found.never_revealed);
  tally(t("together.without"), found.without_commitment);
  if (found.clients !== undefined) {
    const { distinct, commonest } = found.clients;
    fact(t("together.clients"), number(distinct));
    if (commonest !== undefined && distinct > 1) {
      fact(t("together.commonest"), el("span", {}, theirs(commonest.text, 64), " · ", t("together.share", { percent: (100 * commonest.share).toFixed(1) })), [commonest.row]);
    }
  }
  tally(t("together.odd-length"), found.seeds.unusual_length);
  tally(t("together.few-characters"), found.seeds.few_characters);
  tally(t("together.short"), found.seeds.short);
  return section(t("together.title"),
    el("p", { class: "soft" }, t("together.lead")),
    notes.length === 0 ? null : el("div", { class: "note" }, el("h3", {}, t("together.look")), el("ul", { class: "bullets" }, notes.map(({ says }) => el("li", {}, english(says))))),
    el("dl", { class: "together" }, facts));
}
