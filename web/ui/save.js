// Saves what a page has as a file of the reader.

import { el } from "./text.js";

/** How long the browser may take to begin. */
const PATIENCE = 60_000;

/**
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} [type]
 */
export function saveFile(name, content, type = "application/json") {
  const href = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
}
