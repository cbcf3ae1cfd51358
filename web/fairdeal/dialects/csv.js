// CSV as in RFC 4180, with LF or CRLF, also with semicolons or tabs (spec/dialects.md, section
// 16.1).

/**
 * One record. `fault` is its fault, if it has one; `isEnded` whether a line end followed; `isOpen`
 * whether the file ended inside a quoted cell.
 * @typedef {{cells: string[], at: number, fault: string | null, isEnded: boolean,
 *   isOpen: boolean}} CsvRecord
 */

const MISPLACED =
  "expected quotes around a whole cell, and two for one inside; found a quote or a CR elsewhere";

const SEPARATORS = [",", ";", "\t"];

/**
 * Where the records begin, and what is between their cells: what a line of Excel names, or what the
 * first line has most of outside quotes.
 * @param {string} text
 * @returns {{at: number, separator: string}}
 */
export function tableStart(text) {
  const at = /^(?:\r?\n)*/.exec(text)?.[0].length ?? 0;
  const end = text.indexOf("\n", at);
  const line = text.slice(at, end < 0 ? text.length : end);
  const named = /^sep=([,;\t])\r?$/.exec(line);
  if (named !== null) return { at: end < 0 ? text.length : end + 1, separator: named[1] };
  const outside = line.replaceAll(/"[^"]*("|$)/g, "");
  const counts = SEPARATORS.map((separator) => outside.split(separator).length);
  return { at: 0, separator: SEPARATORS[counts.indexOf(Math.max(...counts))] };
}

/** Reads records from a text, one after the other. */
class CsvReader {
  /** @param {string} text @param {number} at @param {string} separator */
  constructor(text, at, separator) {
    this.text = text;
    this.at = at;
    this.separator = separator;
    /** @type {string | null} */
    this.fault = null;
    this.isOpen = false;
  }

  /** @returns {boolean} whether a line ends here; a CR alone does not end one */
  isAtLineEnd() {
    const unit = this.text[this.at];
    return unit === "\n" || (unit === "\r" && this.text[this.at + 1] === "\n");
  }

  /** @returns {string} the cell up to a separator, a line end or the end */
  cell() {
    let cell = this.text[this.at] === '"' ? this.quoted() : "";
    const from = this.at;
    while (
      this.at < this.text.length &&
      this.text[this.at] !== this.separator &&
      !this.isAtLineEnd()
    ) {
      if ('"\r'.includes(this.text[this.at])) this.fault = MISPLACED;
      this.at++;
    }
    if (cell !== "" && this.at > from) this.fault = MISPLACED;
    cell += this.text.slice(from, this.at);
    return cell;
  }

  /** @returns {string} */
  quoted() {
    let cell = "";
    for (;;) {
      const close = this.text.indexOf('"', this.at + 1);
      if (close < 0) {
        this.isOpen = true;
        this.at = this.text.length;
        return cell;
      }
      cell += this.text.slice(this.at + 1, close);
      this.at = close + 1;
      if (this.text[this.at] !== '"') break;
      cell += '"';
    }
    const next = this.text[this.at];
    if (next !== undefined && next !== this.separator && !this.isAtLineEnd())
      this.fault = MISPLACED;
    return cell;
  }

  /** @returns {CsvRecord} */
  record() {
    const at = this.at;
    this.fault = null;
    const cells = [this.cell()];
    while (this.text[this.at] === this.separator) {
      this.at++;
      cells.push(this.cell());
    }
    const isEnded = this.at < this.text.length;
    if (isEnded) this.at += this.text[this.at] === "\r" ? 2 : 1;
    return { cells, at, fault: this.fault, isEnded, isOpen: this.isOpen };
  }
}

/**
 * The records of a table, without empty lines.
 * @param {string} text
 * @param {ReturnType<typeof tableStart>} [start]
 * @returns {Generator<CsvRecord>}
 */
export function* csvRecords(text, { at, separator } = tableStart(text)) {
  const reader = new CsvReader(text, at, separator);
  while (reader.at < text.length) {
    if (reader.isAtLineEnd()) reader.at += text[reader.at] === "\r" ? 2 : 1;
    else yield reader.record();
  }
}
