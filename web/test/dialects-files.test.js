import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRound, checkRows, dialects } from "../fairdeal/dialects/index.js";
import { JsonObject, parseWhole } from "../fairdeal/dialects/json-rows.js";
import { csvRecords } from "../fairdeal/dialects/csv.js";
import { JsonNumber } from "../fairdeal/dialects/unreadable.js";
import { random } from "../dialect-rows.js";
import { json, refusal, text } from "../fixtures.js";

const NAMES = dialects().map(({ name }) => name);
const rowsOf = (name) => json("dialects", `${name.replace("/", "-")}.json`).rows;
const CRASH = rowsOf("stake-crash")[0];
const POKER = rowsOf("stake-video-poker")[0];

/** A value of the reader of rows, with the numbers and objects of JavaScript. */
function plain(value) {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof JsonObject)
    return Object.fromEntries([...value.members].map(([name, inner]) => [name, plain(inner)]));
  return value;
}

test("the reader of JSON reads what JSON.parse reads, and refuses what it refuses", () => {
  const files = ["bustabit", "changes", "digests", "duel-video-poker", "fairdeal-v1"].map((name) =>
    text("dialects", `${name}.json`),
  );
  for (const file of files) assert.deepEqual(plain(parseWhole(file)), JSON.parse(file));
  const next = random(7);
  const base = '{"a":[1,-2.5e+3,0,true,null,{"b":"\\u00e9\\n\\"x"}],"c":"","d":{}}';
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const at = next(base.length);
    const piece = [
      '"',
      ",",
      "{",
      "}",
      "[",
      "]",
      ":",
      "\\",
      "0",
      "1",
      ".",
      "e",
      "-",
      " ",
      "\n",
      "t",
      "\u0001",
      "é",
    ][next(18)];
    const changed = base.slice(0, at) + (next(2) === 0 ? "" : piece) + base.slice(at + next(3));
    let expected;
    try {
      expected = JSON.parse(changed);
    } catch {
      refused++;
      assert.throws(() => parseWhole(changed), { name: "JsonFault" }, changed);
      continue;
    }
    const read = parseWhole(changed);
    // JSON.parse uses the last of two members of one name; this reader records that there were two.
    const hasTwice = (value) =>
      value instanceof JsonObject &&
      (value.twice !== null || [...value.members.values()].some(hasTwice));
    if (![read].flat(9).some(hasTwice)) assert.deepEqual(plain(read), expected, changed);
  }
  assert.ok(refused > 5_000 && refused < 19_000, `${refused}`);
});

test("nesting of any depth is read, and does not exhaust the stack", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const answer = checkRows(
    "stake-crash",
    `[${JSON.stringify(CRASH).replace("}", `,"x":${deep}}`)}]`,
  );
  assert.equal(answer.rows[0].verdict, "valid");
  assert.equal(checkRows("stake-crash", "[".repeat(200_000)).error.code, "unavailable");
});

test("a table is read as it was written, with quotes, commas and line ends in its cells", () => {
  const next = random(3);
  for (let i = 0; i < 2_000; i++) {
    const cell = () => Array.from({ length: next(5) }, () => 'a",;\r\n é'[next(8)]).join("");
    const rows = Array.from({ length: 1 + next(4) }, () => [cell(), cell(), "x"]);
    const quoted = (value) =>
      /[",\r\n]/.test(value) || next(3) === 0 ? `"${value.replaceAll('"', '""')}"` : value;
    const end = ["\n", "\r\n"][next(2)];
    const file = rows.map((row) => row.map(quoted).join(",") + end).join("");
    const records = [...csvRecords(file, { at: 0, separator: "," })];
    assert.deepEqual(
      records.map(({ cells }) => cells),
      rows,
      JSON.stringify(file),
    );
    assert.ok(records.every(({ fault, isEnded, isOpen }) => fault === null && isEnded && !isOpen));
  }
});

test("columns are known by other ways to write them, and by what operators call them", () => {
  const { server_seed: hash, client_seed: salt, result } = CRASH;
  for (const row of [
    { "Server Seed": hash, clientSeed: salt, RESULT: result },
    { game_hash: hash, salt, "Crash Point": result },
    { hash, "drand-randomness": salt, multiplier: `${result}x` },
  ]) {
    assert.equal(checkRows("stake-crash", [row]).rows[0].verdict, "valid", JSON.stringify(row));
  }
  const both = { server_seed: hash, serverSeed: hash, salt, bust: result };
  const [{ verdict, says }] = checkRows("stake-crash", [both, CRASH]).rows;
  assert.equal(verdict, "unreadable");
  assert.match(says, /expected one name for it, found "server_seed" and "serverSeed"; choose one/);
  const { server_seed, ...rest } = rowsOf("duel-video-poker")[0];
  assert.equal(
    checkRound("duel-video-poker", { ...rest, hash: server_seed }).rows[0].verdict,
    "unreadable",
    "no chain",
  );
});

test("a name twice in a row makes that row unreadable, and elsewhere it does not matter", () => {
  const row = JSON.stringify(POKER);
  const file = `{"note":1,"rows":[${row},${row.replace("}", ',"nonce":0}')},${row.replace("}", ',"x":{"a":1,"a":2}}')}],"note":2}`;
  assert.deepEqual(
    checkRows("stake-video-poker", file).rows.map(({ verdict }) => verdict),
    ["valid", "unreadable", "valid"],
  );
});

test("rows that cannot be read are named by their line, and the others are judged", () => {
  const good = JSON.stringify(CRASH);
  const bad = [
    '{"server_seed":7,"result":"x"}',
    '{"server_seed":',
    "7",
    '{"result":"1.00"}',
    "{]}",
  ];
  const answer = checkRows(
    "stake-crash",
    `${bad.map((line) => `${good}\n${line}`).join("\n")}\n\n${good}`,
  );
  assert.deepEqual([answer.valid, answer.invalid, answer.unreadable], [6, 5, 5]);
  answer.rows.slice(0, 10).forEach(({ verdict, says }, at) => {
    assert.equal(verdict, at % 2 === 0 ? "valid" : "unreadable");
    assert.equal(says.startsWith(`line ${at + 1}: `), at % 2 === 1, says);
  });
});

test("a file that ends in the middle of its syntax is refused, and the rows before it get their verdicts", () => {
  const name = "duel-video-poker";
  const rows = rowsOf(name).slice(0, 4);
  const whole = JSON.stringify(rows);
  for (let cut = 1; cut < whole.length; cut += 7) {
    const answer = checkRows(name, whole.slice(0, cut), { brief: true });
    assert.equal(answer.error.code, "unavailable", `cut at ${cut}`);
    assert.ok(answer.rows.every(({ verdict }) => verdict === "valid") && !answer.holds);
  }
});

test("nothing held is an empty cell in CSV where a final hand is given", () => {
  const { server_seed, client_seed, nonce, cards, final } = rowsOf("duel-video-poker")[0];
  const pool = checkRound("duel-video-poker", { server_seed, client_seed, nonce })
    .rows[0].outcome.cards.slice(5)
    .join(" ");
  const head = "server_seed,client_seed,nonce,cards,held,final";
  const file = `${head}\n${server_seed},${client_seed},${nonce},${cards.join(" ")},,${pool}\n${server_seed},${client_seed},${nonce},${cards.join(" ")},,2C\n`;
  assert.deepEqual(
    checkRows("duel-video-poker", file).rows.map(({ verdict }) => verdict),
    ["valid", "result-mismatch"],
  );
  const left = `[${JSON.stringify({ server_seed, client_seed, nonce, cards, held: null, final })}]`;
  assert.equal(
    checkRows("duel-video-poker", left).rows[0].verdict,
    "valid",
    "in JSON null is not given",
  );
});

test("a file without a column that its dialect needs shows nothing, and the column is named", () => {
  const answer = checkRows("stake-crash", "game_hash,salt,crash\naa,bb,1.00\n");
  assert.match(answer.error.says, /no result column; found game_hash, salt, crash/);
  assert.equal(answer.holds, false);
});

test("the work is told while it goes on", () => {
  const told = [];
  checkRows(
    "stake-crash",
    Array.from({ length: 2_500 }, () => CRASH),
    { onProgress: (done) => told.push(done) },
  );
  assert.deepEqual(told, [1_000, 2_000, 2_500]);
});

test("whatever is changed in rows and files, they get verdicts or are refused: nothing else is thrown", () => {
  const next = random(11);
  const strange = [
    undefined,
    null,
    "",
    " ",
    0,
    -1,
    -0,
    1.5,
    1e300,
    NaN,
    Infinity,
    2 ** 53,
    12n,
    true,
    [],
    {},
    [[]],
    [null],
    "x",
    "\ud800",
    "5S AS",
    "HEART:7",
    "1,000.00x",
    "0".repeat(64),
    "é\n=\0",
    [{ from: "a", seed: "b" }],
    '[{"from":"a","seed":"b"}]',
    "cycle",
    "short-36",
    new Map(),
    new Date(0),
    Symbol.iterator.toString(),
    "a=b\nc=d",
    () => 1,
    "9".repeat(400),
  ];
  const verdicts = new Set();
  for (const name of NAMES) {
    const rows = rowsOf(name);
    const columns = [
      ...new Set(rows.flatMap(Object.keys)),
      "held",
      "final",
      "deck",
      "method",
      "contributions",
      "full",
      "result",
      "cards",
    ];
    const isChain = name.startsWith("bustabit");
    // A shoe takes 415 HMACs, for each confusion that is tried.
    const rounds = isChain || name === "liqd-blackjack" ? 60 : 400;
    for (let i = 0; i < rounds; i++) {
      const row = { ...rows[next(rows.length)] };
      // Without a commitment the chain is not walked.
      if (isChain) row.commitment = null;
      for (let left = 1 + next(3); left > 0; left--)
        row[columns[next(columns.length)]] = strange[next(strange.length)];
      const code = refusal(() => {
        const alone = isChain ? { rows: [] } : checkRound(name, row);
        const answer = checkRows(
          name,
          [rows[next(rows.length)], row, strange[next(strange.length)]].slice(isChain ? 1 : 0),
        );
        for (const { verdict, says } of [...alone.rows, ...answer.rows]) {
          assert.ok(says.length > 0);
          verdicts.add(verdict);
        }
      });
      assert.equal(code, null);
    }
  }
  assert.ok(verdicts.size >= 4, [...verdicts].join());
});

test("whatever bytes of a file are changed, it gets verdicts or is refused", () => {
  const next = random(13);
  const rows = rowsOf("fairdeal/v1").slice(0, 6);
  const columns = ["server_seed", "client_seed", "nonce", "cards", "deck", "method"];
  const table = [
    columns,
    ...rows
      .filter(({ cards }) => typeof cards === "string")
      .map((row) => columns.map((name) => JSON.stringify(row[name] ?? ""))),
  ];
  const forms = [
    JSON.stringify(rows),
    rows.map((row) => JSON.stringify(row)).join("\n"),
    JSON.stringify({ rows }),
    table.map((line) => line.join(",")).join("\n"),
  ];
  let whole = 0;
  for (let i = 0; i < 1_500; i++) {
    const bytes = new TextEncoder().encode(forms[i % forms.length]);
    for (let left = 1 + next(4); left > 0; left--)
      bytes[next(bytes.length)] =
        next(2) === 0 ? next(256) : ' "{}[],:\n\r\\0a'.charCodeAt(next(13));
    const answer = checkRows("fairdeal/v1", bytes);
    if (answer.error === undefined) whole++;
    assert.equal(answer.valid + answer.invalid, answer.rows.length);
  }
  assert.ok(whole > 300, `${whole} files were read`);
});
