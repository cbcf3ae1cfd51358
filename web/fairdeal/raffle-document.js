// The document of a raffle, its list, and a given signature (spec/raffle.md, sections 35, 37 and 38).

import { fromHex, isHex, textOrNull, toHex, utf8, utf8Length } from "./bytes.js";
import { isText } from "./contribution.js";
import { readList } from "./deck.js";
import * as is from "./expected.js";
import { fault } from "./grammar.js";
import { canonical } from "./jcs.js";
import { isObject, readJson } from "./json.js";
import { fileOf, readReceipt } from "./receipt.js";
import { Refused, shown } from "./refused.js";
import { commitmentOf } from "./seed.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./entry.js").Commit} Commit
 */

/**
 * @typedef {object} RaffleRules
 * @property {number} winners how many lines win, 1 to 1,000
 * @property {string} [title]
 * @property {string[]} [prizes] of the first winner, the second, and so on
 */

/**
 * What a document says, before anything is verified.
 * @typedef {object} Raffle
 * @property {RaffleRules} rules
 * @property {Json} receipt
 * @property {string} [server_seed] in hexadecimal; it opens the commitment
 * @property {string} [policy] the organiser's; only its reader can decide to use it
 * @property {string} [list] a URL; only its reader can decide to open it
 * @property {string} commitment
 * @property {string} origin of the log
 * @property {string} table
 * @property {import("./deck.js").ListDeck} deck
 * @property {number} draw
 * @property {{chain: string, round: number}} beacon that of the first grammatical lock with a beacon
 */

const LONGEST_DOCUMENT = 4_194_304;
const LONGEST_LIST = 67_108_864;
const LONGEST_ANSWER = 65_536;
const SIGNATURE = 48;
const LONGEST_POLICY = 1_048_576;
const MOST_WINNERS = 1000;

/** @param {number} most @returns {(value: Json) => boolean} */
const text = (most) => (value) => isText(value, most);

const MEMBERS = {
  format: (/** @type {Json} */ value) => value === "fairdeal/raffle/v1",
  rules: isObject,
  receipt: isObject,
};
const MAY = {
  server_seed: (/** @type {Json} */ value) => isHex(value, 32),
  policy: (/** @type {Json} */ value) =>
    typeof value === "string" && value !== "" && utf8Length(value) <= LONGEST_POLICY,
  list: text(2048),
};
const WINNERS = {
  winners: (/** @type {Json} */ value) =>
    typeof value === "number" && value >= 1 && value <= MOST_WINNERS,
};
const RULES = {
  title: text(200),
  prizes: (/** @type {Json} */ value) =>
    Array.isArray(value) && value.length > 0 && value.every(text(200)),
};

/**
 * @param {string} why
 * @returns {never}
 */
export function unreadable(why) {
  throw new Refused("unavailable", `expected the document of a raffle; ${why}`);
}

/**
 * Runs a part of the reader, and says of what it refuses that there is no document.
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
function within(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return unreadable(error.message);
    throw error;
  }
}

/**
 * What the document of a raffle says. Nothing of it is verified but its form.
 * @param {import("./verify.js").File} document its text, its bytes, or the result of `JSON.parse`
 * @returns {Raffle}
 * @throws {Refused} `unavailable`, if it is none
 */
export function readRaffle(document) {
  is.expectFile("readRaffle(document)", "document", document);
  const file = within(() => fileOf(document));
  // A byte order mark that was passed over is a part of the file.
  const given = typeof document === "string" || document instanceof Uint8Array ? document : file;
  const length = typeof given === "string" ? utf8Length(given) : given.length;
  if (length > LONGEST_DOCUMENT)
    unreadable(`it has ${length} bytes, the most are ${LONGEST_DOCUMENT}`);
  const value = within(() => readJson(file));
  const why = fault(value, MEMBERS, MAY);
  if (why !== null) unreadable(why);
  const { rules, receipt, server_seed, policy, list } =
    /** @type {Pick<Raffle, "rules" | "receipt" | "server_seed" | "policy" | "list">} */ (
      /** @type {unknown} */ (value)
    );
  const wrong = fault(/** @type {any} */ (rules), WINNERS, RULES);
  if (wrong !== null) unreadable(`in "rules": ${wrong}`);
  const { winners, prizes = [] } = rules;
  if (prizes.length > winners)
    unreadable(`it has ${prizes.length} prizes, and the winners are ${winners}`);
  const { commit, beacon } = roundOf(receipt);
  const hash = toHex(sha256(utf8(canonical(/** @type {any} */ (rules)))));
  if (commit.rules !== hash)
    unreadable(`its commit has the rules ${commit.rules ?? "of none"}, and "rules" gives ${hash}`);
  const { commitment, origin, table, deck, draw } = commit;
  if (server_seed !== undefined && toHex(commitmentOf(fromHex(server_seed))) !== commitment)
    unreadable('"server_seed" does not open the commitment');
  return {
    rules,
    receipt,
    ...(server_seed === undefined ? {} : { server_seed }),
    ...(policy === undefined ? {} : { policy }),
    ...(list === undefined ? {} : { list }),
    commitment,
    origin,
    table,
    deck,
    draw,
    beacon,
  };
}

/**
 * The raffle's commit in a receipt (section 35.2), and the round of its lock.
 * @param {Json} value
 * @returns {{commit: Commit & {deck: import("./deck.js").ListDeck}, beacon: Raffle["beacon"]}}
 */
function roundOf(value) {
  if (!isObject(value) || value.format !== "fairdeal/receipt/v1")
    unreadable('"receipt" is no receipt');
  const { entries } = within(() => readReceipt(value));
  const commit = entries[0].read.entry;
  if (commit?.entry !== "commit") unreadable("its first entry is not grammatical");
  const { method, deck, sealed, mixing, rounds, layout, beacon } = commit;
  /** @type {[boolean, string][]} */
  const faults = [
    [method !== "shuffle", `the method is ${shown(method)}`],
    [typeof deck === "string", `the deck is ${shown(deck)}`],
    [sealed, "it is sealed"],
    [mixing !== "beacon", `the mixing is ${shown(mixing)}`],
    [rounds !== 1, `it has ${rounds} rounds`],
    [layout !== undefined, "it has a layout"],
  ];
  const found = faults.find(([is]) => is);
  if (found !== undefined) unreadable(`its commit is not that of a raffle: ${found[1]}`);
  const round = entries
    .map(({ read }) => (read.entry?.entry === "lock" ? read.entry.beacon : undefined))
    .find((each) => each !== undefined);
  if (round === undefined || beacon === undefined || typeof deck === "string")
    return unreadable("it has no lock with a round of the beacon");
  return { commit: { ...commit, deck }, beacon: { chain: beacon.chain, round } };
}

/**
 * The lines of a raffle's list.
 * @param {Uint8Array} list
 * @returns {string[]}
 * @throws {Refused} `list`, if it is no list; `unavailable`, if it has too many bytes
 */
export function linesOf(list) {
  if (list.length > LONGEST_LIST)
    throw new Refused(
      "unavailable",
      `a raffle's list has at most ${LONGEST_LIST} bytes; found ${list.length}`,
    );
  return readList(list);
}

/**
 * A signature that the reader gives: digits, or an answer of drand with its round.
 * @param {string | Uint8Array} given
 * @returns {{signature: string, round?: number}}
 * @throws {Refused} `beacon`
 */
export function readSignature(given) {
  /** @param {string} why @returns {never} */
  const refuse = (why) => {
    throw new Refused(
      "beacon",
      `expected the signature of a round, ${2 * SIGNATURE} lowercase hexadecimal digits, or an answer of drand; ${why}`,
    );
  };
  const length = typeof given === "string" ? utf8Length(given) : given.length;
  if (length > LONGEST_ANSWER) refuse(`found ${length} bytes`);
  const read = typeof given === "string" ? given : textOrNull(given);
  if (read === null) return refuse("found no UTF-8");
  const digits = read.replace(/^\ufeff/, "").replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
  if (isHex(digits, SIGNATURE)) return { signature: digits };
  /** @type {Json} */
  let answer;
  try {
    answer = readJson(fileOf(read));
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message);
    throw error;
  }
  if (!isObject(answer)) return refuse(`found ${shown(read)}`);
  const { round, signature } = answer;
  if (typeof round !== "number") return refuse('its "round" is no integer');
  if (!isHex(signature, SIGNATURE)) return refuse('its "signature" is not such digits');
  return { signature, round };
}
