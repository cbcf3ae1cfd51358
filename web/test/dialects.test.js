import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRound, checkRows, dialects } from "../fairdeal/dialects/index.js";
import { compareOutcome, readRow } from "../fairdeal/dialects/judge.js";
import { readCards, cardText } from "../fairdeal/dialects/cards.js";
import { schemeDeck } from "../fairdeal/dialects/seeds.js";
import { deal } from "../fairdeal/dialects/walk.js";
import { lossyText } from "../fairdeal/dialects/duel.js";
import { fromHex } from "../fairdeal/bytes.js";
import { HmacKey } from "../fairdeal/sha256.js";
import { dialectNamed } from "../dialect-rows.js";
import { json, names, text, refusal } from "../fixtures.js";

const NAMES = dialects().map(({ name }) => name);
const slug = (name) => name.replace("/", "-");

/** The verdict that a row of the fixtures states. */
const stated = ({ valid, reason }) =>
  valid ? "valid" : reason === "cards_mismatch" ? "result-mismatch" : reason.replace("_", "-");

/** Rows as CSV, with every cell in quotes. */
function csv(rows) {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cell = (value) => {
    if (value === null || value === undefined) return "";
    const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
    const written = isTexts
      ? value.join(" ")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
    return `"${written.replaceAll('"', '""')}"`;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
  return [columns.join(","), ...lines].join("\r\n");
}

test("every dialect of the specification is known", () => {
  const files = names("dialects").map((name) => name.replace(/\.json$/, ""));
  const rows = files.filter((name) => !["changes", "digests"].includes(name));
  assert.deepEqual(NAMES.map(slug).sort(), rows.sort());
});

for (const name of NAMES) {
  const file = json("dialects", `${slug(name)}.json`);
  const expected = file.rows.map(stated);

  test(`${name}: every row of the fixtures gets its verdict, in every form of a file`, () => {
    const forms = {
      objects: file.rows,
      file: text("dialects", `${slug(name)}.json`),
      bytes: new TextEncoder().encode(`\ufeff${JSON.stringify(file.rows)}`),
      lines: file.rows.map((row) => JSON.stringify(row)).join("\n"),
      csv: csv(file.rows),
    };
    for (const [form, rows] of Object.entries(forms)) {
      const answer = checkRows(name, rows, { brief: true });
      assert.deepEqual(
        answer.rows.map(({ verdict }) => verdict),
        expected,
        form,
      );
      const valid = expected.filter((verdict) => verdict === "valid").length;
      assert.deepEqual(
        [answer.valid, answer.invalid, answer.unreadable],
        [valid, expected.length - valid, 0],
        form,
      );
      assert.equal(answer.holds, valid === expected.length, form);
      assert.equal(answer.error, undefined, form);
    }
  });

  test(`${name}: a single row gets the same verdict as in its file`, () => {
    // A walk of a whole chain for each row would take minutes, so only the first row and the two
    // wrong ones are tested.
    const rows = name === "bustabit" ? [0, 33] : name === "bustabit-v2" ? [0] : file.rows.keys();
    for (const at of rows) {
      const answer = checkRound(name, file.rows[at]);
      assert.equal(answer.rows[0].verdict, expected[at], `row ${at}`);
      assert.equal(answer.holds, expected[at] === "valid");
      if (expected[at] === "valid") assert.equal(answer.rows[0].follows, true);
    }
  });
}

test("every wrong row of the fixtures is explained if its fault is a usual one", () => {
  const explained = {
    bustabit: { 33: null, 34: null },
    "bustabit-v2": { 4: null, 5: "game-less" },
    "duel-beef": { 8: "nonce-less", 9: null, 10: "commitment-of-text" },
    "duel-castle-roulette": { 7: null, 8: "commitment-of-text" },
    "duel-crash": { 20: null, 21: "commitment-of-text" },
    "duel-dice": { 10: "nonce-less", 11: null, 12: "commitment-of-text" },
    "duel-mines": { 8: "nonce-less", 9: null, 10: "commitment-of-text" },
    "duel-plinko": { 11: null, 12: null, 13: "commitment-of-text" },
    "duel-video-poker": {
      18: "server-seed-previous",
      23: "cards-reordered",
      24: "commitment-of-text",
    },
    "liqd-blackjack": {
      22: "cards-reordered",
      23: "commitment-of-decoded",
      24: "server-seed-lower",
    },
    "liqd-dice": { 1: "nonce-less", 2: null, 3: "commitment-of-decoded" },
    "liqd-mines": { 22: "nonce-less", 23: "nonce-less", 24: "commitment-of-decoded" },
    "liqd-plinko": { 9: "nonce-less", 10: null, 11: null, 12: "commitment-of-decoded" },
    "stake-crash": {},
    "stake-diamonds": { 5: "nonce-less", 6: null },
    "stake-dice": { 10: "nonce-less", 11: null },
    "stake-dragon-tower": { 5: "nonce-less", 6: null },
    "stake-flip": { 5: "nonce-less", 6: null },
    "stake-keno": { 5: "nonce-less", 6: null },
    "stake-limbo": { 5: "nonce-less", 6: null, 9: null, 12: null },
    "stake-mines": { 12: "nonce-less", 13: null },
    "stake-plinko": { 14: null, 15: null, 18: null },
    "stake-replace": { 9: "nonce-less" },
    "stake-rock-paper-scissors": { 5: "nonce-less", 6: null },
    "stake-roulette": { 5: null, 6: null },
    "stake-slide": { 5: null },
    "stake-snakes": { 5: "nonce-less", 6: null },
    "stake-video-poker": { 3: "cards-reordered" },
    "stake-wheel": { 8: null },
    "fairdeal/v1": {
      14: null,
      15: null,
      16: "nonce-less",
      17: null,
      18: null,
      19: "commitment-of-text",
      20: null,
    },
  };
  for (const name of NAMES) {
    const answer = checkRows(name, json("dialects", `${slug(name)}.json`).rows);
    const found = {};
    for (const { row, verdict } of answer.rows) if (verdict !== "valid") found[row] = null;
    for (const { code, first_rows } of answer.would_verify.diagnoses) {
      for (const row of first_rows) found[row] = code;
    }
    assert.deepEqual(found, explained[name], name);
    const unexplained = Object.values(explained[name]).filter((code) => code === null).length;
    assert.equal(answer.would_verify.unexplained, unexplained, name);
  }
});

test("digests in the place of HMACs deal the cards of the fixtures: refused words, refused digests, limits", () => {
  const { cases } = json("dialects", "digests.json");
  assert.ok(cases.length > 30);
  for (const one of cases.filter(({ row }) => row === undefined)) {
    const { scheme } = dialectNamed(one.dialect);
    const digests = (number) => {
      const digest = one.digests[`${one.client_seed}:${one.nonce}:${number}`] ?? one.default;
      assert.ok(digest, `${one.what}: the message with ${number} is hashed`);
      return fromHex(digest);
    };
    const deck = schemeDeck(scheme);
    const places = deal(
      scheme.walk,
      scheme.numbers,
      digests,
      deck.length,
      one.cards?.length ?? deck.length,
    );
    if (one.error !== undefined) assert.equal(places, null, one.what);
    else
      assert.deepEqual(
        places.slice(0, one.cards.length).map((place) => cardText(deck[place])),
        one.cards,
        one.what,
      );
  }
});

test("games go as the fed digests say", (t) => {
  const cases = json("dialects", "digests.json").cases.filter(({ row }) => row !== undefined);
  assert.ok(cases.length > 40);
  for (const { dialect, what, digests, default: rest, client_seed, nonce, row, error } of cases) {
    const fed = t.mock.method(HmacKey.prototype, "sign", (message) => {
      const digest = digests[new TextDecoder().decode(message)] ?? rest;
      // If a row does not verify, other nonces are tried.
      assert.ok(digest !== null || error !== undefined, `${what}: the message is hashed`);
      return fromHex(digest ?? "00".repeat(32));
    });
    const server_seed = "0".repeat(dialectNamed(dialect).seedDigits ?? 32);
    const [{ verdict, says }] = checkRows(dialect, [
      { server_seed, client_seed, nonce, ...row },
    ]).rows;
    fed.mock.restore();
    if (error === undefined) assert.equal(verdict, "valid", `${what}: ${says}`);
    else assert.match(`${verdict}: ${says}`, /^result-mismatch: .*all eight words/, what);
  }
});

test("a row for which a scheme has no answer is a result-mismatch", () => {
  const dialect = dialectNamed("duel-video-poker");
  const row = json("dialects", "duel-video-poker.json").rows[0];
  const { round } = readRow(dialect, row, true);
  const places = deal(
    dialect.scheme.walk,
    dialect.scheme.numbers,
    () => new Uint8Array(32).fill(255),
    52,
    5,
  );
  assert.equal(places, null);
  assert.match(compareOutcome(dialect, round, { none: "no answer" }), /no answer/);
});

test("every changed row of the fixtures gets its verdict", () => {
  const { changes } = json("dialects", "changes.json");
  const first = (name) => json("dialects", `${slug(name)}.json`).rows[0];
  const byDialect =
    Map.groupBy?.(changes, ({ dialect }) => dialect) ??
    new Map(NAMES.map((name) => [name, changes.filter(({ dialect }) => dialect === name)]));
  for (const [name, list] of byDialect) {
    // Rows of a chain are judged together, after the row that shows their place.
    const rows = [first(name), ...list.map(({ changed }) => ({ ...first(name), ...changed }))];
    const answer = checkRows(name, rows, { brief: true });
    list.forEach(({ what, verdict }, at) =>
      assert.equal(answer.rows[at + 1].verdict, verdict, `${name}: ${what}`),
    );
  }
});

test("every odd file of the fixtures is read or refused as it says", () => {
  const { files } = json("dialects", "changes.json");
  assert.ok(files.length > 20);
  for (const { what, text: file, verdicts } of files) {
    for (const form of [file, new TextEncoder().encode(file)]) {
      const answer = checkRows("stake-video-poker", form);
      const letters = answer.rows.map(({ verdict }) => verdict[0]).join("");
      if (verdicts === null) {
        assert.equal(answer.error?.code, "unavailable", what);
        assert.equal(answer.holds, false, what);
      } else {
        assert.equal(letters, verdicts, what);
        // A file without readable rows, or without rows, shows nothing.
        const isNothing = [...verdicts].every((letter) => letter === "u");
        assert.equal(answer.error?.code, isNothing ? "unavailable" : undefined, what);
        assert.equal(
          answer.holds,
          verdicts !== "" && [...verdicts].every((letter) => letter === "v"),
          what,
        );
      }
    }
  }
});

test("a beacon's bytes become the text of the specification's table", () => {
  const table = {
    c0af_e080_bff0_8182_41: "........A",
    eda0_80ed_bfbf_edaf_41: "........A",
    f491_9293_ff41_80bf_42: ".....A..B",
    e180_e2f0_9192_f1bf_41: "....A",
  };
  for (const [bytes, shown] of Object.entries(table)) {
    assert.equal(lossyText(fromHex(bytes.replaceAll("_", ""))), shown.replaceAll(".", "\ufffd"));
  }
});

test("the examples of the specification hold, word for word", () => {
  const row = json("dialects", "stake-replace.json").rows[6];
  assert.deepEqual(row.cards.slice(0, 6), ["QS", "10D", "5S", "JH", "9H", "KS"]);
  const told = checkRound("stake-replace", { ...row, cards: undefined }, { cards: 6 });
  assert.deepEqual(told.rows[0].outcome, { cards: ["QS", "10D", "5S", "JH", "9H", "KS"] });
  assert.equal(told.rows[0].verdict, "not-compared");
  const shoe = checkRound(
    "liqd-blackjack",
    { server_seed: "6dca5e36b6b9dc56730e282ab3c2bae6", client_seed: "audita6d2fe11bb1f", nonce: 0 },
    { cards: 8 },
  );
  assert.deepEqual(shoe.rows[0].outcome, {
    cards: ["7H", "10C", "9H", "JH", "5H", "JC", "6H", "7D"],
  });
  const game = checkRound("bustabit", {
    server_seed: "c2afa1058b4635c47cff25bc786490f7474b11cf605ce1afdc44d2c2d0406b32",
  });
  assert.deepEqual(game.rows[0].outcome, { result: "1.55" });
  const whole = checkRound("fairdeal/v1", json("dialects", "fairdeal-v1.json").rows[0]);
  assert.equal(whole.rows[0].outcome.cards.length, 52);
});

test("cards are read in every form that the specification names", () => {
  const same = [
    ["5S", "10H", "AC"],
    "5S 10H AC",
    "5s,Th,ac",
    "5s, 10h  AC",
    "5sThAc",
    ["5♠", "t♥", "a♣"],
    "SPADE:5 heart:10 Club:1",
  ];
  const expected = readCards(same[0], "cards");
  for (const form of same)
    assert.deepEqual(readCards(form, "cards"), expected, JSON.stringify(form));
  for (const form of [
    "5STHAC",
    "5s Th 1c",
    "HEART:0",
    "HEART:14",
    "HEART:01",
    ["5s Th"],
    [5],
    7,
    {},
    "5♠A♠",
  ]) {
    assert.throws(() => readCards(form, "cards"), { name: "Unreadable" }, JSON.stringify(form));
  }
});

test("a joker is a card of our own decks alone, in every column", () => {
  const row = json("dialects", "duel-video-poker.json").rows[0];
  for (const column of ["cards", "held", "final"]) {
    assert.equal(
      checkRound("duel-video-poker", { ...row, [column]: ["X1"] }).rows[0].verdict,
      "unreadable",
      column,
    );
  }
  const ours = json("dialects", "fairdeal-v1.json").rows[8];
  assert.equal(ours.deck, "jokers-54");
  assert.equal(checkRound("fairdeal/v1", ours).rows[0].verdict, "valid");
});

test("a number of a result is compared exactly, however it is written", () => {
  const row = json("dialects", "stake-crash.json").rows[0];
  const file = (result) => `[${JSON.stringify(row).replace('"7.74"', result)}]`;
  const verdict = (result) =>
    checkRows("stake-crash", file(result), { brief: true }).rows[0].verdict;
  for (const same of [
    "7.74",
    "7.740000000000000000000000000000",
    "774e-2",
    "0.0774E+2",
    '"7.74x"',
    '"07.740×"',
    '"0,007.74"',
    '"7,74"',
    '"07,7400x"',
  ]) {
    assert.equal(verdict(same), "valid", same);
  }
  for (const other of [
    "7.740000000000000000000000000001",
    "7.7399999999999999999999",
    "1e999999999999999999999",
    "1e-999999999",
    '"1,007.74"',
  ]) {
    assert.equal(verdict(other), "result-mismatch", other);
  }
  for (const none of [
    "-7.74",
    "-0",
    '"7.74 x"',
    '".74"',
    '"7."',
    '"7,740"',
    '"1234,567"',
    '"7,7,4"',
    '"1e2"',
    '"+1"',
    "true",
    "[]",
    "{}",
    '""',
  ]) {
    assert.equal(verdict(none), "unreadable", none);
  }
});

test("what is no dialect and what is no list of rows is refused, and says what was expected", () => {
  assert.equal(
    refusal(() => checkRows("stake-vidio-poker", [])),
    "usage",
  );
  assert.equal(
    refusal(() => checkRound("", {})),
    "usage",
  );
  assert.equal(
    refusal(() => checkRows("stake-crash", 7)),
    "usage",
  );
  assert.throws(() => checkRound("x", {}), /expected the name of a dialect, one of bustabit/);
});
