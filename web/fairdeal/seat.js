// The options of a player's seat, and the state that it reports.

import { isLabel } from "./contribution.js";
import * as is from "./expected.js";
import { givenKey } from "./key.js";
import { POLICY, policyFor } from "./policy.js";
import { ACCEPTED } from "./record.js";
import { Refused, shown } from "./refused.js";
import { nonceOf } from "./seed.js";

/**
 * @typedef {object} PlayerOptions
 * @property {string | null} [log] the address of the log's service; null without one
 * @property {string} key the log's verifier key, from an independent place
 * @property {string} from the player's label. It stays public
 * @property {import("./storage.js").Storage} [storage]
 * @property {typeof fetch} [fetch]
 * @property {() => number} [clock] milliseconds
 * @property {number} [tolerance] how wrong this device's clock may be, in milliseconds; 300,000 by
 *   default
 * @property {import("./policy.js").Policy} [policy] the witnesses that the player believes, as
 *   `readPolicy` gives it: no seed is opened before a quorum of them has signed its lock
 * @property {number} [coverWait] how long a lock may wait for these signatures, in milliseconds;
 *   75,000 by default, because some logs have them a minute later
 */

/**
 * @typedef {object} ReceiveOptions
 * @property {boolean} [acceptUncovered] whether to open the seed although `coverWait` is over, and no
 *   quorum of the policy has signed the lock: a claim then says so
 */

/**
 * @typedef {object} ContributeInput
 * @property {string} commitment
 * @property {number} nonce
 * @property {number} [count] how many rounds, from this one on; the result is then an array
 * @property {string} [seed] a seed typed by the player; the default of 32 random bytes is better. A
 *   round with a given seed is never `fair`: whoever gave it may have known it
 * @property {string | object} [promise] the commitment's receipt; by default read from the log
 * @property {string[]} [seats] the announced seats: a lock with other seats is not opened
 * @property {{[name: string]: unknown}} [expect] terms that the commitment must have, such as
 * `{ "mixing": "hashes", "rules": "…" }`
 */

/**
 * The present state of a seat: of the player's last round, but `caught` if anything was ever
 * caught. `caught`, `fair` and `unproved` are the states of the verdict (spec/receipt.md, section
 * 11.4); `unsure` if it has none, or the round is not the player's own: `claims` give the reason.
 * @typedef {object} SeatState
 * @property {"idle" | "waiting" | "unsure" | import("./verdict.js").State} state
 * @property {import("./record.js").Stage | "idle"} stage
 * @property {import("./findings.js").ReceiptFinding[]} findings all that was caught; the export
 *   shows it
 * @property {import("./record.js").Claim[]} claims what accuses nobody
 * @property {import("./verdict.js").Shown[]} shown
 * @property {import("./verdict.js").NotShown[]} notShown
 * @property {import("./record.js").PlacedCard[]} cards
 * @property {string} [commitment]
 * @property {number | null} [nonce]
 * @property {string} [table]
 * @property {number} [revealBy]
 */

/**
 * The event `verdict`, whose `detail` is the new state.
 * @typedef {(type: "verdict", listener: (event: CustomEvent<SeatState>) => void,
 *   options?: boolean | AddEventListenerOptions) => void} Listen
 * @typedef {{addEventListener: Listen, removeEventListener: Listen}} VerdictEvents
 */

/** An `EventTarget` with the type of this event. */
export const Target = /** @type {new () => VerdictEvents & EventTarget} */ (EventTarget);

const OPTIONS = {
  log: is.either(is.ADDRESS, ["null", (value) => value === null]),
  key: is.TEXT,
  from: is.TEXT,
  storage: is.withAll("an object with the functions get and set", {
    get: is.FUNCTION,
    set: is.FUNCTION,
  }),
  fetch: is.FUNCTION,
  clock: is.FUNCTION,
  tolerance: is.NUMBER,
  policy: POLICY,
  coverWait: is.COUNT,
};

/**
 * Checks the options of a player.
 * @param {PlayerOptions} options
 * @returns {import("./key.js").Key} of the log
 * @throws {TypeError}
 * @throws {Refused} `from`, `key`, `policy`
 */
export function expectPlayer(options) {
  const argument = 'options with "key" and "from"';
  is.expectOptions("player(options)", argument, options, OPTIONS, ["key", "from"]);
  const { from } = options;
  if (!isLabel(from)) {
    const says = `"from" has 1 to 64 bytes and no control characters; found ${shown(from)}`;
    throw new Refused("from", says);
  }
  const key = givenKey(options.key);
  if (policyFor(options.policy, key)?.quorum === null) {
    const says = "the quorum of this policy is none, and no lock is ever covered by it: give none";
    throw new Refused("policy", says);
  }
  return key;
}

const INPUT = {
  commitment: is.TEXT,
  nonce: is.NUMBER,
  count: is.COUNT,
  seed: is.TEXT,
  promise: is.either(is.NOTE, is.OBJECT),
  seats: is.listOf("texts", is.TEXT),
  expect: is.OBJECT,
};

/**
 * Checks the input of a contribution before a seed is made. A question of a dealer may come as a
 * whole, with other members.
 * @param {unknown} input
 * @param {string} from the player
 * @throws {TypeError}
 * @throws {Refused} `nonce`; or `seats`, if no lock can have them with this player's hash (spec/ledger.md, 8.7)
 */
export function expectInput(input, from) {
  const call = "contribute(input)";
  is.expectObject(call, 'input with "commitment" and "nonce"', input);
  is.expectMembers(call, input, INPUT, ["commitment", "nonce"]);
  const { nonce, seats } = /** @type {ContributeInput} */ (input);
  nonceOf(nonce);
  if (seats === undefined) return;
  const isWhole =
    seats.length <= 64 && seats.every(isLabel) && new Set(seats).size === seats.length;
  if (isWhole && seats.includes(from)) return;
  const says = `expected 1 to 64 different labels, with this player's, ${shown(from)}`;
  throw new Refused("seats", `${says}; found ${shown(JSON.stringify(seats))}`);
}

/** @type {SeatState} */
export const IDLE = {
  state: "idle",
  stage: "idle",
  findings: [],
  claims: [],
  shown: [],
  notShown: [],
  cards: [],
};

/** @type {Record<string, string>} */
const SAYS = {
  absent:
    "the round does not have your contribution, and nobody gained by that: it may have come too late, or have been changed on its way, or somebody else may have used your label",
  "not-yours": "this browser keeps no contribution of yours to this round",
  "not-replayed": "the seed is revealed, and nothing shows that the cards follow from it",
};

/** @type {import("./record.js").Claim} */
const UNWRITTEN = {
  code: "storage",
  says: "this browser's storage is full, so only this page knows what was caught: save the evidence before you close it",
};

/** @type {import("./record.js").Claim} */
const DAMAGED = {
  code: "storage",
  says: "this browser's storage has something that cannot be read, and what it kept there is lost",
};

/**
 * @param {number} due
 * @param {number} now by this device's clock
 * @param {number} size of the log
 * @returns {import("./record.js").Claim}
 */
export function overdue(due, now, size) {
  const [by, at] = [due, now].map((time) => new Date(time).toISOString());
  const says = `the seed was due at ${by}; by this device's clock it was ${at}, and the log of ${size} entries showed no reveal: an audit shows it to others`;
  return { code: "overdue", says };
}

/**
 * What is wrong with the storage. It is no reason to doubt a verdict.
 * @param {import("./book.js").Book} book
 * @returns {import("./record.js").Claim[]}
 */
function wrongWith({ unkept, isDamaged, storage }) {
  const says = storage.trouble?.() ?? null;
  return [
    ...(unkept.size > 0 ? [UNWRITTEN] : []),
    ...(isDamaged ? [DAMAGED] : []),
    ...(says === null ? [] : [{ code: "storage", says }]),
  ];
}

/**
 * Why a round has no state, as far as its own record says.
 * @param {import("./record.js").Record} record
 * @returns {string | null}
 */
function reason({ kept, nonce, stage, outcome, shown }) {
  if (kept === undefined) return nonce === null ? null : "not-yours";
  if (outcome === "absent") return outcome;
  if (stage !== "revealed") return null;
  return shown.includes("replayed") && shown.includes("yours") ? null : "not-replayed";
}

/**
 * The state of a seat that shows a round.
 * @param {import("./record.js").Record | null} record
 * @param {import("./book.js").Book} book
 * @param {readonly import("./record.js").Claim[]} trouble what was noticed just now
 * @returns {SeatState}
 */
export function stateOf(record, book, trouble) {
  const { caught, missed } = book;
  const findings = caught.map(({ records, since, ...finding }) => finding);
  const code = record === null ? null : reason(record);
  const own = code === null ? [] : [{ code, says: SAYS[code] }];
  const late = missed.filter(({ commitment: of }) => of === record?.commitment);
  const kept = [...(record?.claims ?? []), ...late.map(({ claim }) => claim)];
  const isAccepted = (/** @type {import("./record.js").Claim} */ { code }) => code === ACCEPTED;
  const doubts = [...trouble, ...kept, ...own].filter((each) => !isAccepted(each));
  const claims = [...doubts, ...kept.filter(isAccepted), ...wrongWith(book)];
  /** @type {SeatState["state"]} */
  let state = record === null ? "idle" : "waiting";
  if (record?.stage === "revealed") state = record.state ?? "unsure";
  const isJudged = state !== "idle" && state !== "waiting";
  if (doubts.length > 0 || (claims.length > 0 && !isJudged)) state = "unsure";
  if (findings.length > 0) state = "caught";
  if (record === null) return { ...IDLE, state, findings, claims };
  const { stage, shown, notShown, cards, commitment, nonce, table, revealBy } = record;
  const of = { commitment, nonce, table, revealBy };
  return { state, stage, findings, claims, shown, notShown, cards, ...of };
}

/**
 * Whether the player may see another round from now on. A round that waits for its deal is never
 * displaced, and none by one that the player brought a contribution to before it.
 * @param {import("./record.js").Record} record
 * @param {import("./record.js").Record | null} shown the round that the player sees
 * @returns {boolean}
 */
export function mayFollow(record, shown) {
  if (shown === null) return true;
  if (record.commitment === shown.commitment && record.nonce === shown.nonce) return true;
  if (shown.turn === undefined)
    return record.turn !== undefined || record.nonce !== null || shown.nonce === null;
  if (record.turn === undefined || record.turn < shown.turn) return false;
  const waits = ["given", "locked", "opened"].includes(shown.stage);
  return !waits || shown.outcome === "absent";
}
