import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRound, checkRows } from "../fairdeal/dialects/index.js";
import { MADE, OF_CARDS, WALKED, dialectNamed, hash, rowsOf, settle, shifted } from "../dialect-rows.js";
import { json } from "../fixtures.js";

/** The changes that explain rows, with their numbers; changes that could be chance are left out. */
function told(dialect, rows) {
  const { failing, unexplained, diagnoses } = checkRows(dialect.name, rows).would_verify;
  const sure = diagnoses.filter(({ could_be_chance }) => !could_be_chance);
  return { failing, unexplained, codes: Object.fromEntries(sure.map(({ changes, rows: many }) => [changes[0].code, many])) };
}

/** Asserts that one change explains every row that fails, except those that lost their own value. */
function assertNamed(dialect, rows, code, lost = 0) {
  const { failing, codes } = told(dialect, rows);
  assert.ok(failing > lost, `${dialect.name}: only ${failing} rows fail`);
  const [first, many] = Object.entries(codes)[0] ?? [];
  assert.deepEqual([first, many], [code, failing - lost], `${dialect.name}: ${JSON.stringify(codes)} of ${failing}`);
}

const changed = (rows, change) => rows.map((row) => ({ ...row, ...change(row) }));
const isHashed = ({ committed }) => committed.startsWith("hash");

test("rows as they are made here are valid, and none is explained", () => {
  for (const dialect of MADE) {
    const answer = checkRows(dialect.name, rowsOf(dialect, 12, 4));
    assert.deepEqual([answer.valid, answer.would_verify.diagnoses.length, answer.holds], [12, 0, true], dialect.name);
  }
});

test("shifted columns are named by where the right value stands", () => {
  for (const dialect of MADE) {
    assertNamed(dialect, shifted(rowsOf(dialect, 20, 1), "server_seed"), "server-seed-of-row-before", 1);
    assertNamed(dialect, shifted(rowsOf(dialect, 40, 4), "client_seed"), "client-seed-of-row-before");
    if (isHashed(dialect)) assertNamed(dialect, shifted(rowsOf(dialect, 20, 1), "commitment"), "commitment-of-row-before", 1);
    // Each row with seeds and a nonce of its own.
    const apart = rowsOf(dialect, 40, 1).filter((_, at) => at % 2 === 0);
    if (dialect.kind === "cards") apart.forEach((row, at) => settle(dialect, Object.assign(row, { nonce: at + 5 })));
    const code = dialect.kind === "cards" ? "result-of-row-before" : "seeds-of-row-after";
    assertNamed(dialect, shifted(apart, "cards", "result"), code, dialect.kind === "cards" ? 1 : 0);
  }
});

test("a record with the seed of the record before is named over all its rows", () => {
  for (const dialect of OF_CARDS) {
    const rows = rowsOf(dialect, 40, 5);
    const late = rows.map((row, at) => (at < 5 ? row : { ...row, server_seed: rows[at - 5].server_seed }));
    assertNamed(dialect, late, "server-seed-of-other-after", 5);
  }
});

test("a nonce that is off by one is named", () => {
  for (const dialect of OF_CARDS) {
    assertNamed(dialect, changed(rowsOf(dialect, 30, 3), ({ nonce }) => ({ nonce: nonce + 1 })), "nonce-less");
    assertNamed(dialect, changed(rowsOf(dialect, 30, 3), ({ nonce }) => ({ nonce: nonce - 1 })), "nonce-more");
  }
  const crash = dialectNamed("duel-crash");
  assertNamed(crash, changed(rowsOf(crash, 30, 1), () => ({ nonce: 1 })), "nonce-less");
});

test("another case and white space at the ends are named", () => {
  for (const dialect of MADE) {
    const isText = dialect.scheme.seed === "text" || dialect.committed === "hash-text";
    const upper = changed(rowsOf(dialect, 24, 3), (row) => ({ server_seed: row.server_seed.toUpperCase() }));
    if (isText) assertNamed(dialect, upper, "server-seed-lower");
    else assert.equal(told(dialect, upper).failing, 0, dialect.name);
    for (const column of ["server_seed", "client_seed"]) {
      const spaced = changed(rowsOf(dialect, 24, 3), (row) => ({ [column]: `${row[column]}\r\n` }));
      assertNamed(dialect, spaced, `${column.replace("_", "-")}-trimmed`);
    }
  }
});

test("a commitment of the other form, or of a line, is named", () => {
  for (const dialect of MADE.filter(isHashed)) {
    const isText = dialect.committed === "hash-text";
    const other = (seed) => hash(isText ? Buffer.from(seed, "hex") : seed);
    const rows = rowsOf(dialect, 12, 3);
    assertNamed(dialect, changed(rows, (row) => ({ commitment: other(row.server_seed) })), isText ? "commitment-of-decoded" : "commitment-of-text");
    assertNamed(dialect, changed(rows, (row) => ({ commitment: hash(`${row.server_seed}\n`) })), "commitment-of-line");
  }
});

test("each choice of a scheme is named where the operator made another one", () => {
  for (const dialect of WALKED) {
    const own = dialect.scheme;
    const withNumbers = (numbers) => ({ ...own, numbers: { ...own.numbers, ...numbers } });
    /** @type {[any, string][]} */
    const schemes = [
      [{ ...own, seed: own.seed === "text" ? "decoded" : "text" }, own.seed === "text" ? "key-decoded" : "key-text"],
      [withNumbers({ from: 1 }), `cursor-${own.numbers.counts}-from-1`],
      [withNumbers({ counts: "digests" }), "cursor-digests-from-0"],
      [withNumbers({ counts: "draws" }), "cursor-draws-from-0"],
      [withNumbers({ mapping: "multiply" }), "mapping-multiply"],
      [withNumbers({ mapping: "modulo-2^32" }), "mapping-modulo-2^32"],
      [{ ...own, walk: "forward" }, "walk-forward"],
      [{ ...own, walk: "backward" }, "walk-backward"],
      [{ ...own, walk: "remove" }, dialect.name === "stake-replace" ? "dialect-stake-video-poker" : "walk-remove"],
      [{ ...own, walk: "replace" }, dialect.name === "stake-video-poker" ? "dialect-stake-replace" : "walk-replace"],
      [{ ...own, deck: { suits: "shdc", inner: "suit", ace: "low" } }, "deck-shdc-by-rank-ace-low"],
      [{ ...own, deck: { suits: "hcsd", inner: "rank", ace: "low" } }, "deck-hcsd-by-suit-ace-low"],
    ];
    for (const [scheme, code] of schemes) {
      const rows = rowsOf(dialect, 8, 3, scheme);
      // A change may have no effect: duel's words are the same under either modulo unless a word is
      // refused.
      if (told(dialect, rows).failing > 0) assertNamed(dialect, rows, code);
    }
  }
});

test("the form of a key and its place in the HMAC are named for multipliers", () => {
  for (const name of ["stake-crash", "duel-crash"]) {
    const dialect = dialectNamed(name);
    const isText = dialect.scheme.seed === "text";
    const rows = rowsOf(dialect, 12, 1, { ...dialect.scheme, seed: isText ? "decoded" : "text" });
    assertNamed(dialect, rows, isText ? "key-decoded" : "key-text");
  }
  const stake = dialectNamed("stake-crash");
  assertNamed(stake, rowsOf(stake, 12, 1, { ...stake.scheme, role: "message" }), "roles-exchanged");
});

test("cards that are shown in another order, and cents, are named", () => {
  for (const dialect of OF_CARDS) {
    const shown = (order) => changed(rowsOf(dialect, 10, 3), ({ cards }) => ({ cards: order([...cards]) }));
    assertNamed(dialect, shown(([a, b, c, d, ...rest]) => [a, b, d, c, ...rest]), "cards-exchanged");
    assertNamed(dialect, shown((cards) => cards.reverse()), "cards-reversed");
    assertNamed(dialect, shown(([a, b, c, ...rest]) => [...rest, a, b, c]), "cards-reordered");
  }
  for (const name of ["duel-video-poker", "liqd-blackjack"]) {
    const dialect = dialectNamed(name);
    const whole = rowsOf(dialect, 6, 2).map((row) => settle(dialect, row, dialect.scheme, 416));
    assertNamed(dialect, changed(whole, ({ cards }) => ({ cards: cards.reverse().slice(0, 6) })), "cards-from-end");
  }
  for (const name of ["stake-crash", "duel-crash"]) {
    const dialect = dialectNamed(name);
    const cent = changed(rowsOf(dialect, 30, 1), ({ result }) => ({ result: (Number(result) + 0.01).toFixed(2) }));
    assertNamed(dialect, cent, "cent-more");
    assertNamed(dialect, changed(rowsOf(dialect, 30, 1), ({ result }) => ({ result: `${result}7` })), "result-cut");
  }
});

test("exchanged columns and another dialect are named", () => {
  for (const dialect of OF_CARDS) {
    const exchanged = changed(rowsOf(dialect, 10, 2), (row) => ({ server_seed: row.client_seed, client_seed: row.server_seed }));
    assertNamed(dialect, exchanged, "columns-exchanged");
  }
  for (const [of, readAs] of [
    ["stake-video-poker", "stake-replace"], ["stake-video-poker", "duel-video-poker"],
    ["duel-video-poker", "stake-video-poker"], ["liqd-blackjack", "stake-replace"],
    ["fairdeal/v1", "stake-video-poker"], ["duel-crash", "stake-crash"], ["stake-crash", "duel-crash"],
  ]) {
    assertNamed(dialectNamed(readAs), rowsOf(dialectNamed(of), 10, 2), `dialect-${of}`);
  }
});

test("rows of a chain are explained without a walk of it for each guess", () => {
  const dialect = dialectNamed("bustabit");
  const real = json("dialects", "bustabit.json").rows.filter(({ game_id }) => game_id > 12_633_295);
  assertNamed(dialect, shifted(real, "server_seed"), "server-seed-of-row-before", 1);
  assertNamed(dialect, changed(real, ({ game_id }) => ({ game_id: game_id - 1, chain_steps: null })), "game-more");
  assertNamed(dialect, changed(real, ({ chain_steps }) => ({ game_id: null, chain_steps: chain_steps + 1 })), "chain-steps-less");
  assertNamed(dialect, changed(real, () => ({ client_seed: hash("salt") })), "published-salt");
});

test("rows that need two changes, and rows of other seeds, are not explained", () => {
  for (const dialect of OF_CARDS) {
    const two = changed(rowsOf(dialect, 10, 1), (row) => ({ nonce: row.nonce + 1, commitment: hash(`${row.server_seed}\n`) }));
    assert.deepEqual(told(dialect, two), { failing: 10, unexplained: 10, codes: {} }, dialect.name);
  }
  for (const dialect of MADE) {
    const others = rowsOf(dialect, 10, 2).map((row) => {
      const seed = hash(row.server_seed).slice(0, dialect.seedDigits ?? 64);
      return { ...settle(dialect, { ...row, server_seed: seed }), server_seed: row.server_seed };
    });
    // A multiplier may agree by chance, and then the answer says so.
    assert.deepEqual(told(dialect, others).codes, {}, dialect.name);
  }
});

test("of more failing rows than are tried, the others are counted", () => {
  const dialect = dialectNamed("stake-crash");
  const rows = Array.from({ length: 1_200 }, (_, at) => ({ server_seed: `${at}`, client_seed: "x", result: 99_999_999 }));
  const { failing, tried, unexplained, diagnoses } = checkRows(dialect.name, rows).would_verify;
  assert.deepEqual([failing, tried], [1_200, 1_000]);
  assert.equal(diagnoses.reduce((sum, one) => sum + one.rows, 0) + unexplained, 1_000);
});

test("a row that a confusion explains is still not valid, in a file and alone", () => {
  const row = { ...json("dialects", "stake-video-poker.json").rows[0], nonce: 1 };
  const alone = checkRound("stake-video-poker", row);
  assert.equal(alone.rows[0].verdict, "result-mismatch");
  assert.equal(alone.holds, false);
  assert.deepEqual(alone.would_verify.diagnoses[0].changes, [{ code: "nonce-less", says: "the nonce is one less" }]);
});
