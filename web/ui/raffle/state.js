// What the page of a raffle has, and what its reader has said.

import { carriedOver } from "../kept.js";
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
  /** The number of the last raffle that the log's key signed. */
  logged: /** @type {string | null} */ (null),
  /** The number that the reader says it has not. */
  denied: /** @type {string | null} */ (null),
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

/** What the reader gave and said: it stays if the page is loaded again in another language. */
const SAID = /** @type {const} */ ([
  "key",
  "policy",
  "kept",
  "other",
  "confirmed",
  "denied",
  "number",
  "wanted",
]);

export const said = () => Object.fromEntries(SAID.map((name) => [name, state[name]]));

Object.assign(state, carriedOver?.said);
