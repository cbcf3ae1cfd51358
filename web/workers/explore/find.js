// The hands of a table around a time. The service lists commitments and rounds in the order of the
// log, so that a few short reads find the place.

import { placesOf, stateOfHand } from "./latest.js";

/**
 * @typedef {import("./latest.js").Hand} Hand
 * @typedef {(path: string) => Promise<any>} Api reads from the service; null if it has no answer
 */

/** @typedef {(from: number, most: number) => Promise<any[]>} List of a table's commitments */

/** The number of hands that are found on either side of the time. */
const AROUND = 6;
const PAGE = 100;
const MOST_TRIES = 20;

/**
 * The first place at which something is true, if it is true at every later place.
 * @param {number} from
 * @param {number} to the first place that is not looked at
 * @param {(place: number) => Promise<boolean>} isTrue
 * @returns {Promise<number>}
 */
async function firstPlace(from, to, isTrue) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (await isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {Api} api
 * @param {string} table
 * @param {number} time in milliseconds
 * @param {number} size of the log
 * @returns {Promise<Hand[]>} in the order of the log
 */
export async function handsAround(api, table, time, size) {
  const list = `v1/commitments?table=${encodeURIComponent(table)}`;
  /** @type {List} */
  const commitments = async (from, most) => {
    const answer = await api(`${list}&from=${from}&most=${most}`);
    return Array.isArray(answer?.commitments) ? answer.commitments : [];
  };
  // `from` is an index of the log: the commitment before the first later one is at `after - 1`.
  const after = await firstPlace(0, size, async (index) => {
    const [found] = await commitments(index, 1);
    return found === undefined || found.time > time;
  });
  const [earlier, later] = await Promise.all([
    lastBefore(commitments, after),
    commitments(after, AROUND),
  ]);
  const own = earlier.pop();
  const hands = own === undefined ? [] : await roundsAround(api, own, time);
  while (earlier.length > 0 && hands.filter((each) => each.time <= time).length < AROUND) {
    const course = earlier.pop();
    hands.unshift(...(await rounds(api, course, Math.max(0, done(course) - AROUND), AROUND)));
  }
  while (later.length > 0 && hands.filter((each) => each.time > time).length < AROUND)
    hands.push(...(await rounds(api, later.shift(), 0, AROUND)));
  return hands
    .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))
    .slice(0, 2 * AROUND)
    .sort((a, b) => a.index - b.index);
}

/**
 * The last commitments before an index of the log. The service lists forwards only.
 * @param {List} commitments
 * @param {number} end
 * @returns {Promise<any[]>}
 */
async function lastBefore(commitments, end) {
  for (let width = 64; ; width *= 4) {
    const from = Math.max(0, end - width);
    let found = await commitments(from, PAGE);
    // A full page is the beginning of the span. Its end is nearer to the time.
    for (let tries = 0; found.length === PAGE && tries < MOST_TRIES; tries++) {
      const next = await commitments(found[PAGE - 1].index + 1, PAGE);
      if (next.length === 0 || next[0].index >= end) break;
      found = next;
    }
    const before = found.filter(({ index }) => index < end).slice(-AROUND);
    if (before.length === AROUND || from === 0) return before;
  }
}

/**
 * @param {Api} api
 * @param {any} course
 * @param {number} time
 */
async function roundsAround(api, course, time) {
  const place = await firstPlace(0, done(course), async (nonce) => {
    const [round] = await rounds(api, course, nonce, 1);
    return round === undefined || round.time > time;
  });
  return rounds(api, course, Math.max(0, place - AROUND), 2 * AROUND);
}

/**
 * How many rounds of a commitment have begun.
 * @param {any} course
 * @returns {number}
 */
function done({ next, locked }) {
  const count = Number(next) + (locked === undefined ? 0 : 1);
  return Number.isSafeInteger(count) ? count : 0;
}

/**
 * @param {Api} api
 * @param {any} course
 * @param {number} from
 * @param {number} most
 * @returns {Promise<Hand[]>}
 */
async function rounds(api, course, from, most) {
  const { commitment, table, state } = course;
  if (!/^[0-9a-f]{64}$/.test(commitment)) return [];
  const answer = await api(`v1/commitments/${commitment}/rounds?from=${from}&most=${most}`);
  const told = Array.isArray(answer?.rounds) ? answer.rounds : [];
  return told.slice(0, most).map((/** @type {any} */ round) => {
    const at = round.dealt ?? round.voided ?? round.locked;
    return {
      table: String(table),
      commitment,
      nonce: Number(round.nonce),
      index: Number(at?.index),
      time: Number(at?.time),
      state: stateOfHand(round.state, round.seal !== undefined, state === "revealed"),
      cards: typeof round.cards === "string" ? round.cards : null,
      indices: Array.isArray(round.indices) ? round.indices.slice(0, 128).map(Number) : null,
      places: placesOf(course, Array.isArray(round.seats) ? round.seats.length : 0),
    };
  });
}
