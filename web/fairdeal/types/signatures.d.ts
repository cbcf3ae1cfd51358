/**
 * Whether the log signed the checkpoint that a player saw.
 * @param {Key} key of the log
 * @param {Seen} seen
 * @returns {Promise<boolean | null>}
 */
export function verifySeen(key: Key, { size, root, signature }: Seen): Promise<boolean | null>;
/**
 * Whether a player signed a contribution to this round.
 * @param {string} origin
 * @param {string} commitment
 * @param {number} nonce
 * @param {Contribution} contribution
 * @returns {Promise<boolean | null>} false if there is no signature
 */
export function verifyContribution(origin: string, commitment: string, nonce: number, contribution: Contribution): Promise<boolean | null>;
/**
 * Verifies the signatures of entries under one key. It remembers the checkpoints that players saw,
 * because many players saw the same one.
 */
export class Verifier {
    /**
     * @param {Key} key of the log
     * @param {boolean} [skip] whether to leave out the signatures of players
     */
    constructor(key: Key, skip?: boolean);
    key: import("./key.js").Key;
    skip: boolean;
    /** @type {Map<string, Promise<boolean | null>>} */
    known: Map<string, Promise<boolean | null>>;
    /**
     * @param {Seen} seen
     * @returns {Promise<boolean | null>}
     */
    seen(seen: Seen): Promise<boolean | null>;
    /**
     * The result of verifying an entry; not a promise if the entry has no signatures.
     * @param {import("./entry.js").Entry} entry
     * @returns {Checks | Promise<Checks>}
     */
    check({ entry }: import("./entry.js").Entry): Checks | Promise<Checks>;
    /**
     * @param {string} commitment
     * @param {number} nonce
     * @param {readonly Contribution[]} contributions
     * @returns {Promise<Checks>}
     */
    verify(commitment: string, nonce: number, contributions: readonly Contribution[]): Promise<Checks>;
}
export type Key = import("./key.js").Key;
export type Contribution = import("./contribution.js").Contribution;
export type Seen = import("./contribution.js").Seen;
/**
 * The results of verifying each contribution of an entry: null if there is no signature, if it is
 * skipped, or if this platform cannot verify it.
 */
export type Checks = {
    seen: (boolean | null)[];
    signatures: (boolean | null)[];
    /**
     * whether this platform could not verify one of them
     */
    unknown: boolean;
};
