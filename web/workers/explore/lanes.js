// A table's time line, in pixels: a bar for each commitment, a mark for each round.

import { roundState, roundTime, stateOf } from "./chronicle.js";

/**
 * @typedef {import("./chronicle.js").Course} Course
 * @typedef {import("./chronicle.js").State} State
 */

/**
 * @typedef {object} Scale
 * @property {number} from
 * @property {number} to
 * @property {number} width in pixels
 * @property {number} now
 */

/**
 * @typedef {object} Bar
 * @property {string} commitment empty if the bar is for several
 * @property {number} count of commitments: more than one if they are too narrow to draw separately
 * @property {State} state
 * @property {number} start
 * @property {number} end
 * @property {number | null} due the place of its deadline, if that is in the future
 * @property {number[]} dealt the places of its rounds
 * @property {number[]} voided
 * @property {number[]} locked
 * @property {[number, number][]} alone places of rounds without near neighbours, and their numbers
 */

/**
 * @typedef {object} Lane
 * @property {string} table
 * @property {State} state of its last commitment
 * @property {number} commitments
 * @property {number} rounds
 * @property {Bar[]} bars
 */

/** A narrower bar is drawn together with its neighbours. */
const NARROW = 3;
/** Rounds that are nearer to each other have no separate links. */
const APART = 14;

/**
 * @param {string} table
 * @param {readonly Course[]} courses
 * @param {Scale} scale
 * @returns {Lane}
 */
export function laneOf(table, courses, scale) {
  const last = courses[courses.length - 1];
  /** @type {Bar[]} */
  const bars = [];
  for (const course of courses) {
    const bar = barOf(course, scale);
    if (bar === null) continue;
    const before = bars[bars.length - 1];
    const isNarrow = (/** @type {Bar} */ each) => each.end - each.start < NARROW;
    // An overdue bar is never hidden behind another one.
    if (
      before !== undefined &&
      isNarrow(bar) &&
      before.end - before.start < 2 * NARROW &&
      bar.start - before.end < NARROW &&
      bar.state === before.state
    ) {
      Object.assign(before, {
        end: Math.max(before.end, bar.end),
        count: before.count + 1,
        commitment: "",
        dealt: [],
        voided: [],
        locked: [],
        alone: [],
      });
    } else {
      bars.push(bar);
    }
  }
  return {
    table,
    state: stateOf(last, scale.now),
    commitments: courses.length,
    rounds: courses.reduce((sum, { next }) => sum + next, 0),
    bars,
  };
}

/**
 * @param {Course} course
 * @param {Scale} scale
 * @returns {Bar | null} null if no part of it is visible
 */
function barOf(course, { from, to, width, now }) {
  const x = (/** @type {number} */ time) =>
    Math.round(((time - from) / (to - from)) * width * 2) / 2;
  const end = course.ended?.time ?? Math.max(now, course.time);
  if (end < from || course.time > to) return null;
  const due =
    course.ended === null && course.revealBy > now
      ? Math.min(x(course.revealBy), width + 20)
      : null;
  /** @type {Bar} */
  const bar = {
    commitment: course.commitment,
    count: 1,
    state: stateOf(course, now),
    start: Math.max(-4, x(course.time)),
    end: Math.min(width + 4, x(end)),
    due,
    dealt: [],
    voided: [],
    locked: [],
    alone: [],
  };
  if (bar.end - bar.start >= NARROW) marks(course, bar, x, width);
  return bar;
}

/**
 * @param {Course} course
 * @param {Bar} bar
 * @param {(time: number) => number} x
 * @param {number} width
 */
function marks(course, bar, x, width) {
  /** One mark for each pixel. @type {Record<"dealt" | "voided" | "locked", Set<number>>} */
  const places = { dealt: new Set(), voided: new Set(), locked: new Set() };
  /** @type {[number, number][]} */
  const alone = [];
  for (const round of course.rounds.values()) {
    const place = Math.round(x(roundTime(round)));
    if (place < 0 || place > width) continue;
    places[roundState(round)].add(place);
    alone.push([place, round.nonce]);
  }
  for (const kind of /** @type {const} */ (["dealt", "voided", "locked"]))
    bar[kind] = [...places[kind]];
  bar.alone = alone.filter(
    ([place], i) =>
      place - (alone[i - 1]?.[0] ?? -Infinity) >= APART &&
      (alone[i + 1]?.[0] ?? Infinity) - place >= APART,
  );
}
