// A storage in memory that outlives the kit's page. A write may fail, and then the page closes or
// goes on; while the storage is full, every write fails.

class StorageFailed extends Error {
  name = "StorageFailed";
}

export class Storage {
  /** @param {Map<string, any>} [kept] */
  constructor(kept = new Map()) {
    this.kept = kept;
    this.closed = this.failed = this.full = false;
    this.closesAfter = this.failsAfter = Infinity;
    this.begin();
  }

  /** The same records for a new page. */
  again() {
    return Object.assign(new Storage(this.kept), { full: this.full });
  }

  /** Begins a call of the kit, of which every write is remembered. */
  begin() {
    this.failed = this.closed;
    this.before = new Map(this.kept);
    this.writes = [];
  }

  /** What is kept if the page closes before a write of this call. */
  cut(writes) {
    return new Storage(new Map([...this.before, ...this.writes.slice(0, writes)]));
  }

  /** The contributions in it. */
  get contributions() {
    return [...this.kept.values()].flatMap((each) => each?.kept ?? []);
  }

  async get(name) {
    if (this.closed) throw new StorageFailed();
    return structuredClone(this.kept.get(name));
  }

  async set(name, value) {
    const fails = this.full || this.failsAfter-- === 0;
    this.closed ||= this.closesAfter-- <= 0;
    this.failed ||= fails || this.closed;
    if (fails || this.closed) throw new StorageFailed();
    this.kept.set(name, structuredClone(value));
    this.writes.push([name, this.kept.get(name)]);
  }
}
