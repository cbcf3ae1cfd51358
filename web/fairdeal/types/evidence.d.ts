/**
 * Writes the file.
 * @param {string} key the log's verifier key
 * @param {readonly import("./book.js").Record[]} records
 * @param {import("./continuity.js").Head | null} saved
 * @returns {string}
 */
export function evidence(key: string, records: readonly import("./book.js").Record[], saved: import("./continuity.js").Head | null): string;
/**
 * Splits an evidence file into its parts.
 * @param {string | Uint8Array | object} file
 * @returns {EvidenceFiles}
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `evidence`, if it is not one
 */
export function evidenceFiles(file: string | Uint8Array | object): EvidenceFiles;
/**
 * Judges an evidence file: each receipt alone, all together, with the player's contributions, and
 * with the heads that the player saw. Evidence of another shape is an `invalid-receipt`.
 * @param {string | Uint8Array | object} file
 * @param {{key: string}} options the log's verifier key, from another place: the key in the file
 *   proves nothing
 * @returns {Promise<import("./verify.js").Verdicts & {says: {code: string, says: string}[]}>}
 *   `says` has the kit's claims, which prove nothing
 * @throws {Refused} `unavailable`, if it cannot be read or has no files; `key`
 */
export function verifyEvidence(file: string | Uint8Array | object, options: {
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
/** The value of `format` of an evidence file. */
export const EVIDENCE: "fairdeal/evidence/v1";
/**
 * The parts of an evidence file, in the form that a verifier takes.
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
     * the claims of the player's kit
     */
    findings: {
        code: string;
        says: string;
    }[];
};
export type Json = import("./json.js").Json;
export type Kept = import("./mine.js").Kept;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
