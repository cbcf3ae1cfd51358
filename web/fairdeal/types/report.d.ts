/** Counts the entries of a log. */
export class Report {
    commitments: number;
    deals: number;
    voids: number;
    reveals: number;
    /** Contributions with a signature. */
    signatures: number;
    beacons: number;
    withoutCommittedFirst: number;
    /** @type {Map<string, TableNumbers>} */
    tables: Map<string, TableNumbers>;
    /** @type {Map<string, number>} */
    blamed: Map<string, number>;
    /** The givers of each seed: one label, or several. @type {Map<string, string | Set<string>>} */
    givers: Map<string, string | Set<string>>;
    notToldApart: boolean;
    delays: {
        count: number;
        shortest: number;
        longest: number;
        total: bigint;
    };
    /** @type {Map<number, number>} */
    byDoubling: Map<number, number>;
    /**
     * Counts an entry that had effect.
     * @param {Grammatical} entry
     * @param {Judged} judged
     */
    count(entry: Grammatical, judged: Judged): void;
    /**
     * @param {import("./entry.js").Deal} deal
     * @param {Judged} judged
     * @param {Course} course
     */
    deal(deal: import("./entry.js").Deal, { answered }: Judged, { commit, index }: Course): void;
    /**
     * @param {import("./entry.js").VoidEntry} entry
     * @param {Judged} judged
     * @param {Course} course
     */
    void({ nonce, blame }: import("./entry.js").VoidEntry, { answered }: Judged, { commit }: Course): void;
    /** @param {number} delay in milliseconds */
    reveal(delay: number): void;
    /**
     * @param {string} name
     * @returns {TableNumbers}
     */
    table(name: string): TableNumbers;
    /**
     * @param {string} seed
     * @param {string} from
     */
    seed(seed: string, from: string): void;
    /** @returns {Record<string, number>} */
    weakSeeds(): Record<string, number>;
    /**
     * @param {ReadonlyMap<string, Course>} courses at the end of the log
     * @returns {Reported}
     */
    end(courses: ReadonlyMap<string, Course>): Reported;
}
export type Judged = import("./life.js").Judged;
export type Course = import("./life.js").Course;
export type Grammatical = import("./entry.js").Grammatical;
export type TableNumbers = {
    deals: number;
    voided_rounds: number;
    voided_locks: number;
    voided_commitments: number;
};
export type Reported = {
    rounds_per_commitment: Record<string, number>;
    never_used: number;
    ended_early: number;
    unanswered_locks: number;
    unrevealed_deals: number;
    tables: Record<string, TableNumbers>;
    blamed: Record<string, number>;
    /**
     * `total` is exact up to 2^53 − 1
     */
    reveal_delays: {
        count: number;
        shortest: number | null;
        longest: number | null;
        total: number;
        by_doubling: Record<string, number>;
    };
    weak_seeds: Record<string, number>;
    seeds_not_told_apart: boolean;
    rounds_without_committed_first: number;
    beacon_rounds: number;
};
