/**
 * Reads a file of a log. Null means that the log does not have it. It throws if that is unknown:
 * then there is no verdict.
 * @callback ReadFile
 * @param {string} path such as `checkpoint` or `tile/0/000.p/3`
 * @returns {Uint8Array | null | Promise<Uint8Array | null>}
 */
/**
 * A log, as an audit reads it.
 * @typedef {object} Source
 * @property {() => Promise<Uint8Array | null>} checkpoint
 * @property {(index: number, width: number) => Promise<Uint8Array[] | null>} bundle its entries; null if it is missing.
 *   Throws {@link Refused} if it does not hold them
 * @property {(level: number, index: number, width: number) => Promise<Uint8Array | null>} [tile]
 *   its hashes; null if it is missing. Throws {@link Refused} if it does not hold them. Absent if
 *   the log has no tiles
 */
/**
 * A log in files.
 * @implements {Source}
 */
export class FileSource implements Source {
    /** @param {ReadFile} readFile */
    constructor(readFile: ReadFile);
    readFile: ReadFile;
    /** @returns {Promise<Uint8Array | null>} */
    checkpoint(): Promise<Uint8Array | null>;
    /**
     * @param {string} path
     * @returns {Promise<Uint8Array | null>}
     */
    read(path: string): Promise<Uint8Array | null>;
    /**
     * A file of a width, or the full file that may replace it.
     * @param {number | "entries"} level
     * @param {number} index
     * @param {number} width
     * @returns {Promise<{bytes: Uint8Array, width: number} | null>}
     */
    either(level: number | "entries", index: number, width: number): Promise<{
        bytes: Uint8Array;
        width: number;
    } | null>;
    /**
     * @param {number} index
     * @param {number} width
     * @returns {Promise<Uint8Array[] | null>}
     */
    bundle(index: number, width: number): Promise<Uint8Array[] | null>;
    /**
     * @param {number} level
     * @param {number} index
     * @param {number} width
     * @returns {Promise<Uint8Array | null>}
     */
    tile(level: number, index: number, width: number): Promise<Uint8Array | null>;
}
/**
 * Reads a file of a log. Null means that the log does not have it. It throws if that is unknown:
 * then there is no verdict.
 */
export type ReadFile = (path: string) => Uint8Array | null | Promise<Uint8Array | null>;
/**
 * A log, as an audit reads it.
 */
export type Source = {
    checkpoint: () => Promise<Uint8Array | null>;
    /**
     * its entries; null if it is missing.
     * Throws {@link Refused} if it does not hold them
     */
    bundle: (index: number, width: number) => Promise<Uint8Array[] | null>;
    /**
     * its hashes; null if it is missing. Throws {@link Refused} if it does not hold them. Absent if
     * the log has no tiles
     */
    tile?: ((level: number, index: number, width: number) => Promise<Uint8Array | null>) | undefined;
};
