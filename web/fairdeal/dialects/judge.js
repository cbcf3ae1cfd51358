// The checks of one row, in their order (spec/dialects.md, section 16.3).

import { fromHex, toHex, utf8 } from "../bytes.js";
import { sha256 } from "../sha256.js";
import { cardText } from "./cards.js";
import { Chain, MOST_STEPS } from "./chain.js";
import { cellsOf, readColumns } from "./columns.js";
import { compareGame, compareResult } from "./game.js";
import { notCovered } from "./links.js";
import { Keys } from "./numbers.js";
import { decoded } from "./seeds.js";
import { Unreadable } from "./unreadable.js";
import { readHex, trimmed } from "./values.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./round.js").Outcome} Outcome */

/** @typedef {"valid" | "commitment-mismatch" | "chain-mismatch" | "result-mismatch" | "unreadable" | "not-compared"} Verdict */

/** @typedef {{verdict: Verdict, says: string}} Judged */

const OPENS = "the commitment opens and the result follows from the seeds";
const NOT_SHOWN = "the result follows from the seeds; no commitment was shown";
const NO_RULE = "the sources of this scheme do not say how a commitment opens, so the one";
export const NO_RULE_GIVEN = `${NO_RULE} given was not checked`;

/**
 * @param {Dialect} dialect
 * @returns {Memory}
 */
export function newMemory(dialect) {
  return {
    keys: new Keys(),
    chain: dialect.published === null ? null : new Chain(dialect.published),
    steps: dialect.published?.most ?? MOST_STEPS,
  };
}

/**
 * A row whose columns have their forms. `refused` is the reason why the scheme nevertheless refuses
 * it; `isSeed` says whether the reason is the form of a seed, which a usual confusion may explain.
 * @typedef {{round: Round, refused: string | null, isSeed: boolean}} Read
 */

/**
 * Reads a row.
 * @param {Dialect} dialect
 * @param {unknown} row
 * @param {boolean} needsResult whether the row must have a result
 * @returns {Read}
 * @throws {Unreadable} if a column does not have its form
 */
export function readRow(dialect, row, needsResult) {
  const cells = cellsOf(row, dialect);
  const round = readColumns(cells);
  const missing = missingIn(dialect, round, needsResult);
  if (missing !== null) return { round, refused: missing, isSeed: false };
  const seed = seedFault(dialect, round);
  if (seed !== null) {
    const found = lost(round);
    const note = found === null ? "" : `; the server seed is ${found}`;
    return { round, refused: seed + note, isSeed: true };
  }
  const refused = schemeFault(dialect, round);
  return {
    round,
    refused,
    isSeed: round.clientSeed !== null && refused !== null && refused.startsWith("client_seed: "),
  };
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {boolean} needsResult
 * @returns {string | null}
 */
function missingIn(dialect, round, needsResult) {
  if (round.serverSeed === "") return "server_seed: expected a server seed, found nothing";
  if (round.cards !== null ? round.cards.length === 0 : dialect.kind === "cards" && needsResult) {
    return "cards: expected at least one card, found nothing";
  }
  if (dialect.kind === "multiplier" && round.result === null && needsResult) {
    return "result: expected a multiplier such as 1.83, found nothing";
  }
  const { game } = dialect;
  if (game !== undefined && needsResult && !showsGame(game, round)) {
    return `${game.shows[0]}: expected ${EXAMPLES[game.shows[0]]}, found nothing`;
  }
  if (dialect.name === "fairdeal/v1") return null;
  for (const column of /** @type {const} */ (["cards", "held", "final"])) {
    if (round[column]?.some((card) => card >= 52))
      return `${column}: expected cards of a deck without jokers, found a joker`;
  }
  return null;
}

/** The value that a column of results needs. @type {{[column: string]: string}} */
const EXAMPLES = {
  result: "a number such as 1.83",
  numbers: "numbers, such as 5, 12, 19",
  rolls: "numbers, such as 5, 12, 19",
  symbols: "symbols, such as heads, tails",
  floors: "lists of numbers, such as 0,2; 1,3",
  slot: "a slot's number",
};

/**
 * @param {import("./game.js").Game} game
 * @param {Round} round
 * @returns {boolean} whether a row shows a result of the game
 */
export function showsGame(game, { cells }) {
  return game.shows.some((column) => cells.has(column));
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {string | null}
 */
function seedFault({ seedDigits }, { serverSeed }) {
  return seedDigits === null ? null : faultOf(() => readHex(serverSeed, seedDigits, "server_seed"));
}

/**
 * The scheme's own requirements and columns.
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {string | null}
 */
function schemeFault(dialect, round) {
  return faultOf(() => dialect.require(round.cells, round));
}

/**
 * @param {() => unknown} read
 * @returns {string | null} why it is unreadable
 */
function faultOf(read) {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/**
 * Whether a round with changed columns is readable and valid under a scheme.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @param {Scheme} [scheme]
 * @returns {boolean}
 */
export function isValid(dialect, round, memory, scheme) {
  const isWhole = missingIn(dialect, round, true) === null && hasReadableSeeds(dialect, round);
  return isWhole && judge(dialect, round, memory, scheme).verdict === "valid";
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {boolean} whether the scheme takes the round's seeds
 */
export function hasReadableSeeds(dialect, round) {
  return (seedFault(dialect, round) ?? schemeFault(dialect, round)) === null;
}

/**
 * What is in the place of the seed, in a row that has lost it (spec/dialects.md, section 16.3).
 * @param {Round} round
 * @returns {string | null}
 */
export function lost({ serverSeed, commitment }) {
  if (commitment !== null && serverSeed.toLowerCase() === commitment)
    return "the commitment itself, not the text that it is the hash of";
  if (/^[0-9]+([.,][0-9]+)?[Ee]\+[0-9]+$/.test(serverSeed))
    return "a number that a spreadsheet rounded";
  const isMasked = /[*•…]/.test(serverSeed) || trimmed(serverSeed, /[ \t\r\n]/).includes(" ");
  return isMasked ? "a text that may be in the place of a seed that is not revealed" : null;
}

/**
 * A mismatch of a row that has lost its seed shows nothing: the row is unreadable. But what opens a
 * commitment is a seed, whatever it looks like.
 * @template {string} Any
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {{verdict: Any, says: string}} judged
 * @returns {{verdict: Any | "unreadable", says: string}}
 */
export function unlessLost({ committed }, round, judged) {
  const hasOpened = round.commitment !== null && committed !== "no-rule";
  const isMismatch =
    judged.verdict === "result-mismatch" ? !hasOpened : judged.verdict.endsWith("-mismatch");
  const found = isMismatch ? lost(round) : null;
  if (found === null) return judged;
  return { verdict: "unreadable", says: `server_seed: expected the seed, found ${found}` };
}

/**
 * The commitment that a scheme makes to a seed.
 * @param {string} seed
 * @param {"hash-text" | "hash-decoded"} committed
 * @returns {string | null} 64 digits; null if the seed is not hexadecimal and has to be decoded
 */
export function commitmentTo(seed, committed) {
  const bytes = committed === "hash-text" ? utf8(seed) : decoded(seed);
  return bytes === null ? null : toHex(sha256(bytes));
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @returns {Judged | null} the fault of the commitment; unreadable if its place shows that the
 *   dialect does not cover the game
 */
export function checkCommitment(dialect, round, memory) {
  if (round.commitment === null || dialect.committed === "no-rule") return null;
  if (dialect.committed === "chain") return checkChain(dialect, round, memory);
  const expected = commitmentTo(round.serverSeed, dialect.committed);
  if (expected === round.commitment) return null;
  const form = dialect.committed === "hash-text" ? "text" : "decoded bytes";
  const says = `the SHA-256 of the server seed's ${form} is ${expected}, the commitment is ${round.commitment}`;
  return { verdict: "commitment-mismatch", says };
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @returns {Judged | null}
 */
function checkChain(dialect, { serverSeed, commitment, chainSteps, gameId }, memory) {
  const links = /** @type {import("./links.js").Published} */ (dialect.published);
  const { endGame, most } = links;
  const chain = /** @type {Chain} */ (memory.chain);
  /** @param {string} says @returns {Judged} */
  const wrong = (says) => ({ verdict: "chain-mismatch", says });
  if (commitment !== chain.end)
    return wrong(
      `the chain of this scheme was published to end in ${chain.end}, the row says ${commitment}`,
    );
  if (chainSteps !== null && gameId !== null && chainSteps !== gameId - endGame) {
    return wrong(
      `game ${gameId} is ${gameId - endGame} steps from the chain's end, the row says ${chainSteps}`,
    );
  }
  const claimed = chainSteps ?? (gameId === null ? null : gameId - endGame);
  if (claimed !== null && claimed > most) {
    return wrong(`${claimed} steps from the chain's end, which is at most ${most} away`);
  }
  const hash = fromHex(serverSeed.toLowerCase());
  const followed =
    claimed === null ? chain.find(hash, memory.steps) : chain.at(hash, claimed, memory.steps);
  if (followed === "too-far")
    return wrong(`hashed ${memory.steps} times it is never ${chain.end}, the end of the chain`);
  if ("found" in followed) {
    const { steps, found, expected } = followed;
    return wrong(
      `hashed ${steps} times it is ${found}, where the chain that ends in ${chain.end} has ${expected}`,
    );
  }
  const game = endGame + followed.place;
  const other = notCovered(links, game);
  if (other === null) return null;
  return { verdict: "unreadable", says: `game_id: ${other}, found ${game}` };
}

/**
 * Compares the row's result with that of the seeds.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Outcome} outcome
 * @returns {string | null} what differs
 */
export function compareOutcome(dialect, round, outcome) {
  if ("none" in outcome) return outcome.none;
  if ("result" in outcome) return compareResult(outcome.result, round);
  if ("follows" in outcome)
    return compareGame(
      /** @type {import("./game.js").Game} */ (dialect.game),
      round,
      outcome.follows,
    );
  return compareCards(round, outcome) ?? dialect.alsoWrongCards?.(round, outcome.cards) ?? null;
}

/**
 * @param {Round} round
 * @param {{cards: number[], size: number | null}} outcome
 * @returns {string | null}
 */
function compareCards({ cards, full }, { cards: dealt, size }) {
  if (cards === null) return null;
  const at = cards.findIndex((card, place) => card !== dealt[place]);
  if (at >= 0) {
    const expected = at < dealt.length ? cardText(dealt[at]) : "none";
    return `card ${at + 1}, counted from 1: the seeds give ${expected}, the row says ${cardText(cards[at])}`;
  }
  if (!full || size === null || cards.length === size) return null;
  return `the deck has ${size} cards, the row that is said to be full shows ${cards.length}`;
}

/**
 * The number of cards that must be dealt to check a row.
 * @param {Round} round
 * @returns {number}
 */
export function cardsNeeded({ cards, held, final }) {
  return Math.max(cards?.length ?? 0, held !== null || final !== null ? 10 : 0);
}

/**
 * The verdict on a round that was read.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @param {Scheme} [scheme]
 * @returns {Judged}
 */
export function judge(dialect, round, memory, scheme = dialect.scheme) {
  const broken = checkCommitment(dialect, round, memory);
  if (broken !== null) return unlessLost(dialect, round, broken);
  const outcome = dialect.outcome(round, cardsNeeded(round), scheme, memory);
  const differs = compareOutcome(dialect, round, outcome) ?? dialect.alsoWrong?.(round) ?? null;
  if (differs === null) return valid(dialect, round, outcome);
  if (!countsMines(dialect, round)) return { verdict: "unreadable", says: UNCOUNTED };
  return unlessLost(dialect, round, { verdict: "result-mismatch", says: differs });
}

/** A row of mines without their number shows nothing if it does not fit. */
const UNCOUNTED =
  "mine_count: expected the number of mines, found nothing; the numbers are not the first mines, and may be the tiles that the player opened";

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {boolean} whether a row says how many mines there are, if the dialect reads that
 */
function countsMines({ game }, { cells }) {
  return game?.asks?.mine_count === undefined || cells.has("mine_count");
}

/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Outcome} outcome
 * @returns {Judged}
 */
export function valid(dialect, round, outcome) {
  const says =
    round.commitment === null
      ? NOT_SHOWN
      : dialect.committed !== "no-rule"
        ? OPENS
        : `the result follows from the seeds; ${NO_RULE} shown was not checked`;
  const remarks = [
    countsMines(dialect, round) ? null : "the number of mines was not shown",
    readingOf(outcome, round),
  ].filter((remark) => remark !== null);
  return { verdict: "valid", says: [says, ...remarks].join("; ") };
}

/**
 * The reading that a row took where the sources leave two.
 * @param {Outcome} outcome
 * @param {Round} round
 * @returns {string | null}
 */
function readingOf(outcome, round) {
  const follows = "follows" in outcome ? outcome.follows : outcome;
  if ("result" in follows && follows.result?.says !== undefined)
    return follows.result.says[round.result?.cents === follows.result.cents ? 0 : 1];
  const isOpen = "symbols" in follows && follows.symbols?.some((all) => all.length > 1);
  return isOpen ? "one source says heads and another one tails for one of the flips" : null;
}
