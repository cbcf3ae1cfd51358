// Finds the fewest changes under which the most failing rows verify, and the probability of each by
// chance.

import { casesAtLeast } from "./multiplier.js";
import { changesOf } from "./changes.js";
import { Guess } from "./guess.js";
import { MOST_STEPS } from "./chain.js";
import { fromHex } from "../bytes.js";
import { decoded } from "./seeds.js";
import { ALL } from "./registry.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./judge.js").Verdict} Verdict */
/** @typedef {import("./changes.js").Change} Change */

/** The maximum number of failing rows that are tried. */
const TRIED = 1_000;

/** An expensive change that explains none of this many first rows is not tried on the others. */
const TRIED_DEARLY = 100;

/** The maximum number of chain hashes for all guesses together. */
const GUESSED_STEPS = MOST_STEPS / 4;

/** The maximum number of chain hashes for a guess near a known place. */
const NEAR_STEPS = 10_000;

/** The probability that a wrong hash is right, rounded up. */
const HASH = 8.7e-78;

/** Up to this probability, an explanation is not called chance. */
const RARE = 1e-3;

/** @typedef {{row: number, at: number, verdict: Verdict}} Failing a row's number, its place among the rounds */

/** @typedef {{change: Change, explained: Set<number>, bound: number}} Tried the places it explains; the sum of chances */

/**
 * The probability that a wrong scheme gives a row's result.
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {number}
 */
function chanceOf({ kind, limits, scheme }, { cards, result }) {
  if (kind === "multiplier") {
    if (limits.law === undefined || result === null || result.cents === null) return 0;
    const { cents } = result;
    const cases = casesAtLeast(limits.law, cents < 100n ? 100n : cents) - casesAtLeast(limits.law, cents + 1n);
    return Number(cases) / 2 ** Number(limits.law.bits);
  }
  const copies = scheme.copies ?? 1;
  let chance = 1;
  let left = 52 * copies;
  for (let at = 0; at < Math.min(cards?.length ?? 0, left + at); at++) {
    chance *= Math.min(1, copies / left);
    if (scheme.walk !== "replace" && left > 1) left--;
  }
  return chance;
}

/**
 * An upper bound of the probability that as many rows agree by chance with one of these changes.
 * @param {number} changes
 * @param {number} sum of the rows' probabilities
 * @param {number} rows
 * @returns {number}
 */
function chanceBound(changes, sum, rows) {
  // If the probabilities of independent events add up to s, at least n of them occur with
  // probability s^n / n! at most.
  let log = Math.log(changes);
  for (let n = 1; n <= rows; n++) log += Math.log(sum) - Math.log(n);
  return Math.min(1, Math.exp(log));
}

/**
 * @param {Change} change
 * @param {Verdict} verdict
 * @returns {boolean} whether the change can explain the fault
 */
function canMend({ touches }, verdict) {
  if (verdict === "commitment-mismatch" || verdict === "chain-mismatch") return touches !== "result";
  return touches !== "commitment";
}

/**
 * If the first hash that is not yet known to be on its chain has a place, find it once: then
 * guesses are cheap.
 * @param {Memory} memory
 * @param {(Round | null)[]} rounds
 * @param {Failing[]} failing
 */
function findPlace(memory, rounds, failing) {
  if (memory.chain === null) return;
  for (const { at, verdict } of failing) {
    if (memory.chain.places.length > 1) return;
    const seed = rounds[at]?.serverSeed ?? "";
    if (verdict !== "chain-mismatch" || seed.length !== 64 || decoded(seed) === null) continue;
    memory.chain.find(fromHex(seed.toLowerCase()), GUESSED_STEPS);
    return;
  }
}

/**
 * Tries every change on every row.
 * @param {Dialect} dialect
 * @param {Memory} memory
 * @param {(Round | null)[]} rounds
 * @param {Failing[]} failing
 * @returns {Tried[]}
 */
function tryAll(dialect, memory, rounds, failing) {
  /** @type {Tried[]} */
  const tried = changesOf(dialect, ALL).map((change) => ({ change, explained: new Set(), bound: 0 }));
  failing.forEach(({ at, verdict }, count) => {
    const guess = new Guess(dialect, memory, rounds, at);
    const byHash = verdict === "commitment-mismatch" || verdict === "chain-mismatch";
    const chance = byHash ? HASH : chanceOf(dialect, guess.round);
    for (const one of tried) {
      const { change, explained } = one;
      if (!canMend(change, verdict) || (change.isDear === true && count >= TRIED_DEARLY && explained.size === 0)) continue;
      const verifies = change.verifies(guess);
      if (verifies === null) continue;
      one.bound += Math.min(1, chance * (change.ways?.(guess.round) ?? 1));
      if (verifies) explained.add(at);
    }
  });
  return tried;
}

/**
 * The changes that would make failing rows verify.
 * @param {Dialect} dialect
 * @param {Memory} memory of the rows that were checked
 * @param {(Round | null)[]} rounds of all rows; null for rows that were not read
 * @param {Failing[]} failing
 */
export function diagnose(dialect, memory, rounds, failing) {
  const first = failing.slice(0, TRIED);
  findPlace(memory, rounds, first);
  const tried = tryAll(dialect, { ...memory, steps: NEAR_STEPS }, rounds, first);
  const numbers = new Map(first.map(({ at, row }) => [at, row]));
  const open = new Set(numbers.keys());
  const diagnoses = [];
  for (;;) {
    /** @type {number[][]} */
    const explains = tried.map(({ explained }) => [...explained].filter((at) => open.has(at)));
    const most = Math.max(0, ...explains.map(({ length }) => length));
    if (most === 0) break;
    const best = explains.findIndex(({ length }) => length === most);
    const { change, bound } = tried[best];
    const chance = chanceBound(tried.length, bound, most);
    const also = tried.filter(({ explained }, at) => at !== best && explains[best].every((row) => explained.has(row)));
    diagnoses.push({
      changes: [{ code: change.code, says: change.says }],
      rows: most,
      tried: first.length,
      first_rows: explains[best].map((at) => Number(numbers.get(at))).sort((a, b) => a - b).slice(0, 10),
      also: also.length,
      chance,
      could_be_chance: chance > RARE,
    });
    for (const at of explains[best]) open.delete(at);
  }
  return { failing: failing.length, tried: first.length, unexplained: open.size, diagnoses };
}
