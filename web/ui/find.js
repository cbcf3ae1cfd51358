// A hand by its table and its time.

import { shortTime } from "./explore/words.js";
import { handRow } from "./hand-row.js";
import { count, t } from "./strings.js";
import { el, plain } from "./text.js";

/** @typedef {import("../workers/explore/latest.js").Hand} Hand */

/** A menu of more tables helps nobody: then the reader types the name. */
const MOST_IN_MENU = 200;

/**
 * @param {object} options
 * @param {(question: object) => Promise<any>} options.ask
 * @param {import("./judged-hands.js").HandJudge} options.judge
 * @param {{tables: string[], isAll: boolean}} options.tables
 * @param {(hand: Hand) => Promise<void>} options.openHand
 * @returns {HTMLElement}
 */
export function findForm({ ask, judge, tables: { tables, isAll }, openHand }) {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  const [day, when] = [
    el("input", { type: "date", name: "day", required: true, value: now.slice(0, 10) }),
    el("input", { type: "time", name: "when", required: true, value: now.slice(11, 16) }),
  ];
  const table =
    isAll && tables.length <= MOST_IN_MENU
      ? el(
          "select",
          { name: "table" },
          tables.map((name) => el("option", { value: name }, plain(name).slice(0, 60))),
        )
      : el("input", { name: "table", required: true, autocomplete: "off" });
  const told = el("p", { class: "soft", role: "status" });
  const list = el("ol", { class: "hands", id: "found" });
  const result = el("div", { class: "found", hidden: true }, told, list);
  const form = el(
    "form",
    {
      class: "find",
      id: "find",
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void find();
      },
    },
    label("which", t("home.find"), table),
    label("", t("home.day"), day),
    label("", t("home.when"), when),
    el("button", {}, t("home.go")),
  );
  let turn = 0;

  const find = async () => {
    const mark = ++turn;
    // The middle of the minute that the reader named.
    const time = new Date(`${day.value}T${when.value}`).getTime() + 30_000;
    result.hidden = false;
    told.replaceChildren(t("home.finding"));
    list.replaceChildren();
    try {
      /** @type {Hand[]} */
      const hands = await ask({ ask: "find", table: table.value, time });
      if (mark !== turn) return;
      told.replaceChildren(
        hands.length === 0 ? t("home.found-none") : count("home.found", hands.length),
      );
      const draw = (/** @type {Hand} */ hand) =>
        handRow(hand, shortTime(hand.time), judge.found(hand), {
          withTable: false,
          click: () => void openHand(hand),
        });
      list.replaceChildren(...hands.map(draw));
      judge.judge(hands, () => {
        if (mark !== turn) return;
        hands.forEach((hand, i) => {
          const row = list.children[i];
          const found = judge.found(hand);
          if (found === null || row.querySelector(`[data-state="${found.state}"]`) !== null) return;
          const focused = row.contains(document.activeElement);
          row.replaceWith(draw(hand));
          if (focused) list.children[i].querySelector("button")?.focus();
        });
      });
      // The hand that is nearest to the time is in the middle of the list.
      const near = hands.reduce(
        (best, { time: each }, i) =>
          Math.abs(each - time) < Math.abs(hands[best].time - time) ? i : best,
        0,
      );
      list.children[near]?.querySelector("button")?.focus();
    } catch {
      if (mark === turn) told.replaceChildren(t("home.unreachable"));
    }
  };

  return el("div", {}, form, result);
}

/** @param {string} kind @param {string} text @param {HTMLElement} input */
function label(kind, text, input) {
  return el("label", { class: `field ${kind}` }, el("span", {}, text), input);
}
