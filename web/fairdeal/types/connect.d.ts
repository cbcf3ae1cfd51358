/**
 * Holds a receipt's checkpoint against the saved head, and saves the newer one if the log goes on from the older.
 * @param {import("./book.js").Book} book
 * @param {import("./client.js").Client | null} log
 * @param {import("./verdict.js").Judgement} judgement
 * @param {import("./contribution.js").Seen | undefined} seen what the player's contribution to this round named
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
     * why nobody knows
     */
    says?: string | undefined;
};
