// A player's seat in a game with a dealer that holds the log's key.

import assert from "node:assert/strict";

import { verifyEvidence } from "../fairdeal/evidence.js";
import { contribution, toGive, toOpen } from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { BASE, ModelLog, ModelTable } from "./model-log.js";

let logs = 0;

/** A log, a table at it, a seat, and the table's promise. */
export async function start({ terms = {}, more = {} } = {}) {
  const log = await ModelLog.make(`model-${logs++}.example/log`);
  const table = new ModelTable(log, "t", terms);
  const storage = memoryStorage();
  const alice = await seatAt(log, { storage, ...more });
  return { log, table, storage, alice, promise: await table.commit() };
}

export const seatAt = (log, more = {}) =>
  player({
    log: BASE,
    fetch: log.fetch,
    key: log.signing.vkey,
    from: "alice",
    storage: memoryStorage(),
    clock: () => log.now,
    ...more,
  });

/** Another player's contribution, made by hand. */
export const bob = (log, { commitment }, nonce = 0, from = "bob", more = {}) =>
  contribution({ from, commitment, nonce, key: log.signing.vkey, ...more });

/** A round up to its lock. */
export async function locked({ log, table, alice, promise }, { nonce = 0, seed, ...more } = {}) {
  const { commitment } = table;
  const given = await alice.contribute({ commitment, nonce, promise, seed });
  const other = await bob(log, table, nonce);
  const lock = await table.lock([given, toGive(other)], { nonce, ...more });
  return { lock, other, given };
}

/** A round up to its deal. */
export async function dealt(game, more = {}) {
  const { lock, other } = await locked(game, more);
  const mine = await game.alice.receive(lock);
  assert.notEqual(mine, null, JSON.stringify(game.alice.state.claims));
  const deal = await game.table.deal([mine, toOpen(other)], more);
  await game.alice.receive(deal);
  return { lock, deal, mine, other };
}

export const codes = (list) => list.map(({ code }) => code);

const accusing = ({ findings, receipts }) =>
  [...findings, ...receipts.flatMap((r) => r.findings ?? [])]
    .filter(({ accuses }) => accuses === "operator")
    .map(({ code }) => code);

/**
 * The seat's state, and the state that its evidence has: for the player, who kept the file, and for
 * others.
 */
export async function judged(seat, key) {
  const file = await seat.export();
  const own = await verifyEvidence(file, { key, kept: true });
  const others = await verifyEvidence(file, { key });
  return {
    state: seat.state.state,
    own: own.state,
    others: others.state,
    accusing: accusing(own),
    toOthers: accusing(others),
  };
}

/** Asserts that a seat and its evidence agree on what was caught. */
export async function assertCaught(seat, { signing: { vkey } }, code) {
  const { state, own, toOthers, accusing } = await judged(seat, vkey);
  assert.deepEqual([state, own], ["caught", "caught"], JSON.stringify(seat.state));
  assert.ok(accusing.includes(code), accusing.join(" "));
  assert.ok(toOthers.includes(code), toOthers.join(" "));
  assert.ok(codes(seat.state.findings).includes(code), JSON.stringify(seat.state.findings));
}

/** Asserts that nobody is caught, with the reason that is told. */
export async function assertUnsure(seat, { signing: { vkey } }, code) {
  const { findings, claims } = seat.state;
  assert.deepEqual([seat.state.state, findings, claims[0]?.code], ["unsure", [], code]);
  const { own, others } = await judged(seat, vkey);
  assert.ok(own !== "caught" && others !== "caught");
}

/** A fork of the log from before its last entry, with as many entries more. */
export function forkOf(log, more) {
  const fork = log.fork();
  fork.entries.pop();
  const other = new ModelLog(log.signing, fork.entries);
  other.now = log.now;
  const table = new ModelTable(other, "fork");
  return {
    other,
    table,
    grow: async () => {
      for (let i = 0; i < more; i++) await new ModelTable(other, `fork ${i}`).commit();
    },
  };
}
