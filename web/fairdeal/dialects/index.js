// Rounds of other operators' schemes: whether the commitment opens, whether the result follows, and
// what no row shows (spec/dialects.md). The results are the JSON of `fairdeal check --json`, which
// `spec/schema/check.json` describes.

import { FLAG, FUNCTION, NUMBER, expectOptions } from "../expected.js";
import { Refused, shown } from "../refused.js";
import { diagnose } from "./diagnose.js";
import { newMemory, judge, lost, readRow } from "./judge.js";
import { limitsOf } from "./limits.js";
import { COLUMNS, meaning } from "./columns.js";
import { JsonObject } from "./json-rows.js";
import { ALL, dialectNamed } from "./registry.js";
import { FileFault, fileRows } from "./rows-file.js";
import { rowsShow } from "./rows-show.js";
import { judgeSingle } from "./single.js";
import { statementsOf } from "./statements.js";
import { Unreadable } from "./unreadable.js";

/** @typedef {import("./judge.js").Verdict} Verdict */
/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./rows-file.js").RawRow} RawRow */

/**
 * The description of a dialect.
 * @typedef {object} DialectInfo
 * @property {string} name
 * @property {string} title
 * @property {string} covers the checks
 * @property {string} source where the scheme is described
 * @property {string[]} columns of spec/dialects.md, section 16.2, that it reads
 * @property {ReturnType<typeof import("./statements.js").statementsOf>} statements what its rows
 *   show and do not show
 */

/** @typedef {{row: number, verdict: Verdict, says: string}} RowVerdict */

/** @typedef {ReturnType<typeof diagnose>} WouldVerify */

/**
 * The verdicts on a file.
 * @typedef {object} Checked
 * @property {string} dialect
 * @property {RowVerdict[]} rows
 * @property {boolean} holds whether every row is valid, and the whole file was read
 * @property {number} valid
 * @property {number} invalid
 * @property {number} unreadable
 * @property {WouldVerify} [would_verify]
 * @property {ReturnType<typeof rowsShow>} [rows_show]
 * @property {ReturnType<typeof limitsOf>} [cannot_show]
 * @property {{code: "unavailable", says: string}} [error] why there are no more rows, or why no row
 *   could be checked
 */

/**
 * @typedef {object} CheckOptions
 * @property {(done: number) => void} [onProgress] called after each thousand rows, with the number
 *   judged
 * @property {boolean} [brief] the verdicts alone
 */

/** `onProgress` is called each time after this number of rows. */
const PROGRESS = 1_000;

/**
 * The known dialects.
 * @returns {DialectInfo[]}
 */
export function dialects() {
  return ALL.map((dialect) => {
    const { name, title, covers, source, columns } = dialect;
    return {
      name,
      title,
      covers,
      source,
      columns: [...columns],
      statements: statementsOf(dialect),
    };
  });
}

/**
 * The limits of a dialect's rows, with its exact bias: the JSON of `fairdeal check DIALECT --limits
 * --json`.
 * @param {string} dialect
 * @returns {ReturnType<typeof limitsOf>}
 * @throws {Refused} `usage`
 */
export function limits(dialect) {
  return limitsOf(dialectNamed(dialect));
}

/**
 * Judges one round. If no result is given, nothing is compared.
 * @param {string} dialect
 * @param {object} row
 * @param {{cards?: number}} [options] the number of cards listed; by default 10, or as many as the
 *   row has
 * @returns {ReturnType<typeof judgeSingle>}
 * @throws {Refused} `usage`
 */
export function checkRound(dialect, row, options = {}) {
  const call = "checkRound(dialect, row, options)";
  expectOptions(call, 'options such as "cards"', options, { cards: NUMBER });
  return judgeSingle(dialectNamed(dialect), row, options);
}

/**
 * @param {unknown[]} rows
 * @returns {Generator<RawRow>}
 */
function* listRows(rows) {
  // Not `yield*`: a hole in a sparse list is a row that cannot be read.
  for (let at = 0; at < rows.length; at++) yield { line: null, value: rows[at], fault: null };
}

/** Judges rows one after the other, and collects the data about the whole file. */
class Check {
  /** @param {Dialect} dialect */
  constructor(dialect) {
    this.dialect = dialect;
    this.memory = newMemory(dialect);
    /** @type {RowVerdict[]} */
    this.rows = [];
    /** @type {(Round | null)[]} */
    this.rounds = [];
    /** @type {import("./diagnose.js").Failing[]} */
    this.failing = [];
    /** @type {Set<string>} the names of columns that came */
    this.names = new Set();
  }

  /** @param {RawRow} raw */
  add(raw) {
    const row = this.rows.length;
    const { verdict, says, round, isGuessable } = this.verdictOn(raw);
    const line = verdict === "unreadable" && raw.line !== null ? `line ${raw.line}: ` : "";
    this.rows.push({ row, verdict, says: line + says });
    this.rounds.push(round);
    if (isGuessable) this.failing.push({ row, at: row, verdict });
  }

  /**
   * @param {RawRow} raw
   * @returns {{verdict: Verdict, says: string, round: Round | null, isGuessable: boolean}}
   */
  verdictOn(raw) {
    if (raw.fault !== null)
      return { verdict: "unreadable", says: raw.fault, round: null, isGuessable: false };
    if (raw.value instanceof JsonObject)
      for (const name of raw.value.members.keys()) this.names.add(name);
    try {
      const { round, refused, isSeed } = readRow(this.dialect, raw.value, true);
      if (refused !== null)
        return {
          verdict: "unreadable",
          says: refused,
          round,
          isGuessable: isSeed,
        };
      const judged = judge(this.dialect, round, this.memory);
      return {
        ...judged,
        round,
        isGuessable:
          judged.verdict === "unreadable" ? lost(round) !== null : judged.verdict !== "valid",
      };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { verdict: "unreadable", says: error.message, round: null, isGuessable: false };
    }
  }

  /** @param {Verdict} verdict @returns {number} */
  count(verdict) {
    return this.rows.reduce((count, row) => count + (row.verdict === verdict ? 1 : 0), 0);
  }

  /** @returns {string | null} why nothing could be judged */
  nothingRead() {
    if (this.rows.length === 0) return "expected rows, found none";
    if (this.rows.some(({ verdict }) => verdict !== "unreadable")) return null;
    const missing = this.missingColumn();
    if (missing !== null) return `no ${missing} column; found ${[...this.names].join(", ")}`;
    return `can't read any of ${this.rows.length} rows; ${this.rows[0].says}`;
  }

  /** @returns {string | null} a column that the dialect needs and that no row has */
  missingColumn() {
    if (this.names.size === 0) return null;
    const known = new Set([...this.names].map((one) => meaning(this.dialect, one)));
    const { game, kind, reuse, name } = this.dialect;
    const shows = game?.shows ?? [];
    const isShown = shows.some((column) => known.has(column));
    const asked = Object.keys(game?.asks ?? {}).filter((column) => column !== "mine_count");
    const needed = COLUMNS.filter((column) => {
      if (column === "server_seed") return true;
      if (column === "client_seed") return reuse !== "chain" && name !== "fairdeal/v1";
      if (column === "nonce") return kind !== "multiplier";
      if (column === "cards") return kind === "cards";
      if (asked.includes(column) || (column === shows[0] && !isShown)) return true;
      return column === "result" && kind === "multiplier";
    });
    return needed.find((column) => !known.has(column)) ?? null;
  }

  /**
   * @param {string | null} fault of the file
   * @param {boolean} isBrief
   * @returns {Checked}
   */
  finish(fault, isBrief) {
    const valid = this.count("valid");
    const error = fault ?? this.nothingRead();
    const counted = this.rows.flatMap(({ row, verdict }) => {
      const round = this.rounds[row];
      return round === null ? [] : [{ row, round, verdict }];
    });
    return {
      dialect: this.dialect.name,
      rows: this.rows,
      holds: error === null && valid === this.rows.length,
      valid,
      invalid: this.rows.length - valid,
      unreadable: this.count("unreadable"),
      // There is nothing to report about no rows.
      ...(isBrief || this.rows.length === 0
        ? {}
        : {
            would_verify: diagnose(this.dialect, this.memory, this.rounds, this.failing),
            rows_show: rowsShow(this.dialect, counted),
            cannot_show: limitsOf(this.dialect),
          }),
      ...(error === null
        ? {}
        : { error: { code: /** @type {const} */ ("unavailable"), says: error } }),
    };
  }
}

/**
 * Judges rows: a list of objects, or a file as CSV, JSON or JSON lines.
 * @param {string} dialect
 * @param {unknown[] | string | Uint8Array} rows
 * @param {CheckOptions} [options]
 * @returns {Checked}
 * @throws {Refused} `usage`, for an unknown dialect, or if the input is not rows
 */
export function checkRows(dialect, rows, options = {}) {
  const call = "checkRows(dialect, rows, options)";
  const members = { onProgress: FUNCTION, brief: FLAG };
  expectOptions(call, 'options such as "brief"', options, members);
  const { onProgress, brief = false } = options;
  const check = new Check(dialectNamed(dialect));
  if (!Array.isArray(rows) && typeof rows !== "string" && !(rows instanceof Uint8Array)) {
    throw new Refused(
      "usage",
      `expected a list of rows, or a file as text or bytes; found ${shown(rows)}`,
    );
  }
  /** @type {string | null} */
  let fault = null;
  try {
    for (const raw of Array.isArray(rows) ? listRows(rows) : fileRows(rows, check.dialect)) {
      check.add(raw);
      if (check.rows.length % PROGRESS === 0) onProgress?.(check.rows.length);
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    fault = error.message;
  }
  onProgress?.(check.rows.length);
  return check.finish(fault, brief);
}
