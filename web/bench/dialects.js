// Rows checked per second for each dialect, and a baseline in the same run: one HMAC-SHA256 of
// node:crypto for each row. A shoe of liqd-blackjack takes 415 HMACs and a deck of duel-video-poker
// 51, so their ratios are the largest.
//
//     node web/bench/dialects.js [seconds for each]

import { createHmac } from "node:crypto";

import { checkRows, dialects } from "../fairdeal/dialects/index.js";
import { json } from "../fixtures.js";

const seconds = Number(process.argv[2] ?? 1);

/** The number of calls of a function in a second. */
function rate(run) {
  run();
  let count = 0;
  const start = performance.now();
  let taken = 0;
  do {
    count += run();
    taken = performance.now() - start;
  } while (taken < 1_000 * seconds);
  return (1_000 * count) / taken;
}

/** Valid rows, each with its own nonce or seeds, as a file of this many rows has them. */
function rowsOf(name) {
  const valid = json("dialects", `${name.replace("/", "-")}.json`).rows.filter((row) => row.valid);
  return Array.from({ length: Math.ceil(200 / valid.length) }, () => valid).flat();
}

function floor() {
  for (let i = 0; i < 1_000; i++)
    createHmac("sha256", "51b5258b38fef00c9887b7ad6c728035").update(`client:${i}:0`).digest();
  return 1_000;
}

/**
 * The baseline is measured before and after each dialect, so that other work on the machine affects
 * both.
 */
const rows = dialects().map(({ name }) => {
  const given = rowsOf(name).map((row) =>
    name === "bustabit" ? { ...row, commitment: null } : row,
  );
  const before = rate(floor);
  const checked = rate(() => checkRows(name, given, { brief: true }).rows.length);
  const least = (before + rate(floor)) / 2;
  return {
    dialect: name,
    "rows a second": Math.round(checked),
    "floor a second": Math.round(least),
    "floor / rows": Number((least / checked).toFixed(2)),
  };
});

const chain = json("dialects", "bustabit.json").rows.slice(0, 1);
const start = performance.now();
checkRows("bustabit", chain, { brief: true });
const hashes = (1_000 * chain[0].chain_steps) / (performance.now() - start);

console.table(rows);
console.log(`a chain of ${chain[0].chain_steps} hashes: ${Math.round(hashes)} hashes a second`);
