// Waits.

/** The maximum wait before a request is sent again, whatever the service asks for. */
const LONGEST_WAIT = 30_000;

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, Math.min(milliseconds, LONGEST_WAIT));
    function end() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** How long a program computes before a page may answer and draw, in milliseconds. */
const LONGEST_BREATH = 20;

/** Pauses between the parts of a long computation. */
export class Breath {
  constructor() {
    this.last = Date.now();
  }

  /** Lets a page answer and draw, if it is time. */
  async take() {
    if (Date.now() - this.last < LONGEST_BREATH) return;
    await pause(0);
    this.last = Date.now();
  }
}

/** A limit of the time that messages wait for a log in a queue, whatever each message asks it. */
export class Patience {
  /** @param {number} most milliseconds */
  constructor(most) {
    this.most = most;
    this.before = 0;
    /** @type {number | null} */
    this.since = null;
  }

  /** How long messages have waited so far. @returns {number} milliseconds */
  get waited() {
    return this.before + (this.since === null ? 0 : performance.now() - this.since);
  }

  /**
   * Asks the log. One after the other.
   * @template T
   * @param {number} arrived what `waited` was when the message came
   * @param {(limit: AbortSignal) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async ask(arrived, ask) {
    const left = Math.ceil(this.most - (this.waited - arrived));
    this.since = performance.now();
    try {
      return await ask(left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort());
    } finally {
      this.before = this.waited;
      this.since = null;
    }
  }
}
