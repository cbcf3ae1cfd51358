import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRound, checkRows } from "../fairdeal/dialects/index.js";
import {
  MADE,
  OF_CARDS,
  TELLING,
  WALKED,
  dialectNamed,
  hash,
  rowsOf,
  settle,
  shifted,
} from "../dialect-rows.js";
import { json } from "../fixtures.js";

/** The changes that explain rows, with their numbers; changes that could be chance are left out. */
function told(dialect, rows) {
  const { failing, unexplained, diagnoses } = checkRows(dialect.name, rows).would_verify;
  const sure = diagnoses.filter(({ could_be_chance }) => !could_be_chance);
  return {
    failing,
    unexplained,
    codes: Object.fromEntries(sure.map(({ code, rows: many }) => [code, many])),
  };
}

/**
 * Asserts that one change explains every row that fails, except those that lost their own value.
 */
function assertNamed(dialect, rows, code, lost = 0) {
  const { failing, codes } = told(dialect, rows);
  assert.ok(failing > lost, `${dialect.name}: only ${failing} rows fail`);
  const [first, many] = Object.entries(codes)[0] ?? [];
  assert.deepEqual(
    [first, many],
    [code, failing - lost],
    `${dialect.name}: ${JSON.stringify(codes)} of ${failing}`,
  );
}

const changed = (rows, change) => rows.map((row) => ({ ...row, ...change(row) }));
const isHashed = ({ committed }) => committed.startsWith("hash");
const isText = ({ scheme, committed }) => scheme.seed === "text" || committed === "hash-text";
const committedTo = (dialect, seed) =>
  hash(dialect.committed === "hash-text" ? seed : Buffer.from(seed, "hex"));

test("rows as they are made here are valid, and none is explained", () => {
  for (const dialect of MADE) {
    const answer = checkRows(dialect.name, rowsOf(dialect, 12, 4));
    assert.deepEqual(
      [answer.valid, answer.would_verify.diagnoses.length, answer.holds],
      [12, 0, true],
      dialect.name,
    );
  }
});

test("a commitment of the other form, or of a line, is named", () => {
  for (const dialect of MADE.filter(isHashed)) {
    const isOfText = dialect.committed === "hash-text";
    const other = (seed) => hash(isOfText ? Buffer.from(seed, "hex") : seed);
    const rows = rowsOf(dialect, 12, 3);
    assertNamed(
      dialect,
      changed(rows, (row) => ({ commitment: other(row.server_seed) })),
      isOfText ? "commitment-of-decoded" : "commitment-of-text",
    );
    assertNamed(
      dialect,
      changed(rows, (row) => ({ commitment: hash(`${row.server_seed}\n`) })),
      "commitment-of-line",
    );
  }
});

test("a nonce that is off by one is named", () => {
  for (const dialect of TELLING.filter(
    ({ reuse, kind }) => reuse === "seeds" && kind !== "multiplier",
  )) {
    assertNamed(
      dialect,
      changed(rowsOf(dialect, 30, 3), ({ nonce }) => ({ nonce: nonce + 1 })),
      "nonce-less",
    );
    assertNamed(
      dialect,
      changed(rowsOf(dialect, 30, 3), ({ nonce }) => ({ nonce: nonce - 1 })),
      "nonce-more",
    );
  }
  const crash = dialectNamed("duel-crash");
  assertNamed(
    crash,
    changed(rowsOf(crash, 30, 1), () => ({ nonce: 1 })),
    "nonce-less",
  );
});

/**
 * The ways to write a seed: the end of the code, the operator's seed, and the seed of the row.
 * @type {[string, (seed: string) => string, (seed: string) => string][]}
 */
const WRITTEN = [
  ["lower", (seed) => seed, (seed) => seed.toUpperCase()],
  ["upper", (seed) => seed.toUpperCase(), (seed) => seed.toLowerCase()],
  ["trimmed", (seed) => seed, (seed) => ` ${seed}\r\n`],
  ["no-apostrophe", (seed) => seed, (seed) => `'${seed}`],
  ["visible", (seed) => seed, (seed) => `${seed}\u200b\ufe0f`],
  ["straight-quotes", (seed) => `${seed}'"`, (seed) => seed.replace("'", "’").replace('"', "“")],
  [
    "unescaped",
    (seed) => `${seed}&<>`,
    (seed) => seed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
  ],
  ["nfc", (seed) => `${seed}zo\u00eb`, (seed) => seed.replace("\u00eb", "e\u0308")],
  ["nfd", (seed) => `${seed}zoe\u0308`, (seed) => seed.replace("e\u0308", "\u00eb")],
];

test("a seed that is written in another way is named", () => {
  for (const dialect of TELLING) {
    for (const [code, own, shown] of WRITTEN) {
      const isCase = code === "lower" || code === "upper";
      const isHex = !["straight-quotes", "unescaped", "nfc", "nfd"].includes(code);
      // In another case the bytes are the same: only a scheme that uses the text sees it.
      if (isHex ? isText(dialect) || !isCase : dialect.seedDigits === null) {
        const rows = rowsOf(dialect, 24, 3).map((row) => {
          const seed = own(row.server_seed);
          const commitment = isHashed(dialect) ? { commitment: committedTo(dialect, seed) } : {};
          return {
            ...settle(dialect, { ...row, server_seed: seed, ...commitment }),
            server_seed: shown(seed),
          };
        });
        assertNamed(dialect, rows, `server-seed-${code}`);
      }
      // A drand value counts by its bytes; the label of a contribution, which comes first, does not
      // enter the deal.
      if (
        dialect.reuse === "rounds"
          ? isHex && !isCase
          : dialect.name !== "fairdeal/v1" || code !== "no-apostrophe"
      ) {
        const rows = rowsOf(dialect, 24, 3).map((row) => {
          const seed = own(row.client_seed);
          return { ...settle(dialect, { ...row, client_seed: seed }), client_seed: shown(seed) };
        });
        assertNamed(dialect, rows, `client-seed-${code}`);
      }
    }
  }
});

test("another dialect, and a key of the other form, are named", () => {
  for (const [of, readAs] of [
    ["stake-video-poker", "stake-replace"],
    ["stake-video-poker", "duel-video-poker"],
    ["duel-video-poker", "stake-video-poker"],
    ["liqd-blackjack", "stake-replace"],
    ["fairdeal/v1", "stake-video-poker"],
    ["duel-crash", "stake-crash"],
    ["stake-crash", "duel-crash"],
  ]) {
    assertNamed(dialectNamed(readAs), rowsOf(dialectNamed(of), 10, 2), `dialect-${of}`);
  }
  for (const dialect of TELLING.filter(({ name }) => name !== "fairdeal/v1")) {
    const seed = dialect.scheme.seed === "text" ? "decoded" : "text";
    assertNamed(dialect, rowsOf(dialect, 12, 1, { ...dialect.scheme, seed }), `key-${seed}`);
  }
});

test("suits in another order, and cards in another order, are named", () => {
  for (const dialect of WALKED) {
    const deck = { ...dialect.scheme.deck, suits: "hcsd" };
    assertNamed(dialect, rowsOf(dialect, 10, 3, { ...dialect.scheme, deck }), "suits-exchanged");
    const ranks = {
      ...dialect.scheme.deck,
      inner: dialect.scheme.deck.inner === "suit" ? "rank" : "suit",
    };
    assert.deepEqual(
      told(dialect, rowsOf(dialect, 10, 3, { ...dialect.scheme, deck: ranks })).codes,
      {},
      dialect.name,
    );
  }
  const [hand] = json("dialects", "duel-video-poker.json").rows;
  const suits = (cards) =>
    cards.map((card) => card.replace(/[SH]$/, (suit) => (suit === "S" ? "H" : "S")));
  assertNamed(
    dialectNamed("duel-video-poker"),
    [{ ...hand, cards: suits(hand.cards), held: suits(hand.held), final: suits(hand.final) }],
    "suits-exchanged",
  );
  for (const dialect of OF_CARDS) {
    const shown = (order) =>
      changed(rowsOf(dialect, 10, 3), ({ cards }) => ({ cards: order([...cards]) }));
    assertNamed(
      dialect,
      shown(([a, b, c, d, ...rest]) => [a, b, d, c, ...rest]),
      "cards-reordered",
    );
    assertNamed(
      dialect,
      shown((cards) => cards.reverse()),
      "cards-reordered",
    );
  }
});

test("shifted columns are named by where the right value is", () => {
  for (const dialect of TELLING) {
    for (const [side, turn] of [
      ["previous", (rows) => rows],
      ["next", (rows) => rows.reverse()],
    ]) {
      assertNamed(
        dialect,
        turn(shifted(rowsOf(dialect, 20, 1), "server_seed")),
        `server-seed-${side}`,
        1,
      );
      assertNamed(
        dialect,
        turn(shifted(rowsOf(dialect, 40, 4), "client_seed")),
        `client-seed-${side}`,
      );
      if (isHashed(dialect))
        assertNamed(
          dialect,
          turn(shifted(rowsOf(dialect, 20, 1), "commitment")),
          `commitment-${side}`,
          1,
        );
    }
  }
});

test("a record with the seed of the record before is named over all its rows", () => {
  for (const dialect of OF_CARDS) {
    const rows = rowsOf(dialect, 40, 5);
    const late = rows.map((row, at) =>
      at < 5 ? row : { ...row, server_seed: rows[at - 5].server_seed },
    );
    assertNamed(dialect, late, "server-seed-next", 5);
  }
});

test("exchanged columns are named", () => {
  for (const dialect of OF_CARDS) {
    const exchanged = changed(rowsOf(dialect, 10, 2), (row) => ({
      server_seed: row.client_seed,
      client_seed: row.server_seed,
    }));
    assertNamed(dialect, exchanged, "columns-exchanged");
  }
  for (const dialect of MADE.filter((one) => isHashed(one) && one.seedDigits !== 32)) {
    const exchanged = changed(rowsOf(dialect, 10, 2), (row) => ({
      server_seed: row.commitment,
      commitment: row.server_seed,
    }));
    assertNamed(dialect, exchanged, "hash-exchanged");
  }
});

test("rows of a chain are explained without a walk of it for each try", () => {
  const dialect = dialectNamed("bustabit");
  const real = json("dialects", "bustabit.json").rows.filter(({ game_id }) => game_id > 12_633_295);
  assertNamed(dialect, shifted(real, "server_seed"), "server-seed-previous", 1);
  assertNamed(
    dialect,
    changed(real, ({ game_id }) => ({ game_id: game_id - 1, chain_steps: null })),
    "game-more",
  );
  assertNamed(
    dialect,
    changed(real, ({ chain_steps }) => ({ game_id: null, chain_steps: chain_steps + 1 })),
    "game-less",
  );
});

test("rows that need two changes, and rows of other seeds, are not explained", () => {
  for (const dialect of OF_CARDS) {
    const two = changed(rowsOf(dialect, 10, 1), (row) => ({
      nonce: row.nonce + 1,
      commitment: hash(`${row.server_seed}\n`),
    }));
    assert.deepEqual(told(dialect, two), { failing: 10, unexplained: 10, codes: {} }, dialect.name);
  }
  for (const dialect of TELLING) {
    const others = rowsOf(dialect, 10, 2).map((row) => {
      const seed = hash(row.server_seed).slice(0, dialect.seedDigits ?? 64);
      return { ...settle(dialect, { ...row, server_seed: seed }), server_seed: row.server_seed };
    });
    // A multiplier may agree by chance, and then the answer says so.
    assert.deepEqual(told(dialect, others).codes, {}, dialect.name);
  }
});

test("a contribution whose seed is written in another way is named", () => {
  const dialect = dialectNamed("fairdeal/v1");
  const rows = rowsOf(dialect, 12, 3).map(({ client_seed, ...row }) => {
    const given = (seed) => ({ contributions: [{ from: "zo\u00eb", seed }] });
    return {
      ...settle(dialect, { ...row, ...given(`${client_seed}\u00eb`) }),
      ...given(`${client_seed}e\u0308`),
    };
  });
  assertNamed(dialect, rows, "client-seed-nfc");
});

test("the randomness of drand is not taken for its signature, and the message says so", () => {
  const [row] = rowsOf(dialectNamed("duel-crash"), 1, 1);
  const [{ verdict, says }] = checkRows("duel-crash", [
    { ...row, client_seed: "ab".repeat(32) },
  ]).rows;
  assert.equal(verdict, "unreadable");
  assert.match(
    says,
    /found 64, which may be drand's randomness; this scheme takes drand's signature/,
  );
});

test("a row that has lost its seed accuses nobody, and says so", () => {
  const [row] = json("dialects", "duel-video-poker.json").rows;
  for (const [seed, dialect, expected] of [
    [row.commitment, "duel-video-poker", /found the commitment itself/],
    ["1.23457E+31", "stake-video-poker", /found a number that a spreadsheet rounded/],
    ["Not revealed yet", "stake-video-poker", /a seed that is not revealed/],
  ]) {
    const lost = { ...row, server_seed: seed };
    for (const answer of [checkRound(dialect, lost), checkRows(dialect, [lost, row])]) {
      assert.equal(answer.rows[0].verdict, "unreadable");
      assert.match(answer.rows[0].says, expected);
    }
  }
  const { rows } = checkRows("duel-video-poker", [{ ...row, server_seed: "Not revealed yet" }]);
  assert.match(rows[0].says, /expected 64 hex digits.*; the server seed is a text that may be/);
});

test("of more failing rows than are tried, the others are counted", () => {
  const dialect = dialectNamed("stake-crash");
  const rows = Array.from({ length: 1_200 }, (_, at) => ({
    server_seed: `${at}`,
    client_seed: "x",
    result: 99_999_999,
  }));
  const { failing, tried, unexplained, diagnoses } = checkRows(dialect.name, rows).would_verify;
  assert.deepEqual([failing, tried], [1_200, 300]);
  assert.equal(diagnoses.reduce((sum, one) => sum + one.rows, 0) + unexplained, 300);
});

test("a row that a confusion explains is still not valid, in a file and alone", () => {
  const row = { ...json("dialects", "stake-video-poker.json").rows[0], nonce: 1 };
  const alone = checkRound("stake-video-poker", row);
  assert.equal(alone.rows[0].verdict, "result-mismatch");
  assert.equal(alone.holds, false);
  const [{ code, says }] = alone.would_verify.diagnoses;
  assert.deepEqual([code, says], ["nonce-less", "the nonce is one less"]);
});
