// Checks rounds of other operators' schemes, away from the page. The rows stay here: a page asks
// for the rows that it shows.

import { checkRound, checkRows, dialects, limits } from "../fairdeal/dialects/index.js";
import { answerWith } from "./answers.js";

/**
 * @typedef {import("../fairdeal/dialects/index.js").Checked} Checked
 * @typedef {import("../fairdeal/dialects/index.js").RowVerdict} RowVerdict
 * @typedef {import("../fairdeal/dialects/index.js").Verdict} Verdict
 * @typedef {Omit<Checked, "rows"> & {total: number, counts: Partial<Record<Verdict, number>>,
 *   took: number}} FileAnswer
 * @typedef {ReturnType<typeof checkRound> & {cannot_show: ReturnType<typeof limits>}} RoundAnswer
 */

/** @type {RowVerdict[]} */
let rows = [];
/** The numbers of the rows of each verdict. @type {Map<Verdict, number[]>} */
let byVerdict = new Map();

answerWith({
  dialects: () => dialects(),

  /** @param {{dialect: string}} question */
  limits: ({ dialect }) => limits(dialect),

  /**
   * @param {{dialect: string, row: object}} question
   * @returns {RoundAnswer}
   */
  round: ({ dialect, row }) => ({ ...checkRound(dialect, row), cannot_show: limits(dialect) }),

  /**
   * @param {{dialect: string, bytes: Uint8Array}} question
   * @param {(done: number) => void} tell
   * @returns {FileAnswer}
   */
  file({ dialect, bytes }, tell) {
    const started = performance.now();
    const { rows: judged, ...rest } = checkRows(dialect, bytes, { onProgress: tell });
    rows = judged;
    byVerdict = new Map();
    for (const { row, verdict } of rows) {
      const same = byVerdict.get(verdict);
      if (same === undefined) byVerdict.set(verdict, [row]);
      else same.push(row);
    }
    const counts = Object.fromEntries(
      [...byVerdict].map(([verdict, { length }]) => [verdict, length]),
    );
    return { ...rest, total: rows.length, counts, took: performance.now() - started };
  },

  /**
   * Some of the rows, or of those with one verdict.
   * @param {{only: Verdict | null, from: number, to: number}} question
   * @returns {RowVerdict[]}
   */
  rows({ only, from, to }) {
    if (only === null) return rows.slice(from, to);
    return (byVerdict.get(only) ?? []).slice(from, to).map((row) => rows[row]);
  },
});
