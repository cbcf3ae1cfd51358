// Random choices that all follow from one 64-bit seed (SplitMix64).

const MASK = (1n << 64n) - 1n;

export class Random {
  /** @param {bigint} seed */
  constructor(seed) {
    this.state = seed & MASK;
  }

  /** 64 bits: also a seed for a part of a game. */
  next() {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let bits = this.state;
    bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return bits ^ (bits >> 31n);
  }

  below(count) {
    return Number(this.next() % BigInt(count));
  }

  chance(oneIn) {
    return this.below(oneIn) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}
