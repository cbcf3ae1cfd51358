/**
 * Whether a commitment is not used up, not revealed and not voided as a whole.
 * @param {Course} course
 * @returns {boolean}
 */
export function isOpen({ ended, rounds, commit }: Course): boolean;
/**
 * @typedef {import("./entry.js").Entry} Entry
 * @typedef {import("./entry.js").Grammatical} Grammatical
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./entry.js").Lock} Lock
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./round.js").Dealt} Dealt
 * @typedef {import("./signatures.js").Checks} Checks
 */
/**
 * The state of a commitment.
 * @typedef {object} Course
 * @property {Commit} commit
 * @property {number} index of the commit
 * @property {boolean} used whether a round was locked, dealt or voided
 * @property {number} next one more than the last nonce dealt or voided
 * @property {number} rounds how many rounds were dealt or voided
 * @property {{lock: Lock, index: number} | null} locked the open round
 * @property {"revealed" | "voided" | null} ended
 * @property {Dealt[]} deals the deals that wait for the seed
 */
/**
 * The result of judging one entry.
 * @typedef {object} Judged
 * @property {Finding[]} findings some may be at the index of an earlier deal
 * @property {boolean} effect
 * @property {Course | null} course of its commitment, if it has effect
 * @property {Dealt | null} dealt of a deal with effect
 * @property {Lock | null} answered the lock that a deal or a void with effect answers
 * @property {Finding | null} onlyByRoot a `split-view` that counts only if the log's files agree
 */
/**
 * @typedef {object} LifeOptions
 * @property {string} origin of the log
 * @property {boolean} excerpt whether entries may be left out
 * @property {(size: number) => string | null} [rootAt] the root that the log had at a size, if
 *   known
 * @property {boolean} [noRoots] whether no root is known, not even from an earlier `seen`
 */
/** Judges the entries of a log, or of an excerpt, in their order. */
export class Life {
    /** @param {LifeOptions} options */
    constructor({ origin, excerpt, rootAt, noRoots }: LifeOptions);
    origin: string;
    excerpt: boolean;
    noRoots: boolean;
    rootAt: (size: number) => string | null;
    /** Every commitment that is known and judged. @type {Map<string, Course>} */
    courses: Map<string, Course>;
    /** @type {Set<string>} */
    notJudged: Set<string>;
    /** The last commitment of each table. @type {Map<string, string>} */
    lastOf: Map<string, string>;
    /** In an excerpt: the `after` of each table's commits. @type {Map<string, Set<string>>} */
    afters: Map<string, Set<string>>;
    /** In an excerpt: the first root of each size that a player saw. @type {Map<number, string>} */
    firstSeen: Map<number, string>;
    /** @type {number | null} */
    time: number | null;
    /**
     * Judges one entry.
     * @param {Entry} read
     * @param {number} index
     * @param {Checks} checks of its signatures
     * @returns {Judged}
     */
    judge(read: Entry, index: number, checks: Checks): Judged;
    /**
     * Steps 6 to 12: the findings that end an entry's judging.
     * @param {Grammatical} entry
     * @param {Course | null} course
     * @param {Checks} checks
     * @returns {[string, string] | null}
     */
    stops(entry: Grammatical, course: Course | null, checks: Checks): [string, string] | null;
    /**
     * Step 6: what makes a grammatical entry invalid at its place (the end of section 8.2).
     * @param {Grammatical} entry
     * @param {Course | null} course
     * @param {Checks} checks
     * @returns {string | null}
     */
    invalidHere(entry: Grammatical, course: Course | null, checks: Checks): string | null;
    /**
     * @param {import("./entry.js").VoidEntry} entry
     * @param {Course} course
     * @returns {string | null}
     */
    wrongBlame({ blame, nonce }: import("./entry.js").VoidEntry, course: Course): string | null;
    /**
     * Step 11: why a nonce is not the next one.
     * @param {number} nonce
     * @param {Course} course
     * @returns {string | null}
     */
    gap(nonce: number, course: Course): string | null;
    /**
     * Row 9: why an entry is out of its table's turn.
     * @param {Grammatical} entry
     * @returns {string | null}
     */
    turn(entry: Grammatical): string | null;
    /**
     * @param {Commit} commit
     * @param {string | undefined} last commitment shown of its table
     * @returns {string | null}
     */
    turnInExcerpt({ after, table }: Commit, last: string | undefined): string | null;
    /**
     * Row 11 and the signatures of players.
     * @param {Grammatical} entry
     * @param {number} index
     * @param {Checks} checks
     * @param {(code: string, says: string) => void} find
     * @param {Judged} judged
     */
    judgeContributions(entry: Grammatical, index: number, checks: Checks, find: (code: string, says: string) => void, judged: Judged): void;
    /**
     * @param {import("./contribution.js").Seen} seen of a size that is not over the index of its entry
     * @returns {boolean}
     */
    contradicts({ size, root }: import("./contribution.js").Seen): boolean;
    /**
     * Step 16: the effect.
     * @param {Grammatical} entry
     * @param {number} index
     * @param {Course | null} before
     * @param {(code: string, says: string) => void} find
     * @param {Judged} judged
     */
    apply(entry: Grammatical, index: number, before: Course | null, find: (code: string, says: string) => void, judged: Judged): void;
    /**
     * @param {Commit} commit
     * @param {number} index
     * @returns {Course}
     */
    commit(commit: Commit, index: number): Course;
    /**
     * @param {import("./entry.js").Reveal} entry
     * @param {Course} course
     * @param {(code: string, says: string) => void} find
     * @param {Judged} judged
     */
    reveal({ server_seed, time, commitment }: import("./entry.js").Reveal, course: Course, find: (code: string, says: string) => void, judged: Judged): void;
}
export type Entry = import("./entry.js").Entry;
export type Grammatical = import("./entry.js").Grammatical;
export type Commit = import("./entry.js").Commit;
export type Lock = import("./entry.js").Lock;
export type Finding = import("./findings.js").Finding;
export type Dealt = import("./round.js").Dealt;
export type Checks = import("./signatures.js").Checks;
/**
 * The state of a commitment.
 */
export type Course = {
    commit: Commit;
    /**
     * of the commit
     */
    index: number;
    /**
     * whether a round was locked, dealt or voided
     */
    used: boolean;
    /**
     * one more than the last nonce dealt or voided
     */
    next: number;
    /**
     * how many rounds were dealt or voided
     */
    rounds: number;
    /**
     * the open round
     */
    locked: {
        lock: Lock;
        index: number;
    } | null;
    ended: "revealed" | "voided" | null;
    /**
     * the deals that wait for the seed
     */
    deals: Dealt[];
};
/**
 * The result of judging one entry.
 */
export type Judged = {
    /**
     * some may be at the index of an earlier deal
     */
    findings: Finding[];
    effect: boolean;
    /**
     * of its commitment, if it has effect
     */
    course: Course | null;
    /**
     * of a deal with effect
     */
    dealt: Dealt | null;
    /**
     * the lock that a deal or a void with effect answers
     */
    answered: Lock | null;
    /**
     * a `split-view` that counts only if the log's files agree
     */
    onlyByRoot: Finding | null;
};
export type LifeOptions = {
    /**
     * of the log
     */
    origin: string;
    /**
     * whether entries may be left out
     */
    excerpt: boolean;
    /**
     * the root that the log had at a size, if
     * known
     */
    rootAt?: ((size: number) => string | null) | undefined;
    /**
     * whether no root is known, not even from an earlier `seen`
     */
    noRoots?: boolean | undefined;
};
