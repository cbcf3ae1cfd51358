/**
 * The receipts and openings in a message, in its order: a document, an answer of the service, or
 * the game server's own object or array that holds documents.
 * @param {string | Uint8Array | object} given
 * @param {(commitment: string, nonce: number) => JsonObject | null} receiptOf the receipt of a
 *   known round: a server need not send it again with each card
 * @returns {{file: JsonObject, text: string}[]}
 * @throws {import("./refused.js").Refused} `unavailable`, if it is not JSON
 */
export function documentsIn(given: string | Uint8Array | object, receiptOf: (commitment: string, nonce: number) => JsonObject | null): {
    file: JsonObject;
    text: string;
}[];
export type Json = import("./json.js").Json;
export type JsonObject = import("./json.js").JsonObject;
