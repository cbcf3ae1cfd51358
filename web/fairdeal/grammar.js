// The grammar of entries and of players' own contributions (spec/ledger.md, sections 8.2, 8.3, 8.5
// and 8.7).

import { MOST_WAYS } from "./below.js";
import { base64OrNull, compareText, isHex } from "./bytes.js";
import { MOST, isLabel, isSeed, isText } from "./contribution.js";
import { isDeck, itemsOf, readCards } from "./deck.js";
import { canonical } from "./jcs.js";
import { OtherNumber, isObject } from "./json.js";
import { isKeyText, isName } from "./key.js";
import { hasRoom } from "./layout.js";
import { readSignature } from "./note.js";
import { Refused, plain, shown } from "./refused.js";
import { MOST_SEALED } from "./seal.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./json.js").JsonObject} JsonObject
 * @typedef {(value: Json) => boolean} Test
 */

/**
 * @param {number} least
 * @param {number} [most]
 * @returns {Test}
 */
const integer =
  (least, most = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    typeof value === "number" && value >= least && value <= most;

/** @param {Json} value @returns {value is string} */
const isHash = (value) => isHex(value, 32);
/** @param {number} most @returns {Test} */
const text = (most) => (value) => isText(value, most);
/** @param {...Json} choices @returns {Test} */
const oneOf =
  (...choices) =>
  (value) =>
    choices.includes(value);
/** @param {number} length in bytes @returns {Test} */
const base64 = (length) => (value) => base64OrNull(value)?.length === length;
/** @param {number} most @param {Test} test @returns {Test} */
const array = (most, test) => (value) =>
  Array.isArray(value) && value.length >= 1 && value.length <= most && value.every(test);

const isTime = integer(0);
const isNonce = integer(0);
const DAY = 86_400_000;

const MOST_COSIGNATURES = 16;
/** Bytes of a cosignature with its key ID: of Ed25519, and of ML-DSA-44, which no policy names. */
const COSIGNATURES = [76, 2432];

/** The members of each kind of object: the required ones and the optional ones. */
const timed = {
  entry: oneOf("commit", "lock", "deal", "void", "reveal", "anchor"),
  time: isTime,
};
const common = { ...timed, commitment: isHash };

/** @type {Record<string, {must: Record<string, Test>, may: Record<string, Test>}>} */
const KINDS = {
  commit: {
    must: {
      ...common,
      protocol: oneOf("fairdeal/v1"),
      origin: (value) => isName(value) && isText(value, 255),
      table: text(128),
      method: oneOf("shuffle", "cycle"),
      deck: isDeck,
      draw: integer(1),
      sealed: oneOf(true, false),
      mixing: oneOf("seeds", "hashes", "beacon"),
      rounds: integer(1, 1_000_000),
      reveal_by: isTime,
    },
    may: {
      ext: isHash,
      signed: oneOf(true),
      layout: isLayout,
      after: isHash,
      rules: isHash,
      beacon: isBeacon,
    },
  },
  lock: {
    must: { ...common, nonce: isNonce },
    may: {
      ext: isHash,
      contributions: (value) => isContributions(value, true),
      beacon: integer(1),
      seats: isSeats,
    },
  },
  deal: {
    must: { ...common, nonce: isNonce, result: isResult },
    may: {
      ext: isHash,
      contributions: (value) => isContributions(value, false),
      seats: isSeats,
      lock: integer(0),
      opened: array(MOST, (value) => has(value, { blind: isHash, from: isLabel, seed: isSeed })),
      beacon: (value) => isHex(value, 48),
    },
  },
  void: {
    must: { ...common, reason: text(256) },
    may: { ext: isHash, nonce: isNonce, blame: isLabel },
  },
  reveal: { must: { ...common, server_seed: isHash }, may: { ext: isHash } },
  anchor: {
    must: { ...timed, size: integer(1), root: isHash, cosignatures: isCosignatures },
    may: {},
  },
};

/**
 * Whether a value is an object with exactly these members.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {value is JsonObject}
 */
export function has(value, must, may = {}) {
  return fault(value, must, may) === null;
}

/**
 * The fault of a value that must be an object with these members: the first missing, unknown or
 * wrong member; null if there is none.
 * @param {Json} value
 * @param {Record<string, Test>} must
 * @param {Record<string, Test>} [may]
 * @returns {string | null}
 */
export function fault(value, must, may = {}) {
  if (!isObject(value)) return `expected an object, found ${found(value)}`;
  for (const name in must) if (!Object.hasOwn(value, name)) return `"${name}" is missing`;
  for (const name of Object.keys(value)) {
    const test = Object.hasOwn(must, name)
      ? must[name]
      : Object.hasOwn(may, name)
        ? may[name]
        : null;
    if (test === null) {
      const known = Object.keys({ ...must, ...may }).map((each) => `"${each}"`);
      return `expected no member but ${known.join(", ")}, found ${shown(name)}`;
    }
    if (!test(value[name])) return `"${name}" cannot be ${found(value[name])}`;
  }
  return null;
}

/**
 * A value as shown in a message.
 * @param {Json} value
 * @returns {string}
 */
function found(value) {
  if (!(value instanceof OtherNumber)) return plain(canonical(value));
  return `${value.text}: integers go from 0 to 2^53 − 1, in digits only`;
}

/** @param {Json} value @returns {boolean} */
function isBeacon(value) {
  return has(value, { chain: isHash, margin: integer(0) });
}

/** @param {Json} value @returns {boolean} */
function isLayout(value) {
  const streets = array(64, integer(1, 64));
  return (
    has(value, { hand: integer(1, 64) }, { board: streets, burn: oneOf(true, false) }) &&
    !("burn" in value && !("board" in value))
  );
}

/** @param {Json} value @returns {boolean} */
function isSeats(value) {
  return (
    array(64, isLabel)(value) &&
    new Set(/** @type {string[]} */ (value)).size === /** @type {string[]} */ (value).length
  );
}

/** @param {Json} value @returns {boolean} */
function isResult(value) {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  if ("cards" in value) return readCards(value.cards) !== null;
  if ("indices" in value) return array(Infinity, integer(0, MOST_WAYS - 1))(value.indices);
  return isHash(value.digest ?? value.seal ?? null);
}

/** @param {Json} value @returns {boolean} */
export function isSeen(value) {
  return has(value, { root: isHash, signature: base64(68), size: integer(1) });
}

const CONTRIBUTION = {
  seed: isSeed,
  hash: isHash,
  seen: isSeen,
  key: isHash,
  signature: base64(64),
};

/**
 * Contributions in ascending order, each with a seed, or with a hash if that is allowed.
 * @param {Json} value
 * @param {boolean} hashes
 * @returns {boolean}
 */
function isContributions(value, hashes) {
  if (!array(MOST, (each) => has(each, { from: isLabel }, CONTRIBUTION))(value)) return false;
  const all = /** @type {JsonObject[]} */ (value);
  return all.every((each, i) => {
    if (
      i > 0 &&
      compareText(/** @type {string} */ (all[i - 1].from), /** @type {string} */ (each.from)) >= 0
    )
      return false;
    if ("seed" in each === "hash" in each || ("hash" in each && !hashes)) return false;
    return "key" in each === "signature" in each;
  });
}

/**
 * Signature lines of witnesses in ascending order, of each key at most one.
 * @param {Json} value
 * @returns {boolean}
 */
function isCosignatures(value) {
  if (!array(MOST_COSIGNATURES, (each) => typeof each === "string")(value)) return false;
  const lines = /** @type {string[]} */ (value);
  const keys = new Set();
  return lines.every((line, i) => {
    if (i > 0 && compareText(lines[i - 1], line) >= 0) return false;
    const signature = signatureOf(line);
    if (signature === null) return false;
    const { name, id, bytes } = signature;
    return (
      isText(name, 255) &&
      COSIGNATURES.includes(4 + bytes.length) &&
      keys.size < keys.add(`${name}+${id}`).size
    );
  });
}

/** @param {string} line @returns {import("./note.js").Signature | null} */
function signatureOf(line) {
  try {
    return readSignature(line);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** The members that a player's own contribution may have. */
const ROUND = { log: isKeyText, commitment: isHash, nonce: isNonce };
const KEPT = { ...ROUND, blind: isHash, given: oneOf(true), ...CONTRIBUTION };

/**
 * The fault of a contribution with its seed, in any of its forms: as a player keeps it, as the log
 * has it, or with only what is mixed, which a signature of `seen` is not.
 * @param {Json} value
 * @returns {string | null}
 */
export function clearFault(value) {
  const seen = { root: isHash, size: integer(0) };
  const may = { ...KEPT, seen: () => true };
  const why = fault(value, { from: isLabel, seed: isSeed }, may);
  if (why !== null || !isObject(value) || value.seen === undefined) return why;
  const inner = fault(value.seen, seen, { signature: base64(68) });
  return inner === null ? null : `"seen": ${inner}`;
}

/**
 * Whether a value is a player's own contribution (spec/receipt.md, section 11.8).
 * @param {Json} value
 * @returns {boolean}
 */
export function isKept(value) {
  if (!has(value, { from: isLabel, seed: isSeed }, KEPT)) return false;
  /** @param {...string} names */
  const together = (...names) => new Set(names.map((name) => name in value)).size === 1;
  return (
    together("blind", "hash") && together("key", "signature") && together(...Object.keys(ROUND))
  );
}

/** Judges entries, and remembers why the last one was refused. */
export class Grammar {
  constructor() {
    this.says = "";
  }

  /**
   * @param {JsonObject} value canonical
   * @returns {boolean}
   */
  entry(value) {
    const kind =
      typeof value.entry === "string" && Object.hasOwn(KINDS, value.entry)
        ? KINDS[value.entry]
        : null;
    const found =
      kind === null
        ? '"entry" is no kind of entry'
        : (fault(value, kind.must, kind.may) ?? together(value));
    this.says = found ?? "";
    return found === null;
  }
}

/**
 * The rules for several members of an entry together.
 * @param {Record<string, any>} value each member has its form
 * @returns {string | null}
 */
function together(value) {
  switch (value.entry) {
    case "commit":
      return terms(value);
    case "lock": {
      if (!("contributions" in value) && !("beacon" in value))
        return "a lock has contributions, or a beacon's round, or both";
      return seatsLeaveOut(value);
    }
    case "deal": {
      if ("contributions" in value === "lock" in value)
        return 'a deal has either "contributions" or "lock"';
      const bound = ["opened", "beacon"].find((name) => name in value && !("lock" in value));
      if (bound !== undefined) return `"${bound}" is for a deal with "lock"`;
      if ("seats" in value && !("contributions" in value))
        return '"seats" is for a deal with "contributions"';
      return seatsLeaveOut(value);
    }
    case "void":
      return "blame" in value && !("nonce" in value) ? '"blame" is for a void with "nonce"' : null;
    default:
      return null;
  }
}

/**
 * @param {Record<string, any>} commit
 * @returns {string | null}
 */
function terms(commit) {
  const { method, draw, sealed, layout, time, reveal_by, mixing } = commit;
  const items = itemsOf(commit.deck);
  if (draw > items) return `"draw" is ${draw}, and the deck has ${items}`;
  if (method === "cycle" && (items < 2 || draw !== items))
    return `a cycle draws all of 2 items or more, not ${draw} of ${items}`;
  if (sealed && draw > MOST_SEALED)
    return `a sealed deal draws at most ${MOST_SEALED}, not ${draw}`;
  if (layout !== undefined && method === "cycle") return "a cycle has no layout";
  if (layout !== undefined && !hasRoom(layout, draw, 1))
    return "the layout has no room for one seat";
  if (reveal_by <= time || reveal_by > time + 366 * DAY)
    return '"reveal_by" is within 366 days after "time"';
  if ((mixing === "beacon") !== "beacon" in commit)
    return '"beacon" is there exactly with mixing "beacon"';
  return null;
}

/**
 * @param {Record<string, any>} value
 * @returns {string | null}
 */
function seatsLeaveOut({ seats, contributions }) {
  if (seats === undefined || contributions === undefined) return null;
  /** @type {{from: string}[]} */
  const all = contributions;
  const left = all.find(({ from }) => !seats.includes(from));
  return left === undefined ? null : `the seats leave out ${shown(left.from)}`;
}
