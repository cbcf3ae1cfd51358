// `fairdeal/v1` (spec/dialects.md, section 25): our own scheme, as a row without its log.

import { Words } from "../chacha20.js";
import { checkContributions } from "../contribution.js";
import { dealKey } from "../derive.js";
import { Refused } from "../refused.js";
import { order } from "../shuffle.js";
import { NAMED_DECKS } from "./cards.js";
import { JsonObject, JsonFault, parseWhole } from "./json-rows.js";
import { decoded, seedBytes } from "./seeds.js";
import { Unreadable, shown } from "./unreadable.js";
import { readInteger, readText } from "./values.js";

/** @typedef {import("../contribution.js").Clear} Clear */
/** @typedef {import("./columns.js").Cells} Cells */
/** @typedef {import("../shuffle.js").Method} Method */

/**
 * A row's inputs of the deal, in addition to the columns of all schemes.
 * @typedef {{contributions: Clear[], deck: string, method: Method}} Deal
 */

/**
 * The members of an object, from a file or from a caller, if it has no other members.
 * @param {unknown} value
 * @param {string[]} required
 * @param {string[]} optional
 * @returns {Map<string, unknown> | null}
 */
function membersOf(value, required, optional) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  if (value instanceof JsonObject && value.twice !== null) return null;
  const members = value instanceof JsonObject ? value.members : new Map(Object.entries(value));
  const isKnown = [...members.keys()].every(
    (name) => required.includes(name) || optional.includes(name),
  );
  return isKnown && required.every((name) => members.has(name)) ? members : null;
}

/**
 * @param {unknown} value
 * @returns {Clear}
 */
function readContribution(value) {
  const members = membersOf(value, ["from", "seed"], ["seen"]);
  if (members === null)
    throw new Unreadable('contributions: expected objects with "from" and "seed", perhaps "seen"');
  const from = readText(members.get("from"), "contributions: from");
  const seed = readText(members.get("seed"), "contributions: seed");
  if (!members.has("seen")) return { from, seed };
  // A seen's signature is not mixed, so it is not checked.
  const seen = membersOf(members.get("seen"), ["size", "root"], ["signature"]);
  const root = seen?.get("root");
  if (seen === null || typeof root !== "string" || typeof seen.get("size") === "string") {
    throw new Unreadable('contributions: expected a "seen" with "size" and "root"');
  }
  if (!/^[0-9a-f]{64}$/.test(root)) {
    throw new Unreadable(
      `contributions: root: expected 64 hex digits in lower case, found ${shown(root)}`,
    );
  }
  return { from, seed, seen: { size: readInteger(seen.get("size"), "contributions: size"), root } };
}

/**
 * @param {unknown} value a list, or the text of one in JSON
 * @returns {Clear[]}
 */
function readContributions(value) {
  let list = value;
  try {
    if (typeof value === "string") list = parseWhole(readText(value, "contributions"));
  } catch (error) {
    if (error instanceof JsonFault)
      throw new Unreadable(`contributions: expected JSON: ${error.message}`);
    throw error;
  }
  if (!Array.isArray(list))
    throw new Unreadable(`contributions: expected a list, found ${shown(list)}`);
  return list.map(readContribution);
}

/**
 * @param {string} text
 * @returns {Clear[]}
 */
export function readLines(text) {
  return text.split("\n").map((line) => {
    const at = line.indexOf("=");
    if (at < 0) {
      throw new Unreadable(
        `client_seed: expected FROM=SEED, one contribution a line, found ${shown(line)}`,
      );
    }
    return { from: line.slice(0, at), seed: line.slice(at + 1) };
  });
}

/**
 * @param {Cells} cells
 * @param {string | null} clientSeed
 * @returns {Deal}
 */
function readDeal(cells, clientSeed) {
  const list = cells.get("contributions");
  if ((clientSeed === null) === (list === undefined)) {
    const found = list === undefined ? "nothing" : "both";
    throw new Unreadable(`client_seed: expected it, or contributions in its place, found ${found}`);
  }
  const contributions = clientSeed === null ? readContributions(list) : readLines(clientSeed);
  try {
    checkContributions(contributions);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Unreadable(
      `${clientSeed === null ? "contributions" : "client_seed"}: ${error.message}`,
    );
  }
  const deck = cells.get("deck") ?? "standard-52";
  if (typeof deck !== "string" || !NAMED_DECKS.has(deck)) {
    throw new Unreadable(`deck: expected a deck's name, found ${shown(deck)}`);
  }
  const method = cells.get("method") ?? "shuffle";
  if (method !== "shuffle" && method !== "cycle") {
    throw new Unreadable(`method: expected shuffle or cycle, found ${shown(method)}`);
  }
  return { contributions, deck, method };
}

/** @type {import("./round.js").Dialect} */
export const fairdealV1 = {
  name: "fairdeal/v1",
  title: "fairdeal, version 1",
  covers:
    "deals of a named deck under mixing `seeds`; a row is one round without its log: `verify` and `audit` show what a row cannot",
  source: "spec/shuffle.md",
  columns: [
    "server_seed",
    "commitment",
    "client_seed",
    "nonce",
    "cards",
    "full",
    "contributions",
    "deck",
    "method",
  ],
  kind: "cards",
  seedDigits: 64,
  committed: "hash-decoded",
  published: null,
  reuse: "log",
  scheme: { seed: "decoded" },
  require(cells, round) {
    if (round.nonce === null) readInteger(null, "nonce");
    // A round that was changed and is read again keeps its deal.
    round.deal ??= readDeal(cells, round.clientSeed);
  },
  outcome(round, count, scheme, memory) {
    const { contributions, deck, method } = /** @type {Deal} */ (round.deal);
    const bytes = seedBytes(round.serverSeed, scheme.seed);
    if (bytes === null || decoded(round.serverSeed)?.length !== 32)
      return { none: "the server seed is not 32 bytes" };
    const key = memory.keys.of(`${scheme.seed} ${round.serverSeed}`, () => bytes);
    const cards = /** @type {number[]} */ (NAMED_DECKS.get(deck));
    // A shuffle with a smaller draw is a prefix of the full shuffle; a cycle always has all items.
    const draw = method === "cycle" ? cards.length : Math.max(1, Math.min(count, cards.length));
    const words = new Words(dealKey(key, /** @type {number} */ (round.nonce), contributions));
    return {
      cards: Array.from(order(method, cards.length, draw, words), (item) => cards[item]),
      size: cards.length,
    };
  },
  limits: {
    seed: "exactly 32 bytes",
    seedBits: 256,
    resultBits: 225,
    lastSpeaker:
      "the last player to contribute; the log says who that was, and `lock` takes the choice away",
    also: [
      "the draws listed are those of standard-52; other decks are drawn from in the same way, without bias",
      "when each player contributed, and what the player had seen, is in the log and not in a row",
    ],
    ways: Array.from({ length: 51 }, (_, draws) => 52 - draws),
  },
};
