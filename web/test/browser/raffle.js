// A host with one raffle, as `fairdeal serve` answers, and files of the fixtures.

import { spawnSync } from "node:child_process";

import { QUICKNET } from "../../fairdeal/beacon.js";
import { fromHex, toHex, utf8 } from "../../fairdeal/bytes.js";
import { deal, resultOf } from "../../fairdeal/deal.js";
import { canonical } from "../../fairdeal/jcs.js";
import { HmacKey, sha256 } from "../../fairdeal/sha256.js";
import { bytes, json, text } from "../../fixtures.js";
import { ModelLog, ModelTable } from "../model-log.js";
import { WEB } from "./harness.js";

/** The second of the draw of the fixtures, and its round. */
export const OUT = 1_692_806_364;
const { round, chain, signature } = json("raffles", "drawn", "case.json").verdict.beacon;
export const NUMBER = JSON.stringify({ round, signature });

const bundled = spawnSync(
  "esbuild",
  [`${WEB}curves.js`, "--bundle", "--format=esm", "--log-level=warning"],
  { encoding: "utf8", maxBuffer: 1e8 },
);
if (bundled.status !== 0) throw new Error(bundled.stderr);

/**
 * A host of a raffle of the fixtures.
 * @param {string} name
 */
export function hostOf(
  name,
  { document = text("raffles", name, "document.json"), key, list } = {},
) {
  const lines = list ?? bytes("raffles", name, "list.txt");
  const { receipt } = JSON.parse(document);
  const { commitment, deck } = JSON.parse(receipt.entries[0].entry);
  const host = { document, number: null, commitment, asked: [] };
  const log = { key: key ?? text("raffles", name, "log.key").trim() };
  host.extra = (path) => {
    if (path.startsWith("/v1/")) host.asked.push(path);
    if (path === "/curves.js") return bundled.stdout;
    if (path === "/v1/log") return JSON.stringify(log);
    if (path === `/v1/raffles/${commitment}`) return host.document;
    if (path === `/v1/lists/${deck.sha256}`) return Buffer.from(lines);
    if (path === `/v1/beacons/${chain}/${round}` && host.number !== null) return host.number;
    return null;
  };
  return host;
}

/**
 * Opens a page at a second of the reader's clock.
 * @param {{open: Function, server: {url: string}}} browser
 * @param {number} second
 * @param {string} path
 * @param {object} [options] of the context
 */
export async function openAt({ open, server }, second, path, options) {
  const opened = await open("/embed.html", options);
  const { page } = opened;
  await page.clock.install({ time: 1000 * second });
  opened.complaints.length = 0;
  await page.goto(server.url + path);
  await page.waitForFunction(() => document.documentElement.dataset.stage !== undefined);
  return opened;
}

/** Waits until the page shows a stage. */
export const stage = (page, wanted) =>
  page.waitForFunction((each) => document.documentElement.dataset.stage === each, wanted);

/** A file to drop. */
export const file = (name, content) => ({ name, bytes: Buffer.from(content) });

/**
 * A raffle of a list and its rules that the recorded round has drawn, in a log of its own.
 * @param {Uint8Array} list
 * @param {object} rules
 */
export async function drawnOf(list, rules) {
  const log = await ModelLog.make();
  log.now = 1000 * (OUT - 120);
  const lines = new TextDecoder().decode(list).trimEnd().split("\n");
  const count = lines.length;
  const terms = {
    method: "shuffle",
    deck: { count, sha256: toHex(sha256(list)) },
    draw: new Set(lines).size === count ? rules.winners : count,
    sealed: false,
    mixing: "beacon",
    rounds: 1,
    rules: toHex(sha256(utf8(canonical(rules)))),
    beacon: { chain: QUICKNET.hash, margin: 1000 * OUT - (log.now + 2000) - 1 },
  };
  const table = new ModelTable(log, "raffle", terms);
  await table.commit({ reveal_by: log.now + 86_400_000 });
  const { commitment } = table;
  const lock = log.push({ entry: "lock", commitment, nonce: 0, beacon: 1000 });
  const mixed = { nonce: 0, contributions: [], randomness: sha256(fromHex(signature)) };
  const seed = new HmacKey(table.serverSeed);
  const result = resultOf(seed, fromHex(commitment), terms, mixed, deal(seed, terms, mixed));
  log.push({ entry: "deal", commitment, nonce: 0, lock, beacon: signature, result });
  log.push({ entry: "reveal", commitment, server_seed: toHex(table.serverSeed) });
  const receipt = await log.receipt([0, 1, 2, 3]);
  const document = JSON.stringify({ format: "fairdeal/raffle/v1", rules, receipt });
  return { document, list, key: log.signing.vkey };
}
