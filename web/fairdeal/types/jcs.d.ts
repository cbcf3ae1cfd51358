/** @typedef {import("./json.js").Json} Json */
/**
 * The canonical text of a value. Numbers are as ECMAScript prints them, members in the order of their UTF-16 code units,
 * which is JavaScript's own order of strings.
 * @param {Json} value
 * @returns {string}
 */
export function canonical(value: Json): string;
export type Json = import("./json.js").Json;
