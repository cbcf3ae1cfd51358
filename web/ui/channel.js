// A worker that answers questions, reports its progress, and sends news.

import { startWorker } from "./worker.js";

/**
 * @typedef {object} Channel
 * @property {(question: object, onProgress?: (progress: any) => void, moved?: Transferable[]) => Promise<any>}
 *   ask rejects with the worker's error message. Moved objects are not copied, and are no longer in
 *   the page
 * @property {() => void} stop ends the worker and its work; the next question starts a new worker
 */

/** Somebody ended the worker before it answered. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
    this.name = "Stopped";
  }
}

/**
 * @param {import("./worker.js").WorkerName} name
 * @param {(news: any) => void} [hear]
 * @returns {Channel}
 */
export function channel(name, hear = () => undefined) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, onProgress?: (progress: any) => void}>} */
  const waiting = new Map();
  let last = 0;

  /** @param {Error} why */
  const end = (why) => {
    worker?.terminate();
    worker = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(why);
  };

  /** @param {any} data */
  const receive = (data) => {
    if ("news" in data) return hear(data.news);
    const asked = waiting.get(data.id);
    if ("progress" in data) return asked?.onProgress?.(data.progress);
    waiting.delete(data.id);
    if ("answer" in data) asked?.resolve(data.answer);
    else asked?.reject(Object.assign(new Error(data.error.says), { code: data.error.code }));
  };

  const start = () => {
    const started = startWorker(name);
    started.addEventListener("message", ({ data }) => receive(data));
    started.addEventListener("error", (event) =>
      end(new Error(event.message || "the worker stopped")),
    );
    return started;
  };

  return {
    ask: (question, onProgress, moved = []) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        waiting.set(++last, { resolve, reject, onProgress });
        worker.postMessage({ id: last, ...question }, moved);
      }),
    stop: () => end(new Stopped()),
  };
}
