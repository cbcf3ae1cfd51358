// The verdicts on a file of rounds: their numbers, the rows, the changes that would make failing
// rows verify, and the counts over all rows.

import { windowed } from "../windowed.js";
import { count, number, t } from "../strings.js";
import { el, plain, quoted, section, theirs } from "../text.js";
import { drawLimits } from "./limits.js";
import { drawTogether } from "./together.js";
import { VERDICTS, drawWord, english, rowLinks, shellPanel } from "./words.js";

/**
 * @typedef {import("../../workers/check.js").FileAnswer} FileAnswer
 * @typedef {import("../../workers/check.js").RowVerdict} RowVerdict
 * @typedef {import("../../workers/check.js").Verdict} Verdict
 * @typedef {import("../sentence.js").Headline} Headline
 * @typedef {(only: Verdict | null, from: number, to: number) => Promise<RowVerdict[]>} GetRows
 */

/**
 * @param {FileAnswer} answer
 * @returns {Headline}
 */
export function fileHeadline({ holds, total, valid, invalid, error }) {
  if (error !== undefined && valid === 0)
    return { state: "unreadable", sentence: t("check.nothing"), says: error.says };
  if (holds) return { state: "holds", sentence: count("check.all", total) };
  const says = error === undefined ? undefined : error.says;
  if (invalid === 0)
    return { state: "unreadable", sentence: t("check.broken-off", { n: valid }), says };
  return { state: "fails", sentence: t("check.some", { n: invalid, total }), says };
}

/**
 * @param {FileAnswer} answer
 * @param {string} name of the file
 * @param {GetRows} get
 * @returns {HTMLElement}
 */
export function drawFile(answer, name, get) {
  const { would_verify: diagnosis, rows_show: together, cannot_show: limits } = answer;
  const rows = rowList(answer, get);
  return el(
    "div",
    { class: "stack" },
    el(
      "section",
      { class: "panel" },
      el("h2", {}, t("check.rows")),
      el(
        "p",
        { class: "soft small" },
        theirs(name, 80),
        " · ",
        t("check.took", { n: Math.round(answer.took) }),
      ),
      rows.filter,
      rows.list.element,
    ),
    diagnosis === undefined || diagnosis.failing === 0 ? null : drawDiagnosis(diagnosis, rows.show),
    together === undefined ? null : drawTogether(together, rows.show),
    limits === undefined ? null : drawLimits(limits),
    shellPanel(`fairdeal check ${answer.dialect} --file ${quoted(plain(name))}`),
  );
}

/**
 * @param {FileAnswer} answer
 * @param {GetRows} get
 */
function rowList(answer, get) {
  /** @type {Verdict | null} */
  let only = null;
  const explained = explanations(answer.would_verify);
  const size = () => (only === null ? answer.total : (answer.counts[only] ?? 0));
  const list = windowed({
    label: t("check.rows"),
    kind: "check-rows",
    columns: [t("check.row"), t("check.verdict"), t("check.says")],
    count: answer.total,
    get: (from, to) => get(only, from, to),
    draw: (/** @type {RowVerdict} */ { row, verdict, says }) => [
      number(row),
      drawWord(verdict),
      rowSays(says, explained.get(row)),
    ],
  });
  /** @param {Verdict | null} verdict */
  const choose = (verdict) => {
    only = verdict;
    for (const button of filter.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.only === (verdict ?? "all")));
    list.resize(size());
    list.element.scrollTop = 0;
  };
  const given = VERDICTS.filter((verdict) => answer.counts[verdict] !== undefined);
  const filter = el(
    "div",
    { class: "counts", role: "group", "aria-label": t("check.filter") },
    el(
      "button",
      { type: "button", "data-only": "all", "aria-pressed": "true", click: () => choose(null) },
      t("check.every"),
      el("strong", {}, number(answer.total)),
    ),
    given.map((verdict) =>
      el(
        "button",
        {
          type: "button",
          "data-only": verdict,
          "aria-pressed": "false",
          click: () => choose(verdict),
        },
        drawWord(verdict),
        el("strong", {}, number(answer.counts[verdict] ?? 0)),
      ),
    ),
  );
  /** @param {number} row */
  const show = (row) => {
    choose(null);
    list.element.focus({ preventScroll: true });
    list.element.scrollIntoView({ block: "center" });
    list.show(row);
  };
  return { filter, list, show };
}

/**
 * @param {string} says
 * @param {string | undefined} change
 */
function rowSays(says, change) {
  const text = change === undefined ? says : `${says} · ${t("check.would")} ${change}`;
  return el("span", { lang: "en", title: plain(text) }, theirs(text, 400));
}

/**
 * The change that explains each of the first rows.
 * @param {FileAnswer["would_verify"]} found
 * @returns {Map<number, string>}
 */
function explanations(found) {
  return new Map(
    (found?.diagnoses ?? []).flatMap(({ says, first_rows: rows }) =>
      rows.map((row) => [row, says]),
    ),
  );
}

/**
 * The changes that would make failing rows verify.
 * @param {NonNullable<FileAnswer["would_verify"]>} found
 * @param {((row: number) => void) | null} show
 * @returns {HTMLElement}
 */
export function drawDiagnosis({ failing, tried, unexplained, diagnoses }, show) {
  return section(
    t("check.confusions"),
    el("p", {}, t("check.confusions-lead")),
    diagnoses.length === 0
      ? el("p", {}, t("check.no-confusion"))
      : el(
          "ul",
          { class: "confusions" },
          diagnoses.map((each) =>
            el(
              "li",
              {},
              el(
                "p",
                {},
                el("strong", {}, t("check.explains", { n: each.rows, total: each.tried })),
                " ",
                english(each.says),
              ),
              each.also === 0
                ? null
                : el("p", { class: "soft small" }, count("check.also", each.also)),
              each.could_be_chance ? el("p", { class: "soft small" }, t("check.chance")) : null,
              show === null ? null : rowLinks(each.first_rows, show),
            ),
          ),
        ),
    unexplained > 0 && diagnoses.length > 0
      ? el("p", {}, count("check.unexplained", unexplained))
      : null,
    tried < failing
      ? el("p", { class: "soft small" }, t("check.tried", { n: tried, total: failing }))
      : null,
  );
}
