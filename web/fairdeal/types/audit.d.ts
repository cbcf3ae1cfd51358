/**
 * Audits a whole log.
 * @param {import("./source.js").ReadFile} readFile reads a file of the log by its path: its bytes;
 *   null if the log does not have it; it throws if that is unknown, and then there is no verdict
 * @param {AuditOptions} options
 * @returns {Promise<AuditVerdict>}
 * @throws {Refused} if there is no verdict: `key`, or `unavailable`
 */
export function auditLog(readFile: import("./source.js").ReadFile, options: AuditOptions): Promise<AuditVerdict>;
/**
 * Audits a log in one file, as `fairdeal export` writes it.
 * @param {Uint8Array} bytes the file
 * @param {AuditOptions} options
 * @returns {Promise<AuditVerdict>}
 * @throws {Refused} if there is no verdict: `key`, `export`, or `unavailable`
 */
export function auditExport(bytes: Uint8Array, options: AuditOptions): Promise<AuditVerdict>;
export type Finding = import("./findings.js").Finding;
export type Source = import("./source.js").Source;
export type AuditOptions = {
    /**
     * the verifier key, whose name is the log's origin
     */
    key: string;
    /**
     * the time at which commitments are judged overdue; by default the time
     * of the last entry. Give `Date.now()` for a log that is read live
     */
    asOf?: number | undefined;
    /**
     * the reader's clock: `Date.now()`. No entry may be more than 5 minutes ahead of it
     */
    clock?: number | undefined;
    /**
     * whether to leave out the signatures of players
     */
    skipSignatures?: boolean | undefined;
    /**
     * checkpoints that somebody saved of this log
     */
    since?: readonly (string | Uint8Array<ArrayBufferLike>)[] | undefined;
    /**
     * called some times a
     * second
     */
    onProgress?: ((progress: {
        entries: number;
        size: number;
    }) => void) | undefined;
};
/**
 * The verdict of section 15. `spec/schema/audit.json` describes it.
 */
export type AuditVerdict = {
    /**
     * whether nothing was found
     */
    holds: boolean;
    /**
     * how many entries were read
     */
    size: number;
    /**
     * of the tree over them
     */
    root: string;
    commitments: number;
    deals: number;
    voids: number;
    reveals: number;
    /**
     * commitments of other protocols
     */
    not_judged: number;
    as_of: number | null;
    clock: number | null;
    overdue_by_clock: number | null;
    unverified: {
        beacons: number;
        commitments: number;
        signatures: number;
    };
    /**
     * the first 1,000 of each code
     */
    findings: Finding[];
    counts: Record<string, number>;
    reported: import("./report.js").Reported;
};
