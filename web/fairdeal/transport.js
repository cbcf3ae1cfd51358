// Sends the requests of a client, until each is answered.

import { Problem, problemOf, readBody } from "./problem.js";
import { pause } from "./wait.js";

/** The maximum number of bytes of an answer. */
const LONGEST_ANSWER = 2 ** 23;

/** @typedef {import("./client.js").CallOptions} CallOptions */

/**
 * What the requests of a client have in common.
 * @typedef {object} Sender
 * @property {string} baseUrl with a slash at its end
 * @property {string | undefined} token
 * @property {number} retries
 * @property {number} timeout
 * @property {typeof fetch} fetch
 */

/**
 * What an answer means.
 * @template T
 * @typedef {object} Reading
 * @property {(bytes: Uint8Array<ArrayBuffer>) => T} read throws if the bytes are no such answer
 * @property {number} [largest] bytes
 * @property {readonly number[]} [answers] statuses other than 2xx that are answers
 */

/**
 * @param {Sender} client
 * @param {string} path
 * @param {object} body
 * @param {CallOptions} [options]
 * @returns {Promise<any>}
 */
export async function post(client, path, body, options = {}) {
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
  return send(client, path, init, options, { read: objectOf });
}

/**
 * @param {Sender} client
 * @param {string} path
 * @param {Record<string, string | number | boolean | undefined>} [query]
 * @param {CallOptions} [options]
 * @param {number} [largest] bytes of the answer
 * @returns {Promise<any>}
 */
export async function get(client, path, query = {}, options, largest = LONGEST_ANSWER) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)]),
  ).toString();
  const headers = { accept: "application/json" };
  const full = search === "" ? path : `${path}?${search}`;
  return send(client, full, { headers }, options, { read: objectOf, largest });
}

/**
 * Sends a request until it is answered: again after a broken connection, and when the service is
 * temporarily unable.
 * @template T
 * @param {Sender} client
 * @param {string} path
 * @param {RequestInit} init
 * @param {CallOptions | undefined} options
 * @param {Reading<T>} reading
 * @returns {Promise<T>}
 * @throws {Problem}
 */
export async function send(client, path, init, { signal } = {}, reading) {
  for (let tries = 0; ; tries++) {
    const found = await once(client, path, init, signal, reading);
    if (found.problem === null) return found.answer;
    const { problem } = found;
    if (!problem.passing || tries >= client.retries) throw problem;
    await pause(problem.after ?? 200 * 2 ** tries * (0.5 + Math.random()), signal);
  }
}

/**
 * @template T
 * @param {Sender} client
 * @param {string} path
 * @param {RequestInit} init
 * @param {AbortSignal | undefined} signal
 * @param {Reading<T>} reading
 * @returns {Promise<{answer: T, problem: null} | {problem: Problem & {after?: number}}>}
 */
async function once(client, path, init, signal, reading) {
  const { read, largest = LONGEST_ANSWER, answers = [] } = reading;
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(client.timeout);
  try {
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const response = await request(client, path, init, both);
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
    const detail = `${client.baseUrl}${path}: no answer: ${error instanceof Error ? error.message : error}`;
    return { problem: new Problem({ status: 0, code: "unreachable", detail }, { cause: error }) };
  }
}

/**
 * @param {Sender} client
 * @param {string} path
 * @param {RequestInit} init
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
export function request(client, path, init, signal) {
  const headers = new Headers(init.headers);
  if (client.token !== undefined) headers.set("authorization", `Bearer ${client.token}`);
  // A browser may keep a state for a second. After a write, the caller needs the new one.
  const cache = client.token === undefined ? "default" : "no-store";
  return client.fetch(client.baseUrl + path, { ...init, headers, signal, cache });
}

/** @param {Uint8Array} bytes @returns {string} */
export function textOf(bytes) {
  // With a byte order mark: a log's name may begin with one.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @param {Uint8Array} bytes @returns {any} */
export function objectOf(bytes) {
  const value = JSON.parse(textOf(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("expected a JSON object");
  return value;
}
