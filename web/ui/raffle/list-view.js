// The lines of a raffle's list with their numbers, to look at, and the file to save.

import { saveFile } from "../save.js";
import { number, t } from "../strings.js";
import { el } from "../text.js";
import { windowed } from "../windowed.js";
import { shownLine } from "./cloth.js";

/**
 * @param {(question: object) => Promise<any>} ask of the worker, which has the list
 * @param {number} count how many lines it has
 * @returns {HTMLElement}
 */
export function listView(ask, count) {
  /** @type {import("../windowed.js").Windowed} */
  const { element } = windowed({
    label: t("raffle.list"),
    kind: "lines",
    columns: [t("raffle.list-number"), t("raffle.list-line")],
    count,
    get: (from, to) => ask({ ask: "lines", from, to }),
    draw: (/** @type {string} */ line, i) => [number(i + 1), shownLine(line)],
  });
  const save = async () => saveFile("list.txt", await ask({ ask: "bytes" }));
  return el(
    "div",
    { class: "stack" },
    element,
    el(
      "div",
      {},
      el("button", { type: "button", id: "save-list", click: save }, t("raffle.list-save")),
    ),
  );
}
