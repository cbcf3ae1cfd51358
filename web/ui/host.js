// The log of this page's host. Everything here is the host's word: only the judge makes a verdict.

import { readBody } from "../fairdeal/problem.js";
import { originOf } from "./keys.js";

/**
 * @typedef {object} HostLog
 * @property {string} host that served this page
 * @property {string} origin of the log
 * @property {string | null} key that the host shows, not compared by anybody
 * @property {string | null} printedAt where the operator says that the key is printed
 */

/** The form of a verifier key. The judge reads it exactly. */
export const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

const LONGEST = 2 ** 16;
/** The page shows no more of what the operator says. */
const MOST_PRINTED_AT = 200;
/** Nobody waits longer for a host that does not answer. */
const PATIENCE = 5_000;

/** @type {Promise<HostLog | null> | null} */
let asked = null;

/**
 * The log at this page's address; null if there is none, as for a page in a folder.
 * @returns {Promise<HostLog | null>}
 */
export function hostLog() {
  asked ??= ask().catch(() => null);
  return asked;
}

/** @returns {Promise<HostLog | null>} */
async function ask() {
  if (location.protocol === "file:") return null;
  const { host } = location;
  const told = await read("v1/log");
  if (told !== null) {
    const { key, printed_at: printedAt } = JSON.parse(told) ?? {};
    if (typeof key !== "string" || !KEY.test(key)) return null;
    return {
      host,
      key,
      origin: originOf(key),
      printedAt: typeof printedAt === "string" ? printedAt.slice(0, MOST_PRINTED_AT) : null,
    };
  }
  // A copy of the log's files has no service. Its key may be a file next to the checkpoint.
  const origin = (await read("checkpoint"))?.split("\n")[0] ?? "";
  if (origin === "") return null;
  const key = (await read("log.key"))?.trim() ?? "";
  return {
    host,
    origin,
    key: KEY.test(key) && originOf(key) === origin ? key : null,
    printedAt: null,
  };
}

/**
 * @param {string} path
 * @returns {Promise<string | null>} null if the host does not have it
 */
async function read(path) {
  const response = await fetch(new URL(path, new URL("./", location.href)), {
    signal: AbortSignal.timeout(PATIENCE),
    cache: "no-cache",
  });
  if (!response.ok) return null;
  return new TextDecoder().decode(await readBody(response, LONGEST));
}
