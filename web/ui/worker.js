// The only module that starts workers. An exported page has no other files: its loader
// (crates/cli/src/page_loader.js) makes a script of each worker.

/**
 * @typedef {"check" | "explore" | "judge" | "lab" | "raffle" | "words"} WorkerName
 */

/** @type {Record<WorkerName, () => URL>} */
const FILES = {
  check: () => new URL("../workers/check.js", import.meta.url),
  explore: () => new URL("../workers/explore.js", import.meta.url),
  judge: () => new URL("../workers/judge.js", import.meta.url),
  lab: () => new URL("../workers/lab.js", import.meta.url),
  raffle: () => new URL("../workers/raffle.js", import.meta.url),
  words: () => new URL("../workers/words.js", import.meta.url),
};

/**
 * Starts a worker by its name.
 * @param {WorkerName} name
 * @returns {Worker}
 */
export function startWorker(name) {
  const exported = /** @type {{fairdealWorker?: (path: string) => string}} */ (globalThis)
    .fairdealWorker;
  return exported === undefined
    ? new Worker(FILES[name](), { type: "module" })
    : new Worker(exported(`workers/${name}.js`));
}

/**
 * A worker that answers questions: each message has an `id`, which its answer repeats.
 * It starts with the first question.
 * @param {WorkerName} name
 * @returns {(question: object) => Promise<any>} rejects with the worker's error message
 */
export function asker(name) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let last = 0;
  const start = () => {
    const started = startWorker(name);
    started.addEventListener("message", ({ data }) => {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else asked?.reject(Object.assign(new Error(data.error.says), { code: data.error.code }));
    });
    started.addEventListener("error", (event) => {
      for (const { reject } of waiting.values())
        reject(new Error(event.message || "the worker stopped"));
      waiting.clear();
      worker = null;
    });
    return started;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      worker ??= start();
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ id: last, ...question });
    });
}
