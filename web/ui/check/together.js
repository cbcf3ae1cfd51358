// Counts over the rows of a file. They are not verdicts.

import { count, number, t } from "../strings.js";
import { el, section } from "../text.js";
import { rowLinks } from "./words.js";

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
  const { commitments, skipped } = found;
  /** @type {HTMLElement[]} */
  const facts = [];
  /** @param {string} name @param {string} value @param {number[]} [rows] */
  const fact = (name, value, rows = []) => {
    facts.push(el("div", {}, el("dt", {}, name), el("dd", {}, value, rowLinks(rows, show))));
  };
  /** @param {string} name @param {Tally | undefined} tally */
  const tally = (name, tally) => {
    if (tally !== undefined && tally.count > 0) fact(name, number(tally.count), tally.rows);
  };

  fact(t("together.rows"), number(found.rows));
  if (commitments !== undefined) fact(t("together.commitments"), number(commitments));
  tally(t("together.only-0"), found.only_nonce_0);
  tally(t("together.reused"), found.reused);
  if (skipped !== undefined && skipped.missing > 0) {
    const name = t(commitments === undefined ? "together.game-gaps" : "together.nonce-gaps");
    fact(
      name,
      count("together.gaps", skipped.places, { missing: skipped.missing }),
      skipped.examples.map(({ row }) => row),
    );
  }
  tally(t("together.doubled"), found.doubled);
  tally(t("together.never-revealed"), found.never_revealed);
  return section(
    t("together.title"),
    el("p", { class: "soft" }, t("together.lead")),
    el("dl", { class: "together" }, facts),
  );
}
