// A reader's own contributions, and the keys of players (spec/receipt.md, section 11.8).

import { isHex } from "./bytes.js";
import { isLabel, sameSeen } from "./contribution.js";
import { isKept } from "./grammar.js";
import { readJson } from "./json.js";
import { fileOf } from "./receipt.js";
import { Refused, shown } from "./refused.js";

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
 * @property {string} [commitment]
 * @property {number} [nonce]
 */

/**
 * One contribution of the reader.
 * @param {Kept | string | Uint8Array} given the object, or the file that holds it
 * @returns {Kept}
 * @throws {Refused} `mine`
 */
export function readKept(given) {
  try {
    const value = readJson(fileOf(given));
    if (isKept(value)) return /** @type {Kept} */ (/** @type {unknown} */ (value));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(
      "mine",
      `expected what \`fairdeal contribution --json\` prints: ${error.message}`,
    );
  }
  throw new Refused(
    "mine",
    `expected what \`fairdeal contribution --json\` prints: "from" and "seed", and what goes with them`,
  );
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
    if (!isHex(key, 32))
      throw new Refused(
        "players",
        `the key of ${shown(label)} is 64 lowercase hexadecimal digits; found ${shown(key)}`,
      );
  }
  return new Map(Object.entries(players));
}

/**
 * A round as a receipt shows it.
 * @typedef {object} Round
 * @property {Lock | null} lock the lock that had effect
 * @property {Deal | null} deal the deal that had effect
 * @property {number | null} index of the entry that has the round's contributions
 * @property {readonly Contribution[]} contributions
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened
 * correctly, by label
 * @property {readonly (boolean | null)[]} signed whether each contribution's signature verifies;
 *   null if unknown
 */

/** The result of the comparison with the reader's inputs. */
export class Comparison {
  /**
   * @param {Round} round
   * @param {readonly Kept[]} mine
   * @param {ReadonlyMap<string, string>} players
   */
  constructor(round, mine, players) {
    this.round = round;
    /** The reader's contributions that were mixed. @type {Set<Kept>} */
    this.mixed = new Set(mine.filter((kept) => this.isMixed(kept)));
    const wrong = mine.find((kept) => !this.mixed.has(kept) && !this.mayBeMixed(kept));
    const wrongKey = round.contributions.find(
      (each, i) =>
        players.has(each.from) &&
        (each.key !== players.get(each.from) || round.signed[i] === false),
    );
    /** Why there is a `contribution-mismatch`. @type {string | null} */
    this.mismatch =
      wrong !== undefined
        ? `the round did not mix what ${shown(wrong.from)} brought`
        : wrongKey !== undefined
          ? `${shown(wrongKey.from)} is not signed by the key that was given for this label`
          : null;
    this.yours = mine.length > 0 && this.mixed.size === mine.length;
    const mixedLabels = new Set([...this.mixed].map(({ from }) => from));
    const mixedHashes = new Set(
      [...this.mixed].filter(({ hash }) => hash !== undefined).map(({ from }) => from),
    );
    /** @param {Contribution} each @param {number} i */
    const bySigner = (each, i) =>
      each.key !== undefined && each.key === players.get(each.from) && round.signed[i] === true;
    this.authentic =
      round.contributions.length > 0 &&
      round.contributions.every((each, i) => mixedLabels.has(each.from) || bySigner(each, i));
    /**
     * Whether the hash of somebody whom the reader knows was opened: then nobody chose the result.
     */
    this.known = round.contributions.some(
      (each, i) =>
        each.hash !== undefined &&
        round.opened.has(each.from) &&
        (mixedHashes.has(each.from) || bySigner(each, i)),
    );
  }

  /**
   * @param {Kept} kept
   * @returns {boolean}
   */
  isMixed(kept) {
    const { deal, contributions, opened, signed } = this.round;
    if (deal === null || !isOfRound(kept, deal)) return false;
    const i = contributions.findIndex(({ from }) => from === kept.from);
    if (i < 0) return false;
    const each = contributions[i];
    if ((each.seed ?? opened.get(each.from)) !== kept.seed || !sameSeen(each.seen, kept.seen))
      return false;
    if (kept.hash !== undefined && each.hash !== kept.hash) return false;
    return kept.key === undefined || (each.key === kept.key && signed[i] === true);
  }

  /**
   * Whether a contribution that was not mixed gives no finding: it may still be mixed, or no round
   * was dealt.
   * @param {Kept} kept
   * @returns {boolean}
   */
  mayBeMixed(kept) {
    const { lock, deal } = this.round;
    if (lock === null && deal === null) return true;
    // If this platform cannot verify a signature, there is no finding about it.
    if (deal !== null) return this.isUnknown(kept);
    if (lock === null || !isOfRound(kept, lock)) return false;
    const each = lock.contributions?.find(({ from }) => from === kept.from);
    if (each === undefined || !sameSeen(each.seen, kept.seen)) return false;
    if (each.seed !== undefined && each.seed !== kept.seed) return false;
    return (
      (kept.hash === undefined || each.hash === kept.hash) &&
      (kept.key === undefined || each.key === kept.key)
    );
  }

  /**
   * @param {Kept} kept
   * @returns {boolean}
   */
  isUnknown(kept) {
    const i = this.round.contributions.findIndex(({ from }) => from === kept.from);
    if (i < 0 || kept.key === undefined || this.round.signed[i] !== null) return false;
    return (
      this.round.contributions[i].key === kept.key && this.isMixed({ ...kept, key: undefined })
    );
  }
}

/**
 * @param {Kept} kept
 * @param {Lock | Deal} entry
 * @returns {boolean}
 */
function isOfRound({ commitment, nonce }, entry) {
  return (
    (commitment ?? entry.commitment) === entry.commitment && (nonce ?? entry.nonce) === entry.nonce
  );
}
