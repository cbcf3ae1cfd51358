// The states of commitments and rounds in words and signs, and relative times.

import { locale, t } from "../strings.js";
import { el, svg } from "../text.js";

/**
 * @typedef {import("../../workers/explore/chronicle.js").State} State
 * @typedef {State | "dealt"} AnyState
 */

/** Each sign has a different outline, in a square of 20. @type {Record<AnyState, string[]>} */
const SIGNS = {
  unused: ["M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14z"],
  open: ["M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14z", "M10 10h.01"],
  locked: ["M4 9h12v8H4z", "M7 9V6a3 3 0 0 1 6 0v3"],
  "used-up": ["M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14z", "M10 6v4l3 2"],
  dealt: ["M5 3h10v14H5z", "M8 7h4M8 11h4"],
  revealed: ["M3 10l5 5 9-10"],
  voided: ["M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14z", "M5 15L15 5"],
  overdue: ["M10 2l9 16H1z", "M10 8v4M10 15h.01"],
};

/**
 * @param {AnyState} state
 * @returns {HTMLElement}
 */
export function drawState(state) {
  return el(
    "span",
    { class: `course ${state}` },
    svg(
      "svg",
      { viewBox: "0 0 20 20", "aria-hidden": "true" },
      ...SIGNS[state].map((d) => svg("path", { d })),
    ),
    t(`explore.state.${state}`),
  );
}

/** @type {["day" | "hour" | "minute" | "second", number][]} */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "always", style: "short" });

/**
 * The time since or until a moment.
 * @param {number} then
 * @param {number} [now]
 * @returns {string}
 */
export function ago(then, now = Date.now()) {
  const rest = then - now;
  if (!Number.isFinite(rest)) return String(then);
  const [unit, length] = UNITS.find(([, each]) => Math.abs(rest) >= each) ?? UNITS[3];
  return relative.format(Math.trunc(rest / length), unit);
}

/**
 * A length of time, in its largest unit.
 * @param {number} milliseconds
 * @returns {string}
 */
export function lasting(milliseconds) {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= each) ?? UNITS[3];
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.max(1, Math.trunc(milliseconds / length)));
}

const clocks = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const days = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/**
 * A time in a narrow column: without the day, if it was today.
 * @param {number} then
 * @returns {string}
 */
export function shortTime(then) {
  const date = new Date(then);
  if (Number.isNaN(date.getTime())) return String(then);
  return (date.toDateString() === new Date().toDateString() ? clocks : days).format(date);
}
