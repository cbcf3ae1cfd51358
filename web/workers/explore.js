// Reads a log in a worker, and follows it. The page asks for the data that it shows.

import { auditExport, auditLog } from "../fairdeal/index.js";
import { answerWith } from "./answers.js";
import "./beacons.js";
import { stateOf } from "./explore/chronicle.js";
import { compare } from "./explore/compare.js";
import { handsAround } from "./explore/find.js";
import { laneOf } from "./explore/lanes.js";
import { latestOf } from "./explore/latest.js";
import { Exported, Remote } from "./explore/reader.js";
import { Session } from "./explore/session.js";
import { courseView, viewOf, viewOfTold } from "./explore/views.js";
import { readFor } from "./policy.js";

/**
 * @typedef {import("./explore/views.js").RoundView} RoundView
 * @typedef {import("./explore/views.js").CourseView} CourseView
 */

/** @type {Session | null} */
let session = null;

/** @returns {Session} */
function opened() {
  if (session === null) throw new Error("no log is open");
  return session;
}

/** @param {import("./explore/chronicle.js").Course} course */
const view = (course) => courseView(course, stateOf(course, Date.now()));

answerWith({
  /**
   * Opens the log at an address or in a file.
   * @param {{base?: string, bytes?: Uint8Array, window?: number}} question
   */
  async open({ base, bytes, window }) {
    const log = bytes === undefined ? new Remote(base ?? "") : new Exported(bytes);
    const tell = (/** @type {import("./explore/session.js").News} */ news) => {
      if (session === opening) postMessage({ news });
    };
    const opening = new Session(log, tell, window);
    session = opening;
    const seen = await opening.open();
    return { seen, summary: opening.summary(), hasApi: opening.hasApi };
  },

  earlier: () => opened().earlier(),

  /** @param {{most: number}} question */
  latest: ({ most }) => latestOf(opened().chronicle, most),

  /**
   * The tables' names: all, or as many as one answer of the service has.
   * @returns {Promise<{tables: string[], isAll: boolean}>}
   */
  async tables() {
    const { log, chronicle } = opened();
    const page = await log.api("v1/tables?most=1000");
    const told = Array.isArray(page?.tables) ? page.tables : [];
    const known = told.map((/** @type {any} */ { table }) => String(table));
    return {
      tables: [...new Set([...known, ...chronicle.tables.keys()])],
      isAll: page?.next === undefined,
    };
  },

  /** @param {{table: string, time: number}} question */
  find: ({ table, time }) =>
    handsAround((path) => opened().log.api(path), table, time, opened().next),

  /**
   * Time lines of tables.
   * @param {{from: number, to: number, scale: import("./explore/lanes.js").Scale}} question
   */
  lanes: ({ from, to, scale }) =>
    [...opened().chronicle.tables]
      .slice(from, to)
      .map(([name, courses]) => laneOf(name, courses, scale)),

  /**
   * Commitments of a table, in the order of the log, and its time line.
   * @param {{table: string, scale: import("./explore/lanes.js").Scale}} question
   */
  async table({ table, scale }) {
    const { chronicle } = opened();
    await opened().ensureTable(table);
    const courses = chronicle.tables.get(table);
    if (courses === undefined) return null;
    // The end of the last commitment, if none is open.
    const last = courses.every(({ ended }) => ended !== null)
      ? Math.max(...courses.map(({ ended }) => ended?.time ?? 0))
      : null;
    return {
      lane: laneOf(table, courses, scale),
      count: courses.length,
      from: courses[0].time,
      last,
    };
  },

  /** @param {{table: string, from: number, to: number}} question */
  commitments: ({ table, from, to }) =>
    (opened().chronicle.tables.get(table) ?? []).slice(from, to).map(view),

  /**
   * @param {{commitment: string}} question
   * @returns {Promise<CourseView | null>}
   */
  async commitment({ commitment }) {
    const course = await opened().course(commitment);
    return course === null ? null : view(course);
  },

  /**
   * Rounds of a commitment, by their numbers.
   * @param {{commitment: string, from: number, to: number}} question
   * @returns {Promise<(RoundView | null)[]>}
   */
  async rounds({ commitment, from, to }) {
    const course = await opened().course(commitment);
    if (course === null) return [];
    const read = Array.from({ length: to - from }, (_, i) => course.rounds.get(from + i));
    /** @type {Map<number, RoundView>} */
    const told = new Map();
    if (read.includes(undefined)) {
      const page = await opened()
        .log.api(
          `v1/commitments/${commitment}/rounds?from=${from}&most=${Math.min(1000, to - from)}`,
        )
        .catch(() => null);
      for (const each of page?.rounds ?? []) told.set(each.nonce, viewOfTold(each));
    }
    return read.map((round, i) =>
      round === undefined ? (told.get(from + i) ?? null) : viewOf(round),
    );
  },

  /**
   * One round, with the data that only the service has.
   * @param {{commitment: string, nonce: number}} question
   * @returns {Promise<{course: CourseView, round: RoundView} | null>}
   */
  async round({ commitment, nonce }) {
    const course = await opened().course(commitment);
    if (course === null) return null;
    const told = await opened()
      .log.api(`v1/commitments/${commitment}/rounds/${nonce}`)
      .catch(() => null);
    const read = course.rounds.get(nonce);
    if (read === undefined)
      return told === null ? null : { course: view(course), round: viewOfTold(told) };
    const round = viewOf(read);
    // The items of a sealed or long deal follow from the seed: the service computes them.
    if (told !== null)
      Object.assign(round, {
        opened: told.opened ?? [],
        indices: round.indices ?? told.items ?? null,
      });
    return { course: view(course), round };
  },

  /**
   * @param {{commitment: string, nonce: number | null}} question
   * @returns {Promise<Uint8Array>}
   */
  receipt({ commitment, nonce }) {
    const log = /** @type {Remote} */ (opened().log);
    return log.receipt(
      `v1/commitments/${commitment}${nonce === null ? "" : `/rounds/${nonce}`}/receipt`,
    );
  },

  /** @param {{key: string | null, saved: string | null}} question */
  compare: ({ key, saved }) => compare(opened().log, opened().note, key, saved),

  /**
   * Judges the whole log. A separate worker is asked to do it.
   * @param {{base?: string, bytes?: Uint8Array, key: string, since: string[], policy?: Uint8Array}}
   *   question
   * @param {(progress: {entries: number, size: number}) => void} tell
   */
  audit({ base, bytes, key, since, policy }, tell) {
    const clock = Date.now();
    const believed = readFor(policy, key);
    const options = { key, policy: believed?.policy, clock, since, onProgress: tell };
    if (bytes !== undefined) return auditExport(bytes, options);
    return auditLog(new Remote(base ?? "").readFile, { ...options, asOf: clock });
  },

  /** @param {{bytes: Uint8Array, key: string}} question */
  policy: ({ bytes, key }) => readFor(bytes, key)?.facts,
});
