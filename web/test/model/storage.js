// A storage in memory that outlives the kit's page. The page may close between two writes, and a
// write may fail.

export class PageClosed extends Error {}

export class Storage {
  /** @param {Map<string, any>} [kept] */
  constructor(kept = new Map()) {
    this.kept = kept;
    this.closed = false;
    this.closesAfter = this.failsAfter = Infinity;
  }

  /** The same records for a new page. */
  again() {
    return new Storage(this.kept);
  }

  /** The contributions in it. */
  get contributions() {
    return [...this.kept.values()].flatMap((each) => each?.kept ?? []);
  }

  async get(name) {
    if (this.closed) throw new PageClosed();
    return structuredClone(this.kept.get(name));
  }

  async set(name, value) {
    if (this.closesAfter-- <= 0) this.closed = true;
    if (this.closed) throw new PageClosed();
    if (this.failsAfter-- === 0) throw new DOMException("the disk is full", "QuotaExceededError");
    this.kept.set(name, structuredClone(value));
  }
}
