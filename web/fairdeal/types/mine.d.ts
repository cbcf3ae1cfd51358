/**
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {import("./entry.js").Lock} Lock
 * @typedef {import("./entry.js").Deal} Deal
 */
/**
 * What a player keeps of a contribution: `contribution` makes it.
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
 * One thing that a reader brought.
 * @param {Kept | string | Uint8Array} given the object, or the file that holds it
 * @returns {Kept}
 * @throws {Refused} `mine`
 */
export function readKept(given: Kept | string | Uint8Array): Kept;
/**
 * Refuses labels and keys that nobody can have.
 * @param {Record<string, string>} players
 * @returns {Map<string, string>}
 * @throws {Refused} `players`
 */
export function readPlayers(players: Record<string, string>): Map<string, string>;
/**
 * A round as a receipt shows it.
 * @typedef {object} Round
 * @property {Lock | null} lock that had effect
 * @property {Deal | null} deal that had effect
 * @property {number | null} index of the entry that has the round's contributions
 * @property {readonly Contribution[]} contributions
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened correctly, by label
 * @property {readonly (boolean | null)[]} signed whether each contribution's signature verifies; null if nobody can say
 */
/** What comparing with the reader's word came to. */
export class Comparison {
    /**
     * @param {Round} round
     * @param {readonly Kept[]} mine
     * @param {ReadonlyMap<string, string>} players
     */
    constructor(round: Round, mine: readonly Kept[], players: ReadonlyMap<string, string>);
    round: Round;
    /** The reader's that were mixed. @type {Set<Kept>} */
    mixed: Set<Kept>;
    /** Why there is a `contribution-mismatch`. @type {string | null} */
    mismatch: string | null;
    yours: boolean;
    authentic: boolean;
    /** Whether a hash of somebody whom the reader knows was opened: then nobody chose the result. */
    known: boolean;
    /**
     * @param {Kept} kept
     * @returns {boolean}
     */
    isMixed(kept: Kept): boolean;
    /**
     * Whether nothing is found though it was not mixed: it may still be, or there was nothing to mix.
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
 * What a player keeps of a contribution: `contribution` makes it.
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
     * that had effect
     */
    lock: Lock | null;
    /**
     * that had effect
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
     * whether each contribution's signature verifies; null if nobody can say
     */
    signed: readonly (boolean | null)[];
};
