/**
 * Writes the file.
 * @param {string} key the log's verifier key
 * @param {readonly import("./book.js").Record[]} records
 * @param {import("./continuity.js").Head | null} saved
 * @returns {string}
 */
export function evidence(key: string, records: readonly import("./book.js").Record[], saved: import("./continuity.js").Head | null): string;
/**
 * What an evidence file holds, each as a verifier takes it.
 * @typedef {object} EvidenceFiles
 * @property {{name: string, file: string}[]} files receipts and openings
 * @property {Kept[]} mine
 * @property {string[]} since signed checkpoints
 * @property {{code: string, says: string}[]} findings what the player's kit said
 */
/**
 * Takes an evidence file apart.
 * @param {string | Uint8Array | object} text
 * @returns {EvidenceFiles}
 * @throws {Refused} `unavailable` or `evidence`, if it is not one
 */
export function evidenceFiles(text: string | Uint8Array | object): EvidenceFiles;
/**
 * Judges an evidence file: each receipt alone, all together, with what the player brought, and against the heads that the
 * player saw.
 * @param {string | Uint8Array | object} text
 * @param {{key: string}} options the log's verifier key, from elsewhere: the file's own word for it proves nothing
 * @returns {Promise<import("./verify.js").Verdicts & {says: {code: string, says: string}[]}>} `says` is the kit's word: it shows nothing
 * @throws {Refused}
 */
export function verifyEvidence(text: string | Uint8Array | object, { key }: {
    key: string;
}): Promise<import("./verify.js").Verdicts & {
    says: {
        code: string;
        says: string;
    }[];
}>;
/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./verdict.js").ReceiptFinding} ReceiptFinding
 */
/** What an evidence file says that it is. */
export const EVIDENCE: "fairdeal/evidence/v1";
/**
 * What an evidence file holds, each as a verifier takes it.
 */
export type EvidenceFiles = {
    /**
     * receipts and openings
     */
    files: {
        name: string;
        file: string;
    }[];
    mine: Kept[];
    /**
     * signed checkpoints
     */
    since: string[];
    /**
     * what the player's kit said
     */
    findings: {
        code: string;
        says: string;
    }[];
};
export type Json = import("./json.js").Json;
export type Kept = import("./mine.js").Kept;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
