/**
 * Splits a note into its parts. Nothing is verified.
 * @param {Uint8Array} bytes
 * @returns {Note}
 * @throws {Refused} `note-malformed`
 */
export function readNote(bytes: Uint8Array): Note;
/**
 * Which of the keys signed a note, in the note's order.
 * @param {Note} note
 * @param {readonly import("./key.js").Key[]} keys
 * @returns {Promise<string[] | null>} names of keys; null if this platform cannot verify signatures
 * @throws {Refused} `note-unverified`, if no key did, or a line of a known key does not verify
 */
export function verifyNote({ text, signatures }: Note, keys: readonly import("./key.js").Key[]): Promise<string[] | null>;
/** The maximum number of bytes of a note. */
export const LONGEST_NOTE: 1000000;
export type Signature = {
    /**
     * of the key
     */
    name: string;
    /**
     * 8 hexadecimal digits
     */
    id: string;
    /**
     * without the ID
     */
    bytes: Uint8Array;
};
export type Note = {
    /**
     * with its last newline, without the empty line
     */
    text: string;
    signatures: Signature[];
};
