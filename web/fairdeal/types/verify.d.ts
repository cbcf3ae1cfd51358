/**
 * Verifies one receipt or opening.
 * @param {File} file its text, its bytes, or the result of `JSON.parse`
 * @param {VerifyOptions} options
 * @returns {Promise<Verdict>}
 * @throws {Refused} `unavailable`, if the file is not readable JSON; `key`, `mine`, `players`,
 *   `seat`, `list`, `list-mismatch` or `bad-signature`, if another input is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export function verifyReceipt(file: File, options: VerifyOptions): Promise<Verdict>;
/**
 * Verifies several receipts and openings: each alone, and then all together.
 * @param {readonly ({name: string, file: File} | string | Uint8Array)[]} files each with a name, or numbered from 1
 * @param {VerifyOptions} options
 * @returns {Promise<Verdicts>}
 * @throws {Refused} if an input other than the files is wrong
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export function verifyReceipts(files: readonly ({
    name: string;
    file: File;
} | string | Uint8Array)[], options: VerifyOptions): Promise<Verdicts>;
/**
 * The same with the other parts of evidence (section 11.10).
 * @param {readonly ({name: string, file: File} | string | Uint8Array)[]} files
 * @param {VerifyOptions} options
 * @param {{kept: readonly Kept[], heads: readonly string[]}} beside
 * @returns {Promise<Verdicts>}
 * @throws {Refused}
 */
export function verifyAll(files: readonly ({
    name: string;
    file: File;
} | string | Uint8Array)[], options: VerifyOptions, { kept, heads }: {
    kept: readonly Kept[];
    heads: readonly string[];
}): Promise<Verdicts>;
export type Verdict = import("./verdict.js").Verdict;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
export type Kept = import("./mine.js").Kept;
/**
 * A file: its text, its bytes, or the result of `JSON.parse`. Give the text or the bytes:
 * `JSON.parse` hides faults that a strict reader refuses.
 */
export type File = string | Uint8Array | object;
export type VerifyOptions = {
    /**
     * the verifier key, whose name is the log's origin
     */
    key: string;
    /**
     * a checkpoint that you saved: the receipts must be of the same log
     */
    since?: string | Uint8Array<ArrayBufferLike> | undefined;
    /**
     * your contributions: exactly
     * these must have been mixed
     */
    mine?: import("./mine.js").Kept | readonly (string | Uint8Array<ArrayBufferLike> | import("./mine.js").Kept)[] | undefined;
    /**
     * for labels, the public keys that their players gave you
     */
    players?: Record<string, string> | undefined;
    /**
     * the seat whose cards an opening must show
     */
    seat?: string | undefined;
    /**
     * the file of the list that was dealt: another list is refused
     */
    list?: Uint8Array<ArrayBufferLike> | undefined;
};
/**
 * The verdict on several files. `spec/schema/verify.json` describes it.
 */
export type Verdicts = {
    /**
     * whether every file was read and holds, and they do not contradict each other
     */
    holds: boolean;
    /**
     * the size of the saved view that all files continue
     */
    continues?: number | undefined;
    /**
     * what the files show together
     */
    findings: ReceiptFinding[];
    receipts: (({
        file: string;
    } & Verdict) | {
        file: string;
        error: {
            code: string;
            says: string;
        };
    })[];
};
/**
 * The reader's inputs, read.
 */
export type Reader = {
    key: import("./key.js").Key;
    mine: Kept[];
    players: Map<string, string>;
    seat: string | undefined;
    list: Uint8Array | undefined;
    since: import("./checkpoint.js").Checkpoint | null;
};
