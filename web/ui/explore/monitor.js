// The events of a monitor about this log, from its file (spec/audit.md, section 29.3). Nobody signs
// such a file, so the panel says where the words come from, and concludes nothing.

import { meaning } from "../sentence.js";
import { count, t, time } from "../strings.js";
import { el, plain, theirs } from "../text.js";
import { windowed } from "../windowed.js";
import { placeLink } from "./route.js";

/**
 * One event, of which only the members that the panel shows are read.
 * @typedef {object} MonitorEvent
 * @property {string} id
 * @property {number} time in Unix milliseconds
 * @property {string} log the key's name and id
 * @property {"fork" | "finding" | "warning" | "over" | "judged"} event
 * @property {string} code
 * @property {string} says
 * @property {number} [index]
 * @property {string} [commitment]
 * @property {number} [nonce]
 * @property {string} [evidence]
 */

const KINDS = ["fork", "finding", "warning", "over", "judged"];

/**
 * The events in a file, each once; the newest first. A line that is none is counted.
 * @param {string} text
 * @returns {{events: MonitorEvent[], unread: number} | null} null if the file has none at all
 */
export function eventsIn(text) {
  /** @type {Map<string, MonitorEvent>} */
  const all = new Map();
  let unread = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const event = eventIn(line);
    if (event === null) unread++;
    else all.set(event.id, event);
    // A long file of something else.
    if (all.size === 0 && unread > 3) return null;
  }
  if (all.size === 0) return null;
  return { events: [...all.values()].sort((a, b) => b.time - a.time), unread };
}

/**
 * @param {string} line
 * @returns {MonitorEvent | null}
 */
function eventIn(line) {
  let read;
  try {
    read = JSON.parse(line);
  } catch {
    return null;
  }
  const { id, time: told, log, event, code, says, index, commitment, nonce, evidence } = read ?? {};
  const isNumber = (/** @type {unknown} */ value) =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
  const isOne =
    /^[0-9a-f]{32}$/.test(id) &&
    Number.isSafeInteger(told) &&
    [log, code, says].every((each) => typeof each === "string") &&
    KINDS.includes(event) &&
    [index, nonce].every(isNumber) &&
    (commitment === undefined || /^[0-9a-f]{64}$/.test(commitment)) &&
    (evidence === undefined || typeof evidence === "string");
  return isOne ? read : null;
}

/**
 * @param {{events: MonitorEvent[], unread: number}} found
 * @param {string} origin of the log that the page shows
 * @param {string | null} key of the log, if the reader gave it
 * @returns {HTMLElement}
 */
export function monitorPanel({ events, unread }, origin, key) {
  const [, id] = key?.split("+") ?? [];
  const isOurs = (/** @type {MonitorEvent} */ { log }) =>
    id === undefined ? log.slice(0, log.lastIndexOf("+")) === origin : log === `${origin}+${id}`;
  const ours = events.filter(isOurs);
  const accusing = ours.filter(({ event }) => event === "fork" || event === "finding").length;
  return el(
    "section",
    { class: "panel", id: "monitor", "data-accusing": String(accusing) },
    el("h2", {}, t("monitor.title")),
    el("p", {}, t("monitor.lead")),
    el(
      "p",
      { class: accusing > 0 ? "wrong" : "" },
      accusing > 0 ? count("monitor.accusing", accusing) : t("monitor.none"),
    ),
    ours.length === 0 ? null : table(ours),
    events.length === ours.length
      ? null
      : el("p", { class: "soft small" }, count("monitor.others", events.length - ours.length)),
    unread === 0 ? null : el("p", { class: "soft small" }, count("monitor.unread", unread)),
  );
}

/** @param {MonitorEvent[]} events */
function table(events) {
  return windowed({
    label: t("monitor.events"),
    kind: "findings",
    columns: [t("monitor.when"), t("audit.what"), t("audit.entry"), t("check.says")],
    count: events.length,
    get: (from, to) => events.slice(from, to),
    draw: ({ event, code, index, says, evidence, time: told }) => [
      time(told),
      el("span", {}, `${t(`monitor.kind.${event}`)}: `, what(event, code)),
      index === undefined ? t("audit.no-entry") : t("audit.at-entry", { n: index }),
      el(
        "span",
        { lang: "en", title: plain(evidence === undefined ? says : `${says} (${evidence})`) },
        theirs(says, 400),
      ),
    ],
    href: ({ commitment = null, nonce = null }) => placeLink(commitment, nonce),
  }).element;
}

/** @param {MonitorEvent["event"]} event @param {string} code */
function what(event, code) {
  return event === "fork" || event === "finding" ? meaning(code, "title") : theirs(code, 40);
}
