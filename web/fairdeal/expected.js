// Checks the arguments of calls. A wrong argument is a mistake of the calling program and gives no
// verdict on a file: a TypeError says what was expected and what was found.

import { shown } from "./refused.js";

/**
 * The type of a value, in words. The value is not repeated: it may be a secret.
 * @param {unknown} value
 * @returns {string}
 */
function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object")
    return typeof value === "function" ? "a function" : `a ${typeof value}`;
  if (Array.isArray(value)) return "an array";
  const [, name] = /** @type {RegExpExecArray} */ (
    /^\[object (.*)\]$/s.exec(Object.prototype.toString.call(value))
  );
  return name === "Object"
    ? "an object"
    : name === "Promise"
      ? "a Promise: await it first"
      : `an object of type ${name}`;
}

/**
 * Whether a value is an object with members, of any realm.
 * @param {unknown} value
 * @returns {value is object}
 */
function isRecord(value) {
  return kindOf(value) === "an object";
}

/**
 * @param {string} call such as `verifyReceipt(file, options)`
 * @param {string} expected
 * @param {unknown} value
 * @param {string} [found]
 * @returns {never}
 */
function wrong(call, expected, value, found = kindOf(value)) {
  throw new TypeError(`${call}: expected ${expected}, found ${found}`);
}

/**
 * @param {string} call
 * @param {string} argument its name and its content, such as `options with "key"`
 * @param {unknown} value
 * @returns {asserts value is object}
 * @throws {TypeError}
 */
export function expectObject(call, argument, value) {
  if (!isRecord(value)) wrong(call, `${argument}, as an object`, value);
}

/**
 * A file, in a form that the judging calls take. A value of JSON is checked by its reader, which
 * may find that it is not a receipt.
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFile(call, argument, value) {
  const isJson =
    value === null ||
    ["undefined", "boolean", "number"].includes(typeof value) ||
    Array.isArray(value) ||
    isRecord(value);
  if (typeof value === "string" || value instanceof Uint8Array || isJson) return;
  wrong(
    call,
    `${argument}, a file's text, its bytes as a Uint8Array, or what JSON.parse made of it`,
    value,
  );
}

/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectBytes(call, argument, value) {
  if (!(value instanceof Uint8Array)) wrong(call, `${argument}, as a Uint8Array`, value);
}

/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFunction(call, argument, value) {
  if (typeof value !== "function") wrong(call, `${argument}, a function`, value);
}

/**
 * Files, with or without names.
 * @param {string} call
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFiles(call, value) {
  if (!Array.isArray(value)) wrong(call, "files, an array", value);
  /** @type {unknown[]} */ (value).forEach((each, i) => {
    if (typeof each === "string" || each instanceof Uint8Array) return;
    const form = `files[${i}], a file's text, its bytes as a Uint8Array, or {name, file}`;
    if (!isRecord(each)) wrong(call, form, each);
    if (!("file" in each) || !("name" in each))
      throw new TypeError(`${call}: expected ${form}, found an object without "name" or "file"`);
    expectFile(call, `files[${i}].file`, each.file);
  });
}

/**
 * An expected kind of value: in words, as a test, and whether a text that is not of this kind may
 * be shown.
 * @typedef {readonly [string, (value: any) => boolean, ((text: string) => boolean)?]} Kind
 */

/** @type {Kind} */
export const TEXT = ["a text", (value) => typeof value === "string"];
/** @type {Kind} */
export const NUMBER = ["a number", (value) => typeof value === "number"];
/** @type {Kind} */
export const COUNT = [
  "an integer from 0 to 2^53 − 1",
  (value) => Number.isSafeInteger(value) && value >= 0,
];
/** @type {Kind} */
export const FLAG = ["true or false", (value) => typeof value === "boolean"];
/** @type {Kind} */
export const FUNCTION = ["a function", (value) => typeof value === "function"];
/** @type {Kind} */
export const OBJECT = ["an object", isRecord];
/** @type {Kind} */
export const BYTES = ["a Uint8Array", (value) => value instanceof Uint8Array];
/** @type {Kind} */
export const NOTE = ["a text or a Uint8Array", (value) => TEXT[1](value) || BYTES[1](value)];
/** A later check judges it. @type {Kind} */
export const ANY = ["", () => true];
/** The address of a service; in a page also a relative one. @type {Kind} */
export const ADDRESS = [
  "an address of http or https, as a text or a URL",
  (value) => {
    if (typeof value !== "string" && !(value instanceof URL)) return false;
    try {
      const base = globalThis.document?.baseURI ?? globalThis.location?.href;
      return /^https?:$/.test(new URL(value, base).protocol);
    } catch {
      return false;
    }
  },
  // An address can have a password. In its place may be a token, or a key, which are longer.
  (text) => text.length < 60 && !text.includes("@"),
];

/** @param {string} words @param {Kind} each @returns {Kind} */
export const listOf = (words, [, is]) => [
  `an array of ${words}`,
  (value) => Array.isArray(value) && value.every(is),
];

/** @param {string} words @param {{[name: string]: Kind}} members @returns {Kind} */
export const withAll = (words, members) => [
  words,
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(members).every(([name, [, is]]) => is(value[name])),
];

/** @param {Kind} a @param {Kind} b @returns {Kind} */
export const either = (a, b) => [
  `${a[0]}, or ${b[0]}`,
  (value) => a[1](value) || b[1](value),
  a[2] ?? b[2],
];

/**
 * The members of an object: a member may be undefined, if it is not needed.
 * @param {string} call
 * @param {object} value
 * @param {{[name: string]: Kind}} members
 * @param {readonly string[]} [needed]
 * @throws {TypeError}
 */
export function expectMembers(call, value, members, needed = []) {
  for (const [name, [words, is, isShown]] of Object.entries(members)) {
    const found = /** @type {any} */ (value)[name];
    if (found === undefined ? !needed.includes(name) : is(found)) continue;
    // A number is no secret, and says what is wrong with it.
    const isPlain = typeof found === "number" || (typeof found === "string" && isShown?.(found));
    wrong(call, `${name}, ${words}`, found, isPlain ? shown(found) : undefined);
  }
}

/**
 * An object with these members alone: a misspelt one would be left out in silence.
 * @param {string} call
 * @param {string} argument its name and its content, such as `options with "key"`
 * @param {unknown} value
 * @param {{[name: string]: Kind}} members
 * @param {readonly string[]} [needed]
 * @throws {TypeError}
 */
export function expectOptions(call, argument, value, members, needed) {
  expectObject(call, argument, value);
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name)) continue;
    const [nearest] = Object.keys(members).sort((a, b) => distance(name, a) - distance(name, b));
    const [found, known] = [name, nearest].map(shown);
    throw new TypeError(
      `${call}: expected ${argument}, found the unknown member ${found}: is it ${known}?`,
    );
  }
  expectMembers(call, value, members, needed);
}

/**
 * How many letters two names differ in.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1].toLowerCase() === b[j - 1].toLowerCase();
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (same ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
