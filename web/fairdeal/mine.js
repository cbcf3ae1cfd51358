// A reader's own contributions, and the keys of players (spec/receipt.md, section 11.8).

import { fromHex, isHex } from "./bytes.js";
import { contributionHash, isLabel, sameSeen } from "./contribution.js";
import { isPoint } from "./ed25519.js";
import { isKept } from "./grammar.js";
import { readJson } from "./json.js";
import { readKey } from "./key.js";
import { fileOf } from "./receipt.js";
import { Refused, shown } from "./refused.js";
import { verifyContribution, verifySeen } from "./signatures.js";

/**
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {import("./entry.js").Lock} Lock
 * @typedef {import("./entry.js").Deal} Deal
 */

/**
 * A player's own contribution, made by `contribution`.
 * @typedef {object} Kept
 * @property {string} from
 * @property {string} seed
 * @property {string} [blind]
 * @property {string} [hash]
 * @property {import("./contribution.js").Seen} [seen]
 * @property {string} [key]
 * @property {string} [signature]
 * @property {string} [log] the verifier key of the log of its round
 * @property {string} [commitment]
 * @property {number} [nonce]
 * @property {true} [given] the seed was given to the program that made the contribution
 */

const WANTED =
  "expected what you kept: what `fairdeal contribution --json` prints, a receipt, an opening or evidence";

/**
 * One contribution of the reader.
 * @param {Kept | string | Uint8Array} given the object, or the file that holds it
 * @returns {Promise<Kept>}
 * @throws {Refused} `mine`
 */
export async function readKept(given) {
  return keptOf(readMine(given));
}

/**
 * A file that the reader kept.
 * @param {unknown} given its text, its bytes, or an object
 * @returns {import("./json.js").Json}
 * @throws {Refused} `mine`
 */
export function readMine(given) {
  try {
    return readJson(fileOf(given));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused("mine", `${WANTED}: ${error.message}`);
  }
}

/**
 * One contribution of the reader.
 * @param {import("./json.js").Json} value
 * @returns {Promise<Kept>}
 * @throws {Refused} `mine`, also if it was changed: its hash or a signature is not that of its
 *   members
 */
export async function keptOf(value) {
  if (!isKept(value))
    throw new Refused("mine", `${WANTED}: "from" and "seed", and what goes with them`);
  const kept = /** @type {Kept} */ (/** @type {unknown} */ (value));
  const { log: text, commitment, nonce, hash, blind = "" } = kept;
  if (text === undefined || commitment === undefined || nonce === undefined) return kept;
  const log = readKey(text);
  if (hash !== undefined && contributionHash(log, commitment, nonce, kept, blind) !== hash)
    throw new Refused("mine", `${WANTED}; "hash" is not the hash of its own members`);
  if (kept.key !== undefined && (await verifyContribution(log, commitment, nonce, kept)) === false)
    throw new Refused("mine", `${WANTED}; "signature" does not verify under its own "key"`);
  if (kept.seen !== undefined && (await verifySeen(log, kept.seen)) === false)
    throw new Refused("mine", `${WANTED}; "seen" is not signed by its "log"`);
  return kept;
}

/**
 * Refuses impossible labels and keys.
 * @param {Record<string, string>} players
 * @returns {Map<string, string>}
 * @throws {Refused} `players`
 */
export function readPlayers(players) {
  for (const [label, key] of Object.entries(players)) {
    if (!isLabel(label))
      throw new Refused(
        "players",
        `a label has 1 to 64 bytes and no control characters; found ${shown(label)}`,
      );
    if (!isHex(key, 32) || !isPoint(fromHex(key)))
      throw new Refused(
        "players",
        `the key of ${shown(label)} is 64 lowercase hexadecimal digits, of a point that is not of small order; found ${shown(key)}`,
      );
  }
  return new Map(Object.entries(players));
}

/** Why there is no answer if nothing that the reader gave is of a round of the files (section 11.9). */
export const OF_ANOTHER_ROUND = /** @type {const} */ ({
  code: "other-round",
  says: "expected a contribution to a round of the files, found only contributions to other rounds or logs",
});

/**
 * The round that a contribution names, as one text. No file's round has the name of a contribution
 * that names none.
 * @param {{log?: string, commitment?: string | null, nonce?: number | null}} own
 * @returns {string}
 */
export function roundName({ log, commitment, nonce }) {
  return `${log} ${commitment} ${nonce}`;
}

/**
 * A round as a receipt shows it.
 * @typedef {object} Round
 * @property {Lock | null} lock the lock that had effect
 * @property {Deal | null} deal the deal that had effect
 * @property {boolean} voided whether a void of the round had effect
 * @property {number | null} index of the entry that has the round's contributions
 * @property {readonly Contribution[]} contributions
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened
 * correctly, by label
 * @property {readonly (boolean | null)[]} signed whether each contribution's signature verifies;
 *   null if unknown
 */

/**
 * The outcome of comparing one contribution of the reader with a file, as the rows of the table in
 * section 11.8: `early` and `voided`, no round mixed it yet; `agrees`, the round has it, and is not
 * dealt; `mixed`; `absent`, the round does not have it, and nobody else knew the seed; `own-key`,
 * the reader's own key signed another contribution; `mismatch`. `unknown`: this platform cannot
 * verify the signature. `other-round`: it is of a round that this file does not show; this is not
 * said of a contribution in evidence.
 * @typedef {"early" | "voided" | "agrees" | "mixed" | "absent" | "own-key" | "mismatch"
 *   | "unknown" | "other-round"} Outcome
 */

/**
 * @param {Kept} kept
 * @param {Round} round
 * @returns {Outcome}
 */
export function compare(kept, { lock, deal, voided, contributions, opened, signed }) {
  if (lock === null && deal === null) return "early";
  if (lock !== null && voided) return "voided";
  const i = contributions.findIndex(({ from }) => from === kept.from);
  const each = i < 0 ? null : contributions[i];
  const sameKey = kept.key !== undefined && each?.key === kept.key;
  if (sameKey && signed[i] === null) return "unknown";
  const seed = each?.seed ?? opened.get(kept.from);
  const agrees =
    each !== null &&
    sameSeen(each.seen, kept.seen) &&
    (kept.hash === undefined || each.hash === kept.hash) &&
    (kept.key === undefined || (sameKey && signed[i])) &&
    (seed === kept.seed || (each.seed === undefined && deal === null));
  if (agrees) return deal === null ? "agrees" : "mixed";
  if (kept.hash !== undefined) return "absent";
  return sameKey && signed[i] ? "own-key" : "mismatch";
}

/** The result of the comparison with the reader's inputs. */
export class Comparison {
  /**
   * @param {Round} round
   * @param {readonly Kept[]} mine the reader's contributions that are compared with this round
   * @param {readonly Kept[]} claimed those in evidence that the reader did not keep
   * @param {ReadonlyMap<string, string>} players
   */
  constructor(round, mine, claimed, players) {
    /** @type {Map<Kept, Outcome>} */
    this.outcomes = new Map(mine.map((kept) => [kept, compare(kept, round)]));
    const mixed = mine.filter((kept) => this.outcomes.get(kept) === "mixed");
    const differing = mine.filter((kept) => this.outcomes.get(kept) === "mismatch");
    // A contribution that names no round can be mistyped, or be of another round.
    const wrong = differing.find(({ log }) => log !== undefined);
    const wrongClaim = claimed.find((kept) => compare(kept, round) === "mismatch");
    const wrongKey = round.contributions.find(
      (each, i) =>
        players.has(each.from) &&
        (each.key !== players.get(each.from) || round.signed[i] === false),
    );
    /** @param {string} says @returns {{says: string, accuses: "nobody"}} */
    const claim = (says) => ({ says, accuses: "nobody" });
    /** A `contribution-mismatch`. @type {{says: string, accuses?: "nobody"} | null} */
    this.mismatch = null;
    if (wrong !== undefined)
      this.mismatch = { says: `the round did not mix what ${shown(wrong.from)} brought` };
    else if (wrongKey !== undefined)
      this.mismatch = claim(
        `${shown(wrongKey.from)} is not signed by the key that was given for this label`,
      );
    else if (differing.length > 0)
      this.mismatch = claim(
        `the round did not mix the seed that was given for ${shown(differing[0].from)}`,
      );
    else if (wrongClaim !== undefined)
      this.mismatch = claim(
        `the round did not mix what ${shown(wrongClaim.from)} brought, as evidence says that you did not keep`,
      );
    this.yours = mine.length > 0 && mixed.length === mine.length;
    /** @param {readonly Kept[]} some */
    const labels = (some) => new Set(some.map(({ from }) => from));
    const mixedLabels = labels(mixed);
    // Whoever gave the seed to the program may know it.
    const secretLabels = labels(
      mixed.filter(({ hash, given }) => hash !== undefined && given === undefined),
    );
    /** @param {Contribution} each @param {number} i */
    const bySigner = (each, i) =>
      each.key !== undefined && each.key === players.get(each.from) && round.signed[i] === true;
    this.authentic =
      round.contributions.length > 0 &&
      round.contributions.every((each, i) => mixedLabels.has(each.from) || bySigner(each, i));
    const protecting = round.contributions.filter(
      (each, i) =>
        each.hash !== undefined &&
        round.opened.has(each.from) &&
        (secretLabels.has(each.from) || bySigner(each, i)),
    );
    /** Whether a contribution protects (section 11.4), if the reader kept the lock. */
    this.protected = protecting.length > 0;
    /** Whether one that protects is the reader's: a key does not make a given seed secret. */
    this.protectedByReader = protecting.some(({ from }) => secretLabels.has(from));
  }
}
