import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRound, checkRows, dialects, limits } from "../fairdeal/dialects/index.js";
import { rowsShow } from "../fairdeal/dialects/rows-show.js";
import { readRow } from "../fairdeal/dialects/judge.js";
import { dialectNamed, hash } from "../dialect-rows.js";
import { faults } from "./json-schema.js";
import { json } from "../fixtures.js";

const NAMES = dialects().map(({ name }) => name);
const SCHEMA = json("..", "spec", "schema", "check.json");
const rowsOf = (name) => json("dialects", `${name.replace("/", "-")}.json`).rows;
const assertSchema = (answer) => assert.deepEqual(faults(answer, SCHEMA), []);

/** The counts over rows; a row has `of`, a name for seed and commitment, and its columns. */
function shows(name, rows, verdicts = []) {
  const dialect = dialectNamed(name);
  const counted = rows.map(({ of, ...columns }, row) => {
    const given = {
      ...(of === undefined ? {} : { server_seed: of, commitment: hash(of) }),
      ...columns,
    };
    return { row, round: readRow(dialect, given, true).round, verdict: verdicts[row] ?? "valid" };
  });
  return rowsShow(dialect, counted);
}

const POKER = "duel-video-poker";
const of = (name, client_seed, nonce) => ({ of: name, client_seed, nonce });

test("every answer has the form of spec/schema/check.json", () => {
  for (const name of NAMES) {
    assertSchema(JSON.parse(JSON.stringify(checkRows(name, rowsOf(name)))));
    assertSchema(checkRows(name, rowsOf(name).slice(0, 3), { brief: true }));
    assertSchema(checkRows(name, "[{}, 7]"));
    assertSchema(checkRows(name, ""));
    assertSchema(limits(name));
    for (const row of [
      {},
      rowsOf(name)[0],
      { ...rowsOf(name)[1], cards: undefined, result: undefined },
    ]) {
      assertSchema(checkRound(name, row));
    }
  }
  for (const { columns, statements, ...known } of dialects()) {
    assertSchema({ dialects: [known] });
    assert.ok(columns.length > 3 && statements.length >= 13);
  }
});

test("the tables of the specification's section 18 follow from the exact counts", () => {
  const { bias } = limits("stake-video-poker");
  const table = [
    [52, 82_595_524, 48, 48],
    [51, 84_215_045, 1, 50],
    [50, 85_899_345, 46, 46],
    [49, 87_652_393, 39, 39],
    [48, 89_478_485, 16, 32],
    [47, 91_382_282, 42, 42],
    [46, 93_368_854, 12, 34],
    [45, 95_443_717, 31, 31],
    [44, 97_612_893, 4, 40],
    [43, 99_882_960, 16, 27],
  ];
  assert.deepEqual(
    bias.ranges.map((one) => [
      one.range,
      one.least,
      one.values_with_most,
      Number(one.deviation.exact.split("/")[0]),
    ]),
    table,
  );
  for (const { words } of bias.ranges)
    assert.equal(
      words.reduce((sum, count) => sum + count, 0),
      2 ** 32,
    );
  const fewer = bias.ranges[0].words.flatMap((count, at) => (count === 82_595_524 ? [at] : []));
  assert.deepEqual(fewer, [12, 25, 38, 51]);
  assert.equal(bias.likeliest.exact, "220/4294967076");
  assert.equal(bias.least_likely.exact, "255/4294967296");
});

test("a scheme that refuses words is not biased, and refuses as many as the specification says", () => {
  const refused = (name) =>
    limits(name).bias.ranges.reduce((sum, one) => sum + one.words_refused, 0);
  assert.equal(limits(POKER).bias.biased, false);
  assert.equal(refused(POKER), 656);
  assert.equal(refused("liqd-blackjack"), 40_712);
  assert.equal(limits("fairdeal/v1").bias.biased, false);
});

test("the probabilities of multipliers are those of the specification's tables", () => {
  const words = (name) =>
    Object.fromEntries(
      limits(name).bias.points.map(({ multiplier, at_least }) => [multiplier, at_least]),
    );
  const stake = words("stake-crash");
  assert.deepEqual(
    [stake["1.01"], stake["2.00"], stake["10.00"], stake["100.00"], stake["1000.00"]],
    [4_209_918_438, 2_126_008_811, 425_201_762, 42_520_176, 4_252_017],
  );
  const duel = words("duel-crash");
  assert.deepEqual(
    [duel["1.01"], duel["2.00"], duel["10.00"], duel["100.00"], duel["1000.00"]],
    [4_248_190_424, 2_145_336_164, 429_067_232, 42_906_723, 4_290_672],
  );
  const bias = (name) => limits(name).bias;
  assert.deepEqual(
    ["stake-crash", "duel-crash", "bustabit"].map((name) => bias(name).largest),
    ["4252017623.04", "4290672328.70", "4458563631096791.04"],
  );
  assert.deepEqual(
    ["stake-crash", "duel-crash", "bustabit"].map((name) => bias(name).first_impossible),
    ["6522.83", "6556.18", undefined],
  );
  assert.deepEqual(
    ["stake-crash", "duel-crash", "bustabit"].map((name) => bias(name).lowest.exact),
    ["85048858/4294967296", "46776872/4294967296", "89180190641000/4503599627370496"],
  );
});

test("what a scheme does not show is said of every one, and aborts and time of none but ours", () => {
  for (const { name, statements } of dialects()) {
    const standing = Object.fromEntries(statements.map(({ code, standing: of }) => [code, of]));
    for (const code of [
      "rotation",
      "committed-first",
      "client-seed",
      "aborts",
      "time",
      "same-for-all",
      "completeness",
    ]) {
      assert.ok(standing[code] !== undefined, `${name}: ${code}`);
    }
    assert.equal(standing.time, name === "fairdeal/v1" ? "in-the-log" : "not-shown");
    assert.equal(standing.secrecy, "not-shown");
  }
});

test("commitments that were used for nonce 0 alone are counted", () => {
  const uses = [1, 1, 2, 9, 10, 99, 100, 1_000];
  const rows = uses.flatMap((rounds, at) =>
    Array.from({ length: rounds }, (_, nonce) => of(`seed ${at}`, "me", nonce)),
  );
  const { commitments, only_nonce_0 } = shows(POKER, rows);
  assert.deepEqual([commitments, only_nonce_0], [8, { count: 2, rows: [0, 1] }]);
  const without = [
    { server_seed: "a", client_seed: "me", nonce: 0 },
    { server_seed: "b", client_seed: "me", nonce: 1 },
  ];
  assert.deepEqual(shows("stake-video-poker", without).only_nonce_0, { count: 1, rows: [0] });
});

test("nonces and games that no row has are counted", () => {
  const rows = [
    of("a", "me", 3),
    of("a", "me", 4),
    of("a", "me", 6),
    of("b", "me", 9),
    of("a", "you", 10),
    of("a", "me", 7),
  ];
  assert.deepEqual(shows(POKER, rows).skipped, {
    missing: 3,
    places: 2,
    examples: [
      { row: 2, from: 5, to: 5 },
      { row: 4, from: 8, to: 9 },
    ],
  });
  const { skipped } = checkRows(
    "bustabit",
    rowsOf("bustabit").map((row) => ({ ...row, commitment: null })),
  ).rows_show;
  assert.deepEqual([skipped.missing, skipped.places], [326_391, 4]);
});

test("a round that comes twice is counted whatever its result", () => {
  const rows = [
    of("a", "me", 0),
    of("a", "me", 1),
    of("a", "me", 2),
    of("a", "me", 1),
    of("a", "me", 2),
    of("a", "you", 1),
    of("a", "me", 0),
  ];
  rows.forEach((row, at) => (row.cards = at === 4 ? "AS KS" : "2C"));
  assert.deepEqual(shows(POKER, rows).doubled, { count: 3, rows: [3, 4, 6] });
  const secret = (nonce) => ({ commitment: hash("b"), client_seed: "me", nonce });
  assert.deepEqual(shows(POKER, [secret(0), secret(1), secret(0)]).doubled, {
    count: 1,
    rows: [2],
  });
});

test("commitments that no row reveals are counted", () => {
  const rows = [
    of("a", "me", 0),
    { commitment: hash("b"), client_seed: "me", nonce: 0 },
    { server_seed: "1111", client_seed: "me", nonce: 2 },
    { ...of("c", "me", 0), server_seed: "***" },
  ];
  assert.deepEqual(
    shows("stake-video-poker", rows, ["valid", "unreadable", "valid", "unreadable"]).never_revealed,
    { count: 2, rows: [1, 3] },
  );
});

test("a seed of its own for each round is not to be used again", () => {
  const beacon = (digit) => digit.repeat(96);
  const rows = [
    of("a", beacon("1"), undefined),
    of("b", beacon("2"), 0),
    of("A", beacon("1"), 0),
    of("b", beacon("3"), 0),
  ];
  const found = shows("duel-crash", rows);
  assert.deepEqual(
    [found.reused, found.doubled],
    [
      { count: 1, rows: [3] },
      { count: 1, rows: [2] },
    ],
  );
});
