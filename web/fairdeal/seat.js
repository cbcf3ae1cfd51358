// The options of a player's seat, and the state that it reports.

/**
 * @typedef {object} PlayerOptions
 * @property {string | null} [log] the address of the log's service; null without one
 * @property {string} key the log's verifier key, from an independent place
 * @property {string} from the player's label. It stays public
 * @property {import("./storage.js").Storage} [storage]
 * @property {typeof fetch} [fetch]
 * @property {() => number} [clock] milliseconds
 */

/**
 * @typedef {object} ContributeInput
 * @property {string} commitment
 * @property {number} nonce
 * @property {number} [count] how many rounds, from this one on; the result is then an array
 * @property {string} [seed] a seed typed by the player; the default of 32 random bytes is better
 * @property {string | object} [promise] the commitment's receipt; by default read from the log
 * @property {string[]} [seats] the announced seats: a lock with other seats is not opened
 * @property {{[name: string]: unknown}} [expect] terms that the commitment must have, such as
 * `{ "mixing": "hashes", "rules": "…" }`
 */

/**
 * The present state of a seat.
 * @typedef {object} SeatState
 * @property {"idle" | "waiting" | "good" | "unsure" | "caught"} state `caught`: a rule is broken,
 * and the export shows it
 * @property {import("./book.js").Stage | "idle"} stage
 * @property {import("./findings.js").ReceiptFinding[]} findings
 * @property {string[]} shown
 * @property {string[]} notShown
 * @property {import("./book.js").PlacedCard[]} cards
 * @property {string} [says] why it is `unsure`
 * @property {string} [commitment]
 * @property {number | null} [nonce]
 * @property {string} [table]
 * @property {number} [revealBy]
 */

/** @type {SeatState} */
export const IDLE = {
  state: "idle",
  stage: "idle",
  findings: [],
  shown: [],
  notShown: [],
  cards: [],
};
