// The tables of the service, kept current: at first all of them, then each commitment that an event
// of the log is about.

import { isObject, readJson } from "../../fairdeal/json.js";
import { follow } from "../../workers/explore/live.js";

/** @typedef {import("./api.js").Api} Api */
/** @typedef {import("./api.js").Standing} Standing */

/** Events that come together are answered by one reading. */
const PAUSE = 150;
/** With more changed commitments than this, all are read again. */
const MANY = 20;
/** Hands in play are not in the log, and lists do not tell them: they are asked for one by one. */
const MOST_ASKED = 50;

export class Model {
  /** The open commitments. @type {Map<string, Standing>} */
  open = new Map();
  /** Each table with its last commitment. @type {Map<string, string>} */
  tables = new Map();
  /** @type {import("../../fairdeal/service.js").WitnessAnswer[]} */
  witnesses = [];
  /** Why the last anchor that was due is not in the log. @type {string | undefined} */
  unanchored;
  /** @type {"loading" | "live" | "offline"} */
  connection = "loading";
  /** The index of the last entry that was seen. */
  #last = -1;
  /** @type {Set<string>} */
  #changed = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isOver = false;

  /**
   * @param {Api} api
   * @param {string} base
   * @param {{changed: (commitments: Set<string> | null) => void, failed: (error: unknown) => void}}
   *   hear `changed` has null if anything may have changed
   */
  constructor(api, base, hear) {
    this.api = api;
    this.hear = hear;
    this.stop = follow(base, () => this.#last + 1, {
      event: (index, text) => {
        this.#last = index;
        this.#note(text);
      },
      open: () => {
        this.connection = "live";
        // What happened before this moment is in the state.
        void this.reload();
      },
      lost: () => {
        this.connection = "offline";
        this.hear.changed(new Set());
      },
    });
  }

  /** The operator left: nothing more is read with the token. */
  end() {
    this.#isOver = true;
    this.stop();
    clearTimeout(this.#timer);
  }

  /** Open commitments, the most urgent first. @returns {Standing[]} */
  due() {
    return [...this.open.values()].sort((a, b) => a.reveal_by - b.reveal_by || a.index - b.index);
  }

  /**
   * The commitment that a table plays under: its last one, or an earlier one whose hand is still in
   * play.
   * @param {string} table
   */
  current(table) {
    const played = [...this.open.values()].find(
      (each) => each.table === table && (each.in_play ?? []).length > 0,
    );
    return played?.commitment ?? this.tables.get(table);
  }

  /** Tables without an open commitment. @returns {string[]} */
  closed() {
    return [...this.tables].filter(([, id]) => !this.open.has(id)).map(([table]) => table);
  }

  /** @param {string} text an entry of the log */
  #note(text) {
    try {
      const entry = readJson(text);
      if (isObject(entry) && typeof entry.commitment === "string")
        this.#changed.add(entry.commitment);
    } catch {
      // The log may have entries of a later version.
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#settle(), PAUSE);
  }

  async #settle() {
    const changed = this.#changed;
    this.#changed = new Set();
    if (changed.size > MANY) return this.reload();
    await this.#read(async () => {
      for (const each of changed) this.put(await this.api.standing(each));
      return changed;
    });
  }

  /** @param {Standing} standing */
  put(standing) {
    const { commitment, table, state, index } = standing;
    if (state === "revealed" || state === "voided") {
      this.open.delete(commitment);
      if (!this.tables.has(table)) this.tables.set(table, commitment);
      return;
    }
    const last = this.open.get(this.tables.get(table) ?? "");
    if (last === undefined || last.index <= index) this.tables.set(table, commitment);
    this.open.set(commitment, standing);
  }

  async reload() {
    await this.#read(async () => {
      const [{ open, tables }, { witnesses = [], unanchored }] = await Promise.all([
        this.api.all(),
        this.api.witnesses(),
      ]);
      const played = open.filter(({ sealed, next }) => sealed && next > 0).slice(0, MOST_ASKED);
      const asked = await Promise.all(
        played.map(({ commitment }) => this.api.standing(commitment)),
      );
      [this.witnesses, this.unanchored] = [witnesses, unanchored];
      this.tables = tables;
      this.open = new Map([...open, ...asked].map((each) => [each.commitment, each]));
      return null;
    });
  }

  /** @param {() => Promise<Set<string> | null>} read */
  async #read(read) {
    if (this.#isOver) return;
    try {
      const changed = await read();
      if (!this.#isOver) this.hear.changed(changed);
    } catch (error) {
      if (!this.#isOver) this.hear.failed(error);
    }
  }
}
