// The canonical form of JSON (RFC 8785): one text for each value.

import { OtherNumber, isObject } from "./json.js";

/** @typedef {import("./json.js").Json} Json */

/**
 * The canonical text of a value. Numbers are as ECMAScript prints them, members in the order of
 * their UTF-16 code units, which is JavaScript's own order of strings.
 * @param {Json} value
 * @returns {string}
 */
export function canonical(value) {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof OtherNumber) return String(value.value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const names = Object.keys(value);
  // Sorting costs more than checking the order, and canonical members are already in order.
  for (let i = 1; i < names.length; i++) {
    if (names[i] < names[i - 1]) {
      names.sort();
      break;
    }
  }
  let text = "{";
  for (let i = 0; i < names.length; i++) {
    text += `${i === 0 ? "" : ","}${quote(names[i])}:${canonical(value[names[i]])}`;
  }
  return `${text}}`;
}

/**
 * A JSON text of a value, in which each number is as it was written: where numbers are not
 * canonical, `canonical` would change them.
 * @param {Json} value
 * @returns {string}
 */
export function exactly(value) {
  if (value instanceof OtherNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactly).join(",")}]`;
  if (!isObject(value)) return canonical(value);
  const members = Object.entries(value);
  return `{${members.map(([name, each]) => `${quote(name)}:${exactly(each)}`).join(",")}}`;
}

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A JSON text for a file that people read, with the same value: characters that change the
 * direction of text are escaped, because an editor would show other text than the file has.
 * @param {string} json
 * @returns {string}
 */
export function legible(json) {
  // They occur in strings only, where an escape is the same character.
  return json.replace(
    DIRECTION,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// The characters that are escaped in a string. The reader of JSON refuses lone surrogates.
const SPECIAL = /["\\\u0000-\u001f]/;

/**
 * @param {string} text
 * @returns {string}
 */
function quote(text) {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}
