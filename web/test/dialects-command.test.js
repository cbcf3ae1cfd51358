// Compares the two implementations: the whole JSON of `fairdeal check --json`. It fails if the
// command is missing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { checkRound, checkRows, dialects, limits } from "../fairdeal/dialects/index.js";
import { MADE, changedRows, dialectNamed, rowsOf as made, shifted } from "../dialect-rows.js";
import { json, text } from "../fixtures.js";
import { FAIRDEAL } from "./live.js";

assert.ok(existsSync(FAIRDEAL), `${FAIRDEAL} is missing: build it, or name it in FAIRDEAL`);

const NAMES = dialects().map(({ name }) => name);
const slug = (name) => name.replace("/", "-");

function command(args, input = "") {
  const { stdout, stderr } = spawnSync(FAIRDEAL, ["check", ...args, "--json"], {
    input,
    maxBuffer: 2 ** 30,
  });
  assert.ok(stdout.length > 0, String(stderr));
  return JSON.parse(stdout);
}

/** Removes what may differ: the last digits of a chance, and the texts about unreadable rows. */
function comparable(answer) {
  const copy = JSON.parse(JSON.stringify(answer));
  for (const diagnosis of copy.would_verify?.diagnoses ?? [])
    diagnosis.chance = diagnosis.chance.toPrecision(6);
  for (const row of copy.rows ?? []) if (row.verdict === "unreadable") delete row.says;
  if (copy.error !== undefined) delete copy.error.says;
  // The command assumes one card per round for this number, and a hundred for the other numbers.
  const shown = copy.cannot_show ?? copy;
  if (shown.dialect === "stake-replace") delete shown.bias?.unseen_rounds;
  return copy;
}

const assertSame = (mine, theirs, what) =>
  assert.deepEqual(comparable(mine), comparable(theirs), what);

test("the files of the fixtures get the answers of the command", () => {
  for (const name of NAMES) {
    const file = text("dialects", `${slug(name)}.json`);
    assertSame(checkRows(name, file), command([name, "--file", "-"], file), name);
    assertSame(limits(name), command([name, "--limits"]), name);
  }
});

test("the odd files of the fixtures get the answers of the command", () => {
  for (const { what, text: file } of json("dialects", "changes.json").files) {
    const [mine, theirs] = [
      checkRows("stake-video-poker", file),
      command(["stake-video-poker", "--file", "-"], file),
    ];
    assertSame(mine, theirs, what);
  }
});

test("rows with each usual confusion get the answers of the command", () => {
  for (const dialect of MADE) {
    const rows = made(dialect, 24, 3);
    const changes = [
      shifted(rows, "server_seed"),
      shifted(rows, "client_seed"),
      shifted(rows, "commitment"),
      rows.map((row) => ({ ...row, server_seed: row.server_seed.toUpperCase() })),
      rows.map((row) => ({ ...row, client_seed: ` ${row.client_seed}` })),
      rows.map((row) => ({ ...row, nonce: dialect.kind === "cards" ? row.nonce + 1 : row.nonce })),
      rows.map((row) => ({ ...row, server_seed: row.client_seed, client_seed: row.server_seed })),
      rows.map((row) => ({
        ...row,
        server_seed: row.commitment ?? row.server_seed,
        commitment: row.server_seed,
      })),
      rows.map((row) => ({
        ...row,
        server_seed: `'${row.server_seed}`,
        client_seed: `“${row.client_seed}&amp;`,
      })),
      rows.map((row) => ({ ...row, cards: row.cards?.toReversed() })),
      rows.map((row) => ({
        ...row,
        cards: row.cards?.map((card) =>
          card.replace(/[SH]$/, (suit) => (suit === "S" ? "H" : "S")),
        ),
      })),
    ];
    changes.forEach((changed, at) => {
      const file = changed.map((row) => JSON.stringify(row)).join("\n");
      assertSame(
        checkRows(dialect.name, file),
        command([dialect.name, "--file", "-"], file),
        `${dialect.name}, ${at}`,
      );
    });
  }
});

test("rows that were changed at random get the verdicts of the command, with the same words", () => {
  for (const name of NAMES) {
    const rows = changedRows(
      dialectNamed(name),
      json("dialects", `${slug(name)}.json`).rows,
      2_000,
      99,
    );
    const file = rows.map((row) => JSON.stringify(row)).join("\n");
    const mine = checkRows(name, file, { brief: true });
    assert.ok(
      mine.valid > 5 && mine.invalid - mine.unreadable > 50,
      `${name}: ${mine.valid} of ${rows.length} are valid`,
    );
    assertSame(mine, command([name, "--file", "-", "--brief"], file), name);
  }
});

test("single rounds get the answers of the command", () => {
  const flags = {
    server_seed: "--server-seed",
    client_seed: "--client-seed",
    nonce: "--nonce",
    commitment: "--commitment",
    cards: "--expect",
    result: "--expect",
  };
  for (const name of NAMES) {
    const rows = json("dialects", `${slug(name)}.json`).rows;
    // With a wrong place on a chain, both walk the chain for each guess.
    const { game, published, reuse } = dialectNamed(name);
    const wrong = rows.filter(({ valid }) => !valid).slice(0, published === null ? 3 : 1);
    // The first column of a game's result is what --expect gives.
    const [first = "", ...more] = game?.shows ?? [];
    const columns = [
      ...Object.keys(flags),
      "game_id",
      first,
      ...more,
      ...Object.keys(game?.asks ?? {}),
    ];
    for (const given of [
      rows[0],
      {
        ...rows[1],
        ...Object.fromEntries(["cards", "result", first, ...more].map((one) => [one, null])),
      },
      ...wrong,
    ]) {
      if (given.contributions !== undefined || given.full === true) continue;
      const row = {};
      for (const column of columns)
        if ((given[column] ?? null) !== null) row[column] = given[column];
      const words = Object.entries(row).flatMap(([column, value]) => {
        const isFlat = Array.isArray(value) && !Array.isArray(value[0]);
        const word = isFlat
          ? value.join(" ")
          : typeof value === "string"
            ? value
            : JSON.stringify(value);
        const flag = column === first ? "--expect" : flags[column];
        return flag === undefined ? ["--with", `${column}=${word}`] : [`${flag}=${word}`];
      });
      if (
        reuse === "rounds" ||
        dialects()
          .find((one) => one.name === name)
          .columns.includes("nonce") ||
        row.nonce === undefined
      ) {
        assertSame(checkRound(name, row), command([name, ...words]), `${name}: ${words.join(" ")}`);
      }
    }
  }
});
