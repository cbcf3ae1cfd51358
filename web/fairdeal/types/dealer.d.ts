/**
 * A dealer at a service.
 * @param {Client} client with a token that may write
 * @param {{key?: string}} [options] `key`, the log's verifier key: without it, a player with a
 *   forged `seen` stops a round
 * @returns {Dealer}
 */
export function dealer(client: Client, options?: {
    key?: string;
}): Dealer;
/** Too few players answered. */
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
    /** The name of the log, which players sign. @returns {Promise<string>} */
    origin(): Promise<string>;
    /**
     * Deals one round. When a player does not open in time, the round is voided with blame, and the
     * others play the next round: they bring new seeds, because some of their seeds are known now.
     * @param {RoundInput} input
     * @returns {Promise<Round>}
     * @throws {NobodyLeft} if fewer than `fewest` players answer
     */
    round(input: RoundInput): Promise<Round>;
    /**
     * The table's next round. A round that an earlier program left locked is voided.
     * @param {string} table
     * @param {RoundVoid | undefined} before the void that is sent with the next lock
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
     * Asks all players at once. A player whose call fails, or whose answer is missing, wrong or late,
     * has not answered.
     * @param {string[]} players
     * @param {RoundInput} input
     * @param {Omit<Question, "player" | "signal">} question
     * @param {(answer: unknown, player: string) => Promise<Given | null>} check refuses an answer for
     *   another seat
     * @param {Record<string, Given>} [known] answers received before
     * @returns {Promise<Map<string, Given>>} by player, in the order of the seats
     */
    collect(players: string[], { ask, timeouts }: RoundInput, question: Omit<Question, "player" | "signal">, check: (answer: unknown, player: string) => Promise<Given | null>, known?: Record<string, Given>): Promise<Map<string, Given>>;
}
export type Client = import("./client.js").Client;
export type EntryAnswer = import("./client.js").EntryAnswer;
export type Given = import("./client.js").Given;
export type RoundVoid = import("./client.js").RoundVoid;
/**
 * A question to a player.
 */
export type Question = {
    /**
     * `contribute`: answer with the result of `seat.contribute`;
     * `open`: with that of `seat.receive` for `lock`
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
     * aborted when it is too late to answer
     */
    signal: AbortSignal;
};
export type RoundInput = {
    /**
     * its open commitment is used
     */
    table: string;
    /**
     * the label of each, in the order of their seats. Players who do not
     * answer are left out of the next try
     */
    players: string[];
    ask: (question: Question) => Promise<Given | null | undefined>;
    /**
     * milliseconds for each answer; 15,000
     * by default
     */
    timeouts?: {
        contribute?: number;
        open?: number;
    } | undefined;
    /**
     * hashes received before: players can give the next
     * round's hash with this one
     */
    hashes?: Record<string, import("./client.js").Given> | undefined;
    /**
     * the minimum number of players of a round; 1 by default
     */
    fewest?: number | undefined;
    /**
     * sealed cards that are opened with the deal
     */
    show?: number[] | undefined;
    /**
     * whether these cards are opened for everybody
     */
    everybody?: boolean | undefined;
    /**
     * whether the table gets a next commitment
     */
    next?: boolean | undefined;
    /**
     * called for each
     * entry when it is logged
     */
    tell?: ((name: "lock" | "void" | "deal", answer: EntryAnswer) => void) | undefined;
};
export type Round = {
    commitment: string;
    nonce: number;
    /**
     * the players who were dealt cards
     */
    seats: string[];
    /**
     * the players who did not answer, in the order in which that was
     * noticed
     */
    absent: string[];
    lock: EntryAnswer;
    deal: EntryAnswer;
};
