// Small parts that several views of the operator's page use.

import { copyButton } from "../copied.js";
import { saveFile } from "../save.js";
import { ago } from "../explore/words.js";
import { time } from "../strings.js";
import { el } from "../text.js";

/**
 * Puts new elements in the place of the old ones. The focus stays at the element with the same id.
 * @param {Element} parent
 * @param {...(Node | null)} children
 */
export function redraw(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : "";
  parent.replaceChildren(...children.filter((child) => child !== null));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/**
 * A moment, as the time until or since it. `tick` keeps it current.
 * @param {number} then
 * @returns {HTMLElement}
 */
export function drawWhen(then) {
  return el("time", { "data-then": then, title: time(then) }, ago(then));
}

/** Brings the texts of all moments of the page up to date. */
export function tick() {
  for (const each of document.querySelectorAll("time[data-then]")) {
    const text = ago(Number(/** @type {HTMLElement} */ (each).dataset.then));
    if (each.textContent !== text) each.textContent = text;
  }
}

/**
 * Saves a file for somebody.
 * @param {string} name
 * @param {object} value
 */
export function save(name, value) {
  saveFile(name.replace(/[^\w.-]/g, "_"), JSON.stringify(value));
}

/**
 * A text with a button that copies it.
 * @param {string} text
 * @returns {HTMLElement}
 */
export function copyable(text) {
  return el("div", { class: "copyable" }, el("code", {}, text), copyButton(text));
}
