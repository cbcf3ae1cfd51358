// What the page of a raffle has, and what its reader has said.

import { carriedOver, hasOwnStorage } from "../kept.js";
import { keptBefore } from "./memory.js";
import { RELAY } from "./source.js";
import { isWhole } from "./whole.js";

/**
 * @typedef {import("../drop.js").GivenFile} GivenFile
 * @typedef {import("../inputs.js").GivenKey} GivenKey
 * @typedef {import("../../workers/raffle.js").RaffleAnswer} RaffleAnswer
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../../workers/raffle.js").ListFacts} ListFacts
 * @typedef {import("../../workers/raffle.js").FoundLine} FoundLine
 * @typedef {import("./words.js").Headline} Headline
 */

export const state = {
  /** The commitment of the page's link; null if it has none. */
  commitment: /** @type {string | null} */ (null),
  /** The document's text. */
  file: /** @type {string | null} */ (null),
  facts: /** @type {RaffleFacts | null} */ (null),
  list: /** @type {ListFacts | null} */ (null),
  /** The lines of the list, to look at. */
  lines: /** @type {HTMLElement | null} */ (null),
  key: /** @type {GivenKey | null} */ (null),
  /** The key that the page brings with it. */
  linked: /** @type {string | null} */ (null),
  policy: /** @type {GivenFile | null} */ (null),
  /** Documents that the reader kept elsewhere. */
  kept: /** @type {string[]} */ ([]),
  /** Another raffle, whose file the reader gave as the promise. */
  other: /** @type {import("./stage.js").OtherRaffle | null} */ (null),
  /** The number that the reader says a message from before the draw has. */
  confirmed: /** @type {string | null} */ (null),
  /** The number that the reader says it has not. */
  denied: /** @type {string | null} */ (null),
  /** The number of the last raffle that the log's key signed. */
  logged: /** @type {string | null} */ (null),
  /** An answer with the number. */
  number: /** @type {Uint8Array | null} */ (null),
  /** The relays that the page brings. A file without a raffle asks drand's own. */
  relays: /** @type {string[]} */ (isWhole() ? [RELAY] : []),
  answer: /** @type {RaffleAnswer | null} */ (null),
  /** Why there is no answer. */
  refused: /** @type {Headline | null} */ (null),
  /** What the reader looked for. */
  wanted: /** @type {{line: string} | {link: string} | null} */ (null),
  own: /** @type {FoundLine | null} */ (null),
  /** Whether the page has asked for the number, and nobody had it. */
  isLate: false,
};

/**
 * The data that stays when the page is loaded again in another language. It has no key, no policy and no time:
 * a file that was at the same path before could have written them.
 */
export function said() {
  const { facts, kept, confirmed, denied, other, number, wanted } = state;
  const seen = facts === null || hasOwnStorage ? [] : keptBefore(facts.commitment, facts.out);
  const all = [...kept, ...seen.map(({ text }) => text)];
  return { kept: all, confirmed, denied, other, number, wanted };
}

/** @param {any} given what {@link said} gave, or anything */
function sayAgain(given) {
  const isText = (/** @type {unknown} */ value) => typeof value === "string";
  const { kept, confirmed, denied, other, number, wanted } = given ?? {};
  if (Array.isArray(kept) && kept.every(isText)) state.kept = kept;
  if (isText(confirmed)) state.confirmed = confirmed;
  if (isText(denied)) state.denied = denied;
  if (isText(other?.number)) state.other = other;
  if (number instanceof Uint8Array) state.number = number;
  if (isText(wanted?.line) || isText(wanted?.link)) state.wanted = wanted;
}

sayAgain(carriedOver?.said);
