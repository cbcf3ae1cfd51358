/**
 * Reads a file as JSON.
 * @param {string | Uint8Array | object} input its text, its bytes, or the result of `JSON.parse`
 * @returns {Json}
 * @throws {Refused} `unavailable`
 */
export function readFile(input: string | Uint8Array | object): Json;
/**
 * The text or the bytes of a file that was given as text, bytes or an object.
 * @param {unknown} input
 * @returns {string | Uint8Array}
 * @throws {Refused} `json`, if it is an object that has no JSON
 */
export function fileOf(input: unknown): string | Uint8Array;
/**
 * A receipt or an opening, if it is one.
 * @param {Json} value
 * @returns {Receipt}
 * @throws {Refused} `invalid-receipt`
 */
export function readReceipt(value: Json): Receipt;
export type Json = import("./json.js").Json;
export type JsonObject = import("./json.js").JsonObject;
export type ReceiptEntry = {
    index: number;
    bytes: Uint8Array;
    proof: Uint8Array[];
    read: import("./entry.js").Entry;
};
export type OpenedCard = {
    t: number;
    item: number;
    salt: Uint8Array;
};
export type Receipt = {
    entries: ReceiptEntry[];
    /**
     * a signed note
     */
    checkpoint: Uint8Array;
    seen: {
        size: number;
        root: string;
        proof: Uint8Array[];
    }[];
    /**
     * the card seals one after the other
     */
    opening: {
        cardSeals: Uint8Array;
        opened: OpenedCard[];
    } | null;
};
