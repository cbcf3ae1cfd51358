/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./contribution.js").Seen} Seen
 */
/**
 * @typedef {object} ContributionInput
 * @property {string} from a pseudonym for the round or the session: it stays public
 * @property {string} [seed] by default 32 random bytes in hexadecimal
 * @property {string} [commitment] with `nonce`: the contribution's round. Then there is a hash,
 *   which hides the seed
 * @property {number} [nonce]
 * @property {boolean} [clear] whether to leave out the hash, for a round without a lock
 * @property {string} [blind] 64 hexadecimal digits that hide the seed in the hash; random by
 *   default
 * @property {string | Uint8Array} [seen] a checkpoint that you saved. It is mixed, and ties the seed to the commitments in it
 * @property {string} [key] the log's verifier key: needed with `seen` and with `sign`
 * @property {string | CryptoKeyPair} [sign] your key, for this round of this log only: 64 hexadecimal digits, or a pair of
 *   keys of WebCrypto. Take a new one for each session
 */
/**
 * Makes a contribution. The result is secret until the round's lock is in the log: see {@link
 * toGive}.
 * @param {ContributionInput} input
 * @returns {Promise<Kept>}
 * @throws {Refused} with the code of the refused input: `from`, `seed`, `commitment`, `nonce`,
 *   `blind`, `key`, `seen`, `sign`; or `unavailable`, if this platform has no Ed25519
 */
export function contribution(input: ContributionInput): Promise<Kept>;
/**
 * The part for the dealer at first: a hashed contribution without its seed and its blind.
 * @param {Kept} kept
 * @returns {Omit<Kept, "seed" | "blind"> & {seed?: string}}
 */
export function toGive(kept: Kept): Omit<Kept, "seed" | "blind"> & {
    seed?: string;
};
/**
 * The part for the dealer when the round's lock is in the log.
 * @param {Kept} kept
 * @returns {{blind: string, from: string, seed: string}}
 * @throws {Refused} `blind`, if the contribution is not hashed
 */
export function toOpen(kept: Kept): {
    blind: string;
    from: string;
    seed: string;
};
export type Kept = import("./mine.js").Kept;
export type Seen = import("./contribution.js").Seen;
export type ContributionInput = {
    /**
     * a pseudonym for the round or the session: it stays public
     */
    from: string;
    /**
     * by default 32 random bytes in hexadecimal
     */
    seed?: string | undefined;
    /**
     * with `nonce`: the contribution's round. Then there is a hash,
     * which hides the seed
     */
    commitment?: string | undefined;
    nonce?: number | undefined;
    /**
     * whether to leave out the hash, for a round without a lock
     */
    clear?: boolean | undefined;
    /**
     * 64 hexadecimal digits that hide the seed in the hash; random by
     * default
     */
    blind?: string | undefined;
    /**
     * a checkpoint that you saved. It is mixed, and ties the seed to the commitments in it
     */
    seen?: string | Uint8Array<ArrayBufferLike> | undefined;
    /**
     * the log's verifier key: needed with `seen` and with `sign`
     */
    key?: string | undefined;
    /**
     * your key, for this round of this log only: 64 hexadecimal digits, or a pair of
     * keys of WebCrypto. Take a new one for each session
     */
    sign?: string | CryptoKeyPair | undefined;
};
