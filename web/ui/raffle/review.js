// The last look at a raffle before it is promised: after that nothing can be changed.

import { count, parts, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { weekday } from "./words.js";

/** A draw so soon leaves little time to show the promise to people. */
const SOON = 600_000;
/** So many characters of a long list are shown. */
const MOST_SHOWN = 200_000;

/**
 * @param {import("./make.js").Raffle} raffle
 * @param {object} doing
 * @param {(buttons: HTMLButtonElement[], told: HTMLElement) => void} doing.promise is given the
 *   buttons, of which none does anything meanwhile, and the place for what the organiser is told
 * @param {() => void} doing.change goes back to the form
 * @param {() => void} doing.repeat writes each line with a number of tickets so often
 * @returns {(Node | string)[]}
 */
export function drawReview(raffle, { promise, change, repeat }) {
  const { made, rules, second } = raffle;
  const { winners, prizes = [] } = rules;
  const told = el("div", { class: "told", role: "status" });
  const back = el(
    "button",
    { type: "button", id: "change", click: change },
    t("raffle.review.change"),
  );
  const go = el(
    "button",
    { type: "button", class: "first", id: "promise", click: () => promise([go, back], told) },
    t("raffle.make.promise"),
  );
  const shown = [
    ...made.doubts.map(({ kind, lines }) =>
      el(
        "li",
        { "data-doubt": kind },
        t(`raffle.doubt.${kind}`),
        " ",
        list(lines),
        kind === "counted"
          ? el("div", {}, el("button", { type: "button", click: repeat }, t("raffle.doubt.repeat")))
          : null,
      ),
    ),
    made.different === winners && winners > 1
      ? el("li", { "data-doubt": "everybody" }, t("raffle.doubt.everybody"))
      : null,
    rules.title === undefined
      ? el("li", { "data-doubt": "title" }, t("raffle.doubt.no-title"))
      : null,
    prizes.length > 0 && prizes.length < winners
      ? el(
          "li",
          { "data-doubt": "prizes" },
          t("raffle.doubt.prizes", { n: prizes.length, winners }),
        )
      : null,
    1000 * second - Date.now() < SOON
      ? el("li", { "data-doubt": "soon" }, t("raffle.doubt.soon"))
      : null,
  ].filter((each) => each !== null);
  return [
    el("h1", { tabindex: -1 }, t("raffle.review.title")),
    el("p", {}, t("raffle.make.final")),
    drawSummary(raffle),
    shown.length === 0
      ? ""
      : el(
          "div",
          { class: "note stack", id: "doubts" },
          el("strong", {}, t("raffle.doubt.title")),
          el("ul", {}, shown),
        ),
    el("div", { class: "row" }, go, back),
    told,
  ];
}

/**
 * What is promised, in a few lines.
 * @param {import("./make.js").Raffle} raffle
 */
export function drawSummary({ made, names, rules, second }) {
  const { count: n, different, ends, several, entrants } = made;
  const { title, winners, prizes = [] } = rules;
  const [first, last] = ends.map((end) => theirs(visible(end), 100));
  const tickets =
    n === different ? count("raffle.review.all", n) : t("raffle.review.some", { n, different });
  const each = prizes.map((prize) => el("li", {}, theirs(prize)));
  return el(
    "dl",
    { class: "review" },
    title === undefined ? null : row(t("raffle.make.name"), theirs(title, 200)),
    row(
      t("raffle.review.tickets"),
      tickets,
      el("br"),
      parts("raffle.review.ends", { first, last }),
      el(
        "details",
        {},
        el("summary", {}, t("raffle.review.lines")),
        el(
          "textarea",
          { readonly: true, rows: 8, "aria-label": t("raffle.review.lines") },
          names.trim().slice(0, MOST_SHOWN),
        ),
      ),
    ),
    several.length === 0
      ? null
      : row(
          t("raffle.review.several"),
          several.flatMap(([line, k], i) => [i === 0 ? "" : ", ", theirs(line, 60), ` ${k}`]),
        ),
    row(
      t("raffle.review.list"),
      t(entrants.length === 0 ? "raffle.review.public" : "raffle.review.hidden"),
    ),
    row(t("raffle.make.winners"), String(winners)),
    each.length === 0 ? null : row(t("raffle.review.prizes"), el("ol", {}, each)),
    // It has the name of its zone: when summer ends, one hour comes twice.
    row(t("raffle.make.at"), weekday(1000 * second)),
  );
}

/** @param {string} name @param {(Node | string | (Node | string)[])[]} value */
const row = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, value.flat()));

/** A line with a dot for each of several blanks, and an arrow for a tab. @param {string} line */
const visible = (line) =>
  line.replaceAll(/ {2,}/g, (blanks) => "·".repeat(blanks.length)).replaceAll("\t", " ⇥ ");

/** Lines in quotes. @param {readonly string[]} lines */
const list = (lines) =>
  lines.flatMap((line, i) => [i === 0 ? "" : ", ", el("q", {}, theirs(visible(line), 60))]);
