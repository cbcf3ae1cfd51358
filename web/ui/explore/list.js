// All tables of the log, each with its time line.

import { count, number, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { windowed } from "../windowed.js";
import { tableLink } from "./route.js";
import { drawAxis, drawLane, legend } from "./timeline.js";
import { drawState } from "./words.js";

/**
 * @typedef {import("../../workers/explore/session.js").Summary} Summary
 * @typedef {import("../../workers/explore/lanes.js").Lane} Lane
 * @typedef {import("../../workers/explore/lanes.js").Scale} Scale
 */

/**
 * The ranges of a time line, in milliseconds; 0 means all entries that were read.
 * @type {Record<string, number>}
 */
export const RANGES = {
  all: 0,
  minutes: 600_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** The part of a time line after the present, so that new entries have room. */
const AHEAD = 0.06;

/**
 * @param {string} range
 * @param {{first: number | null, last: number | null}} times the first shown time; and the last
 *   one, if the range is in the past
 * @param {number} width
 * @param {number} now
 * @returns {Scale}
 */
export function scaleOf(range, { first, last }, width, now) {
  const end = range === "all" ? (last ?? now) : now;
  const length = RANGES[range] || Math.max(10_000, end - (first ?? end));
  return { from: end - length * 1.01, to: end + length * AHEAD, width: Math.max(60, width), now };
}

/**
 * @param {(question: object) => Promise<any>} ask
 * @param {Summary} first
 * @returns {{element: HTMLElement, update: (summary: Summary) => void}}
 */
export function tableList(ask, first) {
  let summary = first;
  const axis = el("div", { class: "axis-cell" });
  const range = el(
    "select",
    { name: "range", change: () => list.resize(summary.tables) },
    Object.keys(RANGES).map((each) =>
      el(
        "option",
        { value: each },
        t(/** @type {"explore.range.all"} */ (`explore.range.${each}`)),
      ),
    ),
  );
  const list = windowed({
    label: t("explore.tables"),
    kind: "lanes",
    columns: [
      t("explore.table"),
      el("span", {}, el("span", { class: "silent" }, t("explore.timeline")), axis),
    ],
    count: summary.tables,
    get: async (from, to) => {
      const scale = scaleOf(
        range.value,
        { first: summary.firstTime, last: summary.open === 0 ? summary.lastTime : null },
        axis.clientWidth,
        Date.now(),
      );
      axis.replaceChildren(drawAxis(scale));
      /** @type {Lane[]} */
      const lanes = await ask({ ask: "lanes", from, to, scale });
      return lanes.map((lane) => ({ lane, scale }));
    },
    draw: ({ lane, scale }) => [
      el(
        "span",
        { class: "lane-name" },
        el("span", { class: "name" }, theirs(lane.table, 128)),
        el(
          "span",
          { class: "small soft" },
          drawState(lane.state),
          ` ${count("explore.rounds", lane.rounds)}`,
        ),
      ),
      drawLane(lane, scale.width),
    ],
    href: ({ lane }) => tableLink(lane.table),
  });
  const numbers = el("p", { class: "soft" });
  const draw = () => {
    numbers.replaceChildren(
      ...[
        count("explore.n.tables", summary.tables),
        count("explore.n.commitments", summary.commitments),
        count("explore.rounds", summary.deals + summary.voids),
        ...(summary.overdue > 0 ? [count("explore.n.overdue", summary.overdue)] : []),
      ].flatMap((text, i) => [
        i === 0 ? "" : " · ",
        el("span", { class: i === 3 ? "course overdue" : null }, text),
      ]),
    );
  };
  draw();
  const element = el(
    "section",
    { class: "panel tables" },
    el(
      "div",
      { class: "title-row" },
      el("h2", {}, t("explore.tables")),
      el("label", { class: "inline" }, t("explore.range"), range),
    ),
    numbers,
    el("div", { class: "fill" }, list.element),
    legend(),
    el(
      "p",
      { class: "soft small" },
      t("explore.zone", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    ),
  );
  return {
    element,
    update: (next) => {
      summary = next;
      draw();
      list.resize(summary.tables);
    },
  };
}

/**
 * A note on a log that was not read from its beginning.
 * @param {Summary} summary
 * @param {() => void} earlier
 * @returns {HTMLElement | null}
 */
export function drawPart({ first, next, unknown, broken }, earlier) {
  if (broken !== null) return el("p", { class: "wrong" }, t("explore.broken", { n: broken }));
  if (first === 0) return null;
  return el(
    "div",
    { class: "note row" },
    el(
      "p",
      {},
      t("explore.part", { first: number(first), last: number(next - 1) }),
      unknown > 0 ? ` ${count("explore.unknown", unknown)}` : "",
    ),
    el(
      "button",
      {
        type: "button",
        id: "earlier",
        click: (/** @type {Event} */ event) => {
          /** @type {HTMLButtonElement} */ (event.currentTarget).disabled = true;
          earlier();
        },
      },
      t("explore.earlier"),
    ),
  );
}
