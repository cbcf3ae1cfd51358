// The log as it grows (spec/http.md, section 9): server-sent events by `fetch`, so that it runs in
// Node too.

import { Problem, problemOf } from "./problem.js";
import { request } from "./transport.js";
import { pause } from "./wait.js";

/**
 * An entry of the log.
 * @typedef {object} LogEvent
 * @property {number} index
 * @property {import("./service.js").Open<import("./service.js").EntryKind>} event its kind
 * @property {string} entry its exact bytes
 */

/** A stream has a comment every 15 seconds. If three of them are missing, the stream is dead. */
const SILENCE = 45_000;
/** The maximum number of characters of an event: an entry has at most 65,535 bytes. */
const LONGEST_EVENT = 70_000;

/**
 * Follows the log, with a new connection when one breaks.
 * @param {import("./transport.js").Sender} client
 * @param {{after?: number, table?: string, signal?: AbortSignal}} [options]
 * @returns {AsyncGenerator<LogEvent, void, void>}
 */
export async function* readEvents(client, { after, table, signal } = {}) {
  let last = after;
  const ended = () => signal?.aborted === true;
  for (let tries = 0; !ended(); tries++) {
    try {
      for await (const event of connection(client, last, table, signal)) {
        // Each entry once, in the order of the log.
        if (last !== undefined && event.index <= last) continue;
        tries = 0;
        last = event.index;
        yield event;
      }
    } catch (error) {
      if (ended()) return;
      if (error instanceof Problem && !error.passing) throw error;
      // A reader who follows for days must not stop because the service was unreachable for a
      // minute.
    }
    await pause(Math.min(200 * 2 ** tries, 10_000) * (0.5 + Math.random()), signal).catch(
      () => undefined,
    );
  }
}

/**
 * @param {import("./transport.js").Sender} client
 * @param {number | undefined} after
 * @param {string | undefined} table
 * @param {AbortSignal | undefined} signal
 * @returns {AsyncGenerator<LogEvent, void, void>}
 */
async function* connection(client, after, table, signal) {
  const query = new URLSearchParams();
  if (after !== undefined) query.set("after", String(after));
  if (table !== undefined) query.set("table", table);
  const silence = new AbortController();
  const stop = () => silence.abort();
  signal?.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(stop, SILENCE);
  try {
    const headers = { accept: "text/event-stream" };
    const response = await request(client, `v1/events?${query}`, { headers }, silence.signal);
    if (!response.ok) throw await problemOf(response);
    if (response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE);
      text += value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      if (text.length > LONGEST_EVENT)
        throw new RangeError(`an event has at most ${LONGEST_EVENT} characters`);
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    // A caller that leaves the loop closes the connection.
    silence.abort();
  }
}

/**
 * @param {string} block the lines of one event
 * @returns {LogEvent | null} null if it is a comment
 */
function eventOf(block) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const line of block.split("\n")) {
    const found = /^([a-z]+): ?(.*)$/s.exec(line);
    if (found !== null)
      fields.set(
        found[1],
        fields.has(found[1]) ? `${fields.get(found[1])}\n${found[2]}` : found[2],
      );
  }
  const id = fields.get("id") ?? "";
  const index = Number(id);
  const entry = fields.get("data");
  if (entry === undefined || !/^[0-9]+$/.test(id) || !Number.isSafeInteger(index)) return null;
  return { index, event: fields.get("event") ?? "message", entry };
}
