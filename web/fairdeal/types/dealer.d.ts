/**
 * A dealer at a service.
 * @param {Client} client with a token that may write
 * @param {{key?: string}} [options] `key`, the log's verifier key: without it, a player who forges what they saw stops a round
 * @returns {Dealer}
 */
export function dealer(client: Client, options?: {
    key?: string;
}): Dealer;
/** Too few players are left. */
export class NobodyLeft extends Error {
    /** @param {string[]} absent */
    constructor(absent: string[]);
    absent: string[];
}
/** Deals rounds at the tables of a service. */
export class Dealer {
    /**
     * @param {Client} client with a token that may write
     * @param {{key?: string}} [options]
     */
    constructor(client: Client, options?: {
        key?: string;
    });
    client: import("./client.js").Client;
    key: import("./key.js").Key | null;
    /** @type {Promise<string> | undefined} */
    coming: Promise<string> | undefined;
    /** What players sign for: the log's name. @returns {Promise<string>} */
    origin(): Promise<string>;
    /**
     * Deals one round. When a player does not open in time, the round is voided and blamed on them, and the others go on with
     * the next one: they bring new seeds, because some of theirs are known now.
     * @param {RoundInput} input
     * @returns {Promise<Round>}
     * @throws {NobodyLeft} once fewer than `fewest` players answer
     */
    round(input: RoundInput): Promise<Round>;
    /**
     * The table's next round. A round that a program left locked when it ended is voided.
     * @param {string} table
     * @param {RoundVoid | undefined} before the void that goes with the next lock
     * @returns {Promise<{commitment: string, nonce: number, signed: boolean}>}
     */
    next(table: string, before: RoundVoid | undefined): Promise<{
        commitment: string;
        nonce: number;
        signed: boolean;
    }>;
    /**
     * Locks and deals.
     * @param {RoundInput} input
     * @param {{commitment: string, nonce: number}} at
     * @param {string[]} seats
     * @param {Map<string, Given>} given
     * @param {RoundVoid | undefined} before
     * @returns {Promise<{lock: EntryAnswer, deal: EntryAnswer} | {absent: string[], locked: boolean}>}
     */
    play(input: RoundInput, { commitment, nonce }: {
        commitment: string;
        nonce: number;
    }, seats: string[], given: Map<string, Given>, before: RoundVoid | undefined): Promise<{
        lock: EntryAnswer;
        deal: EntryAnswer;
    } | {
        absent: string[];
        locked: boolean;
    }>;
    /**
     * @param {string} commitment
     * @param {RoundVoid} request
     * @param {RoundInput} input
     */
    void(commitment: string, request: RoundVoid, { tell }: RoundInput): Promise<void>;
    /**
     * Asks all players at once. Who fails, says nothing, says something wrong, or is late has not answered.
     * @param {string[]} players
     * @param {RoundInput} input
     * @param {Omit<Question, "player" | "signal">} question
     * @param {(answer: unknown, player: string) => Promise<Given | null>} check nobody answers for another seat
     * @param {Record<string, Given>} [known] answers that are here already
     * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
     */
    collect(players: string[], { ask, timeouts }: RoundInput, question: Omit<Question, "player" | "signal">, check: (answer: unknown, player: string) => Promise<Given | null>, known?: Record<string, Given>): Promise<Map<string, Given>>;
}
export type Client = import("./client.js").Client;
export type EntryAnswer = import("./client.js").EntryAnswer;
export type Given = import("./client.js").Given;
export type RoundVoid = import("./client.js").RoundVoid;
/**
 * What a player is asked.
 */
export type Question = {
    /**
     * `contribute`: what `seat.contribute` gives; `open`: what `seat.receive` gives for `lock`
     */
    ask: "contribute" | "open";
    player: string;
    commitment: string;
    nonce: number;
    seats: string[];
    /**
     * the lock's receipt, for `open`
     */
    lock?: Record<string, unknown> | undefined;
    /**
     * aborted once it is too late to answer
     */
    signal: AbortSignal;
};
export type RoundInput = {
    /**
     * where the open commitment is looked up
     */
    table: string;
    /**
     * the label of each, in the order of their seats. Those who do not answer are left out of the next try
     */
    players: string[];
    ask: (question: Question) => Promise<Given | null | undefined>;
    /**
     * milliseconds for each answer; 15,000 if they are not given
     */
    timeouts?: {
        contribute?: number;
        open?: number;
    } | undefined;
    /**
     * those that are here already: players can give the next round's with this one
     */
    hashes?: Record<string, import("./client.js").Given> | undefined;
    /**
     * how many players a round needs; 1 if it is not given
     */
    fewest?: number | undefined;
    /**
     * sealed cards that are opened with the deal
     */
    show?: number[] | undefined;
    /**
     * whether everybody may see them
     */
    everybody?: boolean | undefined;
    /**
     * whether the table's next commitment follows
     */
    next?: boolean | undefined;
    /**
     * hears of each entry as it is logged
     */
    tell?: ((name: "lock" | "void" | "deal", answer: EntryAnswer) => void) | undefined;
};
export type Round = {
    commitment: string;
    nonce: number;
    /**
     * those who were dealt to
     */
    seats: string[];
    /**
     * those who did not answer, in the order in which that was noticed
     */
    absent: string[];
    lock: EntryAnswer;
    deal: EntryAnswer;
};
