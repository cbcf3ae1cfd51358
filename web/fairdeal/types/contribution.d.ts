/**
 * A checkpoint that a client had verified.
 * @typedef {object} Seen
 * @property {number} size
 * @property {string} root hexadecimal
 * @property {string} [signature] base64 of the key's ID and the log's signature
 */
/**
 * A contribution in the clear, as it is mixed.
 * @typedef {object} Clear
 * @property {string} from
 * @property {string} seed
 * @property {Seen} [seen]
 */
/**
 * A contribution as an entry has it: with a seed or a hash.
 * @typedef {object} Contribution
 * @property {string} from
 * @property {string} [seed]
 * @property {string} [hash] hexadecimal
 * @property {Seen} [seen]
 * @property {string} [key] hexadecimal
 * @property {string} [signature] base64
 */
/**
 * Whether a value is a text of 1 to `most` bytes without control characters and without a lone surrogate.
 * @param {unknown} value
 * @param {number} most
 * @returns {value is string}
 */
export function isText(value: unknown, most: number): value is string;
/**
 * Whether a value is a label: the `from` of a contribution, or a seat.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isLabel(value: unknown): value is string;
/**
 * Whether a value is a client's seed.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isSeed(value: unknown): value is string;
/**
 * The bytes of a contribution that are mixed. They do not include the label.
 * @param {Clear} contribution
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encode({ seed, seen }: Clear): Uint8Array<ArrayBuffer>;
/**
 * The bytes of a beacon's round that are mixed.
 * @param {Uint8Array} randomness 32 bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeBeacon(randomness: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The contributions of a round, or a refusal.
 * @param {readonly Clear[]} contributions
 * @param {boolean} [alone] whether there may be none, because a beacon's round is mixed
 * @throws {Refused} `contributions`, `from`, `seed`, `seen` or `duplicate-from`
 */
export function checkContributions(contributions: readonly Clear[], alone?: boolean): void;
/**
 * The hash that hides a seed until the round's lock is in the log.
 * @param {string} commitment hexadecimal
 * @param {number} nonce
 * @param {Clear} contribution
 * @param {string} blind hexadecimal, of 32 bytes
 * @returns {string} hexadecimal
 */
export function contributionHash(commitment: string, nonce: number, contribution: Clear, blind: string): string;
/**
 * The message that a player signs.
 * @param {string} origin of the log
 * @param {string} commitment hexadecimal
 * @param {number} nonce
 * @param {Contribution} contribution with a seed or a hash
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function signedMessage(origin: string, commitment: string, nonce: number, { from, seed, hash, seen }: Contribution): Uint8Array<ArrayBuffer>;
/**
 * Whether two `seen` are the same, with the same signature; or both are absent.
 * @param {Seen | undefined} a
 * @param {Seen | undefined} b
 * @returns {boolean}
 */
export function sameSeen(a: Seen | undefined, b: Seen | undefined): boolean;
/**
 * The order of contributions in an entry.
 * @param {{from: string}} a
 * @param {{from: string}} b
 * @returns {number}
 */
export function byLabel(a: {
    from: string;
}, b: {
    from: string;
}): number;
/** The maximum number of contributions of one round. */
export const MOST: 64;
/**
 * A checkpoint that a client had verified.
 */
export type Seen = {
    size: number;
    /**
     * hexadecimal
     */
    root: string;
    /**
     * base64 of the key's ID and the log's signature
     */
    signature?: string | undefined;
};
/**
 * A contribution in the clear, as it is mixed.
 */
export type Clear = {
    from: string;
    seed: string;
    seen?: Seen | undefined;
};
/**
 * A contribution as an entry has it: with a seed or a hash.
 */
export type Contribution = {
    from: string;
    seed?: string | undefined;
    /**
     * hexadecimal
     */
    hash?: string | undefined;
    seen?: Seen | undefined;
    /**
     * hexadecimal
     */
    key?: string | undefined;
    /**
     * base64
     */
    signature?: string | undefined;
};
