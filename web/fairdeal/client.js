// The service's API (spec/http.md, spec/openapi.json), for the game's server and for pages.

import { readEvents } from "./events.js";
import { ADDRESS, FUNCTION, NUMBER, TEXT, expectMembers, expectOptions } from "./expected.js";
import { Problem, problemOf, readBody } from "./problem.js";
import { LONGEST_BUNDLE } from "./tile.js";
import { pause } from "./wait.js";

/** The maximum number of bytes of an answer. */
const LONGEST_ANSWER = 2 ** 23;
/** Of a list: 1,000 entries of 65,535 bytes, most of which can be escaped. */
const LONGEST_LIST = 2 ** 27;
const OPTIONS = { token: TEXT, fetch: FUNCTION, retries: NUMBER, timeout: NUMBER };

/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./problem.js").Standing} Standing
 * @typedef {import("./problem.js").TableState} TableState
 * @typedef {import("./events.js").LogEvent} LogEvent
 * @typedef {Record<string, unknown>} Receipt as `verifyReceipt` takes it
 */

/**
 * @typedef {object} ClientOptions
 * @property {string} [token] of an operator: for writes and for openings
 * @property {typeof fetch} [fetch]
 * @property {number} [retries] how often a request is sent again at most; 5 by default
 * @property {number} [timeout] milliseconds for one answer; 30,000 by default
 */

/**
 * @typedef {object} CallOptions
 * @property {string} [key] the idempotency key of a write; random by default. Give your own to
 *   continue after a crash of your program
 * @property {AbortSignal} [signal]
 */

/**
 * A player's contribution as sent to the dealer: a part of the result of `contribution`.
 * @typedef {Partial<Kept> & {from: string}} Given
 */

/** @typedef {{t: number, item: number, salt: string}} OpenedCard */

/**
 * The answer to a request that made an entry.
 * @typedef {object} EntryAnswer
 * @property {string} commitment
 * @property {number} index of the entry in the log
 * @property {number} [nonce]
 * @property {number} reveal_by
 * @property {Receipt} receipt
 * @property {string} [cards]
 * @property {number[]} [indices]
 * @property {number[]} [items]
 * @property {string} [digest]
 * @property {string} [seal]
 * @property {string[]} [card_seals]
 * @property {OpenedCard[]} [opened]
 * @property {Hands} [hands] under a layout, whose each card of a deal is
 * @property {string} [server_seed]
 * @property {{commitment: string, index: number, reveal_by: number, receipt: Receipt}} [next] the
 * table's next commitment
 */

/**
 * A card's text, or a list's item, from 0; null is a card that is neither in the log nor opened.
 * @typedef {string | number | null} Face
 * @typedef {{seats: Record<string, Face[]>, board?: Face[][], burnt?: Face[]}} Hands
 * @typedef {{seat?: string, street?: string | number, t?: number[], force?: boolean,
 *   public?: boolean}} OpeningRequest the cards of a seat, of a street (`flop`, or a number from 1),
 *   or at places from 0
 */

/**
 * The terms of a commitment. Only `table` is needed.
 * @typedef {object} Terms
 * @property {string} table
 * @property {string | {count: number, sha256: string}} [deck]
 * @property {number} [draw]
 * @property {"shuffle" | "cycle"} [method]
 * @property {"seeds" | "hashes"} [mixing]
 * @property {boolean} [sealed]
 * @property {boolean} [signed]
 * @property {{hand: number, board?: number[], burn?: boolean} | string} [layout] or a game's name,
 * such as `holdem`, which has a deck too
 * @property {number} [rounds]
 * @property {string} [reveal_in] a number and `s`, `m`, `h` or `d`
 * @property {"done" | "deadline" | "manual"} [reveal]
 * @property {string} [last_deal_before]
 * @property {boolean} [next]
 * @property {string} [rules] SHA-256 of the game's rules
 * @property {string} [ext]
 */

/**
 * @typedef {{nonce?: number, reason: string, blame?: string, ext?: string,
 *   next?: boolean}} VoidRequest
 * @typedef {{nonce: number, reason: string, blame?: string, ext?: string}} RoundVoid of the round
 * before, which goes with a lock
 * @typedef {{nonce?: number, contributions: Given[], seats?: string[], void?: RoundVoid,
 *   ext?: string}} LockRequest
 * @typedef {{nonce?: number, contributions?: Given[], seats?: string[], open?: number[],
 *   public?: boolean, next?: boolean, ext?: string}} DealRequest
 * @typedef {{nonce?: number, force?: boolean, next?: boolean, ext?: string}} RevealRequest
 * @typedef {{format: string, receipt: Receipt, card_seals: string[], opened: OpenedCard[]}} Opening
 */

/**
 * What an answer means.
 * @template T
 * @typedef {object} Reading
 * @property {(bytes: Uint8Array<ArrayBuffer>) => T} read throws if the bytes are no such answer
 * @property {number} [largest] bytes
 * @property {readonly number[]} [answers] statuses other than 2xx that are answers
 */

/** Makes the calls of one service. */
export class Client {
  /**
   * @param {string | URL} baseUrl
   * @param {ClientOptions} [options]
   */
  constructor(baseUrl, options = {}) {
    const call = "client(baseUrl, options)";
    expectMembers(call, { baseUrl }, { baseUrl: ADDRESS }, ["baseUrl"]);
    expectOptions(call, 'options such as "token"', options, OPTIONS);
    const { token, fetch = globalThis.fetch, retries = 5, timeout = 30_000 } = options;
    /** With a slash at its end. */
    this.baseUrl = String(baseUrl).replace(/\/*$/, "/");
    this.token = token;
    this.retries = retries;
    this.timeout = timeout;
    // Browsers refuse to call `fetch` as a method of anything else.
    /** @type {typeof fetch} */
    this.fetch = (input, init) => fetch(input, init);
    // It is passed alone, as a `read`.
    this.readFile = this.readFile.bind(this);
  }

  // Writes. Each call has an idempotency key: however often it is sent, it is done once.

  /**
   * Publishes a commitment.
   * @param {Terms} terms
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  commit(terms, options) {
    return this.post("v1/commitments", terms, options);
  }

  /**
   * Fixes a round's contributions.
   * @param {string} commitment
   * @param {LockRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  lock(commitment, body, options) {
    return this.post(`${at(commitment)}/locks`, body, options);
  }

  /**
   * Deals a round.
   * @param {string} commitment
   * @param {DealRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  deal(commitment, body, options) {
    return this.post(`${at(commitment)}/deals`, body, options);
  }

  /**
   * Voids a round, or a commitment that was never used.
   * @param {string} commitment
   * @param {VoidRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  void(commitment, body, options) {
    return this.post(`${at(commitment)}/voids`, body, options);
  }

  /**
   * Makes the server seed public.
   * @param {string} commitment
   * @param {RevealRequest} [body]
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  reveal(commitment, body = {}, options) {
    return this.post(`${at(commitment)}/reveal`, body, options);
  }

  /**
   * Says that a sealed round is over.
   * @param {string} commitment
   * @param {number} nonce
   * @param {CallOptions} [options]
   * @returns {Promise<{commitment: string, nonce: number, in_play: number[]}>}
   */
  done(commitment, nonce, options) {
    return this.post(`${round(commitment, nonce)}/done`, {}, options);
  }

  /**
   * Opens sealed cards: for one player, or with `public` for everybody.
   * @param {string} commitment
   * @param {number} nonce
   * @param {OpeningRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<Opening>}
   */
  open(commitment, nonce, body, options) {
    return this.post(`${round(commitment, nonce)}/openings`, body, options);
  }

  // Public reads.

  /**
   * Commitments in log order; `next` is the `from` of the next page.
   * @param {{table?: string, open?: boolean, from?: number, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<{commitments: Standing[], next?: number}>}
   */
  commitments(query, options) {
    return this.get("v1/commitments", query, options, LONGEST_LIST);
  }

  /** @param {string} commitment @param {CallOptions} [options] @returns {Promise<Standing>} */
  commitment(commitment, options) {
    return this.get(at(commitment), {}, options);
  }

  /**
   * The state of a table.
   * @param {string} table
   * @param {CallOptions} [options]
   * @returns {Promise<TableState>}
   */
  table(table, options) {
    return this.get("v1/tables", { table }, options);
  }

  /**
   * @param {string} commitment
   * @param {{from?: number, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<{commitment: string, done: number, rounds: Record<string, unknown>[]}>}
   */
  rounds(commitment, query, options) {
    return this.get(`${at(commitment)}/rounds`, query, options, LONGEST_LIST);
  }

  /**
   * @param {string} commitment
   * @param {number} nonce
   * @param {CallOptions} [options]
   * @returns {Promise<Record<string, unknown>>}
   */
  round(commitment, nonce, options) {
    return this.get(round(commitment, nonce), {}, options);
  }

  /**
   * The receipt of a round; without `nonce`, of the commitment alone.
   * @param {string} commitment
   * @param {number} [nonce]
   * @param {CallOptions} [options]
   * @returns {Promise<Receipt>}
   */
  receipt(commitment, nonce, options) {
    return this.get(
      `${nonce === undefined ? at(commitment) : round(commitment, nonce)}/receipt`,
      {},
      options,
    );
  }

  /**
   * The receipts of some rounds, at most 100 and about 1 MB; `next` is the first that did not fit.
   * @param {string} commitment
   * @param {number} first
   * @param {number} last
   * @param {CallOptions} [options]
   * @returns {Promise<{receipts: Receipt[], next?: number}>}
   */
  receipts(commitment, first, last, options) {
    const rounds = `${first}-${last}`;
    return this.get(`${at(commitment)}/receipts`, { rounds }, options, LONGEST_LIST);
  }

  /**
   * Follows the log. The iterator ends when `signal` is aborted, and connects again when a stream
   * breaks.
   * @param {{after?: number, table?: string, signal?: AbortSignal}} [options] `after`: the index of
   * the last entry that you have
   * @returns {AsyncGenerator<LogEvent, void, void>}
   */
  events(options) {
    return readEvents(this, options);
  }

  /**
   * A page of the log's entries.
   * @param {{after?: number, table?: string}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<{events: {index: number, event: string, entry: string}[], last?: number}>}
   */
  eventsPage(query, options) {
    return this.get("v1/events", query, options, LONGEST_LIST);
  }

  /** The signed head of the log. @param {CallOptions} [options] @returns {Promise<string>} */
  async checkpoint(options) {
    return this.send("checkpoint", {}, options, { read: textOf });
  }

  /**
   * A file of the log: a `read` for `auditLog`.
   * @param {string} path
   * @param {CallOptions} [options]
   * @returns {Promise<Uint8Array | null>} null if the log does not have it
   */
  async readFile(path, options) {
    const reading = {
      read: (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => bytes,
      largest: LONGEST_BUNDLE,
    };
    try {
      return await this.send(path, {}, options, reading);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  /** @param {CallOptions} [options] @returns {Promise<string>} */
  async live(options) {
    return this.send("healthz", {}, options, { read: textOf });
  }

  /**
   * Whether the service can deal.
   * @param {CallOptions} [options]
   * @returns {Promise<{ready: boolean, published: number, unpublished: number, overdue: number, problems?: string[]}>}
   */
  async ready(options) {
    // A service that is not ready answers 503: here this is an answer, not a reason to retry.
    return this.send("readyz", {}, options, { read: objectOf, answers: [503] });
  }

  /** Numbers for Prometheus. @param {CallOptions} [options] @returns {Promise<string>} */
  async numbers(options) {
    return this.send("metrics", {}, options, { read: textOf });
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  async post(path, body, options = {}) {
    const headers = {
      "content-type": "application/json",
      "idempotency-key": options.key ?? crypto.randomUUID(),
    };
    const init = {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      // Elsewhere the request could become a read, whose answer would look like that of the write.
      redirect: /** @type {const} */ ("manual"),
    };
    return this.send(path, init, options, { read: objectOf });
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number | boolean | undefined>} [query]
   * @param {CallOptions} [options]
   * @param {number} [largest] bytes of the answer
   * @returns {Promise<any>}
   */
  async get(path, query = {}, options, largest = LONGEST_ANSWER) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      given.map(([name, value]) => [name, String(value)]),
    ).toString();
    const headers = { accept: "application/json" };
    const full = search === "" ? path : `${path}?${search}`;
    return this.send(full, { headers }, options, { read: objectOf, largest });
  }

  /**
   * Sends a request until it is answered: again after a broken connection, and when the service is
   * temporarily unable.
   * @template T
   * @param {string} path
   * @param {RequestInit} init
   * @param {CallOptions | undefined} options
   * @param {Reading<T>} reading
   * @returns {Promise<T>}
   * @throws {Problem}
   */
  async send(path, init, { signal } = {}, reading) {
    for (let tries = 0; ; tries++) {
      const found = await this.once(path, init, signal, reading);
      if (found.problem === null) return found.answer;
      const { problem } = found;
      if (!problem.passing || tries >= this.retries) throw problem;
      await pause(problem.after ?? 200 * 2 ** tries * (0.5 + Math.random()), signal);
    }
  }

  /**
   * @template T
   * @param {string} path
   * @param {RequestInit} init
   * @param {AbortSignal | undefined} signal
   * @param {Reading<T>} reading
   * @returns {Promise<{answer: T, problem: null} | {problem: Problem & {after?: number}}>}
   */
  async once(path, init, signal, { read, largest = LONGEST_ANSWER, answers = [] }) {
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(this.timeout);
    try {
      const response = await this.request(
        path,
        init,
        signal === undefined ? limit : AbortSignal.any([signal, limit]),
      );
      // The body is read here, so that a connection that breaks in the body, or something between
      // that answers in the place of the service, is a reason to retry.
      if (response.ok || answers.includes(response.status))
        return { answer: read(await readBody(response, largest)), problem: null };
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      const problem = await problemOf(response);
      return {
        problem: Object.assign(problem, Number.isFinite(seconds) ? { after: 1000 * seconds } : {}),
      };
    } catch (error) {
      signal?.throwIfAborted();
      const detail = `${this.baseUrl}${path}: no answer: ${error instanceof Error ? error.message : error}`;
      return { problem: new Problem({ status: 0, code: "unreachable", detail }, { cause: error }) };
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @param {AbortSignal} signal
   * @returns {Promise<Response>}
   */
  request(path, init, signal) {
    const headers = new Headers(init.headers);
    if (this.token !== undefined) headers.set("authorization", `Bearer ${this.token}`);
    // A browser may keep a state for a second. After a write, the caller needs the new one.
    const cache = this.token === undefined ? "default" : "no-store";
    return this.fetch(this.baseUrl + path, { ...init, headers, signal, cache });
  }
}

/** @param {Uint8Array} bytes @returns {string} */
function textOf(bytes) {
  // With a byte order mark: a log's name may begin with one.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @param {Uint8Array} bytes @returns {any} */
function objectOf(bytes) {
  const value = JSON.parse(textOf(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("expected a JSON object");
  return value;
}

/** @param {string} commitment @returns {string} */
function at(commitment) {
  return `v1/commitments/${encodeURIComponent(commitment)}`;
}

/** @param {string} commitment @param {number} nonce @returns {string} */
function round(commitment, nonce) {
  return `${at(commitment)}/rounds/${encodeURIComponent(nonce)}`;
}

/**
 * The calls of a service.
 * @param {string | URL} baseUrl
 * @param {ClientOptions} [options]
 * @returns {Client}
 */
export function client(baseUrl, options) {
  return new Client(baseUrl, options);
}
