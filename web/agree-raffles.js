// Judges random raffles with this package, with the command, and with the reference if a Python is
// named that has its library of beacons.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { readChain, readPolicy, verifyRaffle } from "./fairdeal/index.js";
import { utf8 } from "./fairdeal/bytes.js";
import { RaffleMaker } from "./test/agree-raffles.js";

const REFERENCE = new URL("../spec/reference/fairdeal.py", import.meta.url).pathname;

/**
 * What this package says, with the exit code of a command.
 * @returns {Promise<{exit: number, all: object | null}>}
 */
async function here({ document, list, policy, chains, ...given }) {
  const options = { ...given, chains: await Promise.all(chains.map((each) => readChain(each))) };
  if (policy !== undefined) options.policy = readPolicy(utf8(policy));
  try {
    // The command prints no time.
    const { time: _, error, ...all } = await verifyRaffle(document, list, options);
    return { exit: all.findings.length > 0 ? 1 : error === undefined ? 0 : 3, all };
  } catch (error) {
    if (error.name !== "Refused") throw error;
    return { exit: error.code === "unavailable" ? 3 : 2, all: null };
  }
}

/** What the command says; `ask` runs it in a folder. */
function there(ask, folder, { document, list, key, ...given }) {
  const args = [];
  const put = (name, content) => (writeFileSync(join(folder, name), content), name);
  if (given.policy !== undefined) args.push(`--policy=${put("policy", given.policy)}`);
  given.chains.forEach((each, i) => args.push(`--beacon-chain=${put(`chain${i}`, each)}`));
  given.mine.forEach((each, i) => args.push(`--mine=${put(`m${i}.json`, JSON.stringify(each))}`));
  given.kept.forEach((each, i) => args.push(`--mine=${put(`kept${i}.json`, each)}`));
  if (given.beacon !== undefined) args.push(`--beacon=${put("beacon", given.beacon)}`);
  for (const name of ["line", "link"])
    if (given[name] !== undefined) args.push(`--${name}=${given[name]}`);
  const files = [put("document.json", document), "--list", put("list.txt", list)];
  return ask("raffle", "verify", "--json", "--key", key, ...args, ...files);
}

/** The same as one line for the reference. */
const asked = ({ document, list, chains, ...given }, n) =>
  JSON.stringify({
    ...given,
    n,
    kind: "raffle",
    file: document,
    list: new TextDecoder("utf-8", { ignoreBOM: true }).decode(list),
    chains: chains.map((each) => JSON.parse(each)),
  });

/**
 * Compares raffles.
 * @param {{count: number, seed: number, from: number, folder: string, python?: string,
 *   ask: (...given: string[]) => {exit: number, all: object | null},
 *   compare: (name: string, ours: object, theirs: object) => void}} of
 */
export async function compareRaffles({ count, seed, from, folder, python, ask, compare }) {
  const cases = [];
  for (let n = from; n < count; n++) {
    const own = seed * 1_000_003 + n;
    // Of near states the maker's first choices would be the same.
    const maker = await new RaffleMaker(Math.imul(own, 2654435761) >>> 0, n % 3 > 0).write();
    for (let i = 0; i < 4; i++) {
      const given = await (i < 3 ? maker.reader() : maker.alone());
      const name = `raffle ${own}.${i}`;
      const theirs = there(ask, folder, given);
      const differs = compare(name, await here(given), theirs);
      if (differs && process.env.KEEP !== undefined)
        writeFileSync(join(process.env.KEEP, `${name.replace(" ", "-")}.json`), asked(given, name));
      cases.push({ name, theirs, line: asked(given, cases.length) });
    }
  }
  if (python === undefined) return;
  writeFileSync(join(folder, "cases"), cases.map(({ line }) => `${line}\n`).join(""));
  const options = { encoding: "utf8", maxBuffer: 2 ** 28 };
  const run = spawnSync(python, [REFERENCE, "agree", join(folder, "cases")], options);
  const answers = run.stdout.split("\n").filter((line) => line !== "");
  if (answers.length !== cases.length)
    throw new Error(`expected ${cases.length} answers, found ${answers.length}: ${run.stderr}`);
  for (const [i, line] of answers.entries()) {
    const { exit, verdict, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(`${cases[i].name}: the reference says ${error}`);
    const differs = compare(`${cases[i].name}, reference`, { exit, all: verdict }, cases[i].theirs);
    if (differs && process.env.KEEP !== undefined)
      writeFileSync(join(process.env.KEEP, `py-${i}.json`), cases[i].line);
  }
}
