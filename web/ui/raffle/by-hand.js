// The form for the public random number, with its address, if no server answers the page.

import { chooseButton } from "../drop.js";
import { parts, t } from "../strings.js";
import { el } from "../text.js";

/**
 * @typedef {object} Doing
 * @property {(files: Promise<import("../drop.js").GivenFile[]>) => void} take
 * @property {(text: string) => Promise<string | null>} takeNumber gives what the reader is told
 * @property {() => void} again asks for the number again
 */

/** It stays the same element, so that what the reader types stays. */
export class ByHand {
  /** @param {Doing} doing */
  constructor({ take, takeNumber, again }) {
    this.address = el("a", {
      class: "relay",
      target: "_blank",
      rel: "noopener noreferrer",
      referrerpolicy: "no-referrer",
    });
    this.text = el("textarea", {
      id: "number",
      rows: 3,
      spellcheck: "false",
      autocomplete: "off",
      required: true,
    });
    this.told = el("p", { class: "number-told", role: "status" });
    const use = async () => {
      this.told.textContent = "";
      this.told.textContent = await takeNumber(digitsIn(this.text.value));
    };
    this.element = el(
      "form",
      {
        class: "by-hand",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void use();
        },
      },
      el("p", {}, parts("raffle.number.address", { address: this.address })),
      el("label", {}, el("span", {}, t("raffle.number.label")), this.text),
      this.told,
      el(
        "div",
        { class: "row" },
        el("button", {}, t("raffle.number.use")),
        chooseButton(t("raffle.number.choose"), "", take),
        el("button", { type: "button", id: "again", click: again }, t("raffle.again")),
      ),
    );
  }

  /** @param {string} url a relay's address of the round */
  at(url) {
    this.address.href = url;
    this.address.textContent = url;
  }
}

/**
 * The one signature in what a reader copied: some browsers show JSON as a table.
 * @param {string} text
 */
function digitsIn(text) {
  const found = text.match(/(?<![0-9a-f])[0-9a-f]{96}(?![0-9a-f])/g) ?? [];
  return found.length === 1 && !text.trim().startsWith("{") ? found[0] : text;
}
