/**
 * @typedef {object} Checkpoint
 * @property {string} origin
 * @property {bigint} size a tree may be larger than a double can count
 * @property {string} root hexadecimal
 * @property {string[]} extensions
 */
/**
 * Reads a checkpoint from the text of a note.
 * @param {string} text
 * @returns {Checkpoint}
 * @throws {Refused} `checkpoint-malformed`
 */
export function readCheckpoint(text: string): Checkpoint;
/**
 * The text that the log's key signs for a tree, without extension lines.
 * @param {string} origin
 * @param {number | bigint} size
 * @param {Uint8Array} root
 * @returns {string}
 */
export function checkpointText(origin: string, size: number | bigint, root: Uint8Array): string;
/**
 * A checkpoint as far as it can be read, and its fault.
 * @typedef {object} Opened
 * @property {Checkpoint | null} checkpoint null if it is not a note, or its text is not a checkpoint
 * @property {string | null} bad why it is a `bad-signature`
 * @property {boolean | null} signed whether the key signed it; null if this platform cannot say
 * @property {string} signers the name and ID of each signature, for messages
 */
/**
 * Opens a checkpoint with the log's key.
 * @param {Uint8Array} bytes
 * @param {import("./key.js").Key} key
 * @returns {Promise<Opened>}
 */
export function openCheckpoint(bytes: Uint8Array, key: import("./key.js").Key): Promise<Opened>;
/**
 * The other key of the same name that a checkpoint names as its log's, if the key itself is not
 * among its signers. Nothing is verified: this is only the file's claim.
 * @param {import("./note.js").Note} note
 * @param {import("./key.js").Key} key
 * @returns {string | null} its name and ID
 */
export function otherSigner({ text, signatures }: import("./note.js").Note, { name, id }: import("./key.js").Key): string | null;
/** The largest tree. */
export const LARGEST: bigint;
export type Checkpoint = {
    origin: string;
    /**
     * a tree may be larger than a double can count
     */
    size: bigint;
    /**
     * hexadecimal
     */
    root: string;
    extensions: string[];
};
/**
 * A checkpoint as far as it can be read, and its fault.
 */
export type Opened = {
    /**
     * null if it is not a note, or its text is not a checkpoint
     */
    checkpoint: Checkpoint | null;
    /**
     * why it is a `bad-signature`
     */
    bad: string | null;
    /**
     * whether the key signed it; null if this platform cannot say
     */
    signed: boolean | null;
    /**
     * the name and ID of each signature, for messages
     */
    signers: string;
};
