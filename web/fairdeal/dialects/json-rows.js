// A JSON reader for files of rows (spec/dialects.md, section 16.1). `JSON.parse` cannot be used: it
// reads no row before the whole file, does not keep numbers as written, and does not report
// duplicate names.

import { JsonNumber } from "./unreadable.js";

/** The text is not JSON at a place. */
export class JsonFault extends Error {
  /**
   * @param {string} message
   * @param {number} at
   */
  constructor(message, at) {
    super(message);
    this.name = "JsonFault";
    this.at = at;
  }
}

/** A JSON object with its members in order, and those whose name occurred before. */
export class JsonObject {
  constructor() {
    /** @type {Map<string, unknown>} */
    this.members = new Map();
    /** @type {[string, unknown][]} */
    this.again = [];
  }

  /** @returns {string | null} the first name that occurs twice */
  get twice() {
    return this.again[0]?.[0] ?? null;
  }

  /** @param {string} name @param {unknown} value */
  put(name, value) {
    if (this.members.has(name)) this.again.push([name, value]);
    else this.members.set(name, value);
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPES = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
for (const same of '"\\/') ESCAPES.set(same, same);

/**
 * Reads values from a text, one after the other. Nesting is kept in a list: no depth exhausts the
 * call stack.
 */
export class JsonReader {
  /**
   * @param {string} text
   * @param {number} [at] where to begin
   * @param {number} [end] where the text ends
   */
  constructor(text, at = 0, end = text.length) {
    this.text = text;
    this.at = at;
    this.end = end;
  }

  /** @returns {string} the next character that is not white space, or "" at the end */
  peek() {
    while (this.at < this.end && " \t\r\n".includes(this.text[this.at])) this.at++;
    return this.at < this.end ? this.text[this.at] : "";
  }

  /** @param {string} expected @returns {never} */
  refuse(expected) {
    const found = this.at < this.end ? JSON.stringify(this.text[this.at]) : "the end";
    throw new JsonFault(`expected ${expected}, found ${found}`, this.at);
  }

  /** @param {string} character @param {string} expected */
  take(character, expected) {
    if (this.peek() !== character) this.refuse(expected);
    this.at++;
  }

  /**
   * @param {string} character
   * @returns {boolean} whether the next character is this one; then it is taken
   */
  takes(character) {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }

  /** @returns {string} a name of a member, with the colon after it taken */
  name() {
    if (this.peek() !== '"') this.refuse("a name in quotes");
    const name = this.string();
    this.take(":", 'a ":" after the name');
    return name;
  }

  /** @returns {unknown} */
  value() {
    /** @type {(unknown[] | JsonObject)[]} */
    const open = [];
    /** @type {string[]} the name that waits for its value, for each open object */
    const names = [];
    for (;;) {
      let value = this.opening();
      if (Array.isArray(value) && !this.takes("]")) {
        open.push(value);
        continue;
      }
      if (value instanceof JsonObject && !this.takes("}")) {
        open.push(value);
        names.push(this.name());
        continue;
      }
      for (;;) {
        const holder = open.at(-1);
        if (holder === undefined) return value;
        if (Array.isArray(holder)) holder.push(value);
        else holder.put(/** @type {string} */ (names.pop()), value);
        const close = Array.isArray(holder) ? "]" : "}";
        if (this.takes(",")) {
          if (!Array.isArray(holder)) names.push(this.name());
          break;
        }
        this.take(close, `"," or "${close}"`);
        value = open.pop();
      }
    }
  }

  /** @returns {unknown} a whole value, or an empty list or object that was only opened */
  opening() {
    const first = this.peek();
    if (first === "[") {
      this.at++;
      return [];
    }
    if (first === "{") {
      this.at++;
      return new JsonObject();
    }
    if (first === '"') return this.string();
    /** @type {[string, unknown][]} */
    const words = [
      ["true", true],
      ["false", false],
      ["null", null],
    ];
    for (const [word, value] of words) {
      if (this.at + word.length <= this.end && this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null || NUMBER.lastIndex > this.end) this.refuse("a value");
    this.at = NUMBER.lastIndex;
    return new JsonNumber(match[0]);
  }

  /** @returns {string} */
  string() {
    let from = ++this.at;
    let text = "";
    for (;;) {
      const unit = this.at < this.end ? this.text.charCodeAt(this.at) : -1;
      if (unit < 0x20) this.refuse("a text that is closed and has no control characters");
      if (unit === 0x22 || unit === 0x5c) {
        text += this.text.slice(from, this.at);
        this.at++;
        if (unit === 0x22) return text;
        text += this.escape();
        from = this.at;
      } else this.at++;
    }
  }

  /** @returns {string} */
  escape() {
    const letter = this.at < this.end ? this.text[this.at] : "";
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      this.at++;
      return plain;
    }
    const digits = this.text.slice(this.at + 1, Math.min(this.at + 5, this.end));
    if (letter !== "u" || !/^[0-9A-Fa-f]{4}$/.test(digits)) this.refuse("an escape of JSON");
    this.at += 5;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

/**
 * The value of a whole text.
 * @param {string} text
 * @param {number} [at]
 * @param {number} [end]
 * @returns {unknown}
 * @throws {JsonFault}
 */
export function parseWhole(text, at = 0, end = text.length) {
  const reader = new JsonReader(text, at, end);
  const value = reader.value();
  if (reader.peek() !== "") reader.refuse("nothing after the value");
  return value;
}
