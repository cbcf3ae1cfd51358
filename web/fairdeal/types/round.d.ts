/**
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./entry.js").Lock} Lock
 * @typedef {import("./entry.js").Deal} Deal
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {(code: string, says: string) => void} Find
 */
/**
 * A deal with effect, as far as it is judged before its reveal.
 * @typedef {object} Dealt
 * @property {number} index
 * @property {Deal} deal
 * @property {{lock: Lock, index: number} | null} locked the lock that it answers
 * @property {ReadonlyMap<string, string>} opened the seeds of the hashes that were opened correctly, by label
 * @property {import("./deal.js").Mixed | null} mixed null if a finding makes it unknown
 * @property {boolean} possible
 * @property {Uint32Array | null} order the items in deal order, if the revealed seed gives its
 *   result
 */
/**
 * Judges row 12 of a lock, or of a deal with contributions.
 * @param {Commit} commit
 * @param {Lock | Deal} entry
 * @param {Find} find
 */
export function judgeMixing(commit: Commit, entry: Lock | Deal, find: Find): void;
/**
 * Judges a deal that has effect: rows 13 to 15, and whether its result is possible.
 * @param {Commit} commit
 * @param {Deal} deal
 * @param {number} index
 * @param {{lock: Lock, index: number} | null} locked the open lock of its round
 * @param {Find} find
 * @returns {Dealt}
 */
export function judgeDeal(commit: Commit, deal: Deal, index: number, locked: {
    lock: Lock;
    index: number;
} | null, find: Find): Dealt;
/**
 * Replays a deal from the revealed seed.
 * @param {Commit} commit
 * @param {import("./sha256.js").HmacKey} seed
 * @param {Dealt} round its `order` is set if the seed gives its result
 * @returns {string | null} why the result does not follow from the seed; null if it does, or cannot
 *   be judged
 */
export function replayDeal(commit: Commit, seed: import("./sha256.js").HmacKey, round: Dealt): string | null;
export type Commit = import("./entry.js").Commit;
export type Lock = import("./entry.js").Lock;
export type Deal = import("./entry.js").Deal;
export type Contribution = import("./contribution.js").Contribution;
export type Find = (code: string, says: string) => void;
/**
 * A deal with effect, as far as it is judged before its reveal.
 */
export type Dealt = {
    index: number;
    deal: Deal;
    /**
     * the lock that it answers
     */
    locked: {
        lock: Lock;
        index: number;
    } | null;
    /**
     * the seeds of the hashes that were opened correctly, by label
     */
    opened: ReadonlyMap<string, string>;
    /**
     * null if a finding makes it unknown
     */
    mixed: import("./deal.js").Mixed | null;
    possible: boolean;
    /**
     * the items in deal order, if the revealed seed gives its
     * result
     */
    order: Uint32Array | null;
};
