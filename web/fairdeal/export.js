// A whole log in one file (spec/ledger.md, section 10.5).

import { utf8 } from "./bytes.js";
import { readCheckpoint } from "./checkpoint.js";
import { LONGEST_NOTE, readNote } from "./note.js";
import { Refused } from "./refused.js";
import { FULL } from "./tile.js";

const HEAD = utf8("fairdeal/export/v1\n");

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  throw new Refused("export", `expected an exported log; ${why}`);
}

/** @typedef {import("./source.js").Source} Source */

/**
 * An exported log, as a source of entries.
 * @implements {Source}
 */
export class ExportSource {
  /**
   * @param {Uint8Array} bytes the file
   * @throws {Refused} `export`, if it is too short or too long, or is not an exported log
   */
  constructor(bytes) {
    this.bytes = bytes;
    const start = HEAD.length + 4;
    if (bytes.length < start || HEAD.some((byte, i) => bytes[i] !== byte)) {
      refuse('it does not begin with the line "fairdeal/export/v1" and a length');
    }
    const length = bytes.subarray(HEAD.length, start).reduce((sum, byte) => 256 * sum + byte, 0);
    if (length > LONGEST_NOTE)
      refuse(`its checkpoint has ${length} bytes, the most are ${LONGEST_NOTE}`);
    if (start + length > bytes.length) refuse("it ends within its checkpoint");
    this.note = bytes.subarray(start, start + length);
    /** The offset of each bundle of 256 entries. @type {number[]} */
    this.starts = [];
    const end = this.walk(start + length, promised(this.note));
    if (end !== bytes.length) refuse(`${bytes.length - end} bytes follow its last entry`);
  }

  /**
   * @param {number} at where the first entry begins
   * @param {bigint} size the number of entries
   * @returns {number} where the last entry ends
   */
  walk(at, size) {
    const { bytes } = this;
    for (let i = 0; i < size; i++) {
      if (i % FULL === 0) this.starts.push(at);
      at += 2 + bytes[at] * 256 + bytes[at + 1];
      // Past the end of the array the length is NaN.
      if (!(at <= bytes.length)) refuse(`it ends within entry ${i} of ${size}`);
    }
    return at;
  }

  /** @returns {Promise<Uint8Array | null>} */
  async checkpoint() {
    return this.note;
  }

  /**
   * @param {number} index
   * @param {number} width
   * @returns {Promise<Uint8Array[] | null>}
   */
  async bundle(index, width) {
    const entries = [];
    let at = this.starts[index];
    for (let i = 0; i < width; i++) {
      const end = at + 2 + this.bytes[at] * 256 + this.bytes[at + 1];
      entries.push(this.bytes.subarray(at + 2, end));
      at = end;
    }
    return entries;
  }
}

/**
 * @param {Uint8Array} note
 * @returns {bigint}
 */
function promised(note) {
  try {
    return readCheckpoint(readNote(note).text).size;
  } catch (error) {
    if (error instanceof Refused) return 0n;
    throw error;
  }
}
