/**
 * The receipts and openings in a message, in its order: a document itself, an answer of the service, or an object or array of
 * the server's own that holds some.
 * @param {string | Uint8Array | object} given
 * @param {(commitment: string, nonce: number) => JsonObject | null} receiptOf the receipt of a round that is known already: a
 *   server need not send it again with each card
 * @returns {{file: JsonObject, text: string}[]}
 * @throws {import("./refused.js").Refused} `unavailable`, if it is no JSON
 */
export function documentsIn(given: string | Uint8Array | object, receiptOf: (commitment: string, nonce: number) => JsonObject | null): {
    file: JsonObject;
    text: string;
}[];
export type Json = import("./json.js").Json;
export type JsonObject = import("./json.js").JsonObject;
