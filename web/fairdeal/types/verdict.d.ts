/**
 * Findings without an index in the order in which they were found, then by index; at one index, `tree-mismatch` first.
 * @param {ReceiptFinding[]} findings
 * @returns {ReceiptFinding[]}
 */
export function inOrder(findings: ReceiptFinding[]): ReceiptFinding[];
/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./receipt.js").Receipt} Receipt
 * @typedef {import("./receipt.js").ReceiptEntry} ReceiptEntry
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./opening.js").Placed} Placed
 * @typedef {import("./round.js").Dealt} Dealt
 */
/**
 * @typedef {object} ReceiptFinding
 * @property {string} code
 * @property {number} [index]
 * @property {string} says
 */
/**
 * A contribution in a verdict.
 * @typedef {object} JudgedContribution
 * @property {string} from
 * @property {string} [seed]
 * @property {string} [hash]
 * @property {{size: number, root: string}} [seen]
 * @property {string} [key]
 * @property {boolean} committed_first
 */
/**
 * The verdict of section 11.5. `spec/schema/verify.json` describes it.
 * @typedef {object} Verdict
 * @property {boolean} holds whether nothing was found, and every signature could be verified
 * @property {string[]} shown
 * @property {string[]} not_shown begins with `logged` if and only if this platform cannot verify
 *   the signatures; `error` gives the reason
 * @property {string[]} committed_first
 * @property {ReceiptFinding[]} findings
 * @property {string} [commitment]
 * @property {number} [nonce]
 * @property {JudgedContribution[]} [contributions]
 * @property {string} [cards]
 * @property {number[]} [indices]
 * @property {string} [digest]
 * @property {string} [seal]
 * @property {Placed[]} [placed]
 * @property {{t: number, item: number, card?: string, seat?: string}[]} [opened]
 * @property {string} [table]
 * @property {number} [time]
 * @property {{code: "unavailable", says: string}} [error]
 */
/** One file under a key, judged step by step. */
export class Judgement {
    /**
     * @param {import("./key.js").Key} key
     * @param {Json} file
     */
    constructor(key: import("./key.js").Key, file: Json);
    key: import("./key.js").Key;
    /** @type {ReceiptFinding[]} */
    findings: ReceiptFinding[];
    /** Null if the file is an `invalid-receipt`. @type {Receipt | null} */
    receipt: Receipt | null;
    /** @type {import("./checkpoint.js").Checkpoint | null} */
    checkpoint: import("./checkpoint.js").Checkpoint | null;
    /**
     * Whether the key signed the checkpoint, and all entries are under it; null if this platform
     * cannot verify that.
     * @type {boolean | null}
     */
    logged: boolean | null;
    unknown: boolean;
    /** The sizes whose consistency is proved. @type {Map<number, string>} */
    proved: Map<number, string>;
    /** @type {import("./signatures.js").Checks[]} */
    checks: import("./signatures.js").Checks[];
    /** @type {import("./life.js").Course | null} */
    course: import("./life.js").Course | null;
    /** @type {Dealt | null} */
    dealt: Dealt | null;
    /** @type {{lock: import("./entry.js").Lock, index: number} | null} */
    locked: {
        lock: import("./entry.js").Lock;
        index: number;
    } | null;
    /** Whether the cards of an opening belong to the seal. */
    opened: boolean;
    /**
     * An entry has each code at most once.
     * @param {string} code
     * @param {number | undefined} index
     * @param {string} says
     */
    find(code: string, index: number | undefined, says: string): void;
    /** Steps 2 to 6, without the seat. */
    judge(): Promise<void>;
    /** @param {Receipt} receipt */
    proofs({ entries, seen }: Receipt): void;
    /**
     * Steps 4 and 5.
     * @param {Receipt} receipt
     */
    life({ entries }: Receipt): void;
    /**
     * Step 6.
     * @param {Receipt} receipt
     */
    cards({ opening }: Receipt): void;
    /** The round: the nonce of its entries, if the commit has effect. @returns {number | null} */
    get nonce(): number | null;
    /** The commitment of the first entry, if it is a commit. @returns {string | null} */
    get commitment(): string | null;
    /** @returns {import("./mine.js").Round} */
    round(): import("./mine.js").Round;
    /** Who gets which card; absent if section 12.2 says so. @returns {Placed[] | undefined} */
    placed(): Placed[] | undefined;
    /**
     * Judges the seat of an opening.
     * @param {string} seat
     * @param {Placed[] | undefined} places
     */
    seat(seat: string, places: Placed[] | undefined): void;
    /**
     * The contributions that were tied to the commitment after it was published.
     * @param {import("./mine.js").Round} round
     * @returns {boolean[]}
     */
    committedFirst({ contributions, opened, index }: import("./mine.js").Round): boolean[];
    /**
     * Steps 7 and 8: the verdict.
     * @param {readonly Kept[]} mine
     * @param {ReadonlyMap<string, string>} players
     * @param {string | undefined} seat
     * @returns {Verdict}
     */
    verdict(mine: readonly Kept[], players: ReadonlyMap<string, string>, seat: string | undefined): Verdict;
}
export type Json = import("./json.js").Json;
export type Receipt = import("./receipt.js").Receipt;
export type ReceiptEntry = import("./receipt.js").ReceiptEntry;
export type Kept = import("./mine.js").Kept;
export type Placed = import("./opening.js").Placed;
export type Dealt = import("./round.js").Dealt;
export type ReceiptFinding = {
    code: string;
    index?: number | undefined;
    says: string;
};
/**
 * A contribution in a verdict.
 */
export type JudgedContribution = {
    from: string;
    seed?: string | undefined;
    hash?: string | undefined;
    seen?: {
        size: number;
        root: string;
    } | undefined;
    key?: string | undefined;
    committed_first: boolean;
};
/**
 * The verdict of section 11.5. `spec/schema/verify.json` describes it.
 */
export type Verdict = {
    /**
     * whether nothing was found, and every signature could be verified
     */
    holds: boolean;
    shown: string[];
    /**
     * begins with `logged` if and only if this platform cannot verify
     * the signatures; `error` gives the reason
     */
    not_shown: string[];
    committed_first: string[];
    findings: ReceiptFinding[];
    commitment?: string | undefined;
    nonce?: number | undefined;
    contributions?: JudgedContribution[] | undefined;
    cards?: string | undefined;
    indices?: number[] | undefined;
    digest?: string | undefined;
    seal?: string | undefined;
    placed?: import("./opening.js").Placed[] | undefined;
    opened?: {
        t: number;
        item: number;
        card?: string;
        seat?: string;
    }[] | undefined;
    table?: string | undefined;
    time?: number | undefined;
    error?: {
        code: "unavailable";
        says: string;
    } | undefined;
};
