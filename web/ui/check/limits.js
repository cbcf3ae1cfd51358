// The facts that a scheme shows and cannot show, next to each other in the same size, and the bias
// of its results.

import { isKey, number, t } from "../strings.js";
import { el } from "../text.js";
import { sign } from "../verdict.js";
import { english } from "./words.js";

/**
 * @typedef {ReturnType<typeof import("../../fairdeal/dialects/index.js").limits>} Limits
 * @typedef {Limits["statements"][0]} Statement
 * @typedef {Limits["bias"]} Bias
 */

/**
 * @param {Limits} limits
 * @returns {HTMLElement}
 */
export function drawLimits({ statements, bias }) {
  /** @param {...Statement["standing"]} standings */
  const of = (...standings) => statements.filter(({ standing }) => standings.includes(standing));
  return el(
    "div",
    { class: "steps limits" },
    group("shown", t("limits.shown"), [
      item("holds", t("limits.result"), t("limits.result-says")),
      ...of("shown").map((each) => statement("holds", each)),
      ...of("property").map((each) => statement("pending", each)),
      ...biasItems(bias),
    ]),
    group(
      "missing",
      t("limits.missing"),
      of("not-shown", "in-part", "in-the-log").map((each) => statement("unreadable", each)),
    ),
  );
}

/**
 * @param {string} kind
 * @param {string} title
 * @param {HTMLElement[]} items
 */
function group(kind, title, items) {
  return el(
    "section",
    { class: `panel ${kind}` },
    el("h2", {}, title),
    el("ul", { class: "statements" }, items),
  );
}

/**
 * @param {"holds" | "unreadable" | "pending"} state
 * @param {string} title
 * @param {...(string | Node)} says
 */
function item(state, title, ...says) {
  return el(
    "li",
    { class: `statement ${state}` },
    sign(state),
    el("div", {}, el("h3", {}, title), el("p", {}, ...says)),
  );
}

/**
 * @param {"holds" | "unreadable" | "pending"} state
 * @param {Statement} each
 */
function statement(state, { code, standing, says }) {
  const key = `limits.code.${code}`;
  const part = `limits.standing.${standing}`;
  return item(
    state,
    isKey(key) ? t(key) : code,
    isKey(part) ? el("strong", {}, t(part), " ") : "",
    english(says),
  );
}

/**
 * The bias of the results: exact figures.
 * @param {Bias} bias
 * @returns {HTMLElement[]}
 */
function biasItems(bias) {
  if (bias.kind === "multiplier") return multiplierItems(/** @type {any} */ (bias));
  const { biased, ranges, draws, unseen_rounds: unseen } = /** @type {any} */ (bias);
  if (!biased) return [item("holds", t("bias.title"), t("bias.none", { n: draws }))];
  const worst = ranges.reduce((/** @type {any} */ a, /** @type {any} */ b) =>
    b.deviation.decimal > a.deviation.decimal ? b : a,
  );
  return [
    item(
      "pending",
      t("bias.title"),
      t("bias.draws", {
        range: worst.range,
        deviation: worst.deviation.exact,
        decimal: worst.deviation.decimal.toExponential(1),
      }),
      unseen === undefined ? "" : ` ${t("bias.unseen", { n: unseen.toExponential(0) })}`,
    ),
  ];
}

/**
 * @param {{house_edge: any, lowest: any, largest: string, first_impossible?: string, points: any[]}} bias
 */
function multiplierItems({ house_edge: edge, lowest, largest, first_impossible: first, points }) {
  const percent = (/** @type {number} */ decimal) =>
    `${(100 * decimal).toPrecision(6).replace(/\.?0+$/, "")} %`;
  return [
    item(
      "pending",
      t("bias.edge"),
      t("bias.edge-says", {
        edge: percent(edge.decimal),
        lowest: percent(lowest.decimal),
        largest,
      }),
      first === undefined ? "" : ` ${t("bias.impossible", { first })}`,
    ),
    el(
      "li",
      { class: "statement pending" },
      sign("pending"),
      el(
        "details",
        {},
        el("summary", {}, t("bias.points")),
        el(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": t("bias.points") },
          el(
            "table",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                el("th", { scope: "col" }, t("bias.multiplier")),
                el("th", { scope: "col" }, t("bias.chance")),
                el("th", { scope: "col" }, t("bias.short")),
              ),
            ),
            el(
              "tbody",
              {},
              points.map(({ multiplier, probability, relative }) =>
                el(
                  "tr",
                  {},
                  el("th", { scope: "row" }, multiplier),
                  el("td", {}, percent(probability.decimal)),
                  el(
                    "td",
                    {},
                    relative.decimal === 0 ? number(0) : relative.decimal.toExponential(1),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}
