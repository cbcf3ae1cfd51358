// The parts of a receipt, for display. This module claims nothing and makes no verdict.

import { replay } from "../fairdeal/index.js";
import { utf8 } from "../fairdeal/bytes.js";
import { otherSigner } from "../fairdeal/checkpoint.js";
import { readJson } from "../fairdeal/json.js";
import { readKey } from "../fairdeal/key.js";
import { readNote } from "../fairdeal/note.js";
import { readFile } from "../fairdeal/receipt.js";
import { digestOf } from "../fairdeal/result.js";

/** @typedef {import("../fairdeal/index.js").ReplayInput} ReplayInput */

/**
 * @typedef {object} DossierEntry
 * @property {number} index
 * @property {string} bytes
 * @property {string} kind "commit", "lock", "deal", "void", "reveal", or "" if it is unknown
 * @property {string[]} proof
 */

/**
 * @typedef {object} Expected
 * @property {string[]} [cards] that the seeds give
 * @property {number[]} [indices]
 * @property {string} [digest]
 * @property {string} [seal]
 * @property {number[]} differs the places at which the log has another item
 */

/**
 * @typedef {object} Dossier
 * @property {boolean} opening
 * @property {DossierEntry[]} entries
 * @property {string} checkpoint
 * @property {string} origin that the file claims
 * @property {string} size of the log at this checkpoint
 * @property {any} commit the fields of the commit, or null
 * @property {any} lock
 * @property {any} deal
 * @property {any} voided
 * @property {any} reveal
 * @property {ReplayInput | null} replay the inputs that deal the round again, if the seed is
 *   revealed
 * @property {Expected | null} expected
 * @property {string[] | null} sealed the card seals of an opening
 * @property {{is: "log" | "key", theirs: string, yours: string} | null} otherKey if the file is
 *   of another log than your key: their names; if it names another key with the name of yours:
 *   their IDs
 */

/**
 * @param {Uint8Array} bytes
 * @param {string} [key] the reader's verifier key
 * @returns {Dossier | null} null if the file is not a receipt
 */
export function dossier(bytes, key) {
  try {
    return dossierOf(readFile(bytes), key);
  } catch {
    return null;
  }
}

/**
 * @param {any} value of the file
 * @param {string} [key] the reader's verifier key
 * @returns {Dossier | null} null if the file is not a receipt
 */
export function dossierOf(value, key) {
  try {
    const opening = value.format === "fairdeal/opening/v1";
    const taken = take(opening ? value.receipt : value, opening ? value : null);
    return { ...taken, otherKey: key === undefined ? null : otherKey(taken.checkpoint, key) };
  } catch {
    return null;
  }
}

/**
 * @param {any} receipt
 * @param {any} opening
 * @returns {Dossier}
 */
function take(receipt, opening) {
  /** @type {DossierEntry[]} */
  const entries = receipt.entries.map((/** @type {any} */ { index, entry, proof }) => ({
    index: Number(index),
    bytes: String(entry),
    proof: proof.map(String),
    kind: fields(entry)?.entry ?? "",
  }));
  /** @param {string} kind */
  const the = (kind) => fields(entries.find((each) => each.kind === kind)?.bytes ?? "null");
  const [commit, lock, deal, voided, reveal] = ["commit", "lock", "deal", "void", "reveal"].map(
    the,
  );
  const checkpoint = String(receipt.checkpoint);
  const [origin, size] = checkpoint.split("\n");
  const input = dealtAgain(commit, lock, deal, reveal);
  return {
    opening: opening !== null,
    entries,
    checkpoint,
    origin: origin ?? "",
    size: size ?? "",
    commit,
    lock,
    deal,
    voided,
    reveal,
    replay: input,
    expected: input === null ? null : expectedOf(input, deal),
    sealed: opening === null ? null : opening.card_seals.map(String),
    otherKey: null,
  };
}

/**
 * @param {string} checkpoint
 * @param {string} text
 * @returns {Dossier["otherKey"]}
 */
function otherKey(checkpoint, text) {
  try {
    const key = readKey(text);
    const note = readNote(utf8(checkpoint));
    const origin = note.text.split("\n", 1)[0];
    if (origin !== key.name) return { is: "log", theirs: origin, yours: key.name };
    const other = otherSigner(note, key);
    return other === null ? null : { is: "key", theirs: other.slice(-8), yours: key.id };
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @returns {any}
 */
function fields(text) {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

/**
 * @param {any} commit
 * @param {any} lock
 * @param {any} deal
 * @param {any} reveal
 * @returns {ReplayInput | null}
 */
function dealtAgain(commit, lock, deal, reveal) {
  if (commit === null || deal === null || reveal === null || deal.beacon !== undefined) return null;
  /** @type {Map<string, string>} */
  const opened = new Map(
    (deal.opened ?? []).map((/** @type {any} */ { from, seed }) => [from, seed]),
  );
  const brought = (lock ?? deal).contributions ?? [];
  const contributions = brought.map((/** @type {any} */ { from, seed, seen }) => ({
    from,
    seed: seed ?? opened.get(from),
    ...(seen === undefined ? {} : { seen: { size: seen.size, root: seen.root } }),
  }));
  if (contributions.some((/** @type {any} */ { seed }) => typeof seed !== "string")) return null;
  const { deck, draw, method, sealed } = commit;
  return {
    serverSeed: reveal.server_seed,
    nonce: deal.nonce,
    contributions,
    deck: typeof deck === "string" ? deck : deck.count,
    draw,
    method,
    sealed,
  };
}

/**
 * @param {ReplayInput} input
 * @param {any} deal
 * @returns {Expected | null}
 */
function expectedOf(input, deal) {
  try {
    const { cards, indices, seal } = replay(input);
    const found = deal.result;
    if (cards !== undefined) {
      const ours = pairs(cards);
      const theirs = typeof found.cards === "string" ? pairs(found.cards) : null;
      return {
        cards: ours,
        differs: theirs === null ? [] : differences(ours, theirs),
        ...(seal === undefined ? {} : { seal }),
      };
    }
    const ours = indices ?? [];
    // A long result is logged as its digest only, and the digests are compared.
    if (typeof found.digest === "string")
      return { digest: digestOf(Uint32Array.from(ours)), differs: [] };
    const sealed = seal === undefined ? {} : { seal };
    // Only a result of the same length is compared: hostile evidence can have thousands of decks
    // with a million items each.
    if (found.indices?.length !== ours.length) return { differs: [], ...sealed };
    return { indices: ours, differs: differences(ours, found.indices), ...sealed };
  } catch {
    return null;
  }
}

/** @param {string} text */
function pairs(text) {
  return text.match(/../gs) ?? [];
}

/**
 * @param {ArrayLike<unknown>} a
 * @param {ArrayLike<unknown>} b
 * @returns {number[]}
 */
function differences(a, b) {
  const places = [];
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) places.push(i);
  return places;
}
