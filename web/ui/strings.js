// The texts of the pages, in the reader's language.

import { first } from "../strings/first.js";
import { keep, kept, loadAgain } from "./kept.js";
import { startWorker } from "./worker.js";

/** @typedef {keyof typeof import("../strings/en.js").strings | keyof typeof import("../strings/en-play.js").play | keyof typeof import("../strings/en-operator.js").operator | keyof typeof import("../strings/en-raffle.js").raffle} Key */
/** @typedef {"en" | "de"} Language */

/** The languages, each named in that language. */
export const languageNames = { en: "English", de: "Deutsch" };

/** The page's language. @type {Language} */
export const language = choose();

/** The loaded texts: at first those of the first view, later all. @type {Record<string, string>} */
const words = { ...first[language] };

/** The reader's own way of this language, such as British dates. */
export const locale =
  globalThis.navigator?.languages?.find((each) => each.startsWith(language)) ?? language;
const numbers = new Intl.NumberFormat(locale);
const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const clocks = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "long" });

/** @returns {Language} */
function choose() {
  const asked = [kept("language"), ...(globalThis.navigator?.languages ?? [])];
  const found = asked.map((each) => each?.slice(0, 2) ?? "").find((each) => each in languageNames);
  return /** @type {Language | undefined} */ (found) ?? "en";
}

/**
 * Adds more texts.
 * @param {Record<Language, Record<string, string>>} all
 */
export function addWords(all) {
  Object.assign(words, all[language]);
}

/** @type {Promise<void> | null} */
let loading = null;

/**
 * Loads all texts, once. They come from a worker, so that the first view does not wait for them.
 * @returns {Promise<void>}
 */
export function allWords() {
  loading ??= new Promise((resolve, reject) => {
    const worker = startWorker("words");
    worker.addEventListener("message", ({ data }) => {
      addWords(data);
      worker.terminate();
      resolve();
    });
    worker.addEventListener("error", (event) => {
      loading = null;
      reject(new Error(event.message || "the words cannot be loaded"));
    });
  });
  return loading;
}

/** @param {string} to */
export function setLanguage(to) {
  keep("language", to);
  loadAgain();
}

/**
 * A text, with `{name}` replaced by the value of that name.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return wordsOf(key).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * @param {Key} key
 * @returns {string}
 */
function wordsOf(key) {
  if (!Object.hasOwn(words, key)) console.error(`no words for ${key}`);
  return words[key] ?? key;
}

/**
 * Like {@link t}, for values that are elements.
 * @param {Key} key
 * @param {Record<string, Node | string | number>} values
 * @returns {(Node | string)[]}
 */
export function parts(key, values) {
  return wordsOf(key)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part;
      const value = values[name];
      return typeof value === "number" ? numbers.format(value) : value;
    });
}

/**
 * The text for one, or the text for several: the keys end in `.one` and `.other`.
 * @param {string} key
 * @param {number} n
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function count(key, n, values = {}) {
  return t(/** @type {Key} */ (`${key}.${n === 1 ? "one" : "other"}`), { n, ...values });
}

/**
 * Whether there is a text of this key.
 * @param {string} key
 * @returns {key is Key}
 */
export function isKey(key) {
  return Object.hasOwn(words, key);
}

/**
 * @param {number} value
 * @returns {string}
 */
export function number(value) {
  return numbers.format(value);
}

/**
 * A time, in the reader's own zone.
 * @param {number} milliseconds
 * @returns {string}
 */
export function time(milliseconds) {
  return shown(dates, milliseconds);
}

/**
 * The day of a time.
 * @param {number} milliseconds
 * @returns {string}
 */
export function day(milliseconds) {
  return shown(days, milliseconds);
}

/**
 * The hour, minute and second of a time.
 * @param {number} milliseconds
 * @returns {string}
 */
export function clock(milliseconds) {
  return shown(clocks, milliseconds);
}

/**
 * @param {Intl.DateTimeFormat} format
 * @param {number} milliseconds
 */
function shown(format, milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : format.format(date);
}
