// Bytes of a file in one line each, with a button that copies all of them.

import { t } from "./strings.js";
import { el, svg, theirs } from "./text.js";

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
    copyButton(text, { failed: () => drawn.classList.add("whole") }),
  );
  return drawn;
}

/**
 * @param {string | (() => string)} text a function is asked at the press
 * @param {object} [options]
 * @param {() => void} [options.failed] called if the browser does not copy
 * @param {string} [options.word] what the button says
 * @param {string} [options.label] with it, a picture takes the place of the word
 * @returns {HTMLElement}
 */
export function copyButton(text, { failed = () => undefined, label, word = t("copy") } = {}) {
  const isWord = label === undefined;
  const button = el(
    "button",
    {
      type: "button",
      class: isWord ? "plain copy" : "plain icon",
      "aria-label": label ?? null,
      click: async () => {
        try {
          await navigator.clipboard.writeText(typeof text === "string" ? text : text());
          if (isWord) button.textContent = t("copied");
          else button.setAttribute("aria-label", t("copied"));
        } catch {
          failed();
        }
      },
    },
    isWord ? word : picture(),
  );
  return button;
}

/** A picture of two sheets, one over the other. */
function picture() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "line", "aria-hidden": "true" },
    svg("path", { d: "M9 9h11v11H9zM5 15H4V4h11v1" }),
  );
}
