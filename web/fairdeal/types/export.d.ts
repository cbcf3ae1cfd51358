/** @typedef {import("./source.js").Source} Source */
/**
 * An exported log, as a source of entries.
 * @implements {Source}
 */
export class ExportSource implements Source {
    /**
     * @param {Uint8Array} bytes the file
     * @throws {Refused} `export`, if it is too short or too long, or is not an exported log
     */
    constructor(bytes: Uint8Array);
    bytes: Uint8Array<ArrayBufferLike>;
    note: Uint8Array<ArrayBufferLike>;
    /** The offset of each bundle of 256 entries. @type {number[]} */
    starts: number[];
    /**
     * @param {number} at where the first entry begins
     * @param {bigint} size the number of entries
     * @returns {number} where the last entry ends
     */
    walk(at: number, size: bigint): number;
    /** @returns {Promise<Uint8Array | null>} */
    checkpoint(): Promise<Uint8Array | null>;
    /**
     * @param {number} index
     * @param {number} width
     * @returns {Promise<Uint8Array[] | null>}
     */
    bundle(index: number, width: number): Promise<Uint8Array[] | null>;
}
export type Source = import("./source.js").Source;
