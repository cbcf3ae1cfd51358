// Bytes of a file in one line each, with a button that copies all of them.

import { t } from "./strings.js";
import { el, theirs } from "./text.js";

/**
 * Bytes by their names, each with a button that copies them.
 * @param {[Node | string, string | undefined][]} all
 * @returns {HTMLElement}
 */
export function rows(all) {
  return el(
    "dl",
    { class: "bytes-rows" },
    all.flatMap(([name, value]) =>
      value === undefined || value === ""
        ? []
        : [el("div", {}, el("dt", {}, name), el("dd", {}, hex(value)))],
    ),
  );
}

/**
 * One line of text from outside. *Copy* takes all of it; if the browser does not copy, all of it is
 * shown.
 * @param {string} text
 * @param {number} [most] characters that are shown
 * @returns {HTMLElement}
 */
export function hex(text, most = 4000) {
  const line = theirs(text, most);
  line.classList.add("seed");
  const drawn = el(
    "span",
    { class: "hex-line" },
    line,
    copyButton(text, () => drawn.classList.add("whole")),
  );
  return drawn;
}

/**
 * @param {string} text
 * @param {() => void} [failed] called if the browser does not copy
 * @returns {HTMLElement}
 */
export function copyButton(text, failed = () => undefined) {
  const button = el(
    "button",
    {
      type: "button",
      class: "plain copy",
      click: async () => {
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = t("copied");
        } catch {
          failed();
        }
      },
    },
    t("copy"),
  );
  return button;
}
