/**
 * Whether 32 bytes are the encoding of a point that is not of small order.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
export function isPoint(bytes: Uint8Array): boolean;
/**
 * Whether this platform verifies Ed25519 as specified: it accepts an honest signature, and refuses
 * one that verifies only with the cofactor.
 * @returns {Promise<boolean>}
 */
export function isSupported(): Promise<boolean>;
/**
 * Verifies a signature.
 * @param {Uint8Array} key 32 bytes
 * @param {Uint8Array} message
 * @param {Uint8Array} signature 64 bytes
 * @returns {Promise<boolean | null>} null if this platform cannot say
 */
export function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean | null>;
