/**
 * @param {Uint8Array} commitment 32 bytes
 * @param {number} nonce
 * @param {number} t the place in the deal
 * @param {number} item
 * @param {Uint8Array} salt 16 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function cardSeal(commitment: Uint8Array, nonce: number, t: number, item: number, salt: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The seal of all cards, which is logged.
 * @param {Uint8Array} cardSeals all card seals, one after the other
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sealOf(cardSeals: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * Seals a deal.
 * @param {Uint8Array} key the seal key
 * @param {Uint8Array} commitment 32 bytes
 * @param {number} nonce
 * @param {ArrayLike<number>} dealt the numbers of the items, in deal order
 * @returns {{seal: Uint8Array, cardSeals: Uint8Array, salts: Uint8Array}} 32 bytes; 32 for each card; 16 for each card
 */
export function seal(key: Uint8Array, commitment: Uint8Array, nonce: number, dealt: ArrayLike<number>): {
    seal: Uint8Array;
    cardSeals: Uint8Array;
    salts: Uint8Array;
};
/** The maximum number of cards of a sealed deal. */
export const MOST_SEALED: 4096;
