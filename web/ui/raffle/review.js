// The last look at a raffle before it is promised: after that nothing can be changed.

import { count, parts, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { dayAndHour } from "./words.js";

/** A draw so soon leaves little time to show the promise to people. */
const SOON = 600_000;

/**
 * @param {import("./make.js").Raffle} raffle
 * @param {object} doing
 * @param {(button: HTMLButtonElement, told: HTMLElement) => void} doing.promise
 * @param {() => void} doing.change goes back to the form
 * @returns {(Node | string)[]}
 */
export function drawReview({ made, rules, second }, { promise, change }) {
  const { different, count: n, ends, doubts } = made;
  const { winners, title, prizes = [] } = rules;
  const told = el("div", { class: "told", role: "status" });
  const go = el(
    "button",
    { type: "button", class: "first", id: "promise", click: () => promise(go, told) },
    t("raffle.make.promise"),
  );
  const shown = [
    ...doubts.map(({ kind, lines }) =>
      el("li", { "data-doubt": kind }, t(`raffle.doubt.${kind}`), " ", list(lines)),
    ),
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
    el(
      "dl",
      { class: "review" },
      row(t("raffle.make.name"), title === undefined ? "–" : theirs(title, 200)),
      row(
        t("raffle.review.tickets"),
        n === different ? count("raffle.review.all", n) : t("raffle.review.some", { n, different }),
        el("br"),
        parts("raffle.review.ends", { first: theirs(ends[0], 100), last: theirs(ends[1], 100) }),
      ),
      row(t("raffle.make.winners"), String(winners)),
      prizes.length === 0
        ? null
        : row(
            t("raffle.review.prizes"),
            el(
              "ol",
              {},
              prizes.map((prize) => el("li", {}, theirs(prize))),
            ),
          ),
      row(t("raffle.make.at"), t("raffle.zone", { when: dayAndHour(1000 * second) })),
    ),
    shown.length === 0
      ? ""
      : el(
          "div",
          { class: "note stack", id: "doubts" },
          el("strong", {}, t("raffle.doubt.title")),
          el("ul", {}, shown),
        ),
    el(
      "div",
      { class: "row" },
      go,
      el("button", { type: "button", id: "change", click: change }, t("raffle.review.change")),
    ),
    told,
  ];
}

/** @param {string} name @param {(Node | string | (Node | string)[])[]} value */
const row = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, value.flat()));

/** @param {readonly string[]} lines */
const list = (lines) =>
  lines.flatMap((line, i) => [i === 0 ? "" : ", ", el("q", {}, theirs(line, 60))]);
