// Rounds of public beacons: chains, the round of a lock, and signatures (spec/beacon.md).

import { concat, equal, fromHex, isHex, toHex, u32, u64, utf8, utf8Length } from "./bytes.js";
import * as is from "./expected.js";
import { isObject, readJson } from "./json.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

/**
 * A chain of a beacon.
 * @typedef {object} Chain
 * @property {string} hash
 * @property {string} publicKey in hexadecimal
 * @property {number} genesis the second at which round 1 is out
 * @property {number} period in seconds
 */

/**
 * The round of a known chain that a lock names.
 * @typedef {object} Named
 * @property {Chain} chain
 * @property {number} round
 * @property {number} out the second at which this round is out
 * @property {number | null} right the round that the lock must name; null if it can name none
 */

/**
 * What is used of `@noble/curves`. Its own types would be needed by every user of this package.
 * @typedef {{is0(): boolean, toBytes(isCompressed: boolean): Uint8Array}} Point
 * @typedef {{Point: {fromBytes(bytes: Uint8Array): Point}}} Group
 * @typedef {{hash(message: Uint8Array, tag: string): Point,
 *   verify(signature: Point, message: Point, key: Point): boolean}} Signatures
 * @typedef {{G1: Group, G2: Group, shortSignatures: Signatures}} Curves
 */

/** The chain that each reader knows. @type {Chain} */
export const QUICKNET = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesis: 1_692_803_367,
  period: 3,
};

const SCHEME = "bls-unchained-g1-rfc9380";
const TAG = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const LONGEST = 65_536;
const MOST_PERIOD = 4_294_967_295;
/** 9999-12-31T23:59:59Z. */
const LAST_SECOND = 253_402_300_799;
/** So many seconds a lock must have been seen before its round is out. */
const AHEAD = 5;
const MOST_KNOWN = 4096;

/** What a call takes as chains. @type {is.Kind} */
export const CHAINS = is.listOf(
  "chains that readChain made",
  is.withAll("", { hash: is.TEXT, publicKey: is.TEXT, genesis: is.COUNT, period: is.COUNT }),
);

/** Loads the library. @type {() => Promise<Curves>} */
let load = async () =>
  /** @type {Curves} */ (
    /** @type {unknown} */ ((await import("@noble/curves/bls12-381.js")).bls12_381)
  );

/**
 * Loads the library from elsewhere: a page without a bundler cannot find a package by its name.
 * @param {() => Promise<unknown>} from resolves to the library's `bls12_381`
 * @returns {() => void} undoes this
 */
export function curvesFrom(from) {
  const before = load;
  load = /** @type {typeof load} */ (from);
  return () => {
    load = before;
  };
}

/**
 * Reads a chain as drand's `/info` gives it.
 * @param {string | Uint8Array} file
 * @returns {Promise<Chain>}
 * @throws {Refused} `chain`, if it is no chain; `unavailable`, if `@noble/curves`, which judges its
 *   key, is not installed
 */
export async function readChain(file) {
  const length = typeof file === "string" ? utf8Length(file) : file.length;
  if (length > LONGEST) refuse(`it has ${length} bytes, the most are ${LONGEST}`);
  const { public_key, period, genesis_time, groupHash, hash, beaconID } = members(file);
  const name = beaconID === "default" ? "" : beaconID;
  const ours = toHex(
    sha256(
      concat(u32(period), u64(genesis_time), fromHex(public_key), fromHex(groupHash), utf8(name)),
    ),
  );
  if (hash !== undefined && hash !== ours)
    refuse(`"hash" is ${shown(hash)}, and the hash of its members is ${ours}`);
  /** @type {Curves} */
  let curves;
  try {
    curves = await load();
  } catch (cause) {
    const says = "without the package @noble/curves the key of a chain cannot be judged";
    throw new Refused("unavailable", says, { cause });
  }
  if (pointOf(curves.G2, public_key) === null) refuse('"public_key" is no key');
  return { hash: ours, publicKey: public_key, genesis: genesis_time, period };
}

/**
 * The members of a chain's file, each in its form.
 * @param {string | Uint8Array} file
 */
function members(file) {
  /** @type {import("./json.js").Json} */
  let value;
  try {
    value = readJson(file);
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message);
    throw error;
  }
  if (!isObject(value)) return refuse("expected an object");
  const json = value;
  /**
   * @param {string} name
   * @param {string} words what it must be
   * @param {(value: any) => boolean} test
   * @returns {any}
   */
  const member = (name, words, test) => {
    if (!Object.hasOwn(json, name)) return refuse(`"${name}" is missing`);
    const found = json[name];
    const text = isObject(found) || Array.isArray(found) ? "something else" : shown(found);
    return test(found) ? found : refuse(`"${name}": expected ${words}, found ${text}`);
  };
  /** @param {number} most */
  const upTo = (most) => (/** @type {unknown} */ found) =>
    typeof found === "number" && found >= 1 && found <= most;
  const { hash, metadata = {} } = json;
  if (!isObject(metadata)) return refuse('"metadata" is no object');
  const { beaconID = "" } = metadata;
  if (typeof beaconID !== "string") return refuse('"beaconID" in "metadata" is no text');
  return {
    public_key: member("public_key", "96 bytes in lowercase hexadecimal", (text) =>
      isHex(text, 96),
    ),
    period: member("period", `an integer from 1 to ${MOST_PERIOD}`, upTo(MOST_PERIOD)),
    genesis_time: member("genesis_time", `an integer from 1 to ${LAST_SECOND}`, upTo(LAST_SECOND)),
    groupHash: member("groupHash", "32 bytes in lowercase hexadecimal", (text) => isHex(text, 32)),
    scheme: member("schemeID", `"${SCHEME}"`, (text) => text === SCHEME),
    hash,
    beaconID,
  };
}

/**
 * @param {string} says
 * @returns {never}
 */
function refuse(says) {
  throw new Refused("chain", `the file of the chain: ${says}`);
}

/**
 * The second at which a round is out. Where a double is not exact, it is over each time of a log.
 * @param {Chain} chain
 * @param {number} round
 * @returns {number}
 */
export function outAt({ genesis, period }, round) {
  return genesis + (round - 1) * period;
}

/**
 * The round that a lock must name: the first one that is out after its time and the margin.
 * @param {Chain} chain
 * @param {number} time of the lock, in milliseconds
 * @param {number} margin of its commit, in milliseconds
 * @returns {number | null} null if it cannot name the right one
 */
export function rightRound({ genesis, period }, time, margin) {
  // The sum itself need not be exact.
  if (time > Number.MAX_SAFE_INTEGER - margin) return null;
  const since = time + margin - 1000 * genesis;
  if (since < 0) return 1;
  const step = 1000 * period;
  return (since - (since % step)) / step + 2;
}

/**
 * The last second by which a lock must have been seen to be before the beacon.
 * @param {Named} named
 * @returns {number} −Infinity if it names another round than the right one
 */
export function lastBefore({ round, right, out }) {
  return round === right ? out - AHEAD : -Infinity;
}

/**
 * A point, if its encoding is canonical, and it is in the subgroup and not the identity.
 * @param {Group} group
 * @param {string} hex compressed
 * @returns {Point | null}
 */
function pointOf({ Point }, hex) {
  try {
    const bytes = fromHex(hex);
    // It throws unless the point is on the curve and in the subgroup.
    const point = Point.fromBytes(bytes);
    return !point.is0() && equal(point.toBytes(true), bytes) ? point : null;
  } catch {
    return null;
  }
}

/**
 * Whether a signature verifies.
 * @param {Curves} curves
 * @param {Point} key
 * @param {number} round
 * @param {string} hex
 * @returns {boolean}
 */
function verify({ G1, shortSignatures }, key, round, hex) {
  try {
    const signature = pointOf(G1, hex);
    if (signature === null) return false;
    const message = shortSignatures.hash(sha256(concat(u64(round))), TAG);
    return shortSignatures.verify(signature, message, key);
  } catch {
    return false;
  }
}

/**
 * The chains that a reader knows. The library is loaded when a commit names one of them: until then,
 * and without it, no chain is known.
 */
export class Beacons {
  /**
   * @param {readonly Chain[] | null} [more] beside quicknet; null: no chain is known
   * @throws {Refused} `chain`, if two chains have one key (spec/beacon.md, section 30)
   */
  constructor(more = []) {
    const all = more === null ? [] : [QUICKNET, ...more];
    this.chains = new Map(all.map((chain) => [chain.hash, chain]));
    const known = [...this.chains.values()];
    if (new Set(known.map(({ publicKey }) => publicKey)).size < known.length)
      refuse('two chains have one "public_key": a signature would be of a round of both');
    /** @type {Curves | null} */
    this.curves = null;
    /** @type {Promise<void> | null} */
    this.coming = null;
    /** The keys of chains, read once: that takes as long as the rest. @type {Map<string, Point | null>} */
    this.keys = new Map();
    /** Signatures that were verified. @type {Map<string, boolean>} */
    this.verified = new Map();
  }

  /**
   * Loads the library if a commit needs it. Call this before the commit is judged.
   * @param {Pick<import("./entry.js").Commit, "beacon"> | {beacon: {chain: string}}} commit
   * @returns {Promise<void> | null} null if there is nothing to wait for
   */
  meet({ beacon }) {
    if (beacon === undefined || !this.chains.has(beacon.chain)) return null;
    // Also after a failure only once: in one verdict a chain is either known or not.
    this.coming ??= load().then(
      (curves) => {
        this.curves = curves;
      },
      () => undefined,
    );
    return this.coming;
  }

  /**
   * The chain of a commit, if it is known.
   * @param {import("./entry.js").Commit} commit
   * @returns {Chain | null}
   */
  chainOf({ beacon }) {
    if (beacon === undefined || this.curves === null) return null;
    return this.chains.get(beacon.chain) ?? null;
  }

  /**
   * The round that a lock names.
   * @param {import("./entry.js").Commit} commit
   * @param {import("./entry.js").Lock} lock
   * @returns {Named | null} null if it names none, or the chain is not known
   */
  named(commit, { beacon: round, time }) {
    const chain = this.chainOf(commit);
    if (chain === null || round === undefined) return null;
    const right = rightRound(chain, time, commit.beacon?.margin ?? 0);
    return { chain, round, out: outAt(chain, round), right };
  }

  /**
   * @param {Chain} chain
   * @returns {Point | null}
   */
  keyOf({ hash, publicKey }) {
    if (this.curves === null) return null;
    let key = this.keys.get(hash);
    if (key === undefined) this.keys.set(hash, (key = pointOf(this.curves.G2, publicKey)));
    return key;
  }

  /**
   * Whether a signature of a round verifies. Each one is verified once.
   * @param {Named} named
   * @param {string} signature
   * @returns {boolean}
   */
  verifies({ chain, round }, signature) {
    const name = `${chain.hash} ${round} ${signature}`;
    let verifies = this.verified.get(name);
    if (verifies === undefined) {
      const key = this.keyOf(chain);
      verifies = this.curves !== null && key !== null && verify(this.curves, key, round, signature);
      if (this.verified.size >= MOST_KNOWN) this.verified.clear();
      this.verified.set(name, verifies);
    }
    return verifies;
  }
}
