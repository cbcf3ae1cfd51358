// The model dealer knows every attack of spec/threat-model.md.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { CHEATS } from "./model/cheats.js";
import { Game, planOf } from "./model/game.js";
import { NOT_PLAYED, PLAYED, attacksIn } from "./model/rows.js";

const attacks = attacksIn(
  readFileSync(new URL("../../spec/threat-model.md", import.meta.url), "utf8"),
);
const named = [
  ...Object.values(CHEATS).flatMap(({ rows }) => rows),
  ...[PLAYED, NOT_PLAYED].flatMap((rows) => Object.values(rows).flat()),
];
/** A whole cell names its own row alone: another row may begin with the same words. */
const isNamed = (attack, name) =>
  attack === name || (!attacks.includes(name) && attack.startsWith(name));

test("each row of the threat model is a cheat of the model, or a reason says why not", () => {
  const missing = attacks.filter((attack) => !named.some((name) => isNamed(attack, name)));
  assert.deepEqual(missing, []);
  assert.ok(attacks.length > 80);
});

test("each name of a row is in the threat model, and none is both played and not played", () => {
  const unknown = named.filter((name) => !attacks.some((attack) => isNamed(attack, name)));
  assert.deepEqual(unknown, []);
  const not = Object.values(NOT_PLAYED).flat();
  assert.equal(named.filter((name) => not.includes(name)).length, not.length);
});

test("the moves of a game run the timers that the kit sets when its page is loaded again", async () => {
  const game = new Game(planOf(5968n));
  assert.deepEqual((await game.play()).kit, []);
  assert.equal(game.alice.state.state, "fair");
});
