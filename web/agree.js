// Makes logs and receipts of honest and of broken entries, judges each with this package and with
// the command line, and prints those whose verdicts differ. Then the same with files of rows of
// other operators, which the program `tool` makes and judges. Raffles are also judged by the reference,
// if PYTHON is set in the environment: a Python with the library of beacons.
//
//     node web/agree.js FAIRDEAL [LOGS] [SEED]
//
// FAIRDEAL is the built command line; `tool` is beside it. The keys are new in each run; everything
// else follows from the seed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { auditExport, verifyReceipts } from "./fairdeal/index.js";
import { Maker, vkey } from "./test/agree-maker.js";
import { compareRaffles } from "./agree-raffles.js";
import { disagreeingRows } from "./agree-rows.js";

const [program, logs = "300", firstSeed = "1"] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: node web/agree.js FAIRDEAL [LOGS] [SEED]");
  process.exit(2);
}

/** The places at which two values differ, with both values. */
function differences(where, here, there) {
  if (isDeepStrictEqual(here, there)) return [];
  const inner = (value) => typeof value === "object" && value !== null;
  const short = (value) => (JSON.stringify(value) ?? "nothing").slice(0, 300);
  if (!inner(here) || !inner(there))
    return [`${where}: here ${short(here)}, there ${short(there)}`];
  const names = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...names].flatMap((name) => differences(`${where}.${name}`, here[name], there[name]));
}

const silent = (verdict) =>
  JSON.parse(JSON.stringify(verdict, (name, value) => (name === "says" ? undefined : value)));
const folder = mkdtempSync(join(tmpdir(), "fairdeal-agree-"));
/** The exit code of the command, and the object that it prints. */
function ask(...given) {
  const run = spawnSync(program, given, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 });
  const all = run.stdout === "" ? null : JSON.parse(run.stdout);
  return { exit: run.status, all: all === null || "error" in all ? null : all };
}

/** A verdict, or the exit code of a command that refuses its inputs. */
const orExit = (verdict) =>
  verdict.catch((error) => {
    if (error.name !== "Refused") throw error;
    return error.code === "unavailable" ? 3 : 2;
  });

/** The same of this package (spec/receipt.md, section 11.5). */
async function verified(files, options) {
  const all = await orExit(verifyReceipts(files, options));
  if (typeof all === "number") return { exit: all, all: null };
  const { error, ...printed } = all;
  const read = all.receipts.filter((each) => "holds" in each);
  if (read.length === 0) return { exit: 3, all: null };
  const found = [all, ...read].some(({ findings }) => findings.length > 0);
  const unknown = read.length < all.receipts.length || error !== undefined;
  return { exit: found ? 1 : unknown ? 3 : 0, all: printed };
}

const codes = new Set();
const states = {};
let [judged, different] = [0, 0];

function compare(name, ours, theirs) {
  judged++;
  for (const { code } of [ours.all ?? [], ...(ours.all?.receipts ?? [])].flatMap(
    ({ findings = [] }) => findings,
  ))
    codes.add(code);
  const word = `${ours.all?.state ?? "none"} ${ours.exit}`;
  states[word] = (states[word] ?? 0) + 1;
  if (isDeepStrictEqual(silent(ours), silent(theirs))) return false;
  different++;
  console.log(name);
  for (const line of differences("", silent(ours), silent(theirs))) console.log(`  ${line}`);
  return true;
}

async function audit(maker, seed, n) {
  const clock = maker.time;
  const file = maker.export(await maker.headOf());
  writeFileSync(join(folder, "log.export"), file);
  const asOf = n % 2 === 0 ? maker.time + 5000 : undefined;
  const skipSignatures = n % 5 === 0;
  const since = maker.chance(3) ? [await maker.older()] : [];
  const given = ["audit", "--json", "--key", vkey, "--clock", String(clock)];
  if (asOf !== undefined) given.push("--as-of", String(asOf));
  if (skipSignatures) given.push("--skip-signatures");
  since.forEach((note, i) => {
    writeFileSync(join(folder, `older${i}`), note);
    given.push(`--since=older${i}`);
  });
  const options = { key: vkey, clock, asOf, skipSignatures, since };
  const all = await orExit(auditExport(file, options));
  const ours =
    typeof all === "number" ? { exit: all, all: null } : { exit: all.holds ? 0 : 1, all };
  compare(`audit ${seed}`, ours, ask(...given, "log.export"));
}

/** Receipts, openings and evidence, some of them kept, with a reader's other inputs. */
async function verify(maker, seed, n) {
  const given = [];
  for (let i = 0; i <= n % 4; i++) {
    const kept = i > 0 && maker.chance(2);
    const receipt = await maker.someReceipt({ ...maker.round(), kept });
    given.push({ name: `${i}.json`, kept, receipt });
  }
  const inputs = maker.inputs();
  const since = maker.chance(4) ? await maker.view(given.map(({ receipt }) => receipt)) : undefined;
  if (maker.chance(2)) {
    const from = maker.chance(2) ? given.length : 1;
    const inside = given.splice(maker.next(from), 1 + maker.next(2));
    const evidence = {
      format: "fairdeal/evidence/v1",
      key: vkey,
      files: inside.map(({ name, receipt }) => ({ name, file: receipt })),
      mine: maker.mine(),
      since: await maker.since(),
      findings: [],
    };
    given.push({
      name: "evidence.json",
      kept: given.some(({ kept }) => !kept) && maker.chance(2),
      receipt: evidence,
    });
  }
  const files = given.map(({ receipt, ...each }) => ({ ...each, file: JSON.stringify(receipt) }));
  for (const { name, file } of files) writeFileSync(join(folder, name), file);
  const isOpening = files.some(({ file }) => file.includes("opening/v1"));
  if (!isOpening && !maker.chance(8)) inputs.seat = undefined;
  const own = inputs.mine.map((each, i) => ({ name: `mine${i}`, file: JSON.stringify(each) }));
  for (const { name, file } of own) writeFileSync(join(folder, name), file);
  const mine = [...own, ...files.filter(({ kept }) => kept)];
  const args = mine.map(({ name }) => `--mine=${name}`);
  for (const [label, hex] of Object.entries(inputs.players)) args.push(`--player=${label}=${hex}`);
  if (inputs.seat !== undefined) args.push(`--seat=${inputs.seat}`);
  if (since !== undefined) {
    writeFileSync(join(folder, "since.note"), since);
    args.push("--since=since.note");
  }
  const others = files.filter(({ kept }) => !kept);
  compare(
    `verify ${seed}`,
    await verified(others, { key: vkey, ...inputs, mine, since }),
    ask("verify", "--json", "--key", vkey, ...args, ...others.map(({ name }) => name)),
  );
}

for (let n = Number(process.env.FROM ?? 0); n < Number(logs) && different < 5; n++) {
  const seed = Number(firstSeed) * 1_000_003 + n;
  const maker = await new Maker(seed, n % 3 > 0).make(4 + (n % 25));
  await audit(maker, seed, n);
  for (let i = 0; i < 3; i++) await verify(maker, `${seed}.${i}`, n + i);
}

await compareRaffles({
  count: Number(logs),
  seed: Number(firstSeed),
  from: Number(process.env.FROM ?? 0),
  folder,
  python: process.env.PYTHON,
  ask,
  compare,
});

for (const { dialect, file, here, there } of disagreeingRows(
  program,
  10 * Number(logs),
  firstSeed,
)) {
  different++;
  console.log(`rows of ${dialect}: here ${here}, there ${there}\n  ${JSON.stringify(file)}`);
}
judged += 10 * Number(logs);

console.log(
  `${judged} judged by both, ${different} differently; found: ${[...codes].sort().join(", ")}`,
);
console.log("states and exit codes:", JSON.stringify(states));
rmSync(folder, { recursive: true });
process.exitCode = different === 0 ? 0 : 1;
