/**
 * The kind of each card of a named deck: copies of a card are of one kind.
 * @param {string} name
 * @returns {Uint8Array}
 */
export function kindsOf(name: string): Uint8Array;
/**
 * A kind's text.
 * @param {number} kind
 * @returns {string}
 */
export function kindText(kind: number): string;
/**
 * The cards of a named deck.
 * @param {unknown} name
 * @returns {readonly string[]}
 * @throws {Refused} `deck`
 */
export function cardsOf(name: unknown): readonly string[];
/**
 * How many items a deck has.
 * @param {string | ListDeck} deck
 * @returns {number}
 * @throws {Refused} `deck` or `items`
 */
export function itemsOf(deck: string | ListDeck): number;
/**
 * @param {unknown} value
 * @returns {value is number}
 */
export function isCount(value: unknown): value is number;
/**
 * The kinds of the cards in a result's text, or null if it is not one or more cards of some named deck.
 * @param {unknown} text
 * @returns {Uint8Array | null}
 */
export function readCards(text: unknown): Uint8Array | null;
/**
 * The items of a list's file.
 * @param {Uint8Array} bytes
 * @returns {string[]}
 * @throws {Refused} `list`
 */
export function readList(bytes: Uint8Array): string[];
/**
 * The items of a list's file, if it is the list that a deck names.
 * @param {Uint8Array} bytes
 * @param {ListDeck} deck
 * @returns {string[]}
 * @throws {Refused} `list` or `list-mismatch`
 */
export function readListOf(bytes: Uint8Array, deck: ListDeck): string[];
/**
 * Whether a value names a deck, as the grammar of a commit asks.
 * @param {unknown} value
 * @returns {value is string | ListDeck}
 */
export function isDeck(value: unknown): value is string | ListDeck;
/**
 * The cards of each named deck, in its initial order.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
export const DECKS: ReadonlyMap<string, readonly string[]>;
/**
 * A list by its number of lines and the SHA-256 of its file.
 */
export type ListDeck = {
    count: number;
    /**
     * hexadecimal
     */
    sha256: string;
};
