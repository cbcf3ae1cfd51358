// Files: dropped anywhere on the page, chosen, or pasted.

import { el } from "./text.js";
import { t } from "./strings.js";

/**
 * @typedef {object} GivenFile
 * @property {string} name
 * @property {Uint8Array} bytes
 * @property {boolean} [kept] whether the reader kept it
 * @property {boolean} [asked] whether the reader said so only when the page asked
 * @property {boolean} [sent] whether it came in a link, which somebody else made
 * @property {boolean} [typed] whether the reader typed it
 * @property {string} [problem] why it was not read: then its bytes are this sentence
 */

/** A receipt has a few kilobytes. A larger file than this is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Takes files dropped or pasted anywhere on the page. They are announced before they are read, so
 * that no old verdict is shown with them.
 * @param {(files: Promise<GivenFile[]>, kept: boolean) => void} take whether they were dropped at
 *   the place for what the reader kept, `data-kept`
 */
export function takeDrops(take) {
  const { dataset } = document.documentElement;
  document.body.dataset.drop = t("drop.now");
  let inside = 0;
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    inside++;
    dataset.dragging = "";
  });
  addEventListener("dragleave", () => {
    if (--inside <= 0) delete dataset.dragging;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    delete dataset.dragging;
    const { files = null, items = null } = event.dataTransfer ?? {};
    const kept = event.target instanceof Element && event.target.closest("[data-kept]") !== null;
    if (files !== null && files.length > 0) return take(read(files), kept);
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (items !== null && text !== "") take(Promise.resolve([pasted(text)]), kept);
  });
  addEventListener("paste", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
      return;
    const files = event.clipboardData?.files;
    if (files !== undefined && files.length > 0) return take(read(files), false);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() !== "") take(Promise.resolve([pasted(text)]), false);
  });
}

/**
 * A text as a file.
 * @param {string} text
 * @param {string} [name]
 * @returns {GivenFile}
 */
export function pasted(text, name = t("drop.pasted")) {
  return { name, bytes: new TextEncoder().encode(text) };
}

/**
 * A button that opens the system's choice of files.
 * @param {string} label
 * @param {string} kind its classes
 * @param {(files: Promise<GivenFile[]>) => void} take
 * @returns {HTMLElement}
 */
export function chooseButton(label, kind, take) {
  const input = el("input", {
    type: "file",
    multiple: true,
    class: "silent",
    change: () => {
      if (input.files !== null && input.files.length > 0) take(read(input.files));
      input.value = "";
    },
  });
  return el("label", { class: `button ${kind}` }, input, label);
}

/**
 * @param {FileList} files
 * @returns {Promise<GivenFile[]>}
 */
function read(files) {
  /** @param {string} name @param {string} problem */
  const unread = (name, problem) => ({ ...pasted(problem, name), problem });
  return Promise.all(
    [...files].map(async (file) => {
      if (file.size > MOST_BYTES) return unread(file.name, t("drop.too-large"));
      try {
        return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
      } catch {
        return unread(file.name, t("drop.unreadable"));
      }
    }),
  );
}
