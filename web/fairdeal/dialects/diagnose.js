// Finds what would make failing rows verify: tries each usual confusion on each row
// (spec/dialects.md, section 16.4).

import { NAMED_DECKS } from "./cards.js";
import { MOST_STEPS } from "./chain.js";
import { confusionsOf } from "./confusions.js";
import { cardsNeeded, hasReadableSeeds, isValid, newMemory } from "./judge.js";
import { casesAtLeast } from "./multiplier.js";
import { decoded } from "./seeds.js";
import { fromHex } from "../bytes.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./judge.js").Verdict} Verdict */
/** @typedef {import("./confusions.js").Case} Case */
/** @typedef {import("./confusions.js").Changed} Changed */
/** @typedef {import("./confusions.js").Confusion} Confusion */

/** The maximum number of failing rows that are tried. */
const MOST_ROWS = 300;

/**
 * The maximum number of chain hashes for all tries together, and for one try near a known place.
 */
const FOUND_STEPS = MOST_STEPS / 4;
const NEAR_STEPS = 10_000;

/** The probability that a wrong hash opens a commitment, rounded up. */
const OPENS = 8.7e-78;

/** The least probability that is reported. */
const LEAST = 1e-300;

/** A diagnosis with a greater probability is marked, or is not reported. */
const COULD_BE_CHANCE = 1e-3;
const IS_CHANCE = 0.5;

/** @typedef {{row: number, at: number, verdict: Verdict}} Failing a row's number, its place among the rounds */

/**
 * A confusion, the rows that it explains, and the sum of the probabilities that a row is explained
 * by chance, which is 0 if the confusion changes no row.
 * @typedef {{confusion: Confusion, rows: number[], expected: number}} Tried
 */

/**
 * An upper bound of the probability of what a row shows.
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {number}
 */
function chanceOf({ kind, limits, scheme }, { cards, result, deal }) {
  if (kind === "multiplier") {
    const cents = result?.cents ?? 0n;
    if (limits.law === undefined || cents < 100n) return 0;
    return (
      Number(casesAtLeast(limits.law, cents) - casesAtLeast(limits.law, cents + 1n)) /
      2 ** Number(limits.law.bits)
    );
  }
  const size = NAMED_DECKS.get(deal?.deck ?? "")?.length ?? 52 * (scheme.copies ?? 1);
  let chance = 1;
  // Without repeats each next card is likelier than with them. So this bounds both.
  for (let left = size; left > Math.max(0, size - (cards?.length ?? 0)); left--)
    chance *= Math.min(1, Math.ceil(size / 52) / left);
  return Math.max(LEAST, chance);
}

/**
 * If the first hash that is not yet known to be on its chain has a place, find it once: then
 * tries are cheap.
 * @param {Memory} memory
 * @param {(Round | null)[]} rounds
 * @param {Failing[]} failing
 */
function findPlace(memory, rounds, failing) {
  if (memory.chain === null || memory.chain.places.length > 1) return;
  const first = failing.find(({ at, verdict }) => {
    const seed = rounds[at]?.serverSeed ?? "";
    return verdict === "chain-mismatch" && seed.length === 64 && decoded(seed) !== null;
  });
  if (first !== undefined)
    memory.chain.find(fromHex(String(rounds[first.at]?.serverSeed).toLowerCase()), FOUND_STEPS);
}

/** A row that does not verify, among the rows of its file. */
class Row {
  /**
   * @param {Dialect} dialect
   * @param {Memory} memory
   * @param {(Round | null)[]} rounds of the whole file; null for rows that were not read
   * @param {Failing} failing
   */
  constructor(dialect, memory, rounds, { at, verdict }) {
    this.dialect = dialect;
    this.memory = memory;
    this.rounds = rounds;
    this.at = at;
    this.round = /** @type {Round} */ (rounds[at]);
    this.isShut = verdict === "commitment-mismatch" || verdict === "chain-mismatch";
    this.dealt = this.deal();
  }

  /** @returns {number[]} */
  deal() {
    const { dialect, round, memory } = this;
    if (this.isShut || round.cards === null || !hasReadableSeeds(dialect, round)) return [];
    const outcome = dialect.outcome(round, cardsNeeded(round), dialect.scheme, memory);
    return "cards" in outcome ? outcome.cards : [];
  }

  /** @type {Case["near"]} */
  near(column, step) {
    // A record of a seed is some thousands of rows at most.
    for (
      let at = this.at + step, left = 10_000;
      left > 0 && at >= 0 && at < this.rounds.length;
      at += step, left--
    ) {
      const value = this.rounds[at]?.[column] ?? "";
      if (value !== "" && value !== this.round[column]) return this.rounds[at];
    }
    return null;
  }

  /**
   * An upper bound of the probability that a wrong change makes the row verify; 0 if it cannot.
   * @param {Changed} changed
   * @returns {number}
   */
  chance({ columns = {}, dialect = this.dialect }) {
    const { round } = this;
    const opening = /** @type {const} */ (["serverSeed", "commitment", "gameId", "chainSteps"]);
    const isKept =
      dialect.committed === this.dialect.committed &&
      opening.every(
        (column) => (column in columns ? columns[column] : round[column]) === round[column],
      );
    if (round.commitment !== null && isKept && this.isShut) return 0;
    return round.commitment !== null && !isKept && dialect.committed !== "no-rule"
      ? OPENS
      : chanceOf(dialect, round);
  }

  /** @param {Changed} changed @returns {boolean} */
  differs({ columns = {}, scheme = this.dialect.scheme, dialect = this.dialect }) {
    const names = /** @type {(keyof Round)[]} */ (Object.keys(columns)).filter(
      // Read again, it may be equal. A changed one is given.
      (name) => name !== "deal" || columns.deal !== null,
    );
    return (
      dialect !== this.dialect ||
      scheme.seed !== this.dialect.scheme.seed ||
      names.some((name) => columns[name] !== this.round[name])
    );
  }

  /** @param {Changed} changed @returns {boolean} */
  verifies({ columns = {}, scheme, dialect = this.dialect }) {
    const memory = dialect === this.dialect ? this.memory : { ...newMemory(dialect), steps: 0 };
    return isValid(dialect, { ...this.round, ...columns }, memory, scheme);
  }
}

/**
 * The name of a round: rows of one round agree or differ together, so that they count once.
 * @param {Round} round
 * @returns {string}
 */
function roundName({ serverSeed, commitment, clientSeed, nonce, deal }) {
  return JSON.stringify([serverSeed, commitment, clientSeed, nonce, deal?.contributions]);
}

/**
 * Tries every confusion on every row. Returns which rows were tried first of their round.
 * @param {Tried[]} all
 * @param {Dialect} dialect
 * @param {Memory} memory
 * @param {(Round | null)[]} rounds
 * @param {Failing[]} failing
 * @returns {boolean[]}
 */
function tryAll(all, dialect, memory, rounds, failing) {
  const seen = new Set();
  /** @type {boolean[]} */
  const alone = [];
  for (const [at, each] of failing.entries()) {
    const row = new Row(dialect, memory, rounds, each);
    const name = roundName(row.round);
    alone.push(!seen.has(name));
    seen.add(name);
    for (const one of all) {
      const changed = one.confusion.change(row);
      if (changed === null) continue;
      const chance = Math.min(
        1,
        row.chance(changed) * one.confusion.ways(row.round.cards?.length ?? 0),
      );
      const isSo = changed.isSo !== false;
      if (chance === 0 || (isSo && !row.differs(changed))) continue;
      if (alone[at]) one.expected += chance;
      if (isSo && row.verifies(changed)) one.rows.push(at);
    }
  }
  return alone;
}

/**
 * An upper bound of the probability that any of so many wrong changes explains as many rows: of
 * independent events whose probabilities add up to s, k happen with probability s^k / k! at most.
 * @param {number} changes
 * @param {number} expected
 * @param {number} rows
 * @returns {number}
 */
function chanceBound(changes, expected, rows) {
  let log = Math.log(changes);
  for (let k = 1; k <= Math.max(1, rows); k++) log += Math.log(expected / k);
  return Math.min(1, Math.max(LEAST, Math.exp(log)));
}

/**
 * The changes that would make failing rows verify.
 * @param {Dialect} dialect
 * @param {Memory} memory of the rows that were checked
 * @param {(Round | null)[]} rounds of all rows; null for rows that were not read
 * @param {Failing[]} failing
 */
export function diagnose(dialect, memory, rounds, failing) {
  const first = failing.slice(0, MOST_ROWS);
  findPlace(memory, rounds, first);
  /** @type {Tried[]} */
  const all = confusionsOf(dialect).map((confusion) => ({ confusion, rows: [], expected: 0 }));
  const alone = tryAll(all, dialect, { ...memory, steps: NEAR_STEPS }, rounds, first);
  const changes = all.filter(({ expected }) => expected > 0).length;
  const open = new Set(alone.keys());
  const diagnoses = [];
  // Confusions that may be chance come last, so that they take no rows from the others.
  for (const most of [COULD_BE_CHANCE, IS_CHANCE]) {
    for (;;) {
      const found = all
        .map(({ confusion, rows, expected }) => ({
          confusion,
          expected,
          rows: rows.filter((at) => open.has(at)),
        }))
        .filter(({ rows }) => rows.length > 0)
        .map((one) => ({
          ...one,
          chance: chanceBound(changes, one.expected, one.rows.filter((at) => alone[at]).length),
        }))
        .sort((a, b) => b.rows.length - a.rows.length);
      const best = found.find(({ chance }) => chance <= most);
      if (best === undefined) break;
      const { confusion, rows, chance } = best;
      diagnoses.push({
        code: confusion.code,
        says: confusion.says,
        rows: rows.length,
        tried: alone.length,
        first_rows: rows.slice(0, 10).map((at) => first[at].row),
        also: found.filter((one) => rows.every((at) => one.rows.includes(at))).length - 1,
        chance,
        could_be_chance: chance > COULD_BE_CHANCE,
      });
      for (const at of rows) open.delete(at);
    }
  }
  diagnoses.sort((a, b) => b.rows - a.rows);
  return { failing: failing.length, tried: alone.length, unexplained: open.size, diagnoses };
}
