// What is due, and all tables.

import { drawState } from "../explore/words.js";
import { commitmentLink, tableLink } from "../explore/route.js";
import { count, number, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { commitForm } from "./commit.js";
import { gameName } from "./games.js";
import { drawWhen, redraw } from "./parts.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./api.js").Standing} Standing */

/** A reveal within this time is soon. */
const SOON = 15 * 60_000;
/** Rows that are drawn at most: the rest is one line. */
const MOST = 200;

/** @param {Standing} standing */
export const isOverdue = ({ overdue, reveal_by: by, state }) =>
  state !== "revealed" && state !== "voided" && (overdue || by < Date.now());

/** @param {Standing} standing @returns {"caught" | "unproved" | "fair"} the colour of its cloth */
export function urgency(standing) {
  if (isOverdue(standing)) return "caught";
  const { reveal_by: by, time } = standing;
  return by - Date.now() < Math.min(SOON, (by - time) / 10) ? "unproved" : "fair";
}

/**
 * @param {Model} model
 * @param {(terms: import("../../fairdeal/client.js").Terms, signal: AbortSignal) => Promise<void>}
 *   commit
 * @returns {{element: HTMLElement, update: () => void, focus: () => void}}
 */
export function overview(model, commit) {
  const cloth = el("section", { class: "cloth", id: "due" });
  const list = el("section", { class: "tables" });
  const witnesses = el("section", { class: "tables", id: "witnesses", hidden: true });
  const closed = el("details", { class: "closed", hidden: true });
  const form = el(
    "section",
    { class: "new-table", hidden: true },
    el("h2", {}, t("operator.new")),
    commitForm({ commit }),
  );
  const update = () => {
    const due = model.due();
    cloth.className = `cloth ${due.length === 0 ? "none" : urgency(due[0])}`;
    redraw(cloth, ...drawDue(due, form));
    redraw(
      list,
      el("h2", {}, t("operator.tables")),
      due.length === 0 ? el("p", { class: "soft" }, t("operator.no-tables")) : drawRows(model, due),
    );
    witnesses.hidden = model.witnesses.length === 0;
    redraw(witnesses, ...drawWitnesses(model));
    const others = model.closed();
    closed.hidden = others.length === 0;
    const isOpen = closed.open;
    redraw(
      closed,
      el("summary", { id: "closed" }, el("h2", {}, count("operator.closed", others.length))),
      el(
        "ul",
        { class: "names" },
        others
          .slice(0, MOST)
          .map((name) => el("li", {}, el("a", { href: tableLink(name) }, theirs(name, 128)))),
      ),
    );
    closed.open = isOpen;
  };
  return {
    element: el("div", { class: "view" }, cloth, form, list, witnesses, closed),
    update,
    focus: () => cloth.querySelector("h1")?.focus(),
  };
}

/** @param {Standing[]} due @param {HTMLElement} form */
function drawDue(due, form) {
  const overdue = due.filter(isOverdue).length;
  const [first] = due;
  const begin = el(
    "button",
    {
      type: "button",
      class: overdue > 0 ? null : "first",
      id: "new-table",
      click: () => {
        form.hidden = false;
        form.scrollIntoView({ block: "nearest" });
        form.querySelector("input")?.focus({ preventScroll: true });
      },
    },
    t("operator.new"),
  );
  const title =
    overdue > 0
      ? count("operator.overdue", overdue)
      : first === undefined
        ? t("operator.none")
        : t(urgency(first) === "unproved" ? "operator.soon" : "operator.in-time");
  return [
    el("h1", { tabindex: "-1" }, title),
    first === undefined
      ? el("p", {}, t("operator.none-hint"))
      : el(
          "p",
          {},
          t(overdue > 0 ? "operator.overdue-hint" : "operator.first-due"),
          " ",
          el("a", { href: linkOf(first), id: "first-due" }, theirs(first.table, 128)),
          ", ",
          drawWhen(first.reveal_by),
        ),
    el(
      "div",
      { class: "row actions" },
      overdue > 0
        ? el("a", { class: "button first", href: linkOf(first), id: "go-to" }, t("operator.go-to"))
        : null,
      begin,
      el("a", { class: "button", href: "raffle.html#new", id: "new-raffle" }, t("operator.raffle")),
    ),
  ];
}

/** @param {Model} model */
function drawWitnesses({ witnesses, unanchored }) {
  return [
    el("h2", {}, t("operator.witnesses")),
    unanchored === undefined
      ? null
      : el("p", { class: "soft" }, t("operator.unanchored"), " ", theirs(unanchored, 500)),
    el(
      "ul",
      { class: "names" },
      witnesses.map(({ name, signed, answer, claim }) =>
        el(
          "li",
          { class: claim === undefined ? null : "late" },
          theirs(name, 128),
          " ",
          claim === undefined ? null : el("strong", {}, t("operator.witness-claims"), " "),
          el(
            "span",
            { class: "soft small" },
            signed === undefined ? "" : `${t("operator.witness-signed", { n: number(signed) })} · `,
            theirs(answer ?? t("operator.witness-silent"), 500),
          ),
        ),
      ),
    ),
  ];
}

/** @param {Standing} standing */
const linkOf = ({ commitment }) => commitmentLink(commitment);

/** @param {Model} model @param {Standing[]} due */
function drawRows(model, due) {
  return el(
    "ol",
    { class: "due-rows" },
    due.slice(0, MOST).map((each) => {
      const isLast = model.tables.get(each.table) === each.commitment;
      const late = isOverdue(each);
      const { rounds, next, in_play: inPlay = [] } = each;
      const done = Math.min(next, rounds);
      return el(
        "li",
        { class: late ? "late" : null },
        el(
          "a",
          { href: isLast ? tableLink(each.table) : linkOf(each), id: `row-${each.commitment}` },
          el("span", { class: "name" }, theirs(each.table, 128)),
          el(
            "span",
            { class: "what" },
            inPlay.length > 0
              ? el("strong", { class: "mark here" }, t("operator.in-play"))
              : drawState(each.state),
            el(
              "span",
              { class: "soft small" },
              gameName(each),
              " · ",
              t("operator.rounds-of", { done: number(done), rounds: number(rounds) }),
            ),
          ),
          el(
            "span",
            { class: "when" },
            late
              ? el("strong", {}, t("operator.late"), " ")
              : el("span", { class: "soft small" }, t("operator.reveal-by"), " "),
            drawWhen(each.reveal_by),
          ),
        ),
      );
    }),
    due.length > MOST
      ? el("li", { class: "soft" }, t("operator.rest", { n: due.length - MOST }))
      : null,
  );
}
