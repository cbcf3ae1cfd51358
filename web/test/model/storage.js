// A storage in memory that outlives the kit's page, and that fails when the page closes.

export class PageClosed extends Error {}

export class Storage {
  /** @param {Map<string, any>} [kept] */
  constructor(kept = new Map()) {
    this.kept = kept;
    this.left = Infinity;
  }

  /** The page closes before the write after so many. */
  closeAfter(writes) {
    this.left = writes;
  }

  get closed() {
    return this.left < 0;
  }

  /** The same records for a new page. */
  again() {
    return new Storage(this.kept);
  }

  async get(name) {
    if (this.closed) throw new PageClosed();
    return structuredClone(this.kept.get(name));
  }

  async set(name, value) {
    if (this.left-- <= 0) {
      this.left = -1;
      throw new PageClosed();
    }
    this.kept.set(name, structuredClone(value));
  }
}
