// The service's API (spec/http.md, spec/openapi.json), for the game's server and for pages.

import { readEvents } from "./events.js";
import { ADDRESS, FUNCTION, NUMBER, TEXT, expectMembers, expectOptions } from "./expected.js";
import { Problem } from "./problem.js";
import { LONGEST_BUNDLE } from "./tile.js";
import { get, objectOf, post, send, textOf } from "./transport.js";

/** Of a list: 1,000 entries of 65,535 bytes, most of which can be escaped. */
const LONGEST_LIST = 2 ** 27;
const OPTIONS = { token: TEXT, fetch: FUNCTION, retries: NUMBER, timeout: NUMBER };

/**
 * @typedef {import("./service.js").BrokenRule} BrokenRule
 * @typedef {import("./service.js").CommitmentAnswer} CommitmentAnswer
 * @typedef {import("./service.js").CommitmentsAnswer} CommitmentsAnswer
 * @typedef {import("./service.js").DealRequest} DealRequest
 * @typedef {import("./service.js").DoneAnswer} DoneAnswer
 * @typedef {import("./service.js").EntryAnswer} EntryAnswer
 * @typedef {import("./service.js").EventsAnswer} EventsAnswer
 * @typedef {import("./service.js").Face} Face
 * @typedef {import("./service.js").Given} Given
 * @typedef {import("./service.js").Hands} Hands
 * @typedef {import("./service.js").LockRequest} LockRequest
 * @typedef {import("./service.js").LogAnswer} LogAnswer
 * @typedef {import("./service.js").OpenedCard} OpenedCard
 * @typedef {import("./service.js").Opening} Opening
 * @typedef {import("./service.js").OpeningRequest} OpeningRequest
 * @typedef {import("./service.js").OpeningsAnswer} OpeningsAnswer
 * @typedef {import("./service.js").ReadyAnswer} ReadyAnswer
 * @typedef {import("./service.js").Receipt} Receipt
 * @typedef {import("./service.js").ReceiptsAnswer} ReceiptsAnswer
 * @typedef {import("./service.js").RevealRequest} RevealRequest
 * @typedef {import("./service.js").RoundAnswer} RoundAnswer
 * @typedef {import("./service.js").RoundTold} RoundTold
 * @typedef {import("./service.js").RoundVoid} RoundVoid
 * @typedef {import("./service.js").RoundsAnswer} RoundsAnswer
 * @typedef {import("./service.js").Standing} Standing
 * @typedef {import("./service.js").TableState} TableState
 * @typedef {import("./service.js").TablesPage} TablesPage
 * @typedef {import("./service.js").Terms} Terms
 * @typedef {import("./service.js").VoidRequest} VoidRequest
 * @typedef {import("./events.js").LogEvent} LogEvent
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
    return post(this, "v1/commitments", terms, options);
  }

  /**
   * Fixes a round's contributions.
   * @param {string} commitment
   * @param {LockRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  lock(commitment, body, options) {
    return post(this, `${at(commitment)}/locks`, body, options);
  }

  /**
   * Deals a round.
   * @param {string} commitment
   * @param {DealRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  deal(commitment, body, options) {
    return post(this, `${at(commitment)}/deals`, body, options);
  }

  /**
   * Voids a round, or a commitment that was never used.
   * @param {string} commitment
   * @param {VoidRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  void(commitment, body, options) {
    return post(this, `${at(commitment)}/voids`, body, options);
  }

  /**
   * Makes the server seed public.
   * @param {string} commitment
   * @param {RevealRequest} [body]
   * @param {CallOptions} [options]
   * @returns {Promise<EntryAnswer>}
   */
  reveal(commitment, body = {}, options) {
    return post(this, `${at(commitment)}/reveal`, body, options);
  }

  /**
   * Says that a sealed round is over.
   * @param {string} commitment
   * @param {number} nonce
   * @param {CallOptions} [options]
   * @returns {Promise<DoneAnswer>}
   */
  done(commitment, nonce, options) {
    return post(this, `${round(commitment, nonce)}/done`, {}, options);
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
    return post(this, `${round(commitment, nonce)}/openings`, body, options);
  }

  /**
   * Who opened which card of a commitment, by round and place, and when; `next` is the `after` of
   * the next page. It needs the right to open.
   * @param {string} commitment
   * @param {{after?: string, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<OpeningsAnswer>}
   */
  openings(commitment, query, options) {
    return get(this, `${at(commitment)}/openings`, query, options);
  }

  // Public reads.

  /**
   * The log's name, and the verifier key that this host shows.
   * @param {CallOptions} [options]
   * @returns {Promise<LogAnswer>}
   */
  log(options) {
    return get(this, "v1/log", {}, options);
  }

  /**
   * Commitments in log order; `next` is the `from` of the next page.
   * @param {{table?: string, open?: boolean, from?: number, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<CommitmentsAnswer>}
   */
  commitments(query, options) {
    return get(this, "v1/commitments", query, options, LONGEST_LIST);
  }

  /**
   * The state of a commitment.
   * @param {string} commitment
   * @param {CallOptions} [options]
   * @returns {Promise<CommitmentAnswer>}
   */
  commitment(commitment, options) {
    return get(this, at(commitment), {}, options);
  }

  /**
   * The state of a table.
   * @param {string} table
   * @param {CallOptions} [options]
   * @returns {Promise<TableState>}
   */
  table(table, options) {
    return get(this, "v1/tables", { table }, options);
  }

  /**
   * All tables, by the bytes of their names, each with its last commitment; `next` is the `after`
   * of the next page.
   * @param {{after?: string, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<TablesPage>}
   */
  tables(query, options) {
    return get(this, "v1/tables", query, options);
  }

  /**
   * The commitment's rounds; `next` is the `from` of the next page.
   * @param {string} commitment
   * @param {{from?: number, most?: number}} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<RoundsAnswer>}
   */
  rounds(commitment, query, options) {
    return get(this, `${at(commitment)}/rounds`, query, options, LONGEST_LIST);
  }

  /**
   * One round: its contributions and its result.
   * @param {string} commitment
   * @param {number} nonce
   * @param {CallOptions} [options]
   * @returns {Promise<RoundAnswer>}
   */
  round(commitment, nonce, options) {
    return get(this, round(commitment, nonce), {}, options);
  }

  /**
   * The receipt of a round; without `nonce`, of the commitment alone.
   * @param {string} commitment
   * @param {number} [nonce]
   * @param {CallOptions} [options]
   * @returns {Promise<Receipt>}
   */
  receipt(commitment, nonce, options) {
    return get(
      this,
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
   * @returns {Promise<ReceiptsAnswer>}
   */
  receipts(commitment, first, last, options) {
    const rounds = `${first}-${last}`;
    return get(this, `${at(commitment)}/receipts`, { rounds }, options, LONGEST_LIST);
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
   * @returns {Promise<EventsAnswer>}
   */
  eventsPage(query, options) {
    return get(this, "v1/events", query, options, LONGEST_LIST);
  }

  /** The signed head of the log. @param {CallOptions} [options] @returns {Promise<string>} */
  async checkpoint(options) {
    return send(this, "checkpoint", {}, options, { read: textOf });
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
      return await send(this, path, {}, options, reading);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  /** @param {CallOptions} [options] @returns {Promise<string>} */
  async live(options) {
    return send(this, "healthz", {}, options, { read: textOf });
  }

  /**
   * Whether the service can deal.
   * @param {CallOptions} [options]
   * @returns {Promise<ReadyAnswer>}
   */
  async ready(options) {
    // A service that is not ready answers 503: here this is an answer, not a reason to retry.
    return send(this, "readyz", {}, options, { read: objectOf, answers: [503] });
  }

  /** Numbers for Prometheus. @param {CallOptions} [options] @returns {Promise<string>} */
  async numbers(options) {
    return send(this, "metrics", {}, options, { read: textOf });
  }

  /**
   * A read of any address of the service that gives a JSON object.
   * @param {string} path such as `v1/tables`
   * @param {Record<string, string | number | boolean | undefined>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Record<string, any>>}
   */
  get(path, query, options) {
    return get(this, path, query, options);
  }
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
