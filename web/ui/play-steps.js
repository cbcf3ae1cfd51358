// The steps of a hand: who signs what, and when.

import { number, t } from "./strings.js";
import { el } from "./text.js";

/** @typedef {import("./strings.js").Key} Key */

/** The steps of a hand, in their order. */
export const STEPS = /** @type {const} */ ([
  "promise",
  "hash",
  "lock",
  "open",
  "cards",
  "reveal",
  "verdict",
]);

/** @typedef {(typeof STEPS)[number]} Step */

/** The list next to the cloth. */
export class Steps {
  constructor() {
    this.items = new Map(
      STEPS.map((name) => {
        const detail = el("span", { class: "step-detail" });
        const item = el(
          "li",
          { "data-step": name, class: "to-come" },
          el("span", { class: "dot", "aria-hidden": "true" }),
          el(
            "span",
            { class: "step-text" },
            el("strong", {}, t(/** @type {Key} */ (`play.step.${name}`))),
            detail,
          ),
          el("span", { class: "silent step-state" }),
        );
        return [name, { item, detail }];
      }),
    );
    this.element = el(
      "ol",
      { class: "hand-steps" },
      [...this.items.values()].map(({ item }) => item),
    );
    this.started = 0;
  }

  clear() {
    this.started = performance.now();
    for (const [name] of this.items) this.set(name, "to-come", "");
  }

  /**
   * @param {Step} name
   * @param {"to-come" | "now" | "done" | "wrong"} state
   * @param {string} [detail]
   */
  set(name, state, detail) {
    const step = this.items.get(name);
    if (step === undefined) return;
    step.item.className = state;
    const silent = step.item.querySelector(".step-state");
    if (silent !== null)
      silent.textContent = state === "to-come" ? "" : t(/** @type {Key} */ (`play.is-${state}`));
    if (detail !== undefined) step.detail.textContent = detail;
  }

  /**
   * A finished step: its text and its time.
   * @param {Step} name
   * @param {string} detail
   */
  done(name, detail) {
    const after = Math.round(performance.now() - this.started);
    this.set(name, "done", `${detail} · ${t("play.after", { ms: number(after) })}`);
  }

  /** The step at which the dealer was caught: the first unfinished one. */
  wrong() {
    for (const [name, { item }] of this.items) {
      if (item.className === "done") continue;
      return this.set(name, "wrong");
    }
  }
}
