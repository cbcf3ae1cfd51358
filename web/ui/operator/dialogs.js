// Questions before what cannot be taken back.

import { count, number, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { drawRefusal } from "./refusal.js";
import { untilDone } from "./waiting.js";

/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("./api.js").Round} Round */
/** @typedef {import("../text.js").Child} Child */

/** What a confirmed question does. @typedef {(signal: AbortSignal) => Promise<void>} Act */

/** The longest reason of a void, in bytes (spec/ledger.md, section 4). */
const LONGEST_REASON = 256;

/**
 * @param {object} question
 * @param {string} question.title
 * @param {Child[]} question.body
 * @param {string} question.go the text of the button that does it
 * @param {Act} question.act
 */
function ask({ title, body, go, act }) {
  const told = el("div", { class: "told" });
  const stop = new AbortController();
  const confirm = el("button", { class: "first danger", id: "confirm" }, go);
  // A closed question sends nothing any more.
  const leave = () => {
    stop.abort();
    dialog.remove();
  };
  const dialog = el(
    "dialog",
    { class: "question", "aria-labelledby": "question", close: leave },
    el(
      "form",
      {
        class: "stack",
        submit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          confirm.disabled = true;
          told.replaceChildren();
          try {
            await untilDone(told, go, act, stop);
            dialog.close();
          } catch (error) {
            told.replaceChildren(drawRefusal(error));
          }
          confirm.disabled = false;
        },
      },
      el("h2", { id: "question" }, title),
      body,
      told,
      el(
        "div",
        { class: "row" },
        confirm,
        el(
          "button",
          { type: "button", id: "cancel", click: () => dialog.close() },
          t("operator.cancel"),
        ),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The void of a locked round, or of a commitment that was never used.
 * @param {Round | null} round the locked one; null for the commitment
 * @param {(request: import("../../fairdeal/client.js").VoidRequest, signal: AbortSignal) => Promise<void>} act
 */
export function askVoid(round, act) {
  const reason = el("input", {
    id: "reason",
    required: true,
    maxlength: LONGEST_REASON,
    autocomplete: "off",
  });
  const blame = el(
    "select",
    { id: "blame" },
    el("option", { value: "" }, t("operator.void.nobody")),
    (round?.players ?? []).map(({ from }, i) => el("option", { value: i + 1 }, theirs(from, 64))),
  );
  const closes = closing();
  const n = number((round?.nonce ?? 0) + 1);
  ask({
    title: t(round === null ? "operator.void.promise" : "operator.void.round", { n }),
    body: [
      el("p", {}, t(round === null ? "operator.void.means-promise" : "operator.void.means-round")),
      el(
        "label",
        { class: "field" },
        el("span", {}, t("operator.void.reason")),
        el("span", { class: "hint" }, t("operator.void.reason-hint")),
        reason,
      ),
      round === null
        ? closes.element
        : el(
            "label",
            { class: "field" },
            el("span", {}, t("operator.void.blame")),
            el("span", { class: "hint" }, t("operator.void.blame-hint")),
            blame,
          ),
    ],
    go: t(round === null ? "operator.void.go-promise" : "operator.void.go-round", { n }),
    act: (signal) =>
      act(
        {
          reason: reason.value.trim(),
          nonce: round?.nonce,
          blame: round?.players[Number(blame.value) - 1]?.from,
          ...closes.next(),
        },
        signal,
      ),
  });
}

/**
 * @param {Standing} standing
 * @param {(request: import("../../fairdeal/client.js").RevealRequest, signal: AbortSignal) => Promise<void>} act
 */
export function askReveal({ rounds, next, in_play: inPlay = [] }, act) {
  const unused = Math.max(0, rounds - next);
  const closes = closing();
  const force = el("input", { type: "checkbox", id: "force", required: true });
  ask({
    title: t("operator.reveal.title"),
    body: [
      el("p", {}, t("operator.reveal.means")),
      unused === 0
        ? null
        : el("p", { class: "note", id: "unused" }, count("operator.reveal.unused", unused)),
      inPlay.length === 0
        ? null
        : el(
            "label",
            { class: "check wrong" },
            force,
            t("operator.reveal.in-play", {
              rounds: inPlay.map((each) => number(each + 1)).join(", "),
            }),
          ),
      closes.element,
    ],
    go: t("operator.reveal.go"),
    act: (signal) =>
      act({ nonce: next, force: inPlay.length > 0 && force.checked, ...closes.next() }, signal),
  });
}

/**
 * The end of a hand. The service does not tell whether it reveals by itself.
 * @param {number} nonce
 * @param {boolean} isLast whether no round of the commitment remains
 * @param {Act} act
 */
export function askOver(nonce, isLast, act) {
  ask({
    title: t("operator.over.title", { n: nonce + 1 }),
    body: [
      el("p", {}, t("operator.over.means")),
      isLast ? el("p", { class: "note", id: "last-round" }, t("operator.over.last")) : null,
    ],
    go: t("operator.over"),
    act,
  });
}

/** @param {string} name of a seat @param {Act} act */
export function askShow(name, act) {
  ask({
    title: t("operator.show.title"),
    body: [el("p", {}, el("strong", {}, theirs(name, 64))), el("p", {}, t("operator.show.means"))],
    go: t("operator.show.go"),
    act,
  });
}

/** The choice whether a next commitment follows. */
function closing() {
  const box = el("input", { type: "checkbox", id: "close-table" });
  return {
    element: el("label", { class: "check" }, box, t("operator.close-table")),
    /** @returns {{next?: false}} otherwise the table's own rule decides */
    next: () => (box.checked ? { next: false } : {}),
  };
}
