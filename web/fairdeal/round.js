// Judges what a deal mixed by its lock (spec/ledger.md, section 9.3, rows 12 to 16).

import { fromHex } from "./bytes.js";
import { contributionHash } from "./contribution.js";
import { deal as dealt, resultOf, sameResult } from "./deal.js";
import { shown } from "./refused.js";
import { MOST_INDICES, cardText, impossible } from "./result.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./entry.js").Lock} Lock
 * @typedef {import("./entry.js").Deal} Deal
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {(code: import("./findings.js").FindingCode, says: string) => void} Find
 */

/**
 * A lock with effect, and the round of a known chain that it names.
 * @typedef {object} Locked
 * @property {Lock} lock
 * @property {number} index
 * @property {import("./beacon.js").Named | null} named
 */

/**
 * A deal with effect, as far as it is judged before its reveal.
 * @typedef {object} Dealt
 * @property {number} index
 * @property {Deal} deal
 * @property {Locked | null} locked the lock that it answers
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened
 * correctly, by label
 * @property {import("./deal.js").Mixed | null} mixed null if a finding makes it unknown
 * @property {boolean | null} signed whether the beacon's signature verifies; null if it is not judged
 * @property {boolean} possible
 * @property {Uint32Array | null} order the items in deal order, if the revealed seed gives its
 *   result
 */

/**
 * Judges row 12 of a lock, or of a deal with contributions.
 * @param {Commit} commit
 * @param {Lock | Deal} entry
 * @param {Find} find
 */
export function judgeMixing(commit, entry, find) {
  const contributions = entry.contributions ?? [];
  const clear = contributions.find(({ hash }) => hash === undefined);
  const hashed = contributions.find(({ hash }) => hash !== undefined);
  const unsigned = contributions.find(({ key }) => key === undefined);
  const isLock = entry.entry === "lock";
  const weak =
    commit.mixing === "hashes" && !isLock
      ? 'the commit promises "hashes", and the deal has no lock'
      : commit.mixing === "hashes" && clear !== undefined
        ? `the commit promises "hashes", and ${shown(clear.from)} is in the clear`
        : commit.mixing === "beacon" && !isLock
          ? 'the commit promises "beacon", and the deal has no lock'
          : commit.mixing === "beacon" && entry.beacon === undefined
            ? 'the commit promises "beacon", and the lock names no round'
            : commit.mixing === "beacon" && hashed !== undefined
              ? `the commit promises "beacon", and ${shown(hashed.from)} is hashed`
              : commit.signed === true && unsigned !== undefined
                ? `the commit promises signatures, and ${shown(unsigned.from)} has none`
                : null;
  if (weak !== null) find("weak-mixing", weak);
}

/**
 * Judges a deal that has effect: rows 13 to 15, and whether its result is possible.
 * @param {Commit} commit
 * @param {Deal} deal
 * @param {number} index
 * @param {Locked | null} locked the open lock of its round
 * @param {{log: import("./key.js").Key, beacons: import("./beacon.js").Beacons}} life
 * @param {Find} find
 * @returns {Dealt}
 */
export function judgeDeal(commit, deal, index, locked, { log, beacons }, find) {
  // With a wrong round it is not known what was mixed.
  let open = isWrong(locked?.named ?? null);
  /** @type {boolean | null} */
  let signed = null;
  /** @param {Parameters<Find>[0]} code @param {string} says */
  const findOpen = (code, says) => {
    open = true;
    find(code, says);
  };
  /** @type {ReadonlyMap<string, string>} */
  let opened = new Map();
  if (locked === null) {
    if (deal.lock !== undefined)
      findOpen("lock-mismatch", `the deal names the lock at ${deal.lock}, and no round is locked`);
  } else {
    signed = judgeBeacon(locked, deal, beacons, findOpen);
    if (deal.lock !== locked.index) {
      const found = deal.lock === undefined ? "none" : `that at ${deal.lock}`;
      findOpen("lock-mismatch", `the deal answers the lock at ${locked.index}, and names ${found}`);
    } else {
      opened = judgeOpened(locked.lock, deal, log, findOpen);
    }
  }
  const why = impossible(deal.result, commit);
  if (why !== null) find("result-mismatch", why);
  const mixed = open ? null : mixedOf(deal, locked?.lock ?? null, opened);
  return { index, deal, locked, opened, mixed, signed, possible: why === null, order: null };
}

/**
 * Row 13 of a lock: the round that it names.
 * @param {Locked["named"]} named
 * @param {Find} find
 */
export function judgeNamed(named, find) {
  if (named === null || !isWrong(named)) return;
  const right = named.right === null ? "no round is right" : `round ${named.right} is right`;
  find(
    "beacon-round",
    `the lock names round ${named.round} of the beacon; by its time and the margin, ${right}`,
  );
}

/**
 * @param {Locked["named"]} named
 * @returns {boolean}
 */
function isWrong(named) {
  return named !== null && named.round !== named.right;
}

/**
 * Row 13 of a deal: the signature.
 * @param {Locked} locked
 * @param {Deal} deal
 * @param {import("./beacon.js").Beacons} beacons
 * @param {Find} find
 * @returns {boolean | null} whether it verifies; null if it is not judged
 */
function judgeBeacon({ lock, named }, deal, beacons, find) {
  if (lock.beacon !== undefined && deal.beacon === undefined) {
    find(
      "beacon-signature",
      `the lock names round ${lock.beacon} of the beacon, and the deal has no signature of it`,
    );
  }
  if (lock.beacon === undefined && deal.beacon !== undefined) {
    find("beacon-signature", "the deal has a beacon's signature, and the lock names no round");
  }
  if (named === null || deal.beacon === undefined) return null;
  const verifies = beacons.verifies(named, deal.beacon);
  if (!verifies)
    find("beacon-signature", `the signature of round ${named.round} of the beacon does not verify`);
  return verifies;
}

/**
 * Rows 14 and 15 of a deal that names the open lock.
 * @param {Lock} lock
 * @param {Deal} deal
 * @param {import("./key.js").Key} log
 * @param {Find} find
 * @returns {Map<string, string>} the seeds that were opened correctly, by label
 */
function judgeOpened(lock, deal, log, find) {
  const hashed = (lock.contributions ?? []).filter(({ hash }) => hash !== undefined);
  const places = new Map(hashed.map(({ from }, place) => [from, place]));
  /** @type {Map<string, import("./entry.js").Opened>} */
  const first = new Map();
  let last = -1;
  let wrong = "";
  for (const each of deal.opened ?? []) {
    const place = places.get(each.from);
    if (place === undefined)
      wrong ||= `${shown(each.from)} is opened, and the lock has no hash of that label`;
    else if (place <= last) wrong ||= `${shown(each.from)} is opened out of the lock's order`;
    else last = place;
    if (!first.has(each.from)) first.set(each.from, each);
  }
  if (wrong !== "") find("lock-mismatch", wrong);
  /** @type {Map<string, string>} */
  const opened = new Map();
  let left = "";
  for (const { from, hash, seen } of hashed) {
    const answer = first.get(from);
    if (answer === undefined) {
      left ||= `the hash of ${shown(from)} is not opened`;
    } else if (
      contributionHash(
        log,
        deal.commitment,
        deal.nonce,
        { from, seed: answer.seed, seen },
        answer.blind,
      ) !== hash
    ) {
      left ||= `the hash of ${shown(from)} is opened with a seed and a blind that do not give it`;
    } else {
      opened.set(from, answer.seed);
    }
  }
  if (left !== "") find("unopened-hash", left);
  return opened;
}

/**
 * @param {Deal} deal
 * @param {Lock | null} lock
 * @param {ReadonlyMap<string, string>} opened
 * @returns {import("./deal.js").Mixed}
 */
function mixedOf(deal, lock, opened) {
  const contributions = ((lock ?? deal).contributions ?? []).map(({ from, seed, seen }) => ({
    from,
    seed: seed ?? opened.get(from) ?? "",
    seen,
  }));
  const randomness = deal.beacon === undefined ? undefined : sha256(fromHex(deal.beacon));
  return { nonce: deal.nonce, contributions, randomness };
}

/**
 * Replays a deal from the revealed seed.
 * @param {Commit} commit
 * @param {import("./sha256.js").HmacKey} seed
 * @param {Dealt} round its `order` is set if the seed gives its result
 * @returns {string | null} why the result does not follow from the seed; null if it does, or cannot
 *   be judged
 */
export function replayDeal(commit, seed, round) {
  if (!round.possible || round.mixed === null) return null;
  const order = dealt(seed, commit, round.mixed);
  const expected = resultOf(seed, fromHex(commit.commitment), commit, round.mixed, order);
  if (sameResult(expected, round.deal.result)) {
    round.order = order;
    return null;
  }
  return difference(expected, round.deal.result);
}

/**
 * The places at which two results of one form and one length differ. Places count from 0, as in
 * openings.
 * @param {import("./result.js").Result} expected
 * @param {import("./result.js").Result} logged
 * @returns {string}
 */
function difference(expected, logged) {
  if (expected.cards !== undefined && logged.cards !== undefined) {
    const [ours, theirs] = [expected.cards, logged.cards].map((text) => text.match(/../g) ?? []);
    const t = ours.findIndex((card, i) => card !== theirs[i]);
    return `card ${t + 1}, counted from 1: the seeds give ${ours[t]}, the log has ${theirs[t]}`;
  }
  if (expected.indices !== undefined && logged.indices !== undefined) {
    const [ours, theirs] = [expected.indices, logged.indices];
    const t = ours.findIndex((item, i) => item !== theirs[i]);
    return `place ${t + 1}, counted from 1: the seeds give item ${ours[t] + 1}, the log has ${theirs[t] + 1}`;
  }
  return `the seeds give ${expected.digest ?? expected.seal}, the log has ${logged.digest ?? logged.seal}`;
}

/**
 * The items in deal order, if the deal is replayed, and the beacon that it mixes is verified.
 * @param {Dealt} dealt
 * @returns {Uint32Array | null}
 */
export function replayedOrder({ deal, signed, order }) {
  // A deal under a lock with a wrong round has no order.
  return deal.beacon === undefined || signed === true ? order : null;
}

/**
 * The logged result, and for a seal also the cards that the seeds give.
 * @param {Dealt} dealt
 * @param {Commit} [commit]
 * @returns {import("./result.js").Result}
 */
export function loggedResult(dealt, commit) {
  const { result } = dealt.deal;
  const order = replayedOrder(dealt);
  if (result.seal === undefined || order === null || commit === undefined) return { ...result };
  if (typeof commit.deck === "string") return { cards: cardText(commit.deck, order), ...result };
  // For a seal, too, a list that is too long for a log is left out.
  return order.length > MOST_INDICES ? { ...result } : { indices: [...order], ...result };
}
