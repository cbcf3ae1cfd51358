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
export function readKept(given: Kept | string | Uint8Array): Kept;
/**
 * Refuses impossible labels and keys.
 * @param {Record<string, string>} players
 * @returns {Map<string, string>}
 * @throws {Refused} `players`
 */
export function readPlayers(players: Record<string, string>): Map<string, string>;
/**
 * A round as a receipt shows it.
 * @typedef {object} Round
 * @property {Lock | null} lock the lock that had effect
 * @property {Deal | null} deal the deal that had effect
 * @property {number | null} index of the entry that has the round's contributions
 * @property {readonly Contribution[]} contributions
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened correctly, by label
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
    constructor(round: Round, mine: readonly Kept[], players: ReadonlyMap<string, string>);
    round: Round;
    /** The reader's contributions that were mixed. @type {Set<Kept>} */
    mixed: Set<Kept>;
    /** Why there is a `contribution-mismatch`. @type {string | null} */
    mismatch: string | null;
    yours: boolean;
    authentic: boolean;
    /**
     * Whether the hash of somebody whom the reader knows was opened: then nobody chose the result.
     */
    known: boolean;
    /**
     * @param {Kept} kept
     * @returns {boolean}
     */
    isMixed(kept: Kept): boolean;
    /**
     * Whether a contribution that was not mixed gives no finding: it may still be mixed, or no round
     * was dealt.
     * @param {Kept} kept
     * @returns {boolean}
     */
    mayBeMixed(kept: Kept): boolean;
    /**
     * @param {Kept} kept
     * @returns {boolean}
     */
    isUnknown(kept: Kept): boolean;
}
export type Contribution = import("./contribution.js").Contribution;
export type Lock = import("./entry.js").Lock;
export type Deal = import("./entry.js").Deal;
/**
 * A player's own contribution, made by `contribution`.
 */
export type Kept = {
    from: string;
    seed: string;
    blind?: string | undefined;
    hash?: string | undefined;
    seen?: import("./contribution.js").Seen | undefined;
    key?: string | undefined;
    signature?: string | undefined;
    commitment?: string | undefined;
    nonce?: number | undefined;
};
/**
 * A round as a receipt shows it.
 */
export type Round = {
    /**
     * the lock that had effect
     */
    lock: Lock | null;
    /**
     * the deal that had effect
     */
    deal: Deal | null;
    /**
     * of the entry that has the round's contributions
     */
    index: number | null;
    contributions: readonly Contribution[];
    /**
     * the seeds of the hashes that were opened correctly, by label
     */
    opened: ReadonlyMap<string, string>;
    /**
     * whether each contribution's signature verifies;
     * null if unknown
     */
    signed: readonly (boolean | null)[];
};
