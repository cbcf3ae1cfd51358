// The usual confusions, as changes of a row or of its scheme: a row that does not verify may verify
// with such a change (spec/dialects.md, section 16.4). The row itself is still not valid.

import { toHex, utf8 } from "../bytes.js";
import { sha256 } from "../sha256.js";
import { FIRST_GAME, SALT } from "./bustabit.js";
import { commitmentTo } from "./judge.js";
import { schemeChanges } from "./scheme-changes.js";
import { neighbourChanges } from "./neighbours.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./guess.js").Guess} Guess */

/**
 * A change. `touches` says which fault it can explain: a commitment that does not open, a result
 * that does not follow, or both. `verifies` says whether the row would be valid; null if the change
 * does not change the row.
 * @typedef {object} Change
 * @property {string} code a short, stable name
 * @property {string} says a clause that follows "would if"
 * @property {"commitment" | "result" | "both"} touches
 * @property {boolean} [isDear] whether a try costs a whole deal
 * @property {(guess: Guess) => boolean | null} verifies
 * @property {(round: Round) => number} [ways] the number of ways to change a row; 1 by default
 */

/**
 * A change of one row's columns.
 * @param {string} code
 * @param {string} says
 * @param {Change["touches"]} touches
 * @param {(round: Round) => Partial<Round> | null} changed null if it changes nothing
 * @param {Change["ways"]} [ways]
 * @returns {Change}
 */
export function rowChange(code, says, touches, changed, ways) {
  /** @type {Change} */
  const change = {
    code,
    says,
    touches,
    verifies(guess) {
      const columns = changed(guess.round);
      return columns === null ? null : guess.isValidWith(columns);
    },
  };
  return ways === undefined ? change : { ...change, ways };
}

/**
 * The commitment is another function of the seed than the scheme's. The row is tried with the
 * scheme's function.
 * @param {string} code
 * @param {string} says
 * @param {Dialect} dialect
 * @param {(seed: string) => string | null} hash
 * @returns {Change}
 */
function commitmentChange(code, says, { committed }, hash) {
  return rowChange(code, says, "commitment", ({ serverSeed, commitment }) => {
    if (commitment === null || (committed !== "hash-text" && committed !== "hash-decoded")) return null;
    return hash(serverSeed) === commitment ? { commitment: commitmentTo(serverSeed, committed) } : { commitment };
  });
}

/** @param {Dialect} dialect @returns {Change[]} */
function commitmentChanges(dialect) {
  if (!dialect.committed.startsWith("hash")) return [];
  const isText = dialect.committed === "hash-text";
  const other = isText ? "decoded" : "text";
  const says = isText ? "decoded bytes, not of its text" : "text, not of its decoded bytes";
  return [
    commitmentChange(`commitment-of-${other}`, `the commitment is the SHA-256 of the server seed's ${says}`, dialect, (seed) =>
      commitmentTo(seed, isText ? "hash-decoded" : "hash-text"),
    ),
    commitmentChange("commitment-of-line", "the commitment is the SHA-256 of the server seed's text and a line feed", dialect, (seed) =>
      toHex(sha256(utf8(`${seed}\n`))),
    ),
  ];
}

/**
 * @param {"nonce" | "gameId" | "chainSteps"} column
 * @param {number} by
 * @returns {(round: Round) => Partial<Round> | null}
 */
function moved(column, by) {
  return (round) => {
    const value = round[column];
    if (value === null || !Number.isSafeInteger(value + by) || value + by < 0) return null;
    // A game's number and its steps name the same place.
    if (column === "gameId" && round.chainSteps !== null) {
      return { gameId: value + by, chainSteps: value + by - FIRST_GAME };
    }
    return { [column]: value + by };
  };
}

/** @param {Dialect} dialect @returns {Change[]} */
function numberChanges(dialect) {
  /** @type {Change[]} */
  const changes = [];
  if (dialect.columns.includes("nonce")) {
    changes.push(
      rowChange("nonce-less", "the nonce is one less", "result", moved("nonce", -1)),
      rowChange("nonce-more", "the nonce is one more", "result", moved("nonce", 1)),
    );
  }
  if (dialect.reuse === "chain") {
    changes.push(
      rowChange("game-less", "the game is the one before", "both", moved("gameId", -1)),
      rowChange("game-more", "the game is the one after", "both", moved("gameId", 1)),
      rowChange("chain-steps-less", "the steps of the chain are one less", "both", moved("chainSteps", -1)),
      rowChange("chain-steps-more", "the steps of the chain are one more", "both", moved("chainSteps", 1)),
      rowChange("published-salt", "the client seed is the published salt, not what the row says", "result", ({ clientSeed }) =>
        clientSeed === null || clientSeed === SALT ? null : { clientSeed: SALT },
      ),
    );
  }
  return changes;
}

/**
 * Other ways in which a text may have been written.
 * @type {[string, string, (text: string) => string][]}
 */
const REWRITES = [
  ["lower", "is written in lower case", (text) => text.toLowerCase()],
  ["upper", "is written in upper case", (text) => text.toUpperCase()],
  ["trimmed", "has no white space around it", (text) => text.trim()],
];

/** @returns {Change[]} */
function textChanges() {
  return REWRITES.flatMap(([code, says, rewrite]) => [
    rowChange(`server-seed-${code}`, `the server seed ${says}`, "both", ({ serverSeed }) => {
      const rewritten = rewrite(serverSeed);
      return rewritten === serverSeed ? null : { serverSeed: rewritten };
    }),
    rowChange(`client-seed-${code}`, `the client seed ${says}`, "result", ({ clientSeed }) => {
      const rewritten = clientSeed === null ? null : rewrite(clientSeed);
      return rewritten === null || rewritten === clientSeed ? null : { clientSeed: rewritten, deal: null };
    }),
  ]);
}

/**
 * Cards that a row shows in another order than they were dealt.
 * @param {number[]} cards
 * @param {number[]} dealt
 * @returns {boolean} whether exactly two neighbours changed places
 */
function isExchanged(cards, dealt) {
  const at = cards.findIndex((card, place) => card !== dealt[place]);
  if (at < 0 || at + 1 >= cards.length || cards[at] !== dealt[at + 1] || cards[at + 1] !== dealt[at]) return false;
  return cards.every((card, place) => place === at || place === at + 1 || card === dealt[place]);
}

/**
 * A change of the order of a row's cards.
 * @param {string} code
 * @param {string} says
 * @param {(cards: number[], dealt: number[]) => boolean} isSo
 * @param {Change["ways"]} [ways]
 * @returns {Change}
 */
function orderChange(code, says, isSo, ways) {
  return {
    code,
    says,
    touches: "result",
    verifies(guess) {
      const { cards } = guess.round;
      if (cards === null || cards.length < 2) return null;
      const dealt = guess.dealt(cards.length);
      return dealt !== null && isSo(cards, dealt) && guess.isValidWith({ cards: dealt.slice(0, cards.length) });
    },
    ...(ways === undefined ? {} : { ways }),
  };
}

/** @param {number[]} cards @param {number[]} dealt @returns {boolean} whether they are the same cards in some order */
function isReordered(cards, dealt) {
  if (dealt.length < cards.length) return false;
  const sorted = (/** @type {number[]} */ list) => list.slice(0, cards.length).sort((a, b) => a - b);
  const [ours, theirs] = [sorted(cards), sorted(dealt)];
  return ours.every((card, at) => card === theirs[at]);
}

/** @param {Round} round @returns {number} */
function orders({ cards }) {
  let ways = 1;
  for (let n = 2; n <= (cards?.length ?? 0); n++) ways *= n;
  return ways;
}

/** @param {Dialect} dialect @returns {Change[]} */
function cardChanges(dialect) {
  const hasEnd = dialect.scheme.walk !== "replace";
  /** @type {Change[]} */
  const whole = [
    rowChange("not-whole", "the row does not say that it shows the whole deck", "result", ({ full }) =>
      full ? { full: false } : null,
    ),
    {
      code: "surplus-cards",
      says: "the cards beyond the deck's last are left out",
      touches: "result",
      verifies(guess) {
        const { cards } = guess.round;
        const size = guess.dealt(cards?.length ?? 0)?.length ?? Infinity;
        return cards === null || cards.length <= size ? null : guess.isValidWith({ cards: cards.slice(0, size) });
      },
    },
  ];
  return [
    ...(hasEnd ? whole : []),
    orderChange("cards-exchanged", "two neighbouring cards of the row change places", isExchanged, ({ cards }) =>
      Math.max(1, (cards?.length ?? 0) - 1),
    ),
    orderChange("cards-reversed", "the row's cards are read last first", (cards, dealt) =>
      cards.every((card, at) => card === dealt[cards.length - 1 - at]),
    ),
    orderChange("cards-reordered", "the row's cards stand in another order", isReordered, orders),
  ];
}

/** @param {Dialect} dialect @returns {Change[]} */
function resultChanges(dialect) {
  /** @param {bigint} by @returns {(round: Round) => Partial<Round> | null} */
  const cents = (by) => ({ result }) =>
    result === null || result.cents === null || result.cents + by < 0n
      ? null
      : { result: { cents: result.cents + by, text: result.text } };
  /** @type {Change[]} */
  const changes = [
    rowChange("cent-less", "the result is one cent more than the row states", "result", cents(1n)),
    rowChange("cent-more", "the result is one cent less than the row states", "result", cents(-1n)),
    rowChange("result-cut", "the result is cut to hundredths", "result", ({ result }) => {
      const match = /^(\d+)\.(\d\d)\d+$/.exec((result?.text ?? "").replaceAll(",", ""));
      return match === null || result?.cents !== null ? null : { result: { cents: BigInt(match[1] + match[2]), text: result.text } };
    }),
  ];
  if (dialect.reuse === "chain") {
    changes.push({
      code: "every-33",
      says: "a number that is a multiple of 33 gives 1.00, as in older scripts",
      touches: "result",
      verifies(guess) {
        if (guess.round.result?.cents !== 100n) return null;
        const number = guess.number52();
        if (number === null || number % 33 !== 0) return false;
        const cents = guess.cents();
        return cents !== null && guess.isValidWith({ result: { cents, text: "1.00" } });
      },
    });
  }
  return changes;
}

/** @type {Change} */
const COLUMNS_EXCHANGED = rowChange(
  "columns-exchanged",
  "the columns of server seed and client seed change places",
  "both",
  ({ serverSeed, clientSeed }) =>
    clientSeed === null || clientSeed === serverSeed ? null : { serverSeed: clientSeed, clientSeed: serverSeed, deal: null },
);

/**
 * Every change that is tried on a row of a dialect. If several explain the same rows, the first of
 * them is named.
 * @param {Dialect} dialect
 * @param {readonly Dialect[]} all
 * @returns {Change[]}
 */
export function changesOf(dialect, all) {
  const { before, after } = schemeChanges(dialect, all);
  return [
    ...commitmentChanges(dialect),
    ...numberChanges(dialect),
    ...textChanges(),
    ...before,
    ...(dialect.kind === "cards" ? cardChanges(dialect) : resultChanges(dialect)),
    COLUMNS_EXCHANGED,
    ...neighbourChanges(dialect),
    ...after,
  ];
}
