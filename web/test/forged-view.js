// A view of a log that nobody published: a tree in memory, signed with the log's own key. It is what a cheating operator
// shows to one player.

import { concat, equal, fromHex, toBase64, utf8 } from "../fairdeal/bytes.js";
import { checkpointText } from "../fairdeal/checkpoint.js";
import { readHead } from "../fairdeal/continuity.js";
import { canonical } from "../fairdeal/jcs.js";
import { keyText, readKey } from "../fairdeal/key.js";
import { leafHash, nodeHash } from "../fairdeal/merkle.js";
import { FileSource } from "../fairdeal/source.js";

const PKCS8 = fromHex("302e020100300506032b657004220420");

/** The key in a ledger's file `private/signing.key`. */
export async function readSigningKey(text) {
  const [, name, id, secret] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim());
  const bytes = Uint8Array.from(atob(secret), (char) => char.charCodeAt(0));
  const key = await crypto.subtle.importKey("pkcs8", concat(PKCS8, bytes.subarray(1)), { name: "Ed25519" }, true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = new Uint8Array(Buffer.from(x, "base64url"));
  return { name, id, sign: async (message) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, message)), vkey: keyText({ name, id, publicKey }) };
}

/** The entries of a log, up to a size. */
export async function entriesOf(readFile, vkey, most = Infinity) {
  const head = await readHead(await readFile("checkpoint"), readKey(vkey));
  const source = new FileSource(readFile);
  const entries = [];
  for (let index = 0; 256 * index < Math.min(head.size, most); index++) {
    entries.push(...await source.bundle(index, Math.min(256, head.size - 256 * index)));
  }
  return entries.slice(0, most);
}

/** A tree of entries, and receipts of them under a checkpoint of its own. */
export class ForgedView {
  constructor(signing, entries) {
    this.signing = signing;
    this.entries = [...entries];
  }

  /** Appends an entry, and gives its index. */
  add(entry) {
    return this.entries.push(utf8(canonical(entry))) - 1;
  }

  root(start, end) {
    if (end - start === 1) return leafHash(this.entries[start]);
    const half = start + halfOf(end - start);
    return nodeHash(this.root(start, half), this.root(half, end));
  }

  inclusion(index, start = 0, end = this.entries.length) {
    if (end - start === 1) return [];
    const half = start + halfOf(end - start);
    return index < half ? [...this.inclusion(index, start, half), this.root(half, end)] : [...this.inclusion(index, half, end), this.root(start, half)];
  }

  consistency(old, start = 0, end = this.entries.length, whole = true) {
    if (old === end) return whole ? [] : [this.root(start, end)];
    const half = start + halfOf(end - start);
    return old <= half ? [...this.consistency(old, start, half, whole), this.root(half, end)]
      : [...this.consistency(old, half, end, false), this.root(start, half)];
  }

  async checkpoint() {
    const size = this.entries.length;
    const text = checkpointText(this.signing.name, size, this.root(0, size));
    const signature = toBase64(concat(fromHex(this.signing.id), await this.signing.sign(utf8(text))));
    return `${text}\n— ${this.signing.name} ${signature}\n`;
  }

  /** A receipt of some entries, with a proof from each size that somebody saw. */
  async receipt(indices, seen = []) {
    const hashes = (proof) => proof.map((hash) => toBase64(hash));
    const sizes = [...new Set(seen)].filter((size) => size <= this.entries.length).sort((a, b) => a - b);
    return {
      format: "fairdeal/receipt/v1",
      entries: indices.map((index) => ({ index, entry: new TextDecoder().decode(this.entries[index]), proof: hashes(this.inclusion(index)) })),
      checkpoint: await this.checkpoint(),
      ...(sizes.length === 0 ? {} : { seen: sizes.map((size) => ({
        size, root: Buffer.from(this.root(0, size)).toString("hex"), proof: hashes(this.consistency(size)),
      })) }),
    };
  }

  /** Where an entry stands. */
  indexOf(bytes) {
    return this.entries.findIndex((each) => equal(each, bytes));
  }
}

/** The largest power of two under a count. */
function halfOf(count) {
  return 2 ** Math.floor(Math.log2(count - 1));
}
