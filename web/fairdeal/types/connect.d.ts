/**
 * Compares a receipt's checkpoint with the saved head, and saves the newer one if the log continues
 * the older.
 * @param {import("./book.js").Book} book
 * @param {import("./client.js").Client | null} log
 * @param {import("./verdict.js").Judgement} judgement
 * @param {import("./contribution.js").Seen | undefined} seen the checkpoint that the player's
 *   contribution to this round named
 * @returns {Promise<Connected>}
 */
export function connect(book: import("./book.js").Book, log: import("./client.js").Client | null, { receipt, proved }: import("./verdict.js").Judgement, seen: import("./contribution.js").Seen | undefined): Promise<Connected>;
export type Connected = {
    proved: boolean;
    findings: import("./verdict.js").ReceiptFinding[];
    /**
     * signed heads that belong to the findings
     */
    since: string[];
    /**
     * why it is unknown
     */
    says?: string | undefined;
};
