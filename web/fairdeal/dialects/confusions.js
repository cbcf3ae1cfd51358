// The usual confusions, as a table (spec/dialects.md, section 16.4): a code, a clause that follows
// "would if", and the change. If several explain the same rows, the first is named.

import { toHex, utf8 } from "../bytes.js";
import { sha256 } from "../sha256.js";
import { readRow } from "./judge.js";
import { ALL } from "./registry.js";
import { decoded } from "./seeds.js";
import { Unreadable } from "./unreadable.js";
import { trimmed } from "./values.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */

/**
 * A row that does not verify. `isShut`: its commitment does not open. `dealt`: the cards that its
 * seeds give, as many as it shows. `near`: the nearest row before (-1) or after (1) that has
 * another value of a column.
 * @typedef {object} Case
 * @property {Dialect} dialect
 * @property {Round} round
 * @property {boolean} isShut
 * @property {number[]} dealt
 * @property {(column: "serverSeed" | "commitment" | "clientSeed", step: -1 | 1) => Round | null}
 * near
 */

/**
 * The row after a change. `isSo` is false if the row is not confused in this way.
 * @typedef {{columns?: Partial<Round>, scheme?: Scheme, dialect?: Dialect, isSo?: boolean}} Changed
 */

/**
 * A change of a row; null if there is nothing to change.
 * @typedef {(one: Case) => Changed | null} Change
 */

/**
 * `ways` bounds in how many ways it may change a row of so many cards.
 * @typedef {{code: string, says: string, change: Change,
 *   ways: (cards: number) => number}} Confusion
 */

/**
 * The commitment is the SHA-256 of other bytes.
 * @param {(seed: string) => Uint8Array | null} bytes
 * @returns {Change}
 */
function commitmentOf(bytes) {
  return ({ round: { serverSeed, commitment }, isShut }) => {
    const hashed = isShut && commitment !== null ? bytes(serverSeed) : null;
    return hashed === null
      ? null
      : { columns: { commitment: null }, isSo: toHex(sha256(hashed)) === commitment };
  };
}

/**
 * A number is so much greater.
 * @param {("nonce" | "gameId" | "chainSteps")[]} columns
 * @param {number} by
 * @returns {Change}
 */
function moved(columns, by) {
  return ({ round }) => {
    const given = columns.filter((column) => round[column] !== null);
    if (given.some((column) => Number(round[column]) + by < 0)) return null;
    return {
      columns: Object.fromEntries(given.map((column) => [column, Number(round[column]) + by])),
    };
  };
}

/**
 * Another value of a seed. What a dialect reads for itself is read again.
 * @param {"serverSeed" | "clientSeed"} column
 * @param {string | null} value
 * @returns {Changed | null}
 */
function seed(column, value) {
  return value === null
    ? null
    : { columns: { [column]: value, ...(column === "clientSeed" ? { deal: null } : {}) } };
}

/**
 * The value of another row.
 * @param {"serverSeed" | "commitment" | "clientSeed"} column
 * @param {-1 | 1} step
 * @returns {Change}
 */
function near(column, step) {
  return (one) => {
    const value = one.round[column] === null ? null : (one.near(column, step)?.[column] ?? null);
    if (column !== "commitment") return seed(column, value);
    return value === null ? null : { columns: { commitment: value } };
  };
}

/** @param {Scheme["seed"]} form @returns {Change} */
function key(form) {
  return ({ dialect }) => ({ scheme: { ...dialect.scheme, seed: form } });
}

/**
 * Cards that a row shows in another way.
 * @param {(cards: number[], dealt: number[], round: Round) => Partial<Round> | null} unchanged
 * @returns {Change}
 */
function cards(unchanged) {
  return ({ round, dealt }) => {
    if (round.cards === null || round.cards.length === 0 || dealt.length < round.cards.length)
      return null;
    const columns = unchanged(round.cards, dealt.slice(0, round.cards.length), round);
    return { columns: columns ?? {}, isSo: columns !== null };
  };
}

/**
 * The row's suits are those of the deal under other names, in every column.
 * @param {number[]} shown
 * @param {number[]} dealt
 * @param {Round} round
 * @returns {Partial<Round> | null}
 */
function resuited(shown, dealt, { held, final }) {
  const suit = (/** @type {number} */ card) => Math.floor(card / 13);
  /** @type {Map<number, number>} */
  const names = new Map();
  for (const [at, card] of shown.entries()) {
    const [from, to] = [suit(card), suit(dealt[at])];
    if (!names.has(from) && ![...names.values()].includes(to)) names.set(from, to);
    if (card % 13 !== dealt[at] % 13 || names.get(from) !== to) return null;
  }
  const renamed = (/** @type {number} */ card) =>
    (names.get(suit(card)) ?? suit(card)) * 13 + (card % 13);
  return { cards: dealt, held: held?.map(renamed) ?? null, final: final?.map(renamed) ?? null };
}

/** @param {number[]} shown @param {number[]} dealt @returns {Partial<Round> | null} */
function reordered(shown, dealt) {
  const sorted = [...dealt].sort((a, b) => a - b);
  return [...shown].sort((a, b) => a - b).every((card, at) => card === sorted[at])
    ? { cards: dealt }
    : null;
}

/** @param {number} count @returns {number} the orders of so many cards */
function orders(count) {
  return count < 2 ? 1 : count * orders(count - 1);
}

/**
 * The round is of another dialect, which reads the row in its own way.
 * @param {Dialect} dialect
 * @returns {Change}
 */
function ofDialect(dialect) {
  return ({ round }) => {
    try {
      const read = readRow(dialect, Object.fromEntries(round.cells), true);
      return { dialect, columns: read.round, isSo: read.refused === null };
    } catch (error) {
      if (error instanceof Unreadable) return { dialect, isSo: false };
      throw error;
    }
  };
}

const COMMITMENT = "the commitment is the SHA-256 of the server seed's";

/** @type {[string, string, Change][]} */
const BEFORE = [
  ["commitment-of-text", `${COMMITMENT} text, not of its decoded bytes`, commitmentOf(utf8)],
  ["commitment-of-decoded", `${COMMITMENT} decoded bytes, not of its text`, commitmentOf(decoded)],
  [
    "commitment-of-line",
    `${COMMITMENT} text and a line feed`,
    commitmentOf((text) => utf8(`${text}\n`)),
  ],
  ["nonce-less", "the nonce is one less", moved(["nonce"], -1)],
  ["nonce-more", "the nonce is one more", moved(["nonce"], 1)],
  ["game-less", "the game is the one before", moved(["gameId", "chainSteps"], -1)],
  ["game-more", "the game is the one after", moved(["gameId", "chainSteps"], 1)],
];

/**
 * The ways to write a seed: the end of the code, the end of the clause, and the way.
 * @type {[string, string, (text: string) => string][]}
 */
const WRITTEN = [
  ["lower", "is written in lower case", (text) => text.toLowerCase()],
  ["upper", "is written in upper case", (text) => text.toUpperCase()],
  ["trimmed", "has no white space around it", (text) => trimmed(text, /\p{White_Space}/u)],
  ["no-apostrophe", "does not begin with an apostrophe", (text) => text.replace(/^'/, "")],
  [
    "visible",
    "has no invisible characters",
    (text) => text.replace(/[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]/g, ""),
  ],
  [
    "straight-quotes",
    "has straight quotes, not curly ones",
    (text) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
  ],
  [
    "unescaped",
    'has "&" in the place of "&amp;", and so on',
    (text) =>
      text
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&"),
  ],
  ["nfc", "is in the Unicode form NFC", (text) => text.normalize("NFC")],
  ["nfd", "is in the Unicode form NFD", (text) => text.normalize("NFD")],
];

const [SERVER, COMMITTED, CLIENT] = ["the server seed", "the commitment", "the client seed"];
const [PREVIOUS, NEXT] = ["is the previous one of the file", "is the next one of the file"];

/** @type {[string, string, Change, Confusion["ways"]?][]} */
const AFTER = [
  ["key-text", `${SERVER} enters the HMAC as its text, not decoded`, key("text")],
  ["key-decoded", `${SERVER} enters the HMAC decoded, not as its text`, key("decoded")],
  ["suits-exchanged", "the suits of a fresh deck have another order", cards(resuited), () => 24],
  ["cards-reordered", "the row's cards have another order", cards(reordered), orders],
  ["server-seed-previous", `${SERVER} ${PREVIOUS}`, near("serverSeed", -1)],
  ["server-seed-next", `${SERVER} ${NEXT}`, near("serverSeed", 1)],
  ["commitment-previous", `${COMMITTED} ${PREVIOUS}`, near("commitment", -1)],
  ["commitment-next", `${COMMITTED} ${NEXT}`, near("commitment", 1)],
  ["client-seed-previous", `${CLIENT} ${PREVIOUS}`, near("clientSeed", -1)],
  ["client-seed-next", `${CLIENT} ${NEXT}`, near("clientSeed", 1)],
  [
    "columns-exchanged",
    "server seed and client seed change places",
    ({ round: { serverSeed, clientSeed } }) =>
      clientSeed === null
        ? null
        : { columns: { serverSeed: clientSeed, clientSeed: serverSeed, deal: null } },
  ],
  [
    "hash-exchanged",
    "server seed and commitment change places",
    ({ round: { serverSeed, commitment } }) =>
      commitment === null || !/^[0-9a-f]{64}$/i.test(serverSeed)
        ? null
        : { columns: { serverSeed: commitment, commitment: serverSeed.toLowerCase() } },
  ],
];

/**
 * @returns {{column: "serverSeed" | "clientSeed", code: string, says: string, write: (text: string) => string}[]}
 */
function written() {
  return /** @type {const} */ ([
    ["serverSeed", "server"],
    ["clientSeed", "client"],
  ]).flatMap(([column, name]) =>
    WRITTEN.map(([code, says, write]) => ({
      column,
      code: `${name}-seed-${code}`,
      says: `the ${name} seed ${says}`,
      write,
    })),
  );
}

/** The first column of a result. @param {Dialect} dialect */
const firstShown = ({ game, kind }) => game?.shows[0] ?? (kind === "cards" ? "cards" : "result");

/**
 * The confusions of a dialect's rows.
 * @param {Dialect} dialect
 * @returns {Confusion[]}
 */
export function confusionsOf(dialect) {
  const rewritten = written().map(({ column, code, says, write }) => {
    /** @type {Change} */
    const change = ({ round }) => {
      const { [column]: text, deal } = round;
      if (text !== null) return seed(column, write(text));
      const given = deal?.contributions ?? [];
      const contributions = given.map((one) => ({ ...one, seed: write(one.seed) }));
      const isSame = contributions.every((one, at) => one.seed === given[at].seed);
      return deal === null || isSame ? null : { columns: { deal: { ...deal, contributions } } };
    };
    return /** @type {const} */ ([code, says, change]);
  });
  const others = ALL.filter(
    (other) => other !== dialect && firstShown(other) === firstShown(dialect),
  ).map(
    (other) =>
      /** @type {const} */ ([
        `dialect-${other.name}`,
        `the round is of the dialect ${other.name}`,
        ofDialect(other),
      ]),
  );
  const once = () => 1;
  return [...BEFORE, ...rewritten, ...others, ...AFTER].map(
    ([code, says, change, ways = once]) => ({ code, says, change, ways }),
  );
}

/**
 * Rounds with one of the seeds written in a way that may have been meant. Upper case is not meant,
 * and lower case only if the seed is hexadecimal.
 * @param {Round} round
 * @returns {{says: string, round: Round}[]}
 */
export function meant(round) {
  return written().flatMap(({ column, code, says, write }) => {
    const text = round[column];
    if (text === null || code.endsWith("upper")) return [];
    const other = write(text);
    if (
      other === "" ||
      other === text ||
      (code.endsWith("lower") && !/^[0-9a-f]*$/i.test(text.trim()))
    )
      return [];
    return [{ says, round: { ...round, ...seed(column, other)?.columns } }];
  });
}
