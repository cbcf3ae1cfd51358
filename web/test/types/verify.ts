// What the judging calls take, and the storage of a player's seat.

import type { Kept, Receipt } from "fairdeal";
import { contribution, verifyReceipt, verifyReceipts } from "fairdeal";
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
