// A seat's timers, by name.

/** The longest time that a platform's timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** @extends {Map<string, ReturnType<typeof setTimeout>>} */
export class Timers extends Map {
  /**
   * Runs something later, in the place of what the name's timer would have run.
   * @param {string} name
   * @param {number} after milliseconds
   * @param {() => Promise<void>} run
   */
  wake(name, after, run) {
    clearTimeout(this.get(name));
    const ring = () => {
      this.delete(name);
      // A storage that fails is told with the next file.
      run().catch(() => undefined);
    };
    const timer = setTimeout(ring, Math.min(after, LONGEST));
    // In Node a timer must not keep the program alive.
    /** @type {any} */ (timer).unref?.();
    this.set(name, timer);
  }

  stop() {
    for (const timer of this.values()) clearTimeout(timer);
    this.clear();
  }
}
