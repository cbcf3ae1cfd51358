/**
 * A seat of a player. Attributes: `log`, the address of the log's service, or empty; `key`, the
 * log's verifier key; `from`, the player's label, random by default; `lang`. The event `verdict`
 * has the state as its `detail`.
 */
export class FairdealSeat extends HTMLElement {
    root: ShadowRoot;
    /**
     * The storage of the kit; set it before the first call.
     * @type {import("./storage.js").Storage | undefined}
     */
    storage: import("./storage.js").Storage | undefined;
    /** @type {Promise<import("./player.js").Seat> | undefined} */
    coming: Promise<import("./player.js").Seat> | undefined;
    /** @type {import("./player.js").Seat | undefined} */
    known: import("./player.js").Seat | undefined;
    label: string;
    /** Whether this element was removed from its page, which closes the seat. */
    left: boolean;
    connectedCallback(): void;
    disconnectedCallback(): void;
    /** The player's label. @returns {string} */
    get from(): string;
    /** The seat behind this element. @returns {Promise<import("./player.js").Seat>} */
    seat(): Promise<import("./player.js").Seat>;
    start(): Promise<import("./player.js").Seat>;
    /**
     * Makes a contribution for a round.
     * @param {import("./player.js").ContributeInput} input
     * @returns {Promise<any>}
     */
    contribute(input: import("./player.js").ContributeInput): Promise<any>;
    /**
     * Takes a message of the game's server, and returns the reply, or null.
     * @param {string | Uint8Array | object} message
     * @returns {Promise<object | null>}
     */
    receive(message: string | Uint8Array | object): Promise<object | null>;
    /**
     * All records of the seat, in one file.
     * @param {{all?: boolean}} [options]
     * @returns {Promise<string>}
     */
    export(options?: {
        all?: boolean;
    }): Promise<string>;
    /** The present state. @returns {import("./player.js").SeatState} */
    get state(): import("./player.js").SeatState;
    /** This player's cards. @returns {import("./player.js").PlacedCard[]} */
    get cards(): import("./player.js").PlacedCard[];
    /** All known cards. @returns {import("./player.js").PlacedCard[]} */
    get places(): import("./player.js").PlacedCard[];
    /** @param {import("./player.js").SeatState} state */
    draw(state: import("./player.js").SeatState): void;
    /**
     * @param {string} state
     * @param {string} language
     * @returns {HTMLButtonElement}
     */
    saver(state: string, language: string): HTMLButtonElement;
    /** The name of the exported file. @returns {string} */
    fileName(): string;
    /** Saves the exported file. */
    save(): Promise<void>;
}
