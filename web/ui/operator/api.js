// The service's calls, as the operator's page makes them. This is the only module of the page that
// knows the form of a request or of an answer (spec/http.md).

import { toHex } from "../../fairdeal/bytes.js";
import { Client } from "../../fairdeal/client.js";
import { deckCards } from "../../fairdeal/deck.js";
import { placeOf } from "../../fairdeal/layout.js";
import { Problem } from "../../fairdeal/problem.js";

/** @typedef {import("../../fairdeal/layout.js").Layout} Layout */
/** @typedef {import("../../fairdeal/client.js").EntryAnswer} EntryAnswer */
/** @typedef {import("../../fairdeal/client.js").Given} Given */

/**
 * The state of a commitment. `in_play` is absent in lists.
 * @typedef {import("../../fairdeal/client.js").Standing & {in_play?: number[]}} Standing
 */

/** @typedef {import("../../fairdeal/client.js").RoundAnswer} Round */

/** @typedef {string | null} Shown a card or an item; null while it is hidden */

/**
 * A dealt round: the cards of each seat and of each street; without a layout all are in `rest`, in
 * the order of the deal.
 * @typedef {{seats: {name: string, cards: Shown[]}[], board: Shown[][], rest: Shown[]}} Hand
 */

/** @typedef {{seat: string} | {street: number}} Part a seat's cards, or a street from 1 */

/** A commitment that does not exist: a question about it tells only whether the token is known. */
const NONE = "0".repeat(64);

export class Api {
  /** The keys of the requests whose outcome is unknown. @type {Map<string, string>} */
  #keys = new Map();
  /** Whether the token may read who opened which card, as far as is known. */
  #mayOpen = true;

  /** @param {string} base @param {string} token */
  constructor(base, token) {
    this.client = new Client(base, { token, retries: 3, timeout: 15_000 });
  }

  /**
   * Why this address answers no calls of operators; null if it does. It is asked without a token.
   * @param {string} base
   * @returns {Promise<Problem | null>}
   */
  static async whyClosed(base) {
    const client = new Client(base, { retries: 0 });
    const problem = await client.openings(NONE).catch((error) => error);
    return problem instanceof Problem && problem.code === "no-such-path" ? problem : null;
  }

  /**
   * Whether the service knows the token. The question opens nothing and changes nothing.
   * @throws {Problem} why not
   */
  async enter() {
    try {
      await this.client.openings(NONE);
    } catch (error) {
      if (error instanceof Problem && ["forbidden", "unknown-commitment"].includes(error.code))
        return;
      throw error;
    }
  }

  /**
   * Every open commitment, and every table with the name of its last commitment.
   * @returns {Promise<{open: Standing[], tables: Map<string, string>}>}
   */
  async all() {
    /** @type {Standing[]} */
    const open = [];
    /** @type {Map<string, string>} */
    const tables = new Map();
    /** @type {number | undefined} */
    let from;
    do {
      const page = await this.client.commitments({ open: true, from, most: 1000 });
      open.push(...page.commitments);
      from = page.next;
    } while (from !== undefined);
    /** @type {string | undefined} */
    let after;
    do {
      const page = await this.client.tables({ after, most: 1000 });
      for (const { table, commitment } of page.tables) tables.set(table, commitment);
      after = page.next;
    } while (after !== undefined);
    return { open, tables };
  }

  /**
   * The witnesses, and why the last anchor that was due is not in the log. Empty where a proxy does
   * not pass `/readyz` on: the tables do not need it.
   * @returns {Promise<Pick<import("../../fairdeal/client.js").ReadyAnswer, "witnesses" | "unanchored">>}
   */
  async witnesses() {
    try {
      return await this.client.ready();
    } catch {
      return {};
    }
  }

  /** @param {string} commitment @returns {Promise<Standing>} */
  standing(commitment) {
    return this.client.commitment(commitment);
  }

  /** @param {string} commitment @param {number} nonce @returns {Promise<Round>} */
  round(commitment, nonce) {
    return this.client.round(commitment, nonce);
  }

  /** @param {string} commitment @param {number} nonce */
  receipt(commitment, nonce) {
    return this.client.receipt(commitment, nonce);
  }

  /**
   * When the cards of each seat were first opened for anybody. Empty for a token that may not know.
   * @param {Standing} standing
   * @param {Round} round
   * @returns {Promise<Map<string, number>>} by the seat's name
   */
  async given({ commitment, layout, sealed }, { nonce, seats, state }) {
    /** @type {Map<string, number>} */
    const found = new Map();
    if (layout === undefined || seats === undefined || !sealed || state !== "dealt") return found;
    if (!this.#mayOpen) return found;
    const after = nonce === 0 ? undefined : `${nonce - 1}/9999`;
    try {
      const { openings } = await this.client.openings(commitment, {
        after,
        most: 1000,
      });
      for (const { nonce: each, t, first } of openings) {
        const place = each === nonce ? placeOf(layout, seats.length, t) : null;
        if (place !== null && "seat" in place && !found.has(seats[place.seat]))
          found.set(seats[place.seat], first.at);
      }
    } catch (error) {
      if (!(error instanceof Problem && error.code === "forbidden")) throw error;
      this.#mayOpen = false;
    }
    return found;
  }

  // A write ends with its signal: it is not sent again. What the service has, it does.

  /** @param {import("../../fairdeal/client.js").Terms} terms @param {AbortSignal} [signal] */
  commit(terms, signal) {
    return this.#write("commit", terms, (key) => this.client.commit(terms, { key, signal }));
  }

  /**
   * @param {string} at
   * @param {import("../../fairdeal/client.js").LockRequest} body
   * @param {AbortSignal} [signal]
   */
  lock(at, body, signal) {
    return this.#write(`lock ${at}`, body, (key) => this.client.lock(at, body, { key, signal }));
  }

  /**
   * @param {string} at
   * @param {import("../../fairdeal/client.js").DealRequest} body
   * @param {AbortSignal} [signal]
   */
  deal(at, body, signal) {
    return this.#write(`deal ${at}`, body, (key) => this.client.deal(at, body, { key, signal }));
  }

  /**
   * @param {string} at
   * @param {import("../../fairdeal/client.js").VoidRequest} body
   * @param {AbortSignal} [signal]
   */
  void(at, body, signal) {
    return this.#write(`void ${at}`, body, (key) => this.client.void(at, body, { key, signal }));
  }

  /**
   * @param {string} at
   * @param {import("../../fairdeal/client.js").RevealRequest} body
   * @param {AbortSignal} [signal]
   */
  reveal(at, body, signal) {
    return this.#write(`reveal ${at}`, body, (key) =>
      this.client.reveal(at, body, { key, signal }),
    );
  }

  /** @param {string} commitment @param {number} nonce @param {AbortSignal} [signal] */
  done(commitment, nonce, signal) {
    return this.client.done(commitment, nonce, { signal });
  }

  /**
   * Opens the cards of a seat or of a street.
   * @param {Standing} standing
   * @param {Round} round
   * @param {Part} part
   * @param {boolean} isPublic whether everybody may see them
   * @param {AbortSignal} [signal]
   * @returns {Promise<object>} the opening's file
   */
  open({ commitment }, { nonce }, part, isPublic, signal) {
    return this.client.open(commitment, nonce, { ...part, public: isPublic }, { signal });
  }

  /**
   * Sends a write. After an answer that leaves open whether it was done, the same request has the
   * same key: nothing is done twice, however often the operator presses.
   * @param {string} name
   * @param {object} body
   * @param {(key: string) => Promise<EntryAnswer>} send
   * @returns {Promise<EntryAnswer>}
   */
  async #write(name, body, send) {
    const request = `${name} ${JSON.stringify(body)}`;
    const key = this.#keys.get(request) ?? newKey();
    this.#keys.set(request, key);
    try {
      const answer = await send(key);
      this.#keys.delete(request);
      return answer;
    } catch (error) {
      if (error instanceof Problem && !error.passing) this.#keys.delete(request);
      throw error;
    }
  }
}

/** Keys in ascending order cost the service less. `randomUUID` is missing without TLS. */
function newKey() {
  const random = toHex(crypto.getRandomValues(new Uint8Array(8)));
  return `page ${Date.now().toString().padStart(15, "0")} ${random}`;
}

/**
 * The cards of a dealt round, as far as they are public.
 * @param {Standing} standing
 * @param {Round} round
 * @returns {Hand}
 */
export function handOf({ deck, draw }, round) {
  const { seats = [], hands, cards, indices, items = indices, opened = [] } = round;
  const named = typeof deck === "string" ? deckCards(deck) : null;
  // People count the items of a list from 1.
  /** @param {string | number | null} face @returns {Shown} */
  const text = (face) =>
    typeof face === "number" ? (named?.[face] ?? String(face + 1)) : (face ?? null);
  if (hands !== undefined)
    return {
      // Not the order of the members: an object has those with the names of numbers first.
      seats: seats
        .filter((name) => Object.hasOwn(hands.seats, name))
        .map((name) => ({ name, cards: hands.seats[name].map(text) })),
      board: (hands.board ?? []).map((street) => street.map(text)),
      rest: [],
    };
  const all = new Map(opened.map(({ t, item }) => [t, item]));
  return {
    seats: [],
    board: [],
    rest:
      cards?.match(/../gs) ??
      Array.from({ length: draw }, (_, t) => text(items?.[t] ?? all.get(t) ?? null)),
  };
}
