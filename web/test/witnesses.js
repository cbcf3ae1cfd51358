// Witnesses with keys of their own, and what they sign of a log in memory.

import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";

import { compareText, concat, fromHex, toBase64, toHex, utf8 } from "../fairdeal/bytes.js";
import { checkpointText } from "../fairdeal/checkpoint.js";
import { toGive, toOpen } from "../fairdeal/contribute.js";
import { cosignedText } from "../fairdeal/cosignature.js";
import { keyId } from "../fairdeal/key.js";
import { readPolicy } from "../fairdeal/policy.js";
import { ModelLog, ModelTable } from "./model-log.js";

/** A second at which the tests begin. */
export const NOON = 1_760_000_000;

/** A witness with a new key. */
export class Witness {
  constructor(name) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const raw = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x, "base64url"));
    this.name = name;
    this.secret = privateKey;
    this.id = keyId(name, raw, 4);
    this.vkey = `${name}+${this.id}+${toBase64(concat([4], raw))}`;
  }

  /** Its signature line under a text, without its newline. */
  line(second, text) {
    const signature = sign(null, utf8(cosignedText(BigInt(second), text)), this.secret);
    const octets = new DataView(new ArrayBuffer(8));
    octets.setBigUint64(0, BigInt(second));
    const bytes = concat(fromHex(this.id), new Uint8Array(octets.buffer), signature);
    return `\u2014 ${this.name} ${toBase64(bytes)}`;
  }
}

/** The policy that names these witnesses in their order, and the rest of it. */
export const policyOf = (witnesses, ...lines) =>
  readPolicy(
    utf8([...witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}`), ...lines].join("\n")),
  );

/** A log with a round that was dealt at a time: commit 0, lock 1, deal 2. */
export async function dealtAt(time = 1000 * NOON) {
  const log = await ModelLog.make();
  log.now = time - 3000;
  const table = new ModelTable(log, "t");
  await table.commit({ reveal_by: time + 86_400_000 });
  const own = await table.brought();
  await table.lock([toGive(own)]);
  await table.deal([toOpen(own)]);
  assert.equal(log.now, time);
  return { log, table };
}

export const sorted = (lines) => [...lines].sort(compareText);

/**
 * An anchor of a log: witnesses with their seconds, `[[witness, second], …]`, have signed its size
 * and root.
 */
export function anchor(log, size, signed, { root = log.tree.rootAt(size), ...more } = {}) {
  const text = checkpointText(log.key.name, size, root);
  const cosignatures = sorted(signed.map(([witness, second]) => witness.line(second, text)));
  return { entry: "anchor", size, root: toHex(root), cosignatures, ...more };
}

/** The log's checkpoint with the lines of witnesses. */
export async function cosigned(log, signed, size = log.size) {
  const text = checkpointText(log.key.name, size, log.tree.rootAt(size));
  const lines = signed.map(([witness, second]) => `${witness.line(second, text)}\n`);
  return (await log.checkpoint(size)) + lines.join("");
}
