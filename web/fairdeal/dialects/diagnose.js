// Finds what would make failing rows verify: tries each usual confusion on each row
// (spec/dialects.md, section 16.4).

import { NAMED_DECKS } from "./cards.js";
import { MOST_STEPS } from "./chain.js";
import { chanceOfGame } from "./game.js";
import { confusionsOf } from "./confusions.js";
import { lossyText } from "./duel.js";
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

/** The most numbers for which doubles give another result (spec/dialects.md, section 17.4). */
const OPEN = 60n;

/** The least probability that is reported. */
const LEAST = 1e-300;

/** A diagnosis with a greater probability is marked, or is not reported. */
const COULD_BE_CHANCE = 1e-3;
const IS_CHANCE = 0.5;

/** @typedef {{row: number, at: number, verdict: Verdict}} Failing a row's number, its place among the rounds */

/**
 * A confusion, the rows that it explains, each with what is hashed in it after the change, and for
 * each of these an upper bound of the probability that one of its rows is explained by chance.
 * @typedef {{confusion: Confusion, rows: Map<number, string>, rounds: Map<string, number>}} Tried
 */

/**
 * An upper bound of the probability of what a row shows.
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {number}
 */
function chanceOf(dialect, round) {
  const { kind, limits, scheme } = dialect;
  const { cards, result, deal } = round;
  const { law } = limits;
  if (law !== undefined) {
    const cents = result?.cents ?? 0n;
    const least = law.least ?? 100n;
    if (cents < least) return 0;
    const from = cents <= 100n ? least : cents;
    const cases = casesAtLeast(law, from) - casesAtLeast(law, (cents < 100n ? 100n : cents) + 1n);
    // With those numbers for which this result is accepted as well.
    const open = law.inDoubles === undefined || cents <= 100n ? 0n : OPEN;
    return Number(cases + open) / 2 ** Number(law.bits);
  }
  if (kind !== "cards") return chanceOfGame(dialect, round);
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
 * The text that is hashed in a round. Rows with the same text agree or differ together, so that they
 * count once.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {import("./round.js").Scheme} scheme
 * @returns {string}
 */
function hashedIn({ reuse, published }, { serverSeed, clientSeed, nonce, deal }, { seed }) {
  const beacon = reuse === "rounds" ? decoded(clientSeed ?? "") : null;
  const client = beacon === null ? (clientSeed ?? published?.salt) : lossyText(beacon);
  const all = deal?.contributions.map((one) => JSON.stringify(one)).sort();
  return JSON.stringify([
    seed === "text" ? serverSeed : serverSeed.toLowerCase(),
    all ?? client,
    nonce,
  ]);
}

/** A row of more bytes is not tried. */
const MOST_BYTES = 1024;

/**
 * @param {Round} round
 * @returns {number} about how many bytes its values take
 */
function sizeOf({ serverSeed, clientSeed, result, cells }) {
  const games = ["numbers", "rolls", "floors", "symbols", "path"].map((name) => cells.get(name));
  const size = (/** @type {unknown} */ value) =>
    typeof value === "string" ? value.length : Array.isArray(value) ? 8 * value.flat().length : 0;
  return [serverSeed, clientSeed, result?.text, ...games].reduce(
    (/** @type {number} */ sum, value) => sum + size(value),
    0,
  );
}

/**
 * Tries every confusion on every row.
 * @param {Tried[]} all
 * @param {Dialect} dialect
 * @param {Memory} memory
 * @param {(Round | null)[]} rounds
 * @param {Failing[]} failing
 */
function tryAll(all, dialect, memory, rounds, failing) {
  for (const [at, each] of failing.entries()) {
    const row = new Row(dialect, memory, rounds, each);
    for (const one of all) {
      const changed = one.confusion.change(row);
      if (changed === null) continue;
      const chance = Math.min(
        1,
        row.chance(changed) * one.confusion.ways(row.round.cards?.length ?? 0),
      );
      const isSo = changed.isSo !== false;
      if (chance === 0 || (isSo && !row.differs(changed))) continue;
      const { columns = {}, scheme = dialect.scheme, dialect: other = dialect } = changed;
      const hashed = hashedIn(
        other,
        { ...row.round, ...columns },
        other === dialect ? scheme : other.scheme,
      );
      one.rounds.set(hashed, (one.rounds.get(hashed) ?? 0) + chance);
      if (isSo && row.verifies(changed)) one.rows.set(at, hashed);
    }
  }
}

/**
 * An upper bound of the probability that any of so many wrong changes explains as many rounds: of
 * independent events whose probabilities add up to s, k happen with probability s^k / k! at most.
 * @param {number} changes
 * @param {Tried} tried
 * @param {number[]} explained rows
 * @returns {number}
 */
function chanceBound(changes, { rows, rounds }, explained) {
  const expected = [...rounds.values()].reduce((sum, chance) => sum + Math.min(1, chance), 0);
  let log = Math.log(changes);
  const count = new Set(explained.map((at) => rows.get(at))).size;
  for (let k = 1; k <= count; k++) log += Math.log(expected / k);
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
  const isSmall = (/** @type {Failing} */ { at }) =>
    sizeOf(/** @type {Round} */ (rounds[at])) <= MOST_BYTES;
  const first = failing.filter(isSmall).slice(0, MOST_ROWS);
  findPlace(memory, rounds, first);
  /** @type {Tried[]} */
  const all = confusionsOf(dialect).map((confusion) => ({
    confusion,
    rows: new Map(),
    rounds: new Map(),
  }));
  tryAll(all, dialect, { ...memory, steps: NEAR_STEPS }, rounds, first);
  const changes = all.filter((one) => one.rounds.size > 0).length;
  const open = new Set(first.keys());
  const diagnoses = [];
  // Confusions that may be chance come last, so that they take no rows from the others.
  for (const most of [COULD_BE_CHANCE, IS_CHANCE]) {
    for (;;) {
      const found = all
        .map((tried) => ({ tried, rows: [...tried.rows.keys()].filter((at) => open.has(at)) }))
        .filter(({ rows }) => rows.length > 0)
        .map(({ tried, rows }) => ({
          confusion: tried.confusion,
          rows,
          chance: chanceBound(changes, tried, rows),
        }))
        .sort((a, b) => b.rows.length - a.rows.length);
      const best = found.find(({ chance }) => chance <= most);
      if (best === undefined) break;
      const { confusion, rows, chance } = best;
      diagnoses.push({
        code: confusion.code,
        says: confusion.says,
        rows: rows.length,
        tried: first.length,
        first_rows: rows.slice(0, 10).map((at) => first[at].row),
        also: found.filter((one) => rows.every((at) => one.rows.includes(at))).length - 1,
        chance,
        could_be_chance: chance > COULD_BE_CHANCE,
      });
      for (const at of rows) open.delete(at);
    }
  }
  diagnoses.sort((a, b) => b.rows - a.rows);
  return { failing: failing.length, tried: first.length, unexplained: open.size, diagnoses };
}
