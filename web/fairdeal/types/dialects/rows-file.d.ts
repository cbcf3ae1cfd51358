/**
 * The rows of a file, in any of its forms.
 * @param {string | Uint8Array} file
 * @param {boolean} isChain
 * @returns {Generator<RawRow>}
 * @throws {FileFault} if the file cannot be read further
 */
export function fileRows(file: string | Uint8Array, isChain: boolean): Generator<RawRow>;
/**
 * One row, or why it is unreadable.
 * @typedef {{line: number | null, value: unknown, fault: null} | {line: number | null, fault: string}} RawRow
 */
/** The file cannot be read after some place. */
export class FileFault extends Error {
    /** @param {string} message */
    constructor(message: string);
}
/**
 * One row, or why it is unreadable.
 */
export type RawRow = {
    line: number | null;
    value: unknown;
    fault: null;
} | {
    line: number | null;
    fault: string;
};
