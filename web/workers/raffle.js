// Reads raffles, verifies them, looks for lines and makes hashed ones, away from the page.

import { Beacons, QUICKNET, outAt } from "../fairdeal/beacon.js";
import { compareText, concat, isHex, textOrNull, toHex, utf8 } from "../fairdeal/bytes.js";
import { readList } from "../fairdeal/deck.js";
import { entrant, readEntrantLink } from "../fairdeal/entrant.js";
import { promiseRaffle, readRaffle, verifyRaffle, verifyReceipt } from "../fairdeal/index.js";
import { exactly } from "../fairdeal/jcs.js";
import { isObject, readJson } from "../fairdeal/json.js";
import { lineIn } from "../fairdeal/raffle.js";
import { readSignature } from "../fairdeal/raffle-document.js";
import { readReceipt } from "../fairdeal/receipt.js";
import { Refused } from "../fairdeal/refused.js";
import { sha256 } from "../fairdeal/sha256.js";
import { answerWith } from "./answers.js";
import "./beacons.js";
import { isPolicy } from "./policy-file.js";
import { readFor } from "./policy.js";
import { compareNumbers, numbersIn } from "./raffle-number.js";
import { doubtsOf, linesLike, repeated, severalOf } from "./raffle-list.js";

/**
 * @typedef {import("../fairdeal/index.js").RaffleVerdict} RaffleVerdict
 * @typedef {import("../fairdeal/raffle.js").Winner} Winner
 */

/**
 * What a page shows of a document before anything is verified.
 * @typedef {object} RaffleFacts
 * @property {import("../fairdeal/index.js").RaffleRules} rules
 * @property {string} commitment
 * @property {string} origin
 * @property {string} table
 * @property {{count: number, sha256: string}} deck
 * @property {{chain: string, round: number}} beacon
 * @property {number | null} out the second of the draw; null if the chain is not known
 * @property {number} closed when the organiser says that it wrote the lock, in milliseconds
 * @property {string} number the raffle's number (spec/raffle.md, section 38)
 * @property {number | null} void when the organiser says that it gave the raffle up, in milliseconds
 * @property {string | null} policy the organiser's
 * @property {number} news grows with what the organiser has published: entries of the log, and the seed
 */

/**
 * @typedef {object} ListFacts
 * @property {number} count
 * @property {number} different
 * @property {string} sha256
 * @property {boolean} isHashed whether each line has the form of a hashed one
 */

/**
 * The list of a new raffle, made from the entrants that its organiser gave.
 * @typedef {object} MadeList
 * @property {string} list the file's text
 * @property {number} count how many lines it has
 * @property {number} different how many different ones
 * @property {[string, string]} ends the first entrant and the last one, as they were given
 * @property {{address: string, salt: string}[]} entrants for links; none of plain lines
 * @property {import("./raffle-list.js").Doubt[]} doubts
 * @property {[string, number][]} several entrants with the most tickets, if they have several
 */

/**
 * `names`: the addresses of winners whose links were given, by their lines; `voidReason`: why the organiser
 * gave the raffle up, if the log says it.
 * @typedef {{verdict: RaffleVerdict, took: number, names: Map<string, string>, voidReason: string | null,
 *   policy: import("./policy.js").PolicyFacts | null}} RaffleAnswer
 * @typedef {NonNullable<RaffleVerdict["line"]> & {address?: string, alike?: string[], isMore?: boolean}}
 *   FoundLine `alike`: lines that the reader may mean; `isMore`: whether there are more of them
 * @typedef {"document" | "page" | "list" | "policy" | "key" | "beacon" | "links" | "empty" | "binary"
 *   | "html" | "message"} RaffleFile `page`: one that brings a raffle; `html`: one that brings none; `message`:
 *   a text with a raffle's number
 * @typedef {{is: "right" | "unreadable" | "false" | "unknown"} | {is: "other", round: number}} FoundNumber
 */

const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\r?\n?$/;
const SECRET = 32;
/** An entrant's code in a text. */
const CODE = /#?\bsalt=[0-9a-f]{32}&address=[^\s"<>\]]+/;
/** A line of the file with the entrants' links: an address, a tab, and its link. */
const LINK = /^[^\t\n]+\t[^\t\n]*#[^\t\n]*salt=/;
/** A page that brings its raffle. */
const PAGE = /<script type="application\/json" id="raffle">([^<]*)<\/script>/;

/** The list, the addresses of its lines that were given, and the winners of the last verdict. */
const now = {
  bytes: new Uint8Array(0),
  lines: /** @type {string[]} */ ([]),
  names: /** @type {Map<string, string>} */ (new Map()),
  drawn: /** @type {Winner[] | null} */ (null),
};

/** @param {string} digest */
const short = (digest) => `${digest.slice(0, 16)}…`;

answerWith({
  /** @param {{files: {name: string, bytes: Uint8Array}[]}} question @returns {RaffleFile[]} */
  sort: ({ files }) => files.map(({ bytes }) => kindOf(bytes)),

  /**
   * The document, the list and the addresses that a page brings with it.
   * @param {{text: string}} question a whole page, or what is in its element
   */
  brought({ text }) {
    const value = readJson(PAGE.exec(text)?.[1] ?? text);
    if (!isObject(value) || !isObject(value.document))
      throw new Refused("unavailable", 'expected an object with "document"');
    const { document, list, relays = [], key } = value;
    return {
      document: exactly(document),
      list: typeof list === "string" ? utf8(list) : null,
      relays: (Array.isArray(relays) ? relays : []).filter((each) => typeof each === "string"),
      key: typeof key === "string" ? key : null,
    };
  },

  /** @param {{text: string, number: string}} question a message, and the number of the raffle */
  message: ({ text, number }) => compareNumbers(text, number),

  /** @param {{document: Uint8Array | string}} question */
  read: ({ document }) => factsOf(document),

  /**
   * Takes a list, in the place of the one before.
   * @param {{bytes: Uint8Array<ArrayBuffer>, deck?: RaffleFacts["deck"]}} question `deck`: of the raffle
   * @returns {ListFacts}
   * @throws {Refused} `list`; `list-mismatch`, if it is another list than the raffle's
   */
  list({ bytes, deck }) {
    const lines = readList(bytes);
    const digest = toHex(sha256(bytes));
    if (deck !== undefined && deck.sha256 !== digest)
      throw new Refused(
        "list-mismatch",
        `expected ${deck.count} lines, SHA-256 ${short(deck.sha256)}; found ${lines.length}, SHA-256 ${short(digest)}`,
      );
    Object.assign(now, { bytes, lines, names: new Map(), drawn: null });
    return {
      count: lines.length,
      different: new Set(lines).size,
      sha256: digest,
      isHashed: lines.every((line) => isHex(line, 32)),
    };
  },

  /** @returns {Uint8Array<ArrayBuffer>} the file of the list */
  bytes: () => now.bytes,

  /** @param {{from: number, to: number}} question @returns {string[]} */
  lines: ({ from, to }) => now.lines.slice(from, to),

  /**
   * Takes the file with the entrants' links: the addresses of the lines that the list has.
   * @param {{bytes: Uint8Array}} question
   * @returns {{links: number, found: number}}
   */
  links({ bytes }) {
    const listed = new Set(now.lines);
    const links = (textOrNull(bytes) ?? "").split(/\r?\n/).filter((each) => each !== "");
    now.names = new Map();
    for (const each of links) {
      try {
        const { address, line } = readEntrantLink(each.slice(each.indexOf("\t") + 1));
        if (listed.has(line)) now.names.set(line, address);
      } catch {
        // A damaged link is none of the list's.
      }
    }
    return { links: links.length, found: now.names.size };
  },

  /**
   * Verifies a document with the list that was given last.
   * @param {{document: Uint8Array | string, key: string, policy?: Uint8Array,
   *   kept: (Uint8Array | string)[], beacon?: string | Uint8Array}} question
   * @returns {Promise<RaffleAnswer>}
   */
  async verify({ document, key, policy, kept, beacon }) {
    const started = performance.now();
    const believed = believedBy(policy, key);
    const verdict = await verifyRaffle(document, now.bytes, {
      key,
      kept: kept.filter(isReadable),
      ...(believed === null ? {} : { policy: believed.policy }),
      ...(beacon === undefined ? {} : { beacon }),
    });
    now.drawn = verdict.drawn ?? null;
    const names = (verdict.drawn ?? []).flatMap(({ line }) => {
      const address = now.names.get(line);
      return address === undefined ? [] : [/** @type {const} */ ([line, address])];
    });
    return {
      verdict,
      took: performance.now() - started,
      names: new Map(names),
      voidReason: reasonOf(document, verdict),
      policy: believed?.facts ?? null,
    };
  },

  /**
   * What an answer has of a round: its sender is not believed.
   * @param {{beacon: {chain: string, round: number}, bytes: Uint8Array}} question
   * @returns {Promise<FoundNumber>}
   */
  async number({ beacon: { chain, round }, bytes }) {
    const beacons = new Beacons();
    await beacons.meet({ beacon: { chain } });
    if (chain !== QUICKNET.hash || beacons.curves === null) return { is: "unknown" };
    try {
      const { signature, round: named = round } = readSignature(bytes);
      if (named !== round) return { is: "other", round: named };
      const right = { chain: QUICKNET, round, right: round, out: outAt(QUICKNET, round) };
      return { is: beacons.verifies(right, signature) ? "right" : "false" };
    } catch {
      return { is: "unreadable" };
    }
  },

  /**
   * Looks for a typed line, exactly and then without the white space around it, or for the line of
   * an entrant's link.
   * @param {{line?: string, link?: string}} question
   * @returns {FoundLine}
   */
  find({ line = "", link }) {
    if (link !== undefined) {
      // Some paste the whole message, or leave the sign in front of the code out.
      const { address, line: own } = readEntrantLink(
        CODE.exec(link)?.[0].replace(/^#?/, "#") ?? link,
      );
      return { ...lineIn(own, now.lines, now.drawn), address };
    }
    const exact = lineIn(line, now.lines, now.drawn);
    if (exact.tickets > 0) return exact;
    const trimmed = lineIn(line.trim(), now.lines, now.drawn);
    return trimmed.tickets > 0 ? trimmed : { ...exact, ...linesLike(line, now.lines) };
  },

  /**
   * The list of a new raffle: its names, one on a line, or their hashed lines in ascending order and
   * the salt of each. The raffle secret is made here, and nothing keeps it.
   * @param {{names: string, isHashed: boolean}} question
   * @returns {MadeList}
   */
  make({ names, isHashed }) {
    const given = names
      .replaceAll(/\p{Cs}/gu, "\ufffd")
      .replaceAll("\r\n", "\n")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const secret = crypto.getRandomValues(new Uint8Array(SECRET));
    const made = isHashed ? given.map((address) => entrant(secret, address)) : [];
    secret.fill(0);
    const lines = isHashed ? made.map(({ line }) => line).sort(compareText) : given;
    const list = lines.map((line) => `${line}\n`).join("");
    // The rules of a list are judged in one place.
    const { length } = readList(utf8(list));
    const each = new Map(made.map((one) => [one.address, one]));
    return {
      list,
      count: length,
      different: new Set(lines).size,
      ends: [given[0], given[length - 1]],
      entrants: [...each.values()].map(({ address, salt }) => ({ address, salt })),
      // Case and blanks at the ends do not count in an address.
      doubts: doubtsOf(isHashed ? [...each.keys()] : given, isHashed),
      several: severalOf(isHashed ? made.map(({ address }) => address) : given),
    };
  },

  /**
   * Whether one of these keys signed a raffle's document, and whether nothing is wrong with it.
   * @param {{document: Uint8Array | string, keys: string[]}} question
   * @returns {Promise<"sound" | "signed" | null>}
   */
  async signed({ document, keys }) {
    const { receipt } = readRaffle(document);
    for (const key of keys) {
      const given = /** @type {any} */ (receipt);
      const verdict = await verifyReceipt(given, { key }).catch(() => null);
      if (verdict?.shown.includes("logged") === true)
        return verdict.findings.length === 0 ? "sound" : "signed";
    }
    return null;
  },

  /** @param {{names: string}} question @returns {string} each line with a number of tickets so often */
  repeat: ({ names }) => repeated(names),

  /**
   * Promises a raffle in a log for it alone.
   * @param {{list: string, rules: import("../fairdeal/index.js").RaffleRules, second: number,
   *   now: number}} question `now`: by the page's clock
   */
  async promise({ list, rules, second, now: time }) {
    const promised = await promiseRaffle(utf8(list), rules, second, time);
    return { ...promised, facts: factsOf(promised.document) };
  },
});

/** @param {Uint8Array | string} document @returns {RaffleFacts} */
function factsOf(document) {
  const { rules, commitment, origin, table, deck, beacon, policy, receipt, ...rest } =
    readRaffle(document);
  const read = readReceipt(receipt).entries;
  const entries = read.map(({ read: { entry } }) => entry);
  const at = entries.findIndex((entry) => entry?.entry === "lock" && entry.beacon === beacon.round);
  const lock = entries[at];
  const promise = concat(read[0].bytes, [0x0a], read[at]?.bytes ?? []);
  return {
    rules,
    commitment,
    origin,
    table,
    deck,
    beacon,
    out: beacon.chain === QUICKNET.hash ? outAt(QUICKNET, beacon.round) : null,
    closed: lock?.time ?? 0,
    number: (toHex(sha256(promise)).slice(0, 40).match(/.{4}/g) ?? []).join("-"),
    void: entries.find((entry) => entry?.entry === "void")?.time ?? null,
    policy: policy ?? null,
    news: entries.length + (rest.server_seed === undefined ? 0 : 1),
  };
}

/**
 * Why the raffle was given up.
 * @param {Uint8Array | string} document
 * @param {RaffleVerdict} verdict
 * @returns {string | null} null if it was not, and if the document does not say it
 */
function reasonOf(document, { void: time, shown }) {
  if (time === undefined || !shown.includes("logged")) return null;
  for (const { read } of readReceipt(readRaffle(document).receipt).entries) {
    const { entry } = read;
    if (entry?.entry === "void" && entry.time === time) return String(entry.reason ?? "") || null;
  }
  return null;
}

/** A page that brings one raffle: of two a browser could show another one. @param {string} text */
const isPage = (text) => PAGE.test(text) && text.split('id="raffle"').length === 2;

/**
 * @param {Uint8Array | undefined} policy
 * @param {string} key
 * @throws {Refused} `policy`, whatever is wrong in it: a witness's key is not the log's
 */
function believedBy(policy, key) {
  try {
    return readFor(policy, key);
  } catch (error) {
    throw new Refused("policy", /** @type {Error} */ (error).message, { cause: error });
  }
}

/**
 * Whether a document that the browser kept can still be read: anything may have written there.
 * @param {Uint8Array | string} document
 */
function isReadable(document) {
  try {
    readRaffle(document);
    return true;
  } catch {
    return false;
  }
}

/** A message that is not in UTF-8 has its number all the same. @param {Uint8Array} bytes */
const lossy = (bytes) => new TextDecoder().decode(bytes.subarray(0, 80_000));

/**
 * @param {Uint8Array} bytes
 * @returns {RaffleFile}
 */
function kindOf(bytes) {
  if (isPolicy(bytes)) return "policy";
  const text = textOrNull(bytes)?.replace(/^\ufeff/, "") ?? "\0";
  if (text.includes("\0")) return numbersIn(lossy(bytes)).length === 0 ? "binary" : "message";
  if (text.trim() === "") return "empty";
  if (KEY.test(text)) return "key";
  if (LINK.test(text)) return "links";
  if (/^\s*[0-9a-f]{96}\s*$/.test(text)) return "beacon";
  if (/^\s*<(!doctype )?html\b/i.test(text)) return isPage(text) ? "page" : "html";
  if (text.startsWith("%PDF-")) return "binary";
  if (!text.trimStart().startsWith("{")) return numbersIn(text).length === 0 ? "list" : "message";
  try {
    const value = readJson(text);
    return isObject(value) && "round" in value && "signature" in value ? "beacon" : "document";
  } catch {
    return "document";
  }
}
