// Plays games of a random dealer, honest or cheating, against a player's kit over a bad network, and
// checks after each step that the kit and the verifiers say neither too much nor too little.
//
//     node web/model.js GAMES [SEED]
//
// The games have the seeds SEED, SEED + 1, and so on; everything in a game follows from its seed.
// With the built command in FAIRDEAL, it and the Python reference judge a sample of the players'
// files, too.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { verifyReceipts } from "./fairdeal/index.js";
import { CHEATS } from "./test/model/cheats.js";
import { Game, key, planOf } from "./test/model/game.js";
import { Broken } from "./test/model/holds.js";

const [games, first = "1"] = process.argv.slice(2);
if (!/^\d+$/.test(games ?? "") || !/^\d+$/.test(first)) {
  console.error("usage: node web/model.js GAMES [SEED]");
  process.exit(2);
}

const REFERENCE = fileURLToPath(new URL("../spec/reference/fairdeal.py", import.meta.url));

/** What became of a cheat. */
const FATES = ["caught by the kit", "caught by receipts", "message lost", "not noticed"];

/** @type {Map<string, number[]>} how often each cheat had each fate */
const counts = new Map(Object.keys(CHEATS).map((name) => [name, FATES.map(() => 0)]));
/** @type {Map<string, number>} */
const honest = new Map();
/** The first file of each kind: of players who caught the same, or whose round was fair. */
const files = new Map();

/** Plays one game; the error, if something does not hold. */
async function play(plan) {
  const game = new Game(plan);
  try {
    return { game, ends: await game.play() };
  } catch (error) {
    return { game, error };
  }
}

/** Counts what a game's cheats came to; an error if one had to be noticed, and was not. */
function count({ game, ends: { kit, brought, sent, file } }, seed) {
  if (game.holds.isHonest) {
    const { state } = game.alice.state;
    honest.set(state, (honest.get(state) ?? 0) + 1);
  }
  for (const cheat of game.cheats) {
    const { found, unseen, isApart = false } = CHEATS[cheat];
    const fate = [kit, brought, sent].findIndex((codes) => codes.some((c) => found.includes(c)));
    // Once the dealer was caught, the kit goes no further, and another cheat may show nothing.
    const isOver = fate < 0 && unseen === undefined && kit.length > 0;
    counts.get(cheat)[isOver ? 0 : fate < 0 ? 3 : fate]++;
    if (fate < 0 && unseen === undefined && !isOver)
      return new Broken(`nothing shows "${cheat}": ${[...kit, ...sent].join(" ")}`);
    // What a page could not keep it compares with nothing.
    if (
      fate === 1 &&
      kit.length === 0 &&
      !game.lost &&
      ((game.hasService && !game.down) || !isApart)
    )
      return new Broken(`the kit did not catch "${cheat}", which its files show: ${brought}`);
  }
  const kind = [...kit].sort().join(" ") || game.alice.state.state;
  if ((kit.length > 0 || kind === "fair") && !files.has(kind)) files.set(kind, { seed, ...file });
}

/** The same game without the moves that it does not need to fail. */
async function shorten(plan, message) {
  let { moves } = plan;
  for (let at = moves.length - 1; at >= 0; at--) {
    const fewer = moves.filter((_, i) => i !== at);
    const { error } = await play({ ...plan, moves: fewer });
    if (error?.message === message) moves = fewer;
  }
  return moves.map(({ name }) => name);
}

/** A verdict in one form, without free texts and without what only some commands add. */
function plain(verdict) {
  const extra = ["says", "table", "time", "opened", "known", "continues"];
  return JSON.stringify(verdict, (name, value) => {
    if (extra.includes(name)) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    const isSeal = "seal" in value;
    return Object.fromEntries(
      members.filter(([name]) => !isSeal || !/^(cards|indices)$/.test(name)),
    );
  });
}

/** What is verified: a player's file; and by the player, who kept it, the last receipt in it. */
function given({ seed, text }) {
  const last = JSON.stringify(JSON.parse(text).files.at(-1).file);
  const kept = { name: "own.json", text, kept: true };
  return [
    { seed, some: [{ name: "evidence.json", text }] },
    { seed, some: [{ name: "last.json", text: last }, kept] },
  ];
}

/** Judges files with all implementations; says where they differ. */
async function compare(sample) {
  const folder = mkdtempSync(join(tmpdir(), "fairdeal-model-"));
  const run = (...command) =>
    spawnSync(...command, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
  const cases = sample.flatMap(given);
  const lines = cases.map(({ some }, n) => {
    const all = some.map(({ text, ...each }) => ({
      ...each,
      hex: Buffer.from(text).toString("hex"),
    }));
    return JSON.stringify({ n, kind: "files", key, files: all });
  });
  writeFileSync(join(folder, "cases"), lines.join("\n"));
  const python = run("python3", [REFERENCE, "agree", "cases"]).trim().split("\n");
  const wrong = [];
  for (const [n, { seed, some }] of cases.entries()) {
    const [files, mine] = [false, true].map((is) =>
      some.flatMap(({ name, text, kept = false }) => (kept === is ? [{ name, file: text }] : [])),
    );
    const here = plain(await verifyReceipts(files, { key, mine }));
    const say = (who, there) => {
      const at = [...here].findIndex((char, i) => char !== there[i]);
      const [ours, theirs] = [here, there].map((text) => text.slice(Math.max(0, at - 40), at + 60));
      if (theirs !== ours) wrong.push(`${seed}: here ${ours}, ${who} ${theirs}`);
    };
    say("Python", plain(JSON.parse(python[n]).verdict));
    if (process.env.FAIRDEAL === undefined) continue;
    for (const { name, text } of some) writeFileSync(join(folder, name), text);
    const args = some.map(({ name, kept }) => (kept ? `--mine=${name}` : name));
    say(
      "Rust",
      plain(JSON.parse(run(process.env.FAIRDEAL, ["verify", "--json", "--key", key, ...args]))),
    );
  }
  rmSync(folder, { recursive: true });
  return wrong;
}

console.log(`${games} games from seed ${first}`);
for (let seed = BigInt(first); seed < BigInt(first) + BigInt(games); seed++) {
  const plan = planOf(seed);
  const played = await play(plan);
  const error = played.error ?? count(played, seed);
  if (error === undefined) continue;
  console.log(`does not hold: ${error instanceof Broken ? error.message : error.stack}`);
  console.log(
    `  cheats: ${played.game.cheats.join(", ") || "none"}; terms: ${JSON.stringify(plan.terms)}`,
  );
  if (played.error !== undefined)
    console.log(`  moves: ${(await shorten(plan, error.message)).join(", ")}`);
  console.log(`  again: node web/model.js 1 ${seed}`);
  process.exit(1);
}

const rows = [...counts].map(([name, fates]) => [name, fates.reduce((a, b) => a + b), ...fates]);
const line = (cells) =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(38) : `${cell}`.padStart(18)));
for (const row of [["cheat", "games", ...FATES], ...rows]) {
  const why = row[5] > 0 ? CHEATS[row[0]]?.unseen : undefined;
  console.log(line(row).join(""), why === undefined ? "" : ` ${why}`);
}
const ends = [...honest].map(([state, many]) => `${many} ${state}`).join(", ");
console.log(`honest games end as: ${ends}`);

const wrong = await compare([...files.values()]);
const all = process.env.FAIRDEAL === undefined ? "JavaScript and Python" : "all implementations";
console.log(
  wrong.length > 0
    ? ["the implementations differ:", ...wrong].join("\n")
    : `${files.size} files, one for each set of findings: ${all} agree`,
);
process.exit(wrong.length > 0 ? 1 : 0);
