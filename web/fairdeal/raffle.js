// The winners of a raffle, and the verdict on it (spec/raffle.md, sections 35.3, 38 and 39).

import { Beacons, CHAINS } from "./beacon.js";
import { fromHex } from "./bytes.js";
import { deal } from "./deal.js";
import { readListOf } from "./deck.js";
import { readEntrantLink } from "./entrant.js";
import * as is from "./expected.js";
import { givenKey } from "./key.js";
import { OF_ANOTHER_ROUND, keptOf, readMine, readPlayers } from "./mine.js";
import { POLICY, policyFor } from "./policy.js";
import { linesOf, readRaffle, readSignature, unreadable } from "./raffle-document.js";
import { Refused } from "./refused.js";
import { replayDeal } from "./round.js";
import { HmacKey, sha256 } from "./sha256.js";
import { judgeTogether } from "./several.js";
import { Judgement } from "./verdict.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./raffle-document.js").Raffle} Raffle
 * @typedef {import("./raffle-document.js").RaffleRules} RaffleRules
 * @typedef {import("./verdict.js").Verdict} Verdict
 * @typedef {import("./verify.js").File} File
 * @typedef {import("./verify.js").KeptFile} KeptFile
 */

/**
 * @typedef {object} RaffleOptions
 * @property {string} key the verifier key, whose name is the log's origin
 * @property {import("./policy.js").Policy} [policy] the witnesses that you believe
 * @property {readonly import("./beacon.js").Chain[]} [chains] chains that you know beside quicknet
 * @property {KeptFile | readonly KeptFile[]} [mine] your contributions
 * @property {Record<string, string>} [players] for labels, the public keys that players gave you
 * @property {readonly File[]} [kept] documents of this raffle that you had at least 5 seconds before
 *   the beacon's round was out
 * @property {string | Uint8Array} [beacon] the signature of the lock's round in hexadecimal, or an
 *   answer of drand
 * @property {string} [line] a line to look for in the list
 * @property {string} [link] an entrant's link, whose line is looked for; not with `line`
 */

/**
 * The tokens of section 38.
 * @typedef {import("./verdict.js").Shown | "drawn" | "kept-before-beacon"} RaffleShown
 * @typedef {import("./verdict.js").NotShown | "drawn" | "kept-before-beacon"} RaffleNotShown
 */

/**
 * A winner: the number of the item, from 0, and its line.
 * @typedef {{item: number, line: string}} Winner
 */

/**
 * The verdict of section 39. `state` has the words of section 38.
 * @typedef {Omit<Verdict, "shown" | "not_shown" | "nonce" | "placed" | "opened" | "error"> & RaffleMembers
 *   } RaffleVerdict
 */

/**
 * @typedef {object} RaffleMembers
 * @property {RaffleShown[]} shown
 * @property {RaffleNotShown[]} not_shown
 * @property {string} table
 * @property {RaffleRules} rules
 * @property {number} count how many lines the list has
 * @property {number} different how many different ones
 * @property {{chain: string, round: number, out?: number, signature?: string}} [beacon] the round of
 *   the lock that had effect; `out` is the second of the draw
 * @property {boolean} has_seed
 * @property {Winner[]} [drawn] the winners in the order of the prizes
 * @property {number} [void] the time of the void that had effect, in milliseconds
 * @property {{line: string, tickets: number, item?: number, place?: number}} [line] the given line,
 *   how often the list has it, and its place among the winners, from 0
 * @property {{code: "unavailable" | "other-round", says: string}} [error] that of a receipt's verdict;
 *   or, if nothing was found, that all contributions in `mine` are of other rounds or logs
 */

const OPTIONS = {
  key: is.TEXT,
  policy: POLICY,
  chains: CHAINS,
  mine: is.ANY,
  players: is.OBJECT,
  kept: is.listOf("documents", is.ANY),
  beacon: is.NOTE,
  line: is.TEXT,
  link: is.TEXT,
};

/**
 * The winners (section 35.3).
 * @param {Uint32Array} order the items in deal order
 * @param {readonly string[]} lines
 * @param {number} most
 * @returns {Winner[]}
 */
export function winnersOf(order, lines, most) {
  const seen = new Set();
  /** @type {Winner[]} */
  const winners = [];
  for (const item of order) {
    const line = lines[item];
    if (seen.has(line)) continue;
    seen.add(line);
    if (winners.push({ item, line }) === most) break;
  }
  return winners;
}

/**
 * Verifies a raffle: that its winners follow from the list, the organiser's seed and the round of the
 * beacon, and what shows that the list was closed before that round was out.
 * @param {File} document its text, its bytes, or the result of `JSON.parse`
 * @param {Uint8Array} list the file of the list
 * @param {RaffleOptions} options
 * @returns {Promise<RaffleVerdict>}
 * @throws {Refused} `unavailable`, if the document cannot be read, or the list is too long; `key`,
 *   `list`, `beacon`, `link`, `mine`, `players`, `kept`, `policy` or `list-mismatch`, if another
 *   input is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function verifyRaffle(document, list, options) {
  const call = "verifyRaffle(document, list, options)";
  is.expectFile(call, "document", document);
  is.expectBytes(call, "list", list);
  is.expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  if (options.line !== undefined && options.link !== undefined)
    throw new TypeError(`${call}: expected line or link, found both`);
  // The inputs in the order of section 39: of several faults the first one is told.
  const key = givenKey(options.key);
  const lines = linesOf(list);
  const beacons = new Beacons(options.chains);
  const given = options.beacon === undefined ? null : readSignature(options.beacon);
  const line = options.link === undefined ? options.line : readEntrantLink(options.link).line;
  const { mine = [] } = options;
  /** @type {import("./mine.js").Kept[]} */
  const own = [];
  for (const each of Array.isArray(mine) ? mine : [mine]) own.push(await keptOf(readMine(each)));
  const players = readPlayers(options.players ?? {});
  const kept = (options.kept ?? []).map((each, i) => readKept(each, i));
  const raffle = readRaffle(document);
  const policy = policyFor(options.policy, key);
  const seeds = publishedSeeds([raffle, ...kept]);
  const judged = async (/** @type {Raffle} */ { receipt }) => {
    const judgement = new Judgement(key, receipt, policy, beacons);
    await judgement.judge();
    replaySeed(judgement, seeds);
    return judgement;
  };

  const judgement = await judged(raffle);
  readListOf(list, raffle.deck);
  const different = new Set(lines).size;
  const { winners } = raffle.rules;
  if (different < winners)
    unreadable(`${winners} win, and its list has ${different} different lines`);
  const draw = different === lines.length ? winners : lines.length;
  if (raffle.draw !== draw)
    unreadable(`its commit draws ${raffle.draw}, and with this list ${draw} are drawn`);
  const others = [];
  for (const each of kept) others.push(await judged(each));

  const signature = signatureOf(judgement, beacons, given);
  const seed = seeds.get(raffle.commitment) ?? revealedSeed(judgement);
  const drawn = drawnOf(judgement, signature, seed, (order) => winnersOf(order, lines, winners));
  const base = judgement.verdict(own, players, undefined);
  const among = await judgeTogether(
    key,
    [judgement, ...others].map((each, i) => ({
      name: i === 0 ? "the document" : `kept ${i}`,
      judgement: each,
    })),
    [],
  );
  const ofKept = others.map((other) => other.verdict(own, players, undefined));
  const keptBefore = others.some((other, i) => isBefore(other, ofKept[i], judgement.lock));
  const ofRaffle = others.filter((_, i) => kept[i].commitment === raffle.commitment);
  const gaveUp = [judgement, ...ofRaffle.filter(({ logged }) => logged === true)]
    .map(({ givenUp }) => givenUp)
    .find((each) => each !== null);
  const isMixed = drawn !== null && gaveUp === undefined && agree(judgement.compared);
  const tokens = tokensOf(base, {
    drawn: drawn !== null,
    beacon: signature !== null,
    yours: base.shown.includes("yours") || isMixed,
    kept: others.length === 0 ? null : keptBefore,
  });
  const findings = [...together(base, ofKept), ...among];
  const { nonce: _, placed: __, opened: ___, state: ____, ...members } = base;
  const holds = base.holds && findings.length === 0;
  const state = stateOf(findings, holds && gaveUp === undefined, tokens);
  const beacon = beaconOf(judgement, raffle, signature);
  const { compared } = judgement;
  const isElsewhere =
    compared.length > 0 && compared.every(({ outcome }) => outcome === "other-round");
  return {
    ...members,
    holds,
    ...(state === undefined ? {} : { state }),
    ...tokens,
    findings,
    table: raffle.table,
    rules: raffle.rules,
    count: lines.length,
    different,
    ...(beacon === null ? {} : { beacon }),
    has_seed: seed !== null,
    ...(drawn === null ? {} : { drawn }),
    ...(gaveUp === undefined ? {} : { void: gaveUp.time }),
    ...(line === undefined ? {} : { line: lineIn(line, lines, drawn) }),
    ...(isElsewhere && findings.length === 0 ? { error: OF_ANOTHER_ROUND } : {}),
  };
}

/**
 * A document that the reader kept.
 * @param {File} file
 * @param {number} i
 * @returns {Raffle}
 * @throws {Refused} `kept`
 */
function readKept(file, i) {
  try {
    return readRaffle(file);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused("kept", `kept document ${i + 1}: ${error.message}`);
  }
}

/**
 * The published seeds, by the commitments that they open (step 2). Each opens that of its document.
 * @param {readonly Raffle[]} documents
 * @returns {Map<string, HmacKey>}
 */
function publishedSeeds(documents) {
  const seeds = new Map();
  for (const { commitment, server_seed } of documents)
    if (server_seed !== undefined) seeds.set(commitment, new HmacKey(fromHex(server_seed)));
  return seeds;
}

/**
 * Replays a deal that is not revealed with a published seed (step 2).
 * @param {Judgement} judgement
 * @param {ReadonlyMap<string, HmacKey>} seeds
 */
function replaySeed(judgement, seeds) {
  const { revealed, dealt, course } = judgement;
  if (revealed !== null || dealt === null || course === null) return;
  const seed = seeds.get(course.commit.commitment);
  if (seed === undefined) return;
  const why = replayDeal(course.commit, seed, dealt);
  if (why !== null) judgement.find("result-mismatch", dealt.index, why);
}

/**
 * The signature of the lock's round (step 4).
 * @param {Judgement} judgement
 * @param {Beacons} beacons
 * @param {{signature: string, round?: number} | null} given
 * @returns {string | null}
 * @throws {Refused} `beacon`, if the given one is not of this round
 */
function signatureOf({ locked, dealt }, beacons, given) {
  const named = locked?.named ?? null;
  if (named === null || named.round !== named.right) return null;
  if (given?.round !== undefined && given.round !== named.round)
    throw new Refused(
      "beacon",
      `the lock names round ${named.round} of the beacon, and the answer is of round ${given.round}`,
    );
  if (given !== null && !beacons.verifies(named, given.signature))
    throw new Refused(
      "beacon",
      `the given signature is not that of round ${named.round} of the beacon`,
    );
  return (dealt?.signed === true ? dealt.deal.beacon : given?.signature) ?? null;
}

/**
 * The server seed of a reveal that had effect (step 5).
 * @param {Judgement} judgement
 * @returns {HmacKey | null}
 */
function revealedSeed({ receipt, revealed }) {
  const reveal = receipt?.entries.find(({ index }) => index === revealed)?.read.entry;
  return reveal?.entry === "reveal" ? new HmacKey(fromHex(reveal.server_seed)) : null;
}

/**
 * Step 5.
 * @template T
 * @param {Judgement} judgement
 * @param {string | null} signature
 * @param {HmacKey | null} seed
 * @param {(order: Uint32Array) => T} winners
 * @returns {T | null} null if they are not known
 */
function drawnOf({ course, locked }, signature, seed, winners) {
  if (course === null || locked === null || signature === null || seed === null) return null;
  const contributions = [];
  for (const { from, seed: clear, seen } of locked.lock.contributions ?? []) {
    if (clear === undefined) return null;
    contributions.push({ from, seed: clear, seen });
  }
  const randomness = sha256(fromHex(signature));
  return winners(deal(seed, course.commit, { nonce: 0, contributions, randomness }));
}

/**
 * The findings of the receipt, and those that only kept documents have. What the log did not sign is
 * no finding of a kept document: the reader has a wrong file then.
 * @param {Verdict} base
 * @param {readonly Verdict[]} kept
 * @returns {Verdict["findings"]}
 */
function together(base, kept) {
  /** @param {Verdict["findings"][number]} found */
  const name = ({ code, index, accuses }) => `${code} ${index} ${accuses}`;
  const findings = [...base.findings];
  const listed = new Set(findings.map(name));
  const logged = kept.filter(({ shown }) => shown.includes("logged"));
  for (const found of logged.flatMap((verdict) => verdict.findings)) {
    if (listed.has(name(found))) continue;
    listed.add(name(found));
    findings.push(found);
  }
  return findings;
}

/**
 * Whether a document that the reader kept shows the same lock before the draw.
 * @param {Judgement} kept
 * @param {Pick<Verdict, "findings">} verdict on its receipt
 * @param {string | null} lock
 * @returns {boolean}
 */
function isBefore(kept, { findings }, lock) {
  return (
    lock !== null &&
    kept.lock === lock &&
    kept.logged === true &&
    findings.length === 0 &&
    kept.dealt === null &&
    kept.givenUp === null
  );
}

/**
 * Whether each contribution of the reader that was compared is in the lock.
 * @param {Judgement["compared"]} compared
 * @returns {boolean}
 */
function agree(compared) {
  const counted = compared.filter(({ outcome }) => outcome !== "other-round");
  return (
    counted.length > 0 &&
    counted.every(({ outcome }) => outcome === "agrees" || outcome === "mixed")
  );
}

/**
 * The tokens: those of the receipt, with the changes of section 38, in their order.
 * @param {Verdict} base
 * @param {{drawn: boolean, beacon: boolean, yours: boolean, kept: boolean | null}} more `kept` is null
 *   if the reader gave no document
 * @returns {Pick<RaffleMembers, "shown" | "not_shown">}
 */
function tokensOf(base, { drawn, beacon, yours, kept }) {
  /** @type {Set<RaffleShown>} */
  const shown = new Set(base.shown);
  /** @type {Set<RaffleNotShown>} */
  const missing = new Set(base.not_shown);
  /** @template T @param {Set<T>} tokens @param {T} token @param {boolean} is */
  const put = (tokens, token, is) => (is ? tokens.add(token) : tokens.delete(token));
  put(shown, "drawn", drawn);
  put(missing, "drawn", !drawn);
  put(missing, "beacon", !beacon);
  if (yours) {
    shown.add("yours");
    missing.delete("yours");
  }
  put(shown, "kept-before-beacon", kept === true);
  put(missing, "kept-before-beacon", kept === false);
  const before = shown.has("locked-before-beacon") || shown.has("kept-before-beacon");
  put(missing, "no-collusion", !(shown.has("logged") && drawn && before));
  return {
    shown: SHOWN.filter((token) => shown.has(token)),
    not_shown: NOT_SHOWN.filter((token) => missing.has(token)),
  };
}

/** @type {readonly RaffleShown[]} */
const SHOWN = [
  "logged",
  "drawn",
  "replayed",
  "opened",
  "committed-first",
  "yours",
  "authentic",
  "witnessed",
  "timed",
  "locked-before-beacon",
  "kept-before-beacon",
];
/** @type {readonly RaffleNotShown[]} */
const NOT_SHOWN = [
  "logged",
  "judged",
  "drawn",
  "replayed",
  "opened",
  "committed-first",
  "yours",
  "authentic",
  "seats",
  "beacon",
  "no-collusion",
  "witnessed",
  "timed",
  "locked-before-beacon",
  "kept-before-beacon",
  "complete",
];

/**
 * The state of section 38.
 * @param {Verdict["findings"]} findings
 * @param {boolean} stands whether nothing was found, and the raffle has no void
 * @param {Pick<RaffleMembers, "shown" | "not_shown">} tokens
 * @returns {import("./verdict.js").State | undefined}
 */
function stateOf(findings, stands, { shown, not_shown }) {
  if (findings.some(({ accuses }) => accuses === "operator")) return "caught";
  if (!stands || !shown.includes("logged") || !shown.includes("drawn")) return undefined;
  const before = shown.includes("locked-before-beacon") || shown.includes("kept-before-beacon");
  const doubted = not_shown.includes("yours") || not_shown.includes("kept-before-beacon");
  return before && !doubted ? "fair" : "unproved";
}

/**
 * @param {Judgement} judgement
 * @param {Raffle} raffle
 * @param {string | null} signature
 * @returns {RaffleMembers["beacon"] | null} null without a lock that had effect
 */
function beaconOf({ locked }, { beacon: { chain } }, signature) {
  const round = locked?.lock.beacon;
  if (round === undefined) return null;
  const named = locked?.named ?? null;
  const out = named !== null && named.round === named.right ? { out: named.out } : {};
  return { chain, round, ...out, ...(signature === null ? {} : { signature }) };
}

/**
 * What the list and the winners say of a line (step 6).
 * @param {string} line
 * @param {readonly string[]} lines
 * @param {readonly Winner[] | null} drawn
 * @returns {NonNullable<RaffleMembers["line"]>}
 */
export function lineIn(line, lines, drawn) {
  const item = lines.indexOf(line);
  const tickets = lines.reduce((sum, each) => sum + Number(each === line), 0);
  const place = drawn?.findIndex((winner) => winner.line === line) ?? -1;
  return { line, tickets, ...(item < 0 ? {} : { item }), ...(place < 0 ? {} : { place }) };
}
