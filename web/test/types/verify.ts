// What the judging calls take, and the storage of a player's seat.

import type { Kept, Policy, Receipt } from "fairdeal";
import {
  PolicyFault,
  auditExport,
  auditLog,
  contribution,
  readPolicy,
  verifyReceipt,
  verifyReceipts,
} from "fairdeal";
import { verifyEvidence } from "fairdeal/evidence.js";
import { type Storage, memoryStorage } from "fairdeal/storage.js";

export async function judge(file: Uint8Array, key: string, lock: Receipt) {
  const mine: Kept = await contribution({ from: "alice", seed: "lucky" });
  await verifyReceipt(file, { key, mine });
  await verifyReceipt(lock, { key, mine: [mine, '{"from":"bob","seed":"s"}', file] });
  await verifyReceipt(file, { key, mine: [{ name: "alice.json", file: mine }] });
  // @ts-expect-error: a receipt is compared with others by verifyReceipts.
  await verifyReceipt(file, { key, mine: [lock] });
  // @ts-expect-error
  await verifyReceipt(file, { key, mine: [{ name: "lock.json", file: lock }] });
  return verifyReceipts([file], { key, mine: [mine, lock, { name: "lock.json", file: lock }] });
}

export async function seen(file: Uint8Array, key: string, bytes: Uint8Array) {
  const policy: Policy = readPolicy(bytes);
  const { policy: hash, witnessed } = await verifyReceipt(file, { key, policy });
  const by: number | undefined = witnessed?.deal?.by;
  // @ts-expect-error: it is read first.
  await verifyReceipts([file], { key, policy: bytes });
  // @ts-expect-error: nobody sees the commit apart.
  const [first]: (string | undefined)[] = witnessed?.commit?.witnesses ?? [];
  await verifyEvidence(file, { key, policy, kept: true });
  await auditLog(() => null, { key, policy });
  const { witnesses } = await auditExport(file, { key, policy });
  const late: number | undefined = witnesses?.reveals_not_in_time;
  const longest: number | null | undefined = witnesses?.longest;
  return [hash, by, first, late, longest];
}

export const lineOf = (error: unknown) => (error instanceof PolicyFault ? error.line : 0);

export async function kept() {
  const values = new Map<string, unknown>();
  const own: Storage = {
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
  };
  // @ts-expect-error: what a storage has can be anything.
  (await memoryStorage().get("x")).length;
  return own;
}
