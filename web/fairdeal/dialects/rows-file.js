// The rows of a file (spec/dialects.md, section 16.1).

import { textOrNull } from "../bytes.js";
import { csvRecords } from "./csv.js";
import { COLUMNS, nameColumns } from "./columns.js";
import { JsonFault, JsonObject, JsonReader, parseWhole } from "./json-rows.js";
import { shown } from "./unreadable.js";

/**
 * One row, or why it is unreadable.
 * @typedef {{line: number | null, value: unknown, fault: null}
 *   | {line: number | null, fault: string}} RawRow
 */

/** The file cannot be read after some place. */
export class FileFault extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "FileFault";
  }
}

/** Counts lines while reading. */
class Lines {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.line = 1;
  }

  /** @param {number} at a place that is not before the previous one @returns {number} */
  of(at) {
    for (;;) {
      const next = this.text.indexOf("\n", this.at);
      if (next < 0 || next >= at) return this.line;
      this.at = next + 1;
      this.line++;
    }
  }
}

/**
 * The text of a file, without a byte order mark.
 * @param {string | Uint8Array} file
 * @returns {string}
 */
function textOf(file) {
  const text = typeof file === "string" ? file : textOrNull(file);
  if (text === null) throw new FileFault("expected UTF-8, found other bytes");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/**
 * The rows of a file, in any of its forms.
 * @param {string | Uint8Array} file
 * @param {boolean} isChain
 * @returns {Generator<RawRow>}
 * @throws {FileFault} if the file cannot be read further
 */
export function* fileRows(file, isChain) {
  const text = textOf(file);
  const start = text.search(/[^ \t\r\n]/);
  if (start < 0) throw new FileFault("expected rows, found none: the file is empty");
  const lines = new Lines(text);
  const reader = new JsonReader(text, start);
  let count = 0;
  try {
    const rows =
      text[start] === "["
        ? arrayRows(reader, lines)
        : text[start] === "{"
          ? objectRows(reader, lines)
          : csvRows(text, lines, isChain);
    for (const row of rows) {
      yield row;
      count++;
    }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new FileFault(
      `line ${lines.of(error.at)}, after ${count} ${count === 1 ? "row" : "rows"}: no JSON: ${error.message}`,
    );
  }
}

/**
 * @param {JsonReader} reader at the `[` of the rows
 * @param {Lines} lines
 * @returns {Generator<RawRow>}
 */
function* elements(reader, lines) {
  reader.take("[", "a list of rows");
  if (reader.takes("]")) return;
  do {
    reader.peek();
    const line = lines.of(reader.at);
    yield { line, value: reader.value(), fault: null };
  } while (reader.takes(","));
  reader.take("]", '"," or "]" after a row');
}

/** @param {JsonReader} reader */
function expectEnd(reader) {
  if (reader.peek() !== "") reader.refuse("the end of the file after the rows");
}

/**
 * @param {JsonReader} reader
 * @param {Lines} lines
 * @returns {Generator<RawRow>}
 */
function* arrayRows(reader, lines) {
  yield* elements(reader, lines);
  expectEnd(reader);
}

/**
 * @param {JsonReader} reader
 * @param {Lines} lines
 * @returns {Generator<RawRow>}
 */
function* objectRows(reader, lines) {
  const { text, at: start } = reader;
  if (isLineOfLines(text, start)) {
    yield* lineRows(text, lines);
    return;
  }
  const row = new JsonObject();
  reader.take("{", "an object");
  let hasRows = false;
  if (!reader.takes("}")) {
    do {
      const at = reader.at;
      const name = reader.name();
      if (name !== "rows") row.put(name, reader.value());
      else if (hasRows) throw new JsonFault('expected one list of rows, found a second "rows"', at);
      else {
        hasRows = true;
        yield* elements(reader, lines);
      }
    } while (reader.takes(","));
    reader.take("}", '"," or "}" after a member');
  }
  expectEnd(reader);
  if (!hasRows) yield { line: lines.of(start), value: row, fault: null };
}

/**
 * Whether the first line that is not empty is by itself a JSON value without `rows`.
 * @param {string} text
 * @param {number} start where the value begins
 * @returns {boolean}
 */
function isLineOfLines(text, start) {
  const end = text.indexOf("\n", start);
  try {
    const value = parseWhole(text, start, end < 0 ? text.length : end);
    return !(value instanceof JsonObject && value.members.has("rows"));
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}

/**
 * @param {string} text
 * @param {Lines} lines
 * @returns {Generator<RawRow>}
 */
function* lineRows(text, lines) {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    if (/[^ \t\r]/.test(text.slice(at, stop))) {
      const line = lines.of(at);
      /** @type {RawRow} */
      let row;
      try {
        row = { line, value: parseWhole(text, at, stop), fault: null };
      } catch (error) {
        // Without a line end, the last line may be incomplete.
        if (!(error instanceof JsonFault) || end < 0) throw error;
        row = { line, fault: `no JSON: ${error.message}` };
      }
      yield row;
    }
    at = stop + 1;
  }
}

/**
 * @param {string} text
 * @param {Lines} lines
 * @param {boolean} isChain
 * @returns {Generator<RawRow>}
 */
function* csvRows(text, lines, isChain) {
  const records = csvRecords(text);
  const first = records.next();
  const header = first.done === true ? undefined : first.value;
  if (header === undefined || header.isOpen || header.fault !== null) {
    throw new FileFault(`expected JSON, or CSV with a header; found ${shown(text.slice(0, 60))}`);
  }
  const names = header.cells;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new FileFault(`line 1: expected each column once, found ${shown(twice)} twice`);
  const known = nameColumns(names, isChain);
  if (known.size === 0) {
    throw new FileFault(
      `expected JSON, or CSV with a header that names columns such as ${COLUMNS[0]}; found ${shown(names.join(","))}`,
    );
  }
  const finalCell = names.indexOf(known.get("final") ?? "");
  const heldName = known.get("held");
  for (const { cells, at, fault, isEnded, isOpen } of records) {
    const line = lines.of(at);
    if (isOpen)
      throw new FileFault(
        `line ${line}: expected the end of a quoted cell, found the end of the file`,
      );
    if (!isEnded && cells.length < names.length) {
      throw new FileFault(
        `line ${line}: expected ${names.length} cells, found ${cells.length} and the end of the file`,
      );
    }
    if (fault !== null || cells.length !== names.length) {
      yield { line, fault: fault ?? `expected ${names.length} cells, found ${cells.length}` };
      continue;
    }
    const row = new JsonObject();
    names.forEach((name, place) => {
      // A player may hold no card, and CSV has no other way to write that.
      const isNothingHeld = name === heldName && finalCell >= 0 && cells[finalCell] !== "";
      row.put(name, cells[place] !== "" ? cells[place] : isNothingHeld ? [] : null);
    });
    yield { line, value: row, fault: null };
  }
}
