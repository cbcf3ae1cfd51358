// A log in memory, signed with its own key, and a table of a dealer at it. The dealer deals by the
// rules, but does not refuse to break one: it cheats as a test says.

import { concat, fromHex, toBase64, toHex, u16, u32, utf8 } from "../fairdeal/bytes.js";
import { checkpointText } from "../fairdeal/checkpoint.js";
import { TiledTree, readHead } from "../fairdeal/continuity.js";
import { contribution } from "../fairdeal/contribute.js";
import { deal, resultOf } from "../fairdeal/deal.js";
import { sealKey } from "../fairdeal/derive.js";
import { canonical } from "../fairdeal/jcs.js";
import { readJson } from "../fairdeal/json.js";
import { keyId, keyText, readKey } from "../fairdeal/key.js";
import { Tree, leafHash, nodeHash } from "../fairdeal/merkle.js";
import { seal } from "../fairdeal/seal.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { FileSource } from "../fairdeal/source.js";
import { readPath } from "../fairdeal/tile.js";

export const BASE = "https://model.example/";
const PKCS8 = fromHex("302e020100300506032b657004220420");

/** A log and its files. */
export class ModelLog {
  /**
   * @param {{vkey: string, sign: (message: Uint8Array) => Promise<Uint8Array>}} signing
   * @param {readonly Uint8Array[]} [entries]
   */
  constructor(signing, entries = []) {
    this.signing = signing;
    this.key = readKey(signing.vkey);
    /** @type {Uint8Array[]} */
    this.entries = [];
    this.tree = new Tree();
    for (const bytes of entries) this.append(bytes);
    this.now = 1_760_000_000_000;
    /** The log whose files are served. */
    this.served = this;
    /** The indices of entries that the service does not show. @type {Set<number>} */
    this.hidden = new Set();
    this.down = false;
  }

  static async make(origin = "model.example/log") {
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    const vkey = keyText({ name: origin, id: keyId(origin, publicKey), publicKey });
    return new ModelLog({ vkey, sign: signer(pair.privateKey) });
  }

  /** The same entries, up to a size, under the same key, which then go another way. */
  fork(size = this.size) {
    const other = new ModelLog(this.signing, this.entries.slice(0, size));
    other.now = this.now;
    return other;
  }

  get size() {
    return this.entries.length;
  }

  /** @param {Uint8Array} bytes */
  append(bytes) {
    this.entries.push(bytes);
    this.tree.push(leafHash(bytes));
  }

  /** Appends an entry, and returns its index. */
  push(entry) {
    this.now += 1000;
    const timed = { time: this.now, ...entry };
    this.append(utf8(canonical(readJson(JSON.stringify(timed)))));
    return this.size - 1;
  }

  checkpoint(size = this.size) {
    return this.note(size, this.tree.rootAt(size));
  }

  /** A signed head, whether the log has had it or not. */
  async note(size, root, extensions = "") {
    const text = `${checkpointText(this.key.name, size, root)}${extensions}`;
    const signature = concat(fromHex(this.key.id), await this.signing.sign(utf8(text)));
    return `${text}\n— ${this.key.name} ${toBase64(signature)}\n`;
  }

  hash(start, end) {
    if (end - start === 1) return leafHash(this.entries[start]);
    const half = start + halfOf(end - start);
    return nodeHash(this.hash(start, half), this.hash(half, end));
  }

  inclusion(index, start, end) {
    if (end - start === 1) return [];
    const half = start + halfOf(end - start);
    return index < half
      ? [...this.inclusion(index, start, half), this.hash(half, end)]
      : [...this.inclusion(index, half, end), this.hash(start, half)];
  }

  /** The proof from one size to another, as in a receipt. */
  async seen(size, now = this.size) {
    const proof = await new TiledTree((path) => this.file(path, now), now).proof(size);
    return { size, root: toHex(this.tree.rootAt(size)), proof: proof.map(toBase64) };
  }

  /** The log in one file, under a checkpoint. */
  exported(checkpoint) {
    const note = utf8(checkpoint);
    const entries = this.entries.flatMap((bytes) => [u16(bytes.length), bytes]);
    return concat(utf8("fairdeal/export/v1\n"), u32(note.length), note, ...entries);
  }

  /** A receipt of some entries, with the sizes that its contributions saw and its anchors have. */
  async receipt(indices, size = this.size) {
    const entries = indices.map((index) => ({
      index,
      entry: new TextDecoder().decode(this.entries[index]),
      proof: this.inclusion(index, 0, size).map(toBase64),
    }));
    const sizes = entries
      .map(({ entry }) => JSON.parse(entry))
      .flatMap((each) => [each, ...(each.contributions ?? []).map(({ seen }) => seen ?? {})])
      .flatMap((each) => (each.size !== undefined && each.size <= size ? [each.size] : []));
    const seen = [];
    for (const each of [...new Set(sizes)].sort((a, b) => a - b))
      seen.push(await this.seen(each, size));
    return {
      format: "fairdeal/receipt/v1",
      entries,
      checkpoint: await this.checkpoint(size),
      ...(seen.length === 0 ? {} : { seen }),
    };
  }

  /** The receipt of a round, or of a commitment. */
  round(commitment, nonce) {
    const indices = this.entries.flatMap((bytes, index) => {
      const entry = JSON.parse(new TextDecoder().decode(bytes));
      const ours = entry.nonce === undefined || entry.nonce === nonce;
      return entry.commitment === commitment && ours && !this.hidden.has(index) ? [index] : [];
    });
    return indices.length === 0 ? null : this.receipt(indices);
  }

  /** A hash tile of the log when it had a size. */
  file(path, size = this.size) {
    const { level, index, width } = readPath(path);
    if (typeof level !== "number") return null;
    const first = Number(index) * 256;
    return first + width <= Math.floor(size / 256 ** level)
      ? concat(this.tree.hashes(8 * level, first, first + width))
      : null;
  }

  /** Answers as the log's service does. */
  fetch = async (url) => {
    if (this.down) throw new TypeError("the network is down");
    const path = String(url).slice(BASE.length);
    const { served } = this;
    const asked = /^v1\/commitments\/([0-9a-f]{64})(?:\/rounds\/(\d+))?\/receipt/.exec(path);
    const found =
      path === "checkpoint"
        ? await served.checkpoint()
        : asked === null
          ? served.file(path)
          : await served.round(asked[1], asked[2] === undefined ? undefined : Number(asked[2]));
    if (found === null) return new Response("{}", { status: 404 });
    return new Response(
      typeof found === "string" || found instanceof Uint8Array ? found : JSON.stringify(found),
    );
  };
}

/** The rounds of one table. */
export class ModelTable {
  /**
   * @param {ModelLog} log
   * @param {string} name
   * @param {object} [terms]
   */
  constructor(log, name, terms = {}) {
    this.log = log;
    this.terms = {
      entry: "commit",
      protocol: "fairdeal/v1",
      origin: log.key.name,
      table: name,
      method: "shuffle",
      deck: "standard-52",
      draw: 5,
      sealed: false,
      mixing: "hashes",
      rounds: 4,
      ...terms,
    };
    this.made = 0;
  }

  /** Publishes a commitment, and returns its receipt. */
  async commit(more = {}, log = this.log) {
    this.serverSeed = sha256(utf8(`${this.terms.table} ${this.made++}`));
    this.commitment = toHex(sha256(this.serverSeed));
    const { commitment } = this;
    this.index = log.push({ ...this.terms, commitment, reveal_by: log.now + 600_000, ...more });
    return log.receipt([this.index]);
  }

  /** A player's contribution to the first round. */
  brought(from = "alice", more = {}) {
    return contribution({
      from,
      commitment: this.commitment,
      nonce: 0,
      key: this.log.signing.vkey,
      ...more,
    });
  }

  /** Locks a round, and returns the lock's receipt. */
  async lock(given, { nonce = 0, log = this.log, ...more } = {}) {
    const contributions = given
      .map(({ log: _, commitment, nonce: __, ...each }) => each)
      .sort((a, b) => (a.from < b.from ? -1 : 1));
    this.locked = {
      nonce,
      contributions,
      index: log.push({
        entry: "lock",
        commitment: this.commitment,
        nonce,
        contributions,
        ...more,
      }),
    };
    return log.receipt([this.index, this.locked.index]);
  }

  /** Deals the locked round, and returns its receipt. */
  async deal(
    openings,
    { log = this.log, cheat = (result) => result, arrange = (order) => order } = {},
  ) {
    const { nonce, contributions, index } = this.locked;
    const opened = contributions.map(({ from }) => {
      const { blind, seed } = openings.find((each) => each.from === from);
      return { blind, from, seed };
    });
    const seeds = contributions.map((each, i) => ({ ...each, seed: opened[i].seed }));
    this.mixed = { nonce, contributions: seeds };
    const hmac = new HmacKey(this.serverSeed);
    this.order = arrange(deal(hmac, this.terms, this.mixed));
    const honest = resultOf(hmac, fromHex(this.commitment), this.terms, this.mixed, this.order);
    const result = cheat(honest);
    this.dealt = log.push({
      entry: "deal",
      commitment: this.commitment,
      nonce,
      lock: index,
      opened,
      result,
    });
    return log.receipt([this.index, index, this.dealt]);
  }

  /** The opening of some cards of a sealed deal. */
  async opening(places, { log = this.log, lie = (item) => item } = {}) {
    const { nonce, contributions } = this.mixed;
    const key = sealKey(new HmacKey(this.serverSeed), nonce, contributions);
    const { cardSeals, salts } = seal(key, fromHex(this.commitment), nonce, this.order);
    return {
      format: "fairdeal/opening/v1",
      receipt: await log.receipt([this.index, this.locked.index, this.dealt]),
      card_seals: Array.from(this.order, (_, t) => toHex(cardSeals.subarray(32 * t, 32 * t + 32))),
      opened: places.map((t) => ({
        t,
        item: lie(this.order[t]),
        salt: toHex(salts.subarray(16 * t, 16 * t + 16)),
      })),
    };
  }

  /** Reveals the seed, and returns the last round's receipt. */
  reveal({ log = this.log, nonce = this.locked.nonce, ...more } = {}) {
    const server_seed = toHex(this.serverSeed);
    log.push({ entry: "reveal", commitment: this.commitment, server_seed, ...more });
    return log.round(this.commitment, nonce);
  }
}

/** @param {CryptoKey} key */
function signer(key) {
  return async (message) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, message));
}

/** What signs for a ledger: the text of its file `private/signing.key`. */
export async function readSigningKey(text) {
  const [, name, id, secret] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim());
  const bytes = Uint8Array.from(atob(secret), (char) => char.charCodeAt(0));
  const algorithm = { name: "Ed25519" };
  const key = await crypto.subtle.importKey(
    "pkcs8",
    concat(PKCS8, bytes.subarray(1)),
    algorithm,
    true,
    ["sign"],
  );
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = new Uint8Array(Buffer.from(x, "base64url"));
  return { vkey: keyText({ name, id, publicKey }), sign: signer(key) };
}

/** The entries of a log. */
export async function entriesOf(readFile, vkey) {
  const head = await readHead(await readFile("checkpoint"), readKey(vkey));
  const source = new FileSource(readFile);
  const entries = [];
  for (let index = 0; 256 * index < head.size; index++) {
    entries.push(...(await source.bundle(index, Math.min(256, head.size - 256 * index))));
  }
  return entries;
}

/** The largest power of two under a count. */
function halfOf(count) {
  return 2 ** Math.floor(Math.log2(count - 1));
}
