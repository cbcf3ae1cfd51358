// The latest hands of the log, as they come. A revealed hand is judged in this browser.

import { roundLink } from "./explore/route.js";
import { ago } from "./explore/words.js";
import { handRow } from "./hand-row.js";
import { nameOfKey } from "./keys.js";
import { t } from "./strings.js";
import { el, plain } from "./text.js";

/**
 * @typedef {import("../workers/explore/latest.js").Hand} Hand
 * @typedef {import("../workers/explore/live.js").Connection} Connection
 */

const MOST = 6;
/** A new hand is shown after this time at the earliest, so that a reader can follow. */
const PACE = 2_000;
/** A finger leaves no pointer behind. */
const canHover = matchMedia("(hover: hover)");

/**
 * @typedef {object} LatestList
 * @property {HTMLElement} element
 * @property {(connection: Connection) => void} connection
 * @property {(hasReceipts: boolean) => void} opens whether the host gives receipts
 * @property {() => Promise<void>} update
 */

/**
 * @param {object} options
 * @param {(question: object) => Promise<any>} options.ask the worker that reads the log
 * @param {import("./judged-hands.js").HandJudge} options.judge
 * @param {() => boolean} options.isRefused whether the reader refused the key of this log
 * @param {(hand: Hand) => Promise<void>} options.openHand
 * @returns {LatestList}
 */
export function latestList({ ask, judge, isRefused, openHand }) {
  const list = el("ol", { class: "hands" });
  const live = el("p", { class: "live", role: "status" });
  const note = el("p", { class: "soft small judged" });
  const element = el(
    "section",
    { class: "latest", "aria-label": t("home.latest") },
    el("div", { class: "latest-head" }, el("h2", {}, t("home.latest")), live),
    list,
    note,
  );
  /** @type {Hand[]} */
  let hands = [];
  let hasReceipts = false;
  /** @type {ReturnType<typeof setTimeout> | null} */
  let planned = null;
  let last = 0;
  /** The newest entry that was drawn. */
  let newest = Infinity;

  const draw = () => {
    last = Date.now();
    list.replaceChildren(
      ...hands.map((hand) =>
        handRow(hand, whenOf(hand), judge.found(hand), {
          withTable: true,
          click: () => {
            if (hasReceipts) void openHand(hand);
            else location.href = `explore.html${roundLink(hand.commitment, hand.nonce)}`;
          },
        }),
      ),
    );
    hands.forEach(({ index }, i) => list.children[i].classList.toggle("fresh", index > newest));
    newest = hands[0]?.index ?? newest;
    if (hands.length === 0)
      list.append(el("li", { class: "soft" }, t(isRefused() ? "home.refused" : "home.none")));
    const used = hands.some((hand) => judge.found(hand)?.state === "recomputed")
      ? judge.key()
      : null;
    note.replaceChildren(used === null ? "" : t("home.judged", { name: plain(nameOfKey(used)) }));
  };

  /** Draws at most one change in two seconds, and none under the reader's pointer or focus. */
  const plan = (pause = Math.max(0, last + PACE - Date.now())) => {
    planned ??= setTimeout(() => {
      planned = null;
      const isPointed = canHover.matches && list.matches(":hover");
      if (isPointed || list.matches(":focus-within")) plan(PACE);
      else draw();
    }, pause);
  };

  const judgeAll = () => {
    if (hasReceipts) judge.judge(hands, () => plan());
  };

  setInterval(() => {
    if (!document.hidden && element.isConnected && hands.length > 0) plan();
  }, 5_000);
  return {
    element,
    connection: (to) => {
      element.dataset.connection = to;
      live.replaceChildren(t(to === "live" ? "home.live" : `explore.connection.${to}`));
    },
    opens: (does) => {
      hasReceipts = does;
      judgeAll();
    },
    update: async () => {
      const all = await ask({ ask: "latest", most: MOST });
      hands = isRefused() ? [] : all;
      plan();
      judgeAll();
    },
  };
}

/** @param {Hand} hand */
function whenOf({ time }) {
  return Math.abs(Date.now() - time) < 1_000 ? t("home.now") : ago(time);
}
