// Finds the receipts and openings in a message of a game's server, at any depth.

import { canonical } from "./jcs.js";
import { isObject } from "./json.js";
import { readFile } from "./receipt.js";
import { Refused } from "./refused.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./json.js").JsonObject} JsonObject
 */

/** The maximum depth of a message. */
const DEEPEST = 4;
/** Each document is compared with all others of its round: very many would stop the page. */
const MOST_DOCUMENTS = 100;

/**
 * The receipts and openings in a message, in its order: a document, an answer of the service, or
 * the game server's own object or array that holds documents.
 * @param {string | Uint8Array | object} given
 * @param {(commitment: string, nonce: number) => JsonObject | null} receiptOf the receipt of a
 *   known round: a server need not send it again with each card
 * @returns {{file: JsonObject, text: string}[]}
 * @throws {Refused} `unavailable`, if it is not JSON; `message`, if it has too many documents
 */
export function documentsIn(given, receiptOf) {
  /** @type {JsonObject[]} */
  const found = [];
  collect(readFile(given), receiptOf, found, 0);
  if (found.length > MOST_DOCUMENTS) {
    const says = `a message has at most ${MOST_DOCUMENTS} receipts and openings; found ${found.length}: send several messages`;
    throw new Refused("message", says);
  }
  return found.map((file) => ({ file, text: canonical(file) }));
}

/**
 * @param {Json} value
 * @param {(commitment: string, nonce: number) => JsonObject | null} receiptOf
 * @param {JsonObject[]} found
 * @param {number} depth
 */
function collect(value, receiptOf, found, depth) {
  if (depth > DEEPEST) return;
  if (Array.isArray(value))
    return value.forEach((each) => collect(each, receiptOf, found, depth + 1));
  if (!isObject(value)) return;
  if (typeof value.format === "string") return void found.push(value);
  const opening = openingOf(value, receiptOf);
  if (opening !== null) found.push(opening);
  for (const [name, inner] of Object.entries(value)) {
    if (opening !== null && name === "receipt") continue;
    collect(inner, receiptOf, found, depth + 1);
  }
}

/**
 * The opening in the members of an answer of the service: to a deal with `open`, or of a round with
 * public cards.
 * @param {JsonObject} answer
 * @param {(commitment: string, nonce: number) => JsonObject | null} receiptOf
 * @returns {JsonObject | null}
 */
function openingOf({ opened, card_seals, receipt, commitment, nonce }, receiptOf) {
  if (!Array.isArray(opened) || opened.length === 0 || !Array.isArray(card_seals)) return null;
  const known =
    receipt ??
    (typeof commitment === "string" && typeof nonce === "number"
      ? receiptOf(commitment, nonce)
      : null);
  return isObject(known)
    ? { format: "fairdeal/opening/v1", receipt: known, card_seals, opened }
    : null;
}
