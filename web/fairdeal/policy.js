// Policies: which witnesses a reader believes, and which times follow from their cosignatures
// (spec/witness.md, sections 24 and 26).

import { textOrNull, toHex } from "./bytes.js";
import * as is from "./expected.js";
import { keyText, readKey, readWitnessKey } from "./key.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

const MOST_LINES = 1024;
const LONGEST_POLICY = 1_048_576;
/** 9999-12-31T23:59:59Z. */
const LAST_SECOND = 253_402_300_799n;

/** The first fault of a policy. Its code is the fault's name. */
export class PolicyFault extends Refused {
  /**
   * @param {string} code
   * @param {number} line from 1; for a fault of the whole file the number of its lines
   * @param {string} says
   */
  constructor(code, line, says) {
    super(code, `line ${line} of the policy: ${says}`);
    /** @type {number} */
    this.line = line;
  }
}

/**
 * A witness of a policy.
 * @typedef {object} Witness
 * @property {string} name in the policy; what is not UTF-8 in it is U+FFFD
 * @property {string} vkey its verifier key
 * @property {import("./key.js").Key} key the same, read
 */

/**
 * What a name of a policy means: a witness, or a group of which k members must have signed.
 * @typedef {object} Node
 * @property {number | null} witness its place in the policy's list, or null for a group
 * @property {number} k
 * @property {number[]} members the places of their nodes, all before this one
 * @property {number | null} parent the place of the group that has this one as a member
 * @property {number} q
 * @property {number} v
 */

/**
 * @typedef {object} Policy
 * @property {string[]} logs their verifier keys
 * @property {Witness[]} witnesses in the order of their lines
 * @property {number} q how many liars can make the times false
 * @property {number} v how many liars can show two logs to two readers
 * @property {string} hash of the file, hexadecimal
 * @property {Node[]} nodes
 * @property {Node | null} quorum null for `none`
 */

/**
 * The times of a quorum that is there, in seconds since 1970: null where it has none.
 * @typedef {object} Times
 * @property {number | null} by
 * @property {number | null} since
 */

/**
 * Reads a policy.
 * @param {Uint8Array} bytes the file
 * @returns {Policy}
 * @throws {PolicyFault}
 */
export function readPolicy(bytes) {
  const lines = linesOf(bytes);
  if (bytes.length > LONGEST_POLICY)
    throw new PolicyFault(
      "too-long",
      lines.length,
      `it has ${bytes.length} bytes, the most are ${LONGEST_POLICY}`,
    );
  const reader = new Reader();
  for (const line of lines) reader.read(line);
  const { logs, witnesses, nodes, quorum } = reader;
  if (quorum === undefined)
    throw new PolicyFault("no-quorum", lines.length, "the policy has no quorum");
  const { q, v } = quorum ?? { q: 0, v: 0 };
  return { logs, witnesses, q, v, hash: toHex(sha256(bytes)), nodes, quorum };
}

/**
 * The lines of a file. Each octet is one character: only the keys are text.
 * @param {Uint8Array} bytes
 * @returns {string[]}
 */
function linesOf(bytes) {
  let octets = "";
  for (let at = 0; at < bytes.length; at += 4096)
    octets += String.fromCharCode(...bytes.subarray(at, at + 4096));
  const lines = octets.split("\n");
  // What follows the last line's end is no line.
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * @param {string} octets of which each is one character
 * @returns {Uint8Array}
 */
function toOctets(octets) {
  return Uint8Array.from(octets, (each) => each.charCodeAt(0));
}

/** Reads a policy line by line. */
class Reader {
  /** @type {string[]} */
  logs = [];
  /** @type {Witness[]} */
  witnesses = [];
  /** @type {Node[]} */
  nodes = [];
  /** @type {Node | null | undefined} undefined before its line, null for `none` */
  quorum = undefined;
  /** The place of the node that each name means. @type {Map<string, number>} */
  names = new Map();
  /** The line of each public key, and of each key name with its ID. @type {Map<string, number>} */
  keys = new Map();
  line = 0;
  /** How many lines are not ignored. */
  lines = 0;

  /**
   * @param {string} code
   * @param {string} says
   * @returns {never}
   */
  refuse(code, says) {
    throw new PolicyFault(code, this.line, says);
  }

  /** @param {string} line */
  read(line) {
    this.line++;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line))
      this.refuse("octet", "it has an octet that is not allowed");
    const [word, ...rest] = line.split(/[ \t]+/).filter((each) => each !== "");
    if (word === undefined || word.startsWith("#")) return;
    if (++this.lines > MOST_LINES) this.refuse("too-many", `${MOST_LINES} lines are before it`);
    switch (word) {
      case "log":
        return this.log(rest);
      case "witness":
        return this.witness(rest);
      case "group":
        return this.group(rest);
      case "quorum":
        return this.setQuorum(rest);
      default:
        this.refuse("word", `it begins with ${shown(word)}`);
    }
  }

  /**
   * @param {string[]} words after the first one
   * @param {number} fewest
   * @param {number} most
   */
  count(words, fewest, most) {
    if (words.length < fewest || words.length > most)
      this.refuse("count", `it has ${words.length + 1} words`);
  }

  /** @param {string[]} words */
  log(words) {
    this.count(words, 1, 2);
    this.logs.push(this.key(words[0], readKey).vkey);
  }

  /** @param {string[]} words */
  witness(words) {
    this.count(words, 2, 3);
    const [name, octets] = words;
    const read = this.key(octets, readWitnessKey);
    this.define(name);
    const witness = this.witnesses.push({ name: lossy.decode(toOctets(name)), ...read }) - 1;
    this.nodes.push({ witness, k: 1, members: [], parent: null, q: 1, v: 1 });
  }

  /** @param {string[]} words */
  group(words) {
    this.count(words, 3, Infinity);
    const [name, threshold, ...names] = words;
    const place = this.nodes.length;
    this.define(name);
    const k = thresholdOf(threshold, names.length);
    if (k === null)
      return this.refuse(
        "threshold",
        `${shown(threshold)} of ${names.length} members cannot have signed`,
      );
    const members = names.map((each) => this.defined(each, place));
    for (const member of members) {
      const node = this.nodes[member];
      if (node.parent !== null) this.refuse("member-twice", "a member was named before");
      node.parent = place;
    }
    const q = leastSum(
      members.map((member) => this.nodes[member].q),
      k,
    );
    const v = leastSum(
      members.map((member) => this.nodes[member].v),
      2 * k - members.length,
    );
    this.nodes.push({ witness: null, k, members, parent: null, q, v });
  }

  /** @param {string[]} words */
  setQuorum(words) {
    this.count(words, 1, 1);
    const [name] = words;
    const node = name === "none" ? null : this.nodes[this.defined(name, this.nodes.length)];
    if (this.quorum !== undefined) this.refuse("quorum-twice", "there was a quorum before");
    this.quorum = node;
  }

  /**
   * Reads a key that no line before has.
   * @param {string} octets
   * @param {typeof readKey} read
   * @returns {{vkey: string, key: import("./key.js").Key}}
   */
  key(octets, read) {
    const vkey = textOrNull(toOctets(octets));
    if (vkey === null) return this.refuse("key", "the verifier key is not UTF-8");
    /** @type {import("./key.js").Key} */
    let key;
    try {
      key = read(vkey);
    } catch (error) {
      if (error instanceof Refused) return this.refuse("key", error.message);
      throw error;
    }
    for (const way of [toHex(key.publicKey), `${key.name}+${key.id}`]) {
      const before = this.keys.get(way);
      if (before !== undefined)
        this.refuse("duplicate-key", `line ${before} has the same key, or its name and ID`);
      this.keys.set(way, this.line);
    }
    return { vkey, key };
  }

  /**
   * Gives a name to the next node.
   * @param {string} name
   */
  define(name) {
    if (name === "none") this.refuse("name", "nothing can have the name none");
    if (this.names.has(name)) this.refuse("repeated", `${shown(name)} was defined before`);
    this.names.set(name, this.nodes.length);
  }

  /**
   * The place of the node that a name means.
   * @param {string} name
   * @param {number} end the place after the last node that the name can mean
   * @returns {number}
   */
  defined(name, end) {
    const place = this.names.get(name);
    // A group that is being read has its name already.
    if (place === undefined || place >= end)
      return this.refuse("undefined", `${shown(name)} was not defined before`);
    return place;
  }
}

/**
 * How many members of a group must have signed, or null if the word does not say it.
 * @param {string} word
 * @param {number} members how many it has
 * @returns {number | null}
 */
function thresholdOf(word, members) {
  if (word === "all") return members;
  if (word === "any") return 1;
  if (!/^[1-9][0-9]*$/.test(word)) return null;
  const k = Number(word);
  return k <= members ? k : null;
}

/**
 * The sum of the least values: of none, if `count` is not positive.
 * @param {number[]} values
 * @param {number} count
 * @returns {number}
 */
function leastSum(values, count) {
  const least = Float64Array.from(values).sort().subarray(0, Math.max(count, 0));
  return least.reduce((sum, value) => sum + value, 0);
}

/**
 * Whether a log can be judged by a policy: the policy lists the log, or no log at all.
 * @param {Policy} policy
 * @param {string} vkey the log's verifier key
 * @returns {boolean}
 */
export function isForLog({ logs }, vkey) {
  return logs.length === 0 || logs.includes(vkey);
}

/** What a call takes as a policy. @type {is.Kind} */
export const POLICY = is.withAll("a policy that readPolicy made", {
  logs: is.listOf("texts", is.TEXT),
  witnesses: is.listOf("witnesses", is.withAll("a witness", { name: is.TEXT, key: is.OBJECT })),
  hash: is.TEXT,
  nodes: is.listOf("nodes", is.OBJECT),
});

/**
 * The policy that a log is judged by.
 * @param {Policy | undefined} policy
 * @param {import("./key.js").Key} key of the log
 * @returns {Policy | null}
 * @throws {Refused} `policy`, if it is not for this log
 */
export function policyFor(policy, key) {
  if (policy === undefined) return null;
  if (!isForLog(policy, keyText(key)))
    throw new Refused(
      "policy",
      `this policy is for other logs: none of its log lines has ${shown(keyText(key))}`,
    );
  return policy;
}

/**
 * The pairs of witnesses whose keys have one name, and of which one alone would not do: one operator
 * would count twice.
 * @param {Policy} policy
 * @returns {[string, string][]} verifier keys, in the policy's order
 */
export function countedTwice({ witnesses, nodes }) {
  /** @type {Map<string, Node[]>} */
  const before = new Map();
  /** @type {[number, number][]} */
  const pairs = [];
  for (const node of nodes) {
    if (node.witness === null) continue;
    const { name } = witnesses[node.witness].key;
    const others = before.get(name) ?? [];
    for (const other of others) {
      const together = node.parent !== null && node.parent === other.parent;
      if (!together || nodes[node.parent ?? 0].k !== 1)
        pairs.push([other.witness ?? 0, node.witness]);
    }
    before.set(name, [...others, node]);
  }
  pairs.sort(([a, b], [c, d]) => a - c || b - d);
  return pairs.map(([a, b]) => [witnesses[a].vkey, witnesses[b].vkey]);
}

/**
 * The quorum of the witnesses that have signed, and its times.
 * @param {Policy} policy
 * @param {readonly (bigint | null)[]} signed for each witness the time of the line that counts, in
 * seconds since 1970, or null if it has not signed
 * @returns {Times | null} null if no quorum is there
 */
export function quorumOf({ nodes, quorum }, signed) {
  if (quorum === null) return null;
  /** @type {{there: boolean, by: number, since: number}[]} */
  const found = [];
  // The members of a group are before it, so nothing is recursive: a policy may nest deeply.
  for (const { witness, k, members } of nodes) {
    if (witness === null) {
      const of = members.map((member) => found[member]);
      const by = Float64Array.from(of, (each) => each.by).sort();
      const since = Float64Array.from(of, (each) => each.since).sort();
      const there = of.filter((each) => each.there).length >= k;
      found.push({ there, by: by[k - 1], since: since[since.length - k] });
    } else {
      const time = signed[witness];
      const second = time !== null && time >= 1n && time <= LAST_SECOND ? Number(time) : null;
      found.push({ there: time !== null, by: second ?? Infinity, since: second ?? -Infinity });
    }
  }
  const { there, by, since } = found[nodes.indexOf(quorum)];
  return there ? { by: finite(by), since: finite(since) } : null;
}

/**
 * The names of the witnesses that have signed and that the quorum is made of.
 * @param {Policy} policy
 * @param {readonly (bigint | null)[]} signed as in {@link quorumOf}
 * @returns {string[]} in the policy's order
 */
export function quorumNames({ witnesses, nodes, quorum }, signed) {
  const top = quorum === null ? -1 : nodes.indexOf(quorum);
  const inside = new Set([top]);
  for (let place = top; place >= 0; place--) {
    const { parent } = nodes[place];
    if (parent !== null && inside.has(parent)) inside.add(place);
  }
  return nodes.flatMap(({ witness }, place) =>
    witness !== null && inside.has(place) && signed[witness] !== null
      ? [witnesses[witness].name]
      : [],
  );
}

/**
 * @param {number} second
 * @returns {number | null}
 */
function finite(second) {
  return Number.isFinite(second) ? second : null;
}
