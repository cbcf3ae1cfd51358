export type Card = import("./cards.js").Card;
export type Decimal = import("./values.js").Decimal;
export type Walk = import("./walk.js").Walk;
export type Numbers = import("./numbers.js").Numbers;
export type Keys = import("./numbers.js").Keys;
export type Chain = import("./chain.js").Chain;
export type DeckOrder = import("./cards.js").DeckOrder;
export type Cells = import("./columns.js").Cells;
/**
 * One row, read. `deal` has the dialect's own columns.
 */
export type Round = {
    /**
     * empty if it is not given
     */
    serverSeed: string;
    /**
     * 64 digits in lower case
     */
    commitment: string | null;
    clientSeed: string | null;
    nonce: number | null;
    cards: Card[] | null;
    full: boolean;
    result: Decimal | null;
    held: Card[] | null;
    final: Card[] | null;
    gameId: number | null;
    chainSteps: number | null;
    deal: import("./fairdeal-v1.js").Deal | null;
    /**
     * as given: another dialect may read them differently
     */
    cells: Cells;
};
/**
 * The choices of a scheme, so that a verifier can try other choices: whether seeds are used as
 * text, which seed is the HMAC's key, and for cards the walk.
 */
export type Scheme = {
    /**
     * how the server seed enters the HMAC
     */
    seed: "text" | "decoded" | "lower" | "upper";
    /**
     * whether it is the key or in the message
     */
    role: "key" | "message";
    walk?: import("./walk.js").Walk | undefined;
    numbers?: import("./numbers.js").Numbers | undefined;
    deck?: import("./cards.js").DeckOrder | undefined;
    /**
     * decks in the shoe
     */
    copies?: number | undefined;
};
/**
 * The outcome of the seeds: cards in deal order, or hundredths, or nothing, with the reason.
 */
export type Outcome = {
    cards: Card[];
    size: number | null;
} | {
    cents: bigint;
} | {
    none: string;
};
/**
 * Data that a check keeps from row to row.
 */
export type Memory = {
    keys: Keys;
    chain: Chain | null;
    steps: number;
};
export type Committed = "hash-text" | "hash-decoded" | "chain" | "no-rule";
/**
 * One scheme.
 */
export type Dialect = {
    name: string;
    title: string;
    covers: string;
    source: string;
    columns: string[];
    kind: "cards" | "multiplier";
    /**
     * hexadecimal digits of a server seed; null if any text is a
     * seed
     */
    seedDigits: number | null;
    committed: Committed;
    /**
     * the end of a published chain
     */
    published: string | null;
    /**
     * the use of a server seed
     */
    reuse: "seeds" | "rounds" | "chain" | "unknown-chain" | "log";
    scheme: Scheme;
    /**
     * refuses a row without the columns that
     * the dialect needs
     */
    require: (cells: Cells, round: Round) => void;
    outcome: (round: Round, count: number, scheme: Scheme, memory: Memory) => Outcome;
    /**
     * a further result-mismatch
     */
    alsoWrong?: ((round: Round) => string | null) | undefined;
    /**
     * a further result-mismatch of the cards
     */
    alsoWrongCards?: ((round: Round, dealt: Card[]) => string | null) | undefined;
    limits: import("./limits.js").Limits;
};
