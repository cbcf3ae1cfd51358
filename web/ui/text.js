// Elements and text. Nothing here makes markup from text: what a receipt says is always a text
// node.

/** Characters that are invisible, or that change how other characters are displayed. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
const ALL_HIDDEN = new RegExp(HIDDEN.source, "gu");
const LINES = /[\n\t]/;

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. An attribute that is null, undefined or false is left out; one that is true is
 * empty. A function is a listener for the event of its name.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[N]}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(key, /** @type {EventListener} */ (value));
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element | DocumentFragment | ShadowRoot} parent
 * @param {(Child | Child[])[]} children
 */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Makes an SVG element. Styles come from the sheet: an attribute `style` would be refused by the
 * pages' policy.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[N]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * A part of a page, under its title.
 * @param {string} title
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function section(title, ...children) {
  return el("section", { class: "panel" }, el("h2", {}, title), ...children);
}

/**
 * A text with its hidden characters written out, such as U+202E.
 * @param {string} text
 * @returns {string}
 */
export function plain(text) {
  return text.replace(ALL_HIDDEN, (found) => `[${codeOf(found)}]`);
}

/**
 * Text from outside within a sentence: its direction does not affect the sentence.
 * @param {string} text
 * @param {number} most characters that are shown
 * @returns {string}
 */
export function apart(text, most) {
  return `\u2068${plain(text.slice(0, most))}\u2069`;
}

/**
 * Text from outside: its direction does not affect the surrounding text, and its hidden characters
 * are visible.
 * @param {string} text
 * @param {number} [most] characters that are shown
 * @returns {HTMLElement}
 */
export function theirs(text, most = 500) {
  return el("bdi", { class: "theirs" }, ...shown(text, most, false));
}

/**
 * The bytes of a file, as text in a block. Line ends stay line ends.
 * @param {string} text
 * @param {string} label of the block, for screen readers
 * @returns {HTMLElement}
 */
export function bytes(text, label) {
  return el(
    "pre",
    { class: "bytes", tabindex: "0", role: "group", "aria-label": label },
    ...shown(text, 100_000, true),
  );
}

/**
 * @param {string} text
 * @param {number} most
 * @param {boolean} lines whether line ends and tabs stay
 * @returns {(string | HTMLElement)[]}
 */
function shown(text, most, lines) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let run = "";
  let count = 0;
  for (const char of text) {
    if (count++ >= most) {
      run += "…";
      break;
    }
    if (!HIDDEN.test(char) || (lines && LINES.test(char))) {
      run += char;
      continue;
    }
    if (run !== "") parts.push(run);
    run = "";
    parts.push(el("span", { class: "escape" }, codeOf(char)));
  }
  if (run !== "") parts.push(run);
  return parts;
}

/**
 * @param {string} char
 * @returns {string}
 */
function codeOf(char) {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A word for a shell, in quotes if needed.
 * @param {string} word
 * @returns {string}
 */
export function quoted(word) {
  if (ALL_HIDDEN.test(word)) {
    ALL_HIDDEN.lastIndex = 0;
    return "FILE";
  }
  const safe = word.startsWith("-") ? `./${word}` : word;
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
