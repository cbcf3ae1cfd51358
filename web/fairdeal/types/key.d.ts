/**
 * Whether a value is a legal name of a key.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isName(value: unknown): value is string;
/**
 * The ID of a name and an Ed25519 key.
 * @param {string} name
 * @param {Uint8Array} publicKey
 * @returns {string} 8 hexadecimal digits
 */
export function keyId(name: string, publicKey: Uint8Array): string;
/**
 * Reads a verifier key.
 * @param {string} text
 * @returns {Key}
 * @throws {Refused} `key`
 */
export function readKey(text: string): Key;
/**
 * The text of a verifier key.
 * @param {Key} key
 * @returns {string}
 */
export function keyText({ name, id, publicKey }: Key): string;
export type Key = {
    /**
     * the log's origin
     */
    name: string;
    /**
     * 8 hexadecimal digits
     */
    id: string;
    /**
     * 32 bytes
     */
    publicKey: Uint8Array;
};
