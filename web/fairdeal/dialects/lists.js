// Lists of a row: numbers, symbols, paths (spec/dialects.md, section 16.2).

import { JsonNumber, Unreadable, shown } from "./unreadable.js";
import { readInteger } from "./values.js";
import { JsonFault, parseWhole } from "./json-rows.js";

/**
 * The items of an array, of a text of them, or of a text with such an array; at least one.
 * @param {unknown} value
 * @param {string} column
 * @returns {unknown[]}
 */
function itemsOf(value, column) {
  /** @type {unknown} */
  let items = value;
  if (typeof value === "string")
    items = value.startsWith("[")
      ? parsed(value)
      : value.split(/[ ,]+/).filter((part) => part !== "");
  else if (typeof value === "number" || value instanceof JsonNumber) items = [value];
  if (!Array.isArray(items) || items.length === 0)
    throw new Unreadable(`${column}: expected a list of at least one, found ${shown(value)}`);
  return items;
}

/** @param {string} text @returns {unknown} null if it is not JSON */
function parsed(text) {
  try {
    return parseWhole(text);
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
}

/** @param {unknown} value @param {string} column @returns {number[]} */
export function readIntegers(value, column) {
  return itemsOf(value, column).map((item) => readInteger(item, column));
}

/** @param {unknown} value @param {string} column @returns {number[][]} */
export function readLists(value, column) {
  const isText = typeof value === "string" && !value.startsWith("[");
  const lists = isText ? value.split(";") : itemsOf(value, column);
  return lists.map((list) => readIntegers(list, column));
}

/**
 * Symbols by their names, or by a first letter that only one has.
 * @param {unknown} value
 * @param {string} column
 * @param {readonly string[]} known
 * @returns {string[]}
 */
export function readSymbols(value, column, known) {
  return itemsOf(value, column).map((item) => {
    const low = typeof item === "string" ? lower(item) : "";
    const named = known.filter((one) => one === low);
    const found =
      named.length > 0 || low.length !== 1 ? named : known.filter((one) => one.startsWith(low));
    if (found.length !== 1)
      throw new Unreadable(
        `${column}: expected symbols of ${known.join(", ")}, found ${shown(item)}`,
      );
    return found[0];
  });
}

/** Only the letters A to Z have a case. @param {string} text */
const lower = (text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** @param {unknown} value @param {string} column @returns {number[]} */
export function readPath(value, column) {
  if (typeof value === "string" && /^[01]+$/.test(value)) return [...value].map(Number);
  const isNumber = typeof value === "number" || value instanceof JsonNumber;
  const path = isNumber ? [2] : readIntegers(value, column);
  if (path.some((bit) => bit > 1))
    throw new Unreadable(`${column}: expected a text of 0 and 1, found ${shown(value)}`);
  return path;
}

/**
 * One of the known numbers or names.
 * @param {unknown} value
 * @param {string} column
 * @param {readonly (number | string)[]} known
 * @returns {number | string}
 */
export function readChoice(value, column, known) {
  const isPlain = typeof value === "string" || typeof value === "number";
  const text = value instanceof JsonNumber ? value.text : isPlain ? String(value) : "";
  const found = known.find((one) => String(one) === lower(text));
  if (found === undefined)
    throw new Unreadable(
      `${column}: expected one of ${known.join(", ")}, found ${value === undefined ? "nothing" : shown(value)}`,
    );
  return found;
}
