/**
 * A seat of a player. Attributes: `log`, the address of the log's service, or empty; `key`, the log's verifier key; `from`, the
 * player's label, a random one if it is missing; `lang`. The event `verdict` says what is known, in its `detail`.
 */
export class FairdealSeat extends HTMLElement {
    root: ShadowRoot;
    /** Where the kit keeps what it knows; set it before the first call. @type {import("./storage.js").Storage | undefined} */
    storage: import("./storage.js").Storage | undefined;
    /** @type {Promise<import("./player.js").Seat> | undefined} */
    coming: Promise<import("./player.js").Seat> | undefined;
    /** @type {import("./player.js").Seat | undefined} */
    known: import("./player.js").Seat | undefined;
    label: string;
    /** Whether this element has left its page, and the seat with it. */
    left: boolean;
    connectedCallback(): void;
    disconnectedCallback(): void;
    /** The player's label. @returns {string} */
    get from(): string;
    /** The seat behind this element. @returns {Promise<import("./player.js").Seat>} */
    seat(): Promise<import("./player.js").Seat>;
    start(): Promise<import("./player.js").Seat>;
    /**
     * Makes what to give for a round.
     * @param {import("./player.js").ContributeInput} input
     * @returns {Promise<any>}
     */
    contribute(input: import("./player.js").ContributeInput): Promise<any>;
    /**
     * Takes what the game's server passes on, and gives what to send back, if anything.
     * @param {string | Uint8Array | object} message
     * @returns {Promise<object | null>}
     */
    receive(message: string | Uint8Array | object): Promise<object | null>;
    /** Everything that is known, in one file. @param {{all?: boolean}} [options] @returns {Promise<string>} */
    export(options?: {
        all?: boolean;
    }): Promise<string>;
    /** What is known so far. @returns {import("./player.js").SeatState} */
    get state(): import("./player.js").SeatState;
    /** This player's cards. @returns {import("./player.js").PlacedCard[]} */
    get cards(): import("./player.js").PlacedCard[];
    /** Every card that is known. @returns {import("./player.js").PlacedCard[]} */
    get places(): import("./player.js").PlacedCard[];
    /** @param {import("./player.js").SeatState} state */
    draw(state: import("./player.js").SeatState): void;
    /**
     * @param {string} state
     * @param {string} language
     * @returns {HTMLButtonElement}
     */
    saver(state: string, language: string): HTMLButtonElement;
    /** What the file is called that is handed over. @returns {string} */
    fileName(): string;
    /** Hands the file over. */
    save(): Promise<void>;
}
