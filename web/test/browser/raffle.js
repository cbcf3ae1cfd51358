// A host with one raffle, as `fairdeal serve` answers, and files of the fixtures.

import { spawnSync } from "node:child_process";

import { bytes, json, text } from "../../fixtures.js";
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
