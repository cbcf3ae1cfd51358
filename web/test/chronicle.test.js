import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { Chronicle, roundState, stateOf } from "../workers/explore/chronicle.js";
import { laneOf } from "../workers/explore/lanes.js";
import { readRoute } from "../ui/explore/route.js";
import { canonical } from "../fairdeal/jcs.js";
import { FileSource } from "../fairdeal/source.js";
import { json, names, path, text } from "../fixtures.js";

/** The page's view of a log of the fixtures. */
async function chronicleOf(name) {
  const source = new FileSource((file) =>
    existsSync(path("logs", name, file))
      ? new Uint8Array(readFileSync(path("logs", name, file)))
      : null,
  );
  const size = Number(text("logs", name, "checkpoint").split("\n")[1]);
  const chronicle = new Chronicle();
  for (let index = 0; index * 256 < size; index++) {
    const entries = await source.bundle(index, Math.min(256, size - index * 256));
    entries.forEach((bytes, i) => chronicle.add(bytes, index * 256 + i));
  }
  return chronicle;
}

// The page does not verify signatures, so it counts an entry without effect. Only the audit finds
// that.
const HONEST = names("logs").filter(
  (name) =>
    name.startsWith("honest") &&
    name !== "honest-signatures-skipped" &&
    existsSync(path("logs", name, "tile")) &&
    json("logs", name, "case.json").verdict.holds,
);

test("of an honest log it tells as many commitments, deals, voids and reveals as the audit", async () => {
  assert.ok(HONEST.length > 15);
  for (const name of HONEST) {
    const { verdict } = json("logs", name, "case.json");
    const { courses, deals, voids, reveals } = await chronicleOf(name);
    assert.deepEqual(
      [courses.size, deals, voids, reveals],
      [verdict.commitments, verdict.deals, verdict.voids, verdict.reveals],
      name,
    );
    const rounds = [...courses.values()].map(({ next }) => next).sort((a, b) => a - b);
    const told = Object.entries(verdict.reported.rounds_per_commitment).flatMap(([many, times]) =>
      Array.from({ length: times }, () => Number(many)),
    );
    assert.deepEqual(rounds, told, name);
  }
});

/** A log of entries made here. */
function made(entries) {
  const chronicle = new Chronicle();
  entries.forEach((entry, index) =>
    chronicle.add(new TextEncoder().encode(canonical(entry)), index),
  );
  return chronicle;
}

const commit = (letter, table, time, more = {}) => ({
  commitment: letter.repeat(64),
  deck: "standard-52",
  draw: 52,
  entry: "commit",
  method: "shuffle",
  mixing: "seeds",
  origin: "x.example/log",
  protocol: "fairdeal/v1",
  reveal_by: time + 1000,
  rounds: 3,
  sealed: false,
  table,
  time,
  ...more,
});
const scale = { from: 0, to: 2000, width: 1000, now: 2000 };

test("a commitment is waiting, locked, voided, and overdue only after its time", () => {
  const { courses } = made([
    commit("a", "one", 100),
    {
      commitment: "a".repeat(64),
      contributions: [{ from: "x", seed: "y" }],
      entry: "lock",
      nonce: 0,
      time: 200,
    },
    commit("b", "two", 300),
    { commitment: "b".repeat(64), entry: "void", reason: "none came", time: 400 },
    commit("c", "three", 1900),
  ]);
  const states = (now) => [...courses.values()].map((course) => stateOf(course, now));
  assert.deepEqual(states(1100), ["locked", "voided", "unused"]);
  assert.deepEqual(states(1101), ["overdue", "voided", "unused"]);
  assert.deepEqual([...courses.values()][0].rounds.size, 1);
  assert.equal(roundState([...courses.values()][0].rounds.get(0)), "locked");
});

test("a round that was voided does not wait for the reveal", () => {
  const at = { commitment: "a".repeat(64), contributions: [{ from: "x", seed: "y" }] };
  const { commitment } = at;
  const log = [
    commit("a", "one", 100),
    { ...at, entry: "deal", nonce: 0, result: { cards: "As" }, time: 200 },
    { ...at, entry: "lock", nonce: 1, time: 300 },
    { commitment, entry: "void", nonce: 1, reason: "none came", time: 400 },
  ];
  assert.equal(made(log.slice(0, 2)).waiting(), 1);
  assert.equal(made(log).waiting(), 1);
  const reveal = { commitment, entry: "reveal", server_seed: "0".repeat(64), time: 500 };
  assert.equal(made([...log, reveal]).waiting(), 0);
});

test("what is overdue keeps a bar of its own, however narrow", () => {
  const many = Array.from({ length: 15 }, (_, i) => [
    commit(i.toString(16), "one", 1000 + i),
    { commitment: i.toString(16).repeat(64), entry: "void", reason: "none came", time: 1000 + i },
  ]).flat();
  const narrow = { ...scale, to: 200_000, now: 200_000 };
  const { tables } = made([...many, commit("f", "one", 1015)]);
  const { bars } = laneOf("one", tables.get("one"), narrow);
  assert.deepEqual(
    bars.map(({ state, count }) => [state, count]),
    [
      ["voided", 15],
      ["overdue", 1],
    ],
  );
});

test("links are read as they are made, and anything else is the overview", () => {
  assert.deepEqual(readRoute("#table=a%2F%23b"), { kind: "table", table: "a/#b" });
  assert.deepEqual(readRoute("#table=%"), { kind: "table", table: "%" });
  assert.deepEqual(readRoute(`#round=${"A".repeat(64)}/7`), {
    kind: "round",
    commitment: "a".repeat(64),
    nonce: 7,
  });
  assert.deepEqual(readRoute("#round=ab/x"), { kind: "commitment", commitment: "ab" });
  for (const other of ["", "#", "#receipt=x", "#tables"])
    assert.deepEqual(readRoute(other), { kind: "all" });
});
