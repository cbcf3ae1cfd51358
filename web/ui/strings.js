// The words of the pages, in the reader's language.

import { strings as en } from "../strings/en.js";
import { keep, kept } from "./kept.js";
import { startWorker } from "./worker.js";

/** @typedef {keyof typeof en} Key */

/** The languages, each by its own name. */
export const languageNames = { en: "English", de: "Deutsch" };

const wanted = choose();
/** @type {Record<string, string>} */
const words = wanted === "en" ? en : await fetched(wanted);

/** The page's language. */
export const language = words === en ? "en" : wanted;

/** The reader's own way of this language, such as British dates. */
const locale = globalThis.navigator?.languages?.find((each) => each.startsWith(language)) ?? language;
const numbers = new Intl.NumberFormat(locale);
const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "long" });

/** @returns {string} */
function choose() {
  const asked = [kept("language"), ...(globalThis.navigator?.languages ?? [])];
  const found = asked.map((each) => each?.slice(0, 2) ?? "").find((each) => each in languageNames);
  return found ?? "en";
}

/**
 * The words of another language, from a worker: modules are named once and for all, so that only a worker can load
 * one when it is wanted. Where none starts, the page is in English.
 * @param {string} name
 * @returns {Promise<Record<string, string>>}
 */
function fetched(name) {
  return new Promise((resolve) => {
    try {
      const worker = startWorker("words");
      worker.addEventListener("message", ({ data }) => {
        resolve(data[name]);
        worker.terminate();
      });
      worker.addEventListener("error", () => resolve(en));
    } catch {
      resolve(en);
    }
  });
}

/** @param {string} to */
export function setLanguage(to) {
  keep("language", to);
  location.reload();
}

/**
 * A text, with `{name}` replaced by the value of that name.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * Like {@link t}, for values that are elements.
 * @param {Key} key
 * @param {Record<string, Node | string | number>} values
 * @returns {(Node | string)[]}
 */
export function parts(key, values) {
  return words[key].split(/(\{\w+\})/).filter((part) => part !== "").map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return part;
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * The text for one, or the one for several: the keys end in `.one` and `.other`.
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
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : dates.format(date);
}
