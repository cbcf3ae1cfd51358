/**
 * Verifies one receipt or opening.
 * @param {File} file its text, its bytes, or what `JSON.parse` made of it
 * @param {VerifyOptions} options
 * @returns {Promise<Verdict>}
 * @throws {Refused} `unavailable`, if the file is no readable JSON; `key`, `mine`, `players`, `seat`, `list`,
 *   `list-mismatch` or `bad-signature`, if what is given beside it is not what it must be
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export function verifyReceipt(file: File, options: VerifyOptions): Promise<Verdict>;
/**
 * Verifies several receipts and openings: each alone, and then all together.
 * @param {readonly ({name: string, file: File} | string | Uint8Array)[]} files each with a name, or numbered from 1
 * @param {VerifyOptions} options
 * @returns {Promise<Verdicts>}
 * @throws {Refused} if what is given beside the files is not what it must be
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export function verifyReceipts(files: readonly ({
    name: string;
    file: File;
} | string | Uint8Array)[], options: VerifyOptions): Promise<Verdicts>;
/**
 * The same with what evidence holds beside its files (section 11.10).
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
 * A file: its text, its bytes, or what `JSON.parse` made of it. Give the text or the bytes: `JSON.parse` has already
 * forgotten what a strict reader would refuse.
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
     * what you brought: exactly this must have been mixed
     */
    mine?: import("./mine.js").Kept | readonly (string | Uint8Array<ArrayBufferLike> | import("./mine.js").Kept)[] | undefined;
    /**
     * for labels, the public keys that their players gave you
     */
    players?: Record<string, string> | undefined;
    /**
     * whose cards an opening must show
     */
    seat?: string | undefined;
    /**
     * the file of the list that was dealt: it is refused if it is another one
     */
    list?: Uint8Array<ArrayBufferLike> | undefined;
};
/**
 * What is said of several files. `spec/schema/verify.json` describes it.
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
