// One round, from its seeds: its outcome, whether the commitment opens, and whether the given
// result follows.

import { cardText } from "./cards.js";
import { cellText } from "./game.js";
import { meant } from "./confusions.js";
import { diagnose } from "./diagnose.js";
import {
  NO_RULE_GIVEN,
  checkCommitment,
  cardsNeeded,
  compareOutcome,
  hasReadableSeeds,
  newMemory,
  readRow,
  showsGame,
  unlessLost,
  valid,
} from "./judge.js";
import { Unreadable } from "./unreadable.js";
import { centsText } from "./values.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Outcome} Outcome */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./judge.js").Verdict} Verdict */

/** The default number of listed cards of a deal. */
const TOLD = 10;

/**
 * A round with its verdict.
 * @typedef {object} SingleRow
 * @property {number} row always 0
 * @property {Verdict} verdict
 * @property {string} says
 * @property {{[column: string]: unknown}} [outcome] of the seeds: `cards`, `result`, or the columns of
 *   a game
 * @property {"yes" | "no" | "not-shown" | "no-rule"} [opens] whether the commitment opens
 * @property {boolean} [follows] whether the given result follows
 * @property {string[]} [notes] other readings of the seeds
 */

/**
 * The verdict on one round.
 * @typedef {object} CheckedRound
 * @property {string} dialect
 * @property {SingleRow[]} rows one row
 * @property {boolean} holds
 * @property {number} valid
 * @property {number} invalid
 * @property {number} unreadable
 * @property {ReturnType<typeof diagnose>} [would_verify]
 */

/**
 * @param {Dialect} dialect
 * @param {SingleRow} row
 * @param {ReturnType<typeof diagnose>} [wouldVerify]
 * @returns {CheckedRound}
 */
function answer(dialect, row, wouldVerify) {
  const { verdict } = row;
  const isCounted = verdict !== "not-compared";
  return {
    dialect: dialect.name,
    rows: [row],
    holds: verdict === "valid" || !isCounted,
    valid: verdict === "valid" ? 1 : 0,
    invalid: isCounted && verdict !== "valid" ? 1 : 0,
    unreadable: verdict === "unreadable" ? 1 : 0,
    ...(wouldVerify === undefined ? {} : { would_verify: wouldVerify }),
  };
}

/**
 * @param {Outcome} outcome
 * @param {number} count
 * @returns {{outcome?: {[column: string]: unknown}}}
 */
function told(outcome, count) {
  if ("none" in outcome) return {};
  if ("result" in outcome) return { outcome: { result: centsText(outcome.result.cents) } };
  if ("follows" in outcome) return { outcome: cellsTold(outcome.follows) };
  return { outcome: { cards: outcome.cards.slice(0, count).map(cardText) } };
}

/**
 * The values that a game shows, as in a row.
 * @param {import("./game.js").Follows} follows
 * @returns {{[column: string]: unknown}}
 */
function cellsTold({ result, symbols, ...others }) {
  if (result !== undefined) return { result: centsText(result.cents) };
  if (symbols !== undefined) return { symbols: symbols.map((all) => all.join(" or ")) };
  return others;
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {boolean} whether the row has a result
 */
function saysResult({ game }, round) {
  return (
    round.cards !== null || round.result !== null || (game !== undefined && showsGame(game, round))
  );
}

/**
 * Judges one round.
 * @param {Dialect} dialect
 * @param {unknown} row
 * @param {{cards?: number}} options
 * @returns {CheckedRound}
 */
export function judgeSingle(dialect, row, { cards }) {
  /** @type {import("./judge.js").Read} */
  let read;
  try {
    read = readRow(dialect, row, false);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return answer(dialect, { row: 0, verdict: "unreadable", says: error.message });
  }
  if (read.refused !== null)
    return answer(dialect, { row: 0, verdict: "unreadable", says: read.refused });
  const { round } = read;
  // A given game number is also checked for its place, since the end of the chain is public.
  if (dialect.published !== null && (round.gameId ?? round.chainSteps) !== null)
    round.commitment ??= dialect.published.end;
  return judgeRead(dialect, round, cards ?? Math.max(TOLD, round.cards?.length ?? 0));
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {number} count
 * @returns {CheckedRound}
 */
function judgeRead(dialect, round, count) {
  const memory = newMemory(dialect);
  const broken = checkCommitment(dialect, round, memory);
  if (broken?.verdict === "unreadable") return answer(dialect, { row: 0, ...broken });
  const outcome = dialect.outcome(
    round,
    Math.max(count, cardsNeeded(round)),
    dialect.scheme,
    memory,
  );
  const isSaid = saysResult(dialect, round);
  const wrong = dialect.alsoWrong?.(round) ?? null;
  const follows =
    (wrong ?? compareOutcome(dialect, { ...round, held: null, final: null }, outcome)) === null;
  const differs = compareOutcome(dialect, round, outcome) ?? wrong;
  const opens = opensAs(dialect, round, broken !== null);
  const { verdict, says } = unlessLost(
    dialect,
    round,
    broken ?? verdictOn(dialect, round, { differs, outcome, isSaid, opens }),
  );
  if (verdict === "unreadable") return answer(dialect, { row: 0, verdict, says });
  const isWrong = verdict !== "valid" && verdict !== "not-compared";
  const notes = isSaid ? [] : notesOn(dialect, round, outcome, memory);
  return answer(
    dialect,
    {
      row: 0,
      verdict,
      says,
      ...told(outcome, count),
      opens,
      ...(isSaid ? { follows } : {}),
      ...(notes.length === 0 ? {} : { notes }),
    },
    isWrong && isSaid
      ? diagnose(dialect, memory, [round], [{ row: 0, at: 0, verdict }])
      : undefined,
  );
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {boolean} isBroken
 * @returns {"yes" | "no" | "not-shown" | "no-rule"}
 */
function opensAs({ committed }, { commitment }, isBroken) {
  if (commitment === null) return "not-shown";
  if (committed === "no-rule") return "no-rule";
  return isBroken ? "no" : "yes";
}

/** The remark on a commitment if no result is compared. */
const SAYS = {
  yes: "the commitment opens",
  no: "the commitment does not open",
  "not-shown": "no commitment was shown",
  "no-rule": NO_RULE_GIVEN,
};

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {{differs: string | null, outcome: Outcome, isSaid: boolean, opens: keyof typeof SAYS}} found
 * @returns {{verdict: Verdict, says: string}}
 */
function verdictOn(dialect, round, { differs, outcome, isSaid, opens }) {
  if (differs !== null) return { verdict: "result-mismatch", says: differs };
  return isSaid ? valid(dialect, round, outcome) : { verdict: "not-compared", says: SAYS[opens] };
}

/**
 * The round's result with its seeds written in another way.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Outcome} outcome
 * @param {Memory} memory
 * @returns {string[]}
 */
function notesOn(dialect, round, outcome, memory) {
  const isShut = checkCommitment(dialect, round, memory) !== null;
  return meant(round).flatMap(({ says, round: other }) => {
    if (!hasReadableSeeds(dialect, other)) return [];
    const result = resultText(dialect.outcome(other, TOLD, dialect.scheme, memory));
    const opens =
      other.commitment !== null &&
      dialect.committed !== "no-rule" &&
      checkCommitment(dialect, other, memory) === null;
    const then = [
      ...(result === null || result === resultText(outcome) ? [] : [`the result is ${result}`]),
      ...(opens && isShut ? ["the commitment opens"] : []),
    ];
    return then.length === 0 ? [] : [`if ${says}, ${then.join(" and ")}`];
  });
}

/**
 * @param {Outcome} outcome
 * @returns {string | null}
 */
function resultText(outcome) {
  if ("none" in outcome) return null;
  if ("result" in outcome) return centsText(outcome.result.cents);
  if ("follows" in outcome)
    return Object.values(cellsTold(outcome.follows)).map(cellText).join(" · ");
  return outcome.cards.slice(0, TOLD).map(cardText).join(" ");
}
