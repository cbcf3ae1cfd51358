// Saves what a page has as a file of the reader.

import { el } from "./text.js";

/** How long the browser may take to begin. */
const PATIENCE = 60_000;

/** The types of files by their endings. @type {Record<string, string>} */
const TYPES = { json: "application/json", html: "text/html" };

/**
 * @param {string} name
 * @param {BlobPart} content
 */
export function saveFile(name, content) {
  const type = TYPES[name.split(".").pop() ?? ""] ?? "text/plain";
  const href = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
}
