// Saves what a page has as a file of the reader.

import { el } from "./text.js";

/** How long the browser may take to begin. */
const PATIENCE = 60_000;

/**
 * @param {string} name
 * @param {BlobPart} json
 */
export function saveFile(name, json) {
  const href = URL.createObjectURL(new Blob([json], { type: "application/json" }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
}
