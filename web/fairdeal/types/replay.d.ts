/**
 * Derives a deal from its seeds.
 * @param {ReplayInput} input
 * @returns {Replayed}
 * @throws {import("./refused.js").Refused} with the code of the refused input: `server-seed`,
 *   `nonce`, `contributions`, `from`, `seed`, `duplicate-from`, `deck`, `items`, `draw`, `method`
 */
export function replay(input: ReplayInput): Replayed;
/**
 * The seeds and the terms of a deal.
 */
export type ReplayInput = {
    /**
     * 64 lowercase hexadecimal digits, or 32 bytes
     */
    serverSeed: string | Uint8Array;
    /**
     * the number of the round under its commitment
     */
    nonce: number;
    /**
     * of the players
     */
    contributions?: readonly import("./contribution.js").Clear[] | undefined;
    /**
     * a deck's name, a list, or a
     * number of items; `standard-52` by default
     */
    deck?: string | number | import("./deck.js").ListDeck | undefined;
    /**
     * how many items are dealt; all by default
     */
    draw?: number | undefined;
    /**
     * `shuffle` by default
     */
    method?: import("./shuffle.js").Method | undefined;
    /**
     * whether to compute the seal, the card seals and the salts
     */
    sealed?: boolean | undefined;
    /**
     * of a drand round, in hexadecimal: the SHA-256 of its signature
     */
    randomness?: string | undefined;
    /**
     * whether to list every draw
     */
    trace?: boolean | undefined;
};
/**
 * A word, and the choice that it made.
 */
export type Step = {
    word: number;
    /**
     * the choice has the values 0 to range − 1
     */
    range: number;
    rejected: boolean;
    value?: number | undefined;
    /**
     * the two positions
     */
    swap?: number[] | undefined;
    /**
     * after the swap
     */
    deck?: string | number[] | undefined;
};
/**
 * A deal, from its seeds. `spec/schema/replay.json` describes it.
 */
export type Replayed = {
    commitment: string;
    nonce: number;
    key: string;
    /**
     * the cards in deal order; absent if the deck is a list
     */
    cards?: string | undefined;
    /**
     * the numbers of the items, if the deck is a list
     */
    indices?: number[] | undefined;
    /**
     * of the numbers, if a log does not list so many
     */
    digest?: string | undefined;
    /**
     * every word drawn, also the rejected ones
     */
    words: number[];
    /**
     * how many were rejected
     */
    rejected: number;
    seal?: string | undefined;
    card_seals?: string[] | undefined;
    salts?: string[] | undefined;
    steps?: Step[] | undefined;
};
