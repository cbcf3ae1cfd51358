// A strict reader of JSON (RFC 8259; spec/ledger.md, section 8.1; spec/receipt.md, section 11.1).
//
// `JSON.parse` forgets duplicate members, rounds numbers and accepts lone surrogates. This reader
// refuses them, or keeps them so that the caller can refuse them.

import { textOrNull, utf8Length } from "./bytes.js";
import { Refused, shown } from "./refused.js";

/** The maximum depth of nested arrays and objects. */
export const DEEPEST = 127;

/**
 * A number that is not an integer from 0 to 2^53 − 1 written in digits only.
 */
export class OtherNumber {
  /** @param {string} text as it was written */
  constructor(text) {
    this.text = text;
    this.value = Number(text);
  }

  toString() {
    return this.text;
  }
}

/**
 * A JSON value. An integer from 0 to 2^53 − 1 is a number, and every other number an
 * {@link OtherNumber}.
 * @typedef {null | boolean | number | string | OtherNumber | JsonArray | JsonObject} Json
 * @typedef {{[name: string]: Json}} JsonObject
 */

/**
 * @typedef {Json[]} JsonArray
 */

/**
 * Whether a value is an object, and not an array or a number.
 * @param {Json | undefined} value
 * @returns {value is JsonObject}
 */
export function isObject(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof OtherNumber)
  );
}

/**
 * The value of one JSON text and nothing else.
 * @param {Uint8Array | string} input UTF-8, or a text that is judged as its UTF-8
 * @returns {Json}
 * @throws {Refused} `json`
 */
export function readJson(input) {
  const text = typeof input === "string" ? input : textOrNull(input);
  if (text === null)
    throw new Refused("json", "expected JSON in UTF-8, found bytes that are not UTF-8");
  if (typeof input === "string" && /\p{Cs}/u.test(text))
    throw new Refused("json", "expected JSON, found half a surrogate pair");
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) reader.refuse("the end");
  return value;
}

const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /**
   * @param {string} expected
   * @returns {never}
   */
  refuse(expected) {
    const byte = utf8Length(this.text.slice(0, this.at));
    const found =
      this.at < this.text.length ? shown(this.text.slice(this.at, this.at + 10)) : "the end";
    throw new Refused("json", `byte ${byte}: expected ${expected}, found ${found}`);
  }

  space() {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  /**
   * Skips white space, and takes the next character if it is the given one.
   * @param {number} unit
   * @returns {boolean}
   */
  takes(unit) {
    this.space();
    if (this.text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  /**
   * @param {number} depth of the arrays and objects around the value
   * @returns {Json}
   */
  value(depth) {
    this.space();
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth + 1);
      case "[":
        return this.array(depth + 1);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  /**
   * @param {number} depth
   * @returns {JsonObject}
   */
  object(depth) {
    if (depth > DEEPEST) this.refuse(`at most ${DEEPEST} levels`);
    this.at++;
    // An object without a prototype would be several times slower. So only own members are read,
    // and `__proto__` needs care.
    /** @type {JsonObject} */
    const object = {};
    if (this.takes(0x7d)) return object;
    do {
      this.space();
      if (this.text[this.at] !== '"') this.refuse("a name in quotes");
      const start = this.at;
      const name = this.string();
      if (Object.hasOwn(object, name)) {
        this.at = start;
        this.refuse("a name that this object has not had");
      }
      if (!this.takes(0x3a)) this.refuse('":"');
      const value = this.value(depth);
      if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
    } while (this.takes(0x2c));
    if (!this.takes(0x7d)) this.refuse('"," or "}"');
    return object;
  }

  /**
   * @param {number} depth
   * @returns {Json[]}
   */
  array(depth) {
    if (depth > DEEPEST) this.refuse(`at most ${DEEPEST} levels`);
    this.at++;
    /** @type {Json[]} */
    const array = [];
    if (this.takes(0x5d)) return array;
    do array.push(this.value(depth));
    while (this.takes(0x2c));
    if (!this.takes(0x5d)) this.refuse('"," or "]"');
    return array;
  }

  /** @returns {string} */
  string() {
    const { text } = this;
    let start = this.at + 1;
    let before = "";
    for (let at = start; ; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        this.at = at + 1;
        return before + text.slice(start, at);
      }
      if (unit === 0x5c) {
        before += text.slice(start, at);
        this.at = at;
        before += this.escape();
        start = this.at;
        at = start - 1;
      } else if (!(unit >= 0x20)) {
        // A control character, or the end: there charCodeAt gives NaN.
        this.at = at;
        this.refuse("a character of a string, or its end");
      }
    }
  }

  /** @returns {string} */
  escape() {
    const kind = this.text[this.at + 1];
    if (kind !== "u") {
      const meant = ESCAPES.get(kind);
      if (meant === undefined) this.refuse("an escape");
      this.at += 2;
      return meant;
    }
    const unit = this.unit();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit > 0xdbff || !this.text.startsWith("\\u", this.at))
      this.refuse("both halves of a surrogate pair");
    const low = this.unit();
    if (low < 0xdc00 || low > 0xdfff) this.refuse("both halves of a surrogate pair");
    return String.fromCharCode(unit, low);
  }

  /** The code unit of an escape. @returns {number} */
  unit() {
    HEX4.lastIndex = this.at + 2;
    const found = HEX4.exec(this.text);
    if (found === null) this.refuse("four hexadecimal digits");
    this.at += 6;
    return parseInt(found[0], 16);
  }

  /** @returns {number | OtherNumber} */
  number() {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (found === null) this.refuse("a value");
    const [digits] = found;
    const value = Number(digits);
    if (!Number.isFinite(value)) this.refuse("a number that a double can hold");
    this.at += digits.length;
    const integer = Number.isSafeInteger(value) && /^[0-9]+$/.test(digits);
    return integer ? value : new OtherNumber(digits);
  }

  /**
   * @template {boolean | null} T
   * @param {string} word
   * @param {T} value
   * @returns {T}
   */
  word(word, value) {
    if (!this.text.startsWith(word, this.at)) this.refuse("a value");
    this.at += word.length;
    return value;
  }
}
