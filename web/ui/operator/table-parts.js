// Parts of a table's view that only draw.

import { tableLink } from "../explore/route.js";
import { shortTime } from "../explore/words.js";
import { number, t } from "../strings.js";
import { el, plain, theirs } from "../text.js";
import { handOf } from "./api.js";
import { drawBoard, drawSeats } from "./hand.js";
import { copyable, drawWhen } from "./parts.js";

/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("./api.js").Round} Round */
/** @typedef {import("../strings.js").Key} Key */

/** The round to show. @param {Standing} standing @returns {number} */
export function nonceOf({ locked, next, in_play: inPlay = [], state, rounds }) {
  const isEnded = state === "revealed" || state === "voided";
  if (locked !== undefined) return locked;
  if (inPlay.length > 0) return inPlay[inPlay.length - 1];
  return isEnded || next >= rounds ? Math.max(0, next - 1) : next;
}

/**
 * The rounds that are not over, if they are several.
 * @param {Standing} standing
 * @param {number} shown
 * @param {(nonce: number) => void} choose
 * @returns {HTMLElement | null}
 */
export function drawTabs({ in_play: inPlay = [], locked, next, rounds, state }, shown, choose) {
  if (inPlay.length === 0 || state === "revealed") return null;
  const all = [...inPlay, ...(locked !== undefined ? [locked] : next < rounds ? [next] : [])];
  if (all.length < 2) return null;
  return el(
    "div",
    { class: "row tabs", role: "group", "aria-label": t("operator.rounds") },
    all.map((nonce) =>
      el(
        "button",
        {
          type: "button",
          id: `round-${nonce}`,
          "aria-pressed": String(nonce === shown),
          click: () => choose(nonce),
        },
        t(inPlay.includes(nonce) ? "operator.tab-play" : "operator.tab-next", {
          n: number(nonce + 1),
        }),
      ),
    ),
  );
}

/**
 * The terms of a promise, and what ends it.
 * @param {Standing} standing
 * @param {object} with_
 * @param {Round | null} with_.round the shown one
 * @param {boolean} with_.isMain whether the reveal is already the main button
 * @param {() => void} with_.askVoid
 * @param {() => void} with_.askReveal
 */
export function drawPromise(standing, { round, isMain, askVoid, askReveal }) {
  const { commitment, next, rounds, reveal_by: by, mixing, state, signed, locked } = standing;
  const isOpen = state !== "revealed" && state !== "voided";
  const isLocked = round?.state === "locked";
  /** @param {Key} key @param {...import("../text.js").Child} value */
  const fact = (key, ...value) => el("div", {}, el("dt", {}, t(key)), el("dd", {}, ...value));
  /** @param {string} id @param {Key} key @param {() => void} click */
  const button = (id, key, click) => el("button", { type: "button", id, click }, t(key));
  return el(
    "section",
    { class: "promise stack" },
    el("h2", {}, t("operator.promise")),
    el(
      "dl",
      { class: "facts" },
      fact(
        "operator.used",
        t("operator.rounds-of", { done: number(Math.min(next, rounds)), rounds: number(rounds) }),
      ),
      fact(
        "operator.seeds",
        t(`operator.seeds.${/** @type {"hashes"} */ (mixing)}`),
        signed ? `, ${t("operator.are-signed")}` : "",
      ),
      isOpen ? fact("operator.reveal-by", drawWhen(by), ` · ${shortTime(by)}`) : null,
      fact("operator.commitment", copyable(commitment)),
    ),
    !isOpen
      ? null
      : el(
          "div",
          { class: "row" },
          isLocked ? button("void", "operator.void.open-round", askVoid) : null,
          state === "unused" ? button("void", "operator.void.open-promise", askVoid) : null,
          isMain || locked !== undefined
            ? null
            : button("reveal", "operator.reveal.open", askReveal),
        ),
    isOpen && !isLocked && state !== "unused"
      ? el("p", { class: "soft small" }, t("operator.no-void"))
      : null,
  );
}

/** The longest name in the text of a button. */
const LONGEST_NAME = 16;

/** @param {string} name */
export function shortened(name) {
  const all = [...name];
  const text = all.length > LONGEST_NAME ? `${all.slice(0, LONGEST_NAME - 1).join("")}…` : name;
  // Its direction does not affect the text around it.
  return `\u2068${plain(text)}\u2069`;
}

/** @param {Standing} standing */
export function drawEnded({ table, state }) {
  return el(
    "p",
    {},
    state === "revealed" ? `${t("operator.ended-hint")} ` : "",
    el("a", { href: `explore.html${tableLink(table)}` }, t("operator.in-log")),
  );
}

/** @param {Standing} standing @param {number} nonce */
export function drawForPlayers({ commitment, mixing }, nonce) {
  return el(
    "section",
    { class: "stack" },
    el("h2", {}, t("operator.for-players")),
    el(
      "p",
      {},
      t(mixing === "hashes" ? "operator.for-players-hashes" : "operator.for-players-seeds"),
    ),
    copyable(`${commitment}:${nonce}`),
  );
}

/**
 * A round that was dealt or voided, with its receipt.
 * @param {Standing} standing
 * @param {Round} round
 * @param {{isShown: boolean, receipt: HTMLElement}} more whether its cards are on the cloth, and
 *   the button for its receipt
 */
export function drawLast(standing, round, { isShown, receipt }) {
  const hand = round.state === "dealt" && !isShown ? handOf(standing, round) : null;
  const n = number(round.nonce + 1);
  return el(
    "section",
    { class: "last stack" },
    el(
      "h2",
      {},
      t(round.state === "voided" ? "operator.stage.round-voided" : "operator.round", { n }),
    ),
    round.reason === undefined
      ? null
      : el("p", {}, t("operator.reason"), " ", theirs(round.reason, 256)),
    hand === null ? null : drawBoard(hand, standing.layout),
    hand === null ? null : drawSeats(hand.seats),
    el("p", { class: "soft" }, t("operator.receipt-hint")),
    el("div", { class: "row" }, receipt),
  );
}
