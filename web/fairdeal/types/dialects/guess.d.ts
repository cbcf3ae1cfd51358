/** A row among the rows of its file. */
export class Guess {
    /**
     * @param {Dialect} dialect
     * @param {Memory} memory
     * @param {(Round | null)[]} rounds of the whole file; null for rows that were not read
     * @param {number} at
     */
    constructor(dialect: Dialect, memory: Memory, rounds: (Round | null)[], at: number);
    dialect: import("./round.js").Dialect;
    memory: import("./round.js").Memory;
    rounds: (import("./round.js").Round | null)[];
    at: number;
    round: import("./round.js").Round;
    /** @type {number[] | null | undefined} */
    ownCards: number[] | null | undefined;
    /** @type {number[] | null | undefined} */
    ownPlaces: number[] | null | undefined;
    /** @param {Partial<Round>} columns @returns {boolean} */
    isValidWith(columns: Partial<Round>): boolean;
    /** @param {Scheme} scheme @returns {boolean} */
    isValidUnder(scheme: Scheme): boolean;
    /**
     * The row before or after, if it was read.
     * @param {"before" | "after"} which
     * @returns {Round | null}
     */
    neighbour(which: "before" | "after"): Round | null;
    /**
     * The nearest row with another value.
     * @param {"otherBefore" | "otherAfter"} which
     * @param {(round: Round) => unknown} value
     * @returns {Round | null}
     */
    otherNeighbour(which: "otherBefore" | "otherAfter", value: (round: Round) => unknown): Round | null;
    /** @param {number} count @returns {number[] | null} the first cards that the row's own seeds deal, or all of them */
    dealt(count: number): number[] | null;
    /** @returns {boolean} whether the scheme takes the row's seeds */
    isReadable(): boolean;
    /** @returns {bigint | null} the multiplier that the row's own seeds give */
    cents(): bigint | null;
    /** @returns {number | null} the 52 bits of a game's hash */
    number52(): number | null;
    /** @returns {boolean} */
    isValidFromEnd(): boolean;
    /**
     * Whether the row's cards follow if the deck was in another order. The positions of a deal do not
     * depend on that order.
     * @param {DeckOrder} order
     * @returns {boolean}
     */
    isValidOnDeck(order: DeckOrder): boolean;
    /**
     * Whether another dialect's scheme makes the row valid.
     * @param {Dialect} other
     * @returns {boolean}
     */
    isValidAs(other: Dialect): boolean;
}
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Scheme = import("./round.js").Scheme;
export type Memory = import("./round.js").Memory;
export type DeckOrder = import("./cards.js").DeckOrder;
