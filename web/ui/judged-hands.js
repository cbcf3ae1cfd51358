// Hands that this browser judged for a list, each by its receipt and the key in use.

import { channel } from "./channel.js";

/**
 * @typedef {import("../workers/explore/latest.js").Hand} Hand
 * @typedef {import("./hand-row.js").Found} Found
 */

/**
 * @typedef {object} HandJudge
 * @property {() => string | null} key that hands are judged with
 * @property {(hand: Hand) => Found | null} found null if it was not judged with the present key
 * @property {(hands: readonly Hand[], changed: () => void) => void} judge calls `changed` after each
 *   hand
 */

/** A page that is open for days does not keep every hand. */
const MOST_KEPT = 1000;

/**
 * @param {(question: object) => Promise<any>} ask the worker that reads the log
 * @param {() => string | null} key that hands are judged with
 * @returns {HandJudge}
 */
export function handJudge(ask, key) {
  const worker = channel("judge");
  /** @type {Map<string, Found>} */
  const judged = new Map();
  let working = Promise.resolve();

  /** @param {Hand} hand */
  const nameOf = ({ commitment, nonce }) => `${key()} ${commitment} ${nonce}`;

  /** @param {Hand} hand @param {() => void} changed */
  const one = async (hand, changed) => {
    const [used, name] = [key(), nameOf(hand)];
    if (used === null || judged.has(name)) return;
    if (judged.size >= MOST_KEPT) judged.clear();
    const found = await judgeOne(ask, worker.ask, hand, used);
    if (found === null) return;
    judged.set(name, found);
    changed();
  };

  return {
    key,
    found: (hand) => judged.get(nameOf(hand)) ?? null,
    judge: (hands, changed) => {
      for (const hand of hands)
        if (hand.state === "revealed") working = working.then(() => one(hand, changed));
    },
  };
}

/**
 * @param {(question: object) => Promise<any>} ask
 * @param {(question: object) => Promise<any>} judge
 * @param {Hand} hand
 * @param {string} key
 * @returns {Promise<Found | null>} null if it could not be read: it may be later
 */
async function judgeOne(ask, judge, { commitment, nonce }, key) {
  /** @type {Found} */
  const nothing = { state: "unknown", cards: null, indices: null, places: null };
  try {
    const bytes = await ask({ ask: "receipt", commitment, nonce });
    const files = [{ name: "hand.json", bytes, kept: false }];
    const { verdicts } = await judge({ ask: "verify", files, options: { key } });
    const [verdict] = verdicts.receipts;
    // The receipt must be of the hand that was asked for.
    if (verdict.commitment !== commitment || verdict.nonce !== nonce) return nothing;
    if (verdict.state === "caught") return { ...nothing, state: "caught" };
    // Nobody gave this browser what a player kept, so that no hand can be fair here.
    if (verdict.state === undefined) return nothing;
    const board = (verdict.placed ?? [])
      .filter((/** @type {object} */ each) => "street" in each)
      .map((/** @type {{t: number}} */ each) => each.t);
    return {
      state: "recomputed",
      cards: verdict.cards ?? null,
      indices: verdict.indices ?? null,
      places: board.length > 0 ? board.slice(0, 5) : null,
    };
  } catch {
    return null;
  }
}
