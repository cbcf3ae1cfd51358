// The documents of raffles that this browser saw before their draw, each with the time of its clock:
// later they show that the list was closed before (spec/raffle.md, section 38).

import { keep, kept } from "../kept.js";

/** A page inside of another one is not what the reader looks at. */
const isFramed = window.top !== window;

/** @typedef {{when: number, text: string, number: string}} Seen `when` in milliseconds */

/** A browser keeps little. The first documents stay: nobody pushes them out. */
const MOST = 4;
const LONGEST = 200_000;
/** So many seconds before the draw a document must have been there. */
const AHEAD = 5;

/** @param {string} commitment */
const nameOf = (commitment) => `raffle.${commitment}`;

/**
 * @param {string} commitment
 * @returns {Seen[]}
 */
export function seenDocuments(commitment) {
  try {
    const value = JSON.parse(kept(nameOf(commitment)) ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.filter(
      (each) =>
        typeof each?.when === "number" &&
        typeof each.text === "string" &&
        typeof each.number === "string",
    );
  } catch {
    // Something else wrote there.
    return [];
  }
}

/**
 * Keeps a document that was seen before the draw.
 * @param {import("../../workers/raffle.js").RaffleFacts & {out: number}} facts
 * @param {string} text
 */
function keepDocument({ commitment, number, out }, text) {
  const before = seenDocuments(commitment);
  const when = Date.now();
  if (isFramed || !isBefore(when, out) || text.length > LONGEST || before.length >= MOST) return;
  if (before.some((each) => each.text === text)) return;
  const all = JSON.stringify([...before, { when, text, number }]);
  keep(nameOf(commitment), all);
}

/**
 * The documents that were there before the draw.
 * @param {string} commitment
 * @param {number | null} out the second of the draw
 * @returns {Seen[]}
 */
export function keptBefore(commitment, out) {
  return out === null ? [] : seenDocuments(commitment).filter(({ when }) => isBefore(when, out));
}

/**
 * Keeps what this browser saw of a raffle before its draw.
 * @param {{facts: import("../../workers/raffle.js").RaffleFacts | null, file: string | null}} raffle `file`: the
 *   document
 * @param {boolean} isBrought whether the page brings the raffle with it
 */
export function keepSeen({ facts, file }, isBrought) {
  if (facts === null || facts.out === null || file === null) return;
  const { out } = facts;
  keepDocument({ ...facts, out }, file);
  if (isBrought) keepHere({ ...facts, out });
}

/**
 * Since when this browser has the promise with this number.
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 * @returns {number | null} in milliseconds
 */
function keptSince({ commitment, number, out }) {
  const all = keptBefore(commitment, out);
  return all.find((each) => each.number === number)?.when ?? null;
}

/**
 * Another promise of the same commitment that this browser had before the draw.
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 * @returns {import("./stage.js").OtherRaffle | null}
 */
function otherKept({ commitment, number, rules, out }) {
  const found = keptBefore(commitment, out).find((each) => each.number !== number);
  const title = rules.title ?? null;
  return found === undefined
    ? null
    : { number: found.number, title, out, void: null, isSeen: true };
}

/** Where the raffles are kept that this page's address had. A service has one address for all of its raffles. */
const PLACE = `raffle-at.${location.pathname}`;
/** The most raffles of one address that are kept: a day has fewer. */
const MOST_HERE = 8;
/** Draws so near to each other look like two of one raffle, in seconds: one a day is honest. */
const NEAR = 43_200;

/** @typedef {{number: string, title: string | null, out: number}} Here */

/** @returns {Here[]} */
function rafflesHere() {
  try {
    const value = JSON.parse(kept(PLACE) ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each?.number === "string") : [];
  } catch {
    // Something else wrote there.
    return [];
  }
}

/**
 * Keeps which raffle this page's address had before the draw.
 * @param {import("../../workers/raffle.js").RaffleFacts & {out: number}} facts
 */
function keepHere({ number, rules, out }) {
  // What is long past says nothing of a new raffle, and would fill the place.
  const all = rafflesHere().filter((each) => 1000 * (each.out + 2 * NEAR) > Date.now());
  if (isFramed || !isBefore(Date.now(), out) || all.length >= MOST_HERE) return;
  if (all.every((each) => each.number !== number))
    keep(PLACE, JSON.stringify([...all, { number, title: rules.title ?? null, out }]));
}

/**
 * Another raffle that this page's address had before, for the same hours.
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 * @returns {import("./stage.js").OtherRaffle | null}
 */
function otherHere({ number, out }) {
  if (out === null) return null;
  const isLike = (/** @type {Here} */ each) => Math.abs(each.out - out) < NEAR;
  const found = rafflesHere().find((each) => each.number !== number && isLike(each));
  return found === undefined ? null : { ...found, void: null, isSeen: true };
}

/**
 * @typedef {object} Raffle
 * @property {import("../../workers/raffle.js").RaffleFacts | null} facts
 * @property {string | null} confirmed the number that the reader says a message from before the draw has
 * @property {string | null} denied the number that the reader says such a message has not
 * @property {import("./stage.js").OtherRaffle | null} other what the reader gave
 */

/**
 * What the reader had before the draw: of this very promise, and another raffle.
 * @param {Raffle} raffle
 * @param {boolean} isBrought whether the page brings the raffle with it
 */
export function hadBefore({ facts, confirmed, denied, other: given }, isBrought) {
  if (facts === null) return { hasMessage: false, isDenied: false, keptSince: null, other: given };
  const isDenied = denied === facts.number;
  const other = given ?? otherKept(facts) ?? (isBrought ? otherHere(facts) : null);
  return {
    // If the reader has something of two raffles, it decides for neither.
    hasMessage: confirmed === facts.number && !isDenied && other === null,
    isDenied,
    keptSince: keptSince(facts),
    other,
  };
}

/** @param {number} when @param {number} out */
const isBefore = (when, out) => when <= 1000 * (out - AHEAD);
