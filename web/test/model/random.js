// Random choices that all follow from one 64-bit seed (SplitMix64).

import { concat, fromHex } from "../../fairdeal/bytes.js";

const MASK = (1n << 64n) - 1n;
const PKCS8 = fromHex("302e020100300506032b657004220420");

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

const { subtle } = crypto;
const [sign, verify] = [subtle.sign.bind(subtle), subtle.verify.bind(subtle)];
/** Each signature is computed once: a game judges the same receipts many times. */
let computed = new WeakMap();

function once(run) {
  return (algorithm, key, ...parts) => {
    const name = parts.map((part) => Buffer.from(part).toString("latin1")).join(" ");
    const known = computed.get(key) ?? new Map();
    computed.set(key, known);
    if (!known.has(name)) known.set(name, run(algorithm, key, ...parts));
    return known.get(name);
  };
}

/** From now on the platform's random bytes and keys, which the kit takes, follow from a seed. */
export function pinPlatform(seed) {
  const random = new Random(seed);
  computed = new WeakMap();
  crypto.getRandomValues = (bytes) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return bytes;
  };
  subtle.sign = once(sign);
  subtle.verify = once(verify);
  subtle.generateKey = async (algorithm, extractable, [signs]) => {
    const secret = concat(PKCS8, crypto.getRandomValues(new Uint8Array(32)));
    const open = await subtle.importKey("pkcs8", secret, algorithm, true, [signs]);
    const { x } = await subtle.exportKey("jwk", open);
    const point = Buffer.from(x, "base64url");
    return {
      privateKey: await subtle.importKey("pkcs8", secret, algorithm, extractable, [signs]),
      publicKey: await subtle.importKey("raw", point, algorithm, true, ["verify"]),
    };
  };
}
