// A view of a log that nobody published: a tree in memory, signed with the log's own key. A
// cheating operator shows such a view to one player.

import { concat, fromHex, toBase64, utf8 } from "../fairdeal/bytes.js";
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
  const key = await crypto.subtle.importKey(
    "pkcs8",
    concat(PKCS8, bytes.subarray(1)),
    { name: "Ed25519" },
    true,
    ["sign"],
  );
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = new Uint8Array(Buffer.from(x, "base64url"));
  return {
    name,
    id,
    sign: async (message) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, message)),
    vkey: keyText({ name, id, publicKey }),
  };
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

/** A tree of entries, and receipts of them under its own checkpoint. */
export class ForgedView {
  constructor(signing, entries) {
    this.signing = signing;
    this.entries = [...entries];
  }

  /** Appends an entry, and returns its index. */
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
    return index < half
      ? [...this.inclusion(index, start, half), this.root(half, end)]
      : [...this.inclusion(index, half, end), this.root(start, half)];
  }

  async checkpoint() {
    const size = this.entries.length;
    const text = checkpointText(this.signing.name, size, this.root(0, size));
    const signature = toBase64(
      concat(fromHex(this.signing.id), await this.signing.sign(utf8(text))),
    );
    return `${text}\n— ${this.signing.name} ${signature}\n`;
  }

  /** A receipt of some entries. */
  async receipt(indices) {
    const entry = (index) => new TextDecoder().decode(this.entries[index]);
    const proof = (index) => this.inclusion(index).map((hash) => toBase64(hash));
    return {
      format: "fairdeal/receipt/v1",
      entries: indices.map((index) => ({ index, entry: entry(index), proof: proof(index) })),
      checkpoint: await this.checkpoint(),
    };
  }
}

/** The largest power of two under a count. */
function halfOf(count) {
  return 2 ** Math.floor(Math.log2(count - 1));
}
