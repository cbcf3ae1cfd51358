// The rows of a file (spec/dialects.md, section 16.1).

import { textOrNull } from "../bytes.js";
import { csvRecords } from "./csv.js";
import { meaning, nameColumns } from "./columns.js";
import { JsonFault, JsonObject, JsonReader, parseWhole } from "./json-rows.js";
import { Unreadable, shown } from "./unreadable.js";

/** @typedef {import("./round.js").Dialect} Dialect */

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
 * @param {Dialect} dialect
 * @returns {Generator<RawRow>}
 * @throws {FileFault} if the file cannot be read further
 */
export function* fileRows(file, dialect) {
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
          ? objectRows(reader, lines, dialect)
          : csvRows(text, lines, dialect);
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
 * A list under another name than `rows` is known only at the end of the object, and is then read
 * once more.
 * @param {JsonReader} reader
 * @param {Lines} lines
 * @param {Dialect} dialect
 * @returns {Generator<RawRow>}
 */
function* objectRows(reader, lines, dialect) {
  const { text, at: start } = reader;
  if (isLineOfLines(text, start, dialect)) {
    yield* lineRows(text, lines);
    return;
  }
  const row = new JsonObject();
  /** @type {{name: string, at: number}[]} */
  const lists = [];
  reader.take("{", "an object");
  let hasRows = false;
  /** @type {string | null} */
  let seed = null;
  if (!reader.takes("}")) {
    do {
      const before = reader.at;
      const name = reader.name();
      if (meaning(dialect, name) === "server_seed") seed ??= name;
      // Rows of pins are a number.
      if (name !== "rows" || reader.peek() !== "[") {
        const { at } = reader;
        const value = reader.value();
        if (beginsWithRow(value, dialect)) lists.push({ name, at });
        row.put(name, value);
      } else if (hasRows)
        throw new JsonFault('expected one list of rows, found a second "rows"', before);
      else {
        hasRows = true;
        yield* elements(reader, lines);
      }
    } while (reader.takes(","));
    reader.take("}", '"," or "}" after a member');
  }
  const [list, second] = hasRows ? [] : lists;
  if (second !== undefined) {
    const says = `expected one list of rows, found ${shown(list.name)} and ${shown(second.name)}`;
    throw new JsonFault(says, start);
  }
  if (seed !== null && (hasRows || list !== undefined)) {
    const says = `expected a row or a list of rows, found a list and ${shown(seed)} beside it`;
    throw new JsonFault(says, start);
  }
  if (list !== undefined) yield* elements(new JsonReader(text, list.at), lines);
  expectEnd(reader);
  if (!hasRows && list === undefined) yield { line: lines.of(start), value: row, fault: null };
}

/**
 * Whether a value is an array that begins with an object in which a name means `server_seed`.
 * @param {unknown} value
 * @param {Dialect} dialect
 * @returns {boolean}
 */
function beginsWithRow(value, dialect) {
  const first = Array.isArray(value) ? value[0] : null;
  return (
    first instanceof JsonObject &&
    [...first.members.keys()].some((name) => meaning(dialect, name) === "server_seed")
  );
}

/**
 * Whether the first line that is not empty is by itself a JSON value without a list of rows.
 * @param {string} text
 * @param {number} start where the value begins
 * @param {Dialect} dialect
 * @returns {boolean}
 */
function isLineOfLines(text, start, dialect) {
  const end = text.indexOf("\n", start);
  try {
    const value = parseWhole(text, start, end < 0 ? text.length : end);
    if (!(value instanceof JsonObject)) return true;
    return ![...value.members, ...value.again].some(
      ([name, one]) => (name === "rows" && Array.isArray(one)) || beginsWithRow(one, dialect),
    );
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
 * The columns of a table, by its first record.
 * @param {import("./csv.js").CsvRecord | undefined} header
 * @param {string} text
 * @param {number} line
 * @param {Dialect} dialect
 * @returns {Map<string, string>} column to name
 * @throws {FileFault}
 */
function headerColumns(header, text, line, dialect) {
  if (header === undefined || header.isOpen || header.fault !== null) {
    throw new FileFault(`expected JSON, or CSV with a header; found ${shown(text.slice(0, 60))}`);
  }
  const names = header.cells;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new FileFault(`line ${line}: expected each column once, found ${shown(twice)} twice`);
  try {
    const known = nameColumns(names, dialect);
    if (known.size > 0) return known;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new FileFault(`line ${line}: ${error.message}`);
  }
  throw new FileFault(
    `expected JSON, or CSV with a header that names columns such as server_seed; found ${shown(names.join(","))}`,
  );
}

/**
 * @param {string} text
 * @param {Lines} lines
 * @param {Dialect} dialect
 * @returns {Generator<RawRow>}
 */
function* csvRows(text, lines, dialect) {
  const records = csvRecords(text);
  const first = records.next();
  const header = first.done === true ? undefined : first.value;
  const known = headerColumns(header, text, lines.of(header?.at ?? 0), dialect);
  const names = header?.cells ?? [];
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
