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

import { CHEATS } from "./test/model/cheats.js";
import { Game, planOf } from "./test/model/game.js";
import { Broken } from "./test/model/holds.js";

const [games, first = "1"] = process.argv.slice(2);
if (!/^\d+$/.test(games ?? "") || !/^\d+$/.test(first)) {
  console.error("usage: node web/model.js GAMES [SEED]");
  process.exit(2);
}

/** How many files the other two implementations judge. */
const SAMPLE = Number(games) > 1000 ? 200 : 30;
const REFERENCE = fileURLToPath(new URL("../spec/reference/fairdeal.py", import.meta.url));

/** What became of a cheat. */
const FATES = ["caught by the kit", "caught by receipts", "message lost", "not noticed"];

/** @type {Map<string, number[]>} how often each cheat had each fate */
const counts = new Map(Object.keys(CHEATS).map((name) => [name, FATES.map(() => 0)]));
/** @type {Map<string, number>} */
const honest = new Map();
/** Files with the verdict here. @type {{seed: bigint, text: string, kept: boolean, verdict: any}[]} */
const files = [];

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
    const { found, unseen } = CHEATS[cheat];
    const fate = [kit, brought, sent].findIndex((codes) => codes.some((c) => found.includes(c)));
    counts.get(cheat)[fate < 0 ? 3 : fate]++;
    if (fate < 0 && unseen === undefined)
      return new Broken(`nothing shows "${cheat}": ${[...kit, ...sent].join(" ")}`);
    if (fate >= 0 && found.length > 0 && kit.length === 0 && fate < 2)
      return new Broken(`the kit did not catch "${cheat}", which its files show: ${brought}`);
  }
  if (file !== null && (kit.length > 0 || game.alice.state.state === "fair")) {
    const { text, own, others } = file;
    const kept = file.kept || kit.length === 0;
    files.push({ seed, text, kept, verdict: kept ? own : others });
  }
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

/** A verdict without its free texts and without what only some commands add, in one form. */
function plain(verdict) {
  const extra = ["says", "table", "time", "opened", "known", "continues"];
  const sorted = (value) =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value !== "object" || value === null
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => !extra.includes(name))
              .map(([name, inner]) => [name, sorted(inner)])
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          );
  return JSON.stringify(sorted(verdict));
}

/** Asks the command and the Python reference; the seeds of files on which they differ. */
function disagreements(sample, key) {
  const folder = mkdtempSync(join(tmpdir(), "fairdeal-model-"));
  const name = "evidence.json";
  try {
    const lines = sample.map(({ text, kept }, n) => {
      const hex = Buffer.from(text).toString("hex");
      return JSON.stringify({ n, kind: "files", key, files: [{ name, hex, kept }] });
    });
    writeFileSync(join(folder, "cases"), lines.join("\n"));
    const run = (...given) =>
      spawnSync(...given, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
    const python = run("python3", [REFERENCE, "agree", "cases"]).trim().split("\n");
    return sample.flatMap(({ seed, text, kept, verdict }, n) => {
      const here = plain(verdict);
      const wrong = [];
      if (here !== plain(JSON.parse(python[n]).verdict)) wrong.push(`Python differs at ${seed}`);
      if (process.env.FAIRDEAL === undefined) return wrong;
      writeFileSync(join(folder, name), text);
      const args = ["verify", "--json", "--key", key, name];
      const there = JSON.parse(run(process.env.FAIRDEAL, args));
      if (here !== plain(there)) wrong.push(`Rust differs at ${seed}`);
      return wrong;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(`${games} games from seed ${first}`);
for (let seed = BigInt(first); seed < BigInt(first) + BigInt(games); seed++) {
  const plan = planOf(seed);
  const played = await play(plan);
  const error = played.error ?? count(played, seed);
  if (error === undefined) continue;
  console.log(`does not hold: ${error instanceof Broken ? error.message : error.stack}`);
  console.log(`  cheats: ${played.game.cheats.join(", ") || "none"}; terms: ${JSON.stringify(plan.terms)}`);
  if (played.error !== undefined)
    console.log(`  moves: ${(await shorten(plan, error.message)).join(", ")}`);
  console.log(`  again: node web/model.js 1 ${seed}`);
  process.exit(1);
}

const every = Math.max(1, Math.floor(files.length / SAMPLE));
const sample = files.filter((_, i) => i % every === 0);
const wrong = disagreements(sample, files[0]?.key);
