// Where a raffle's files come from: the host of the page, or what the page brings with it; and the
// page's link. A host gets the commitment, the list's digest and the round, and nothing that the reader gave.

import { readBody } from "../../fairdeal/problem.js";

const MOST_DOCUMENT = 4_194_304;
const MOST_LIST = 67_108_864;
const MOST_ANSWER = 65_536;
const PATIENCE = 30_000;
/** Nobody waits longer for a relay. */
const RELAY_PATIENCE = 3_000;

/** The server of drand that a raffle's page asks, if its organiser names no other. */
export const RELAY = "https://api.drand.sh";

/** Whether the page has a host that could answer. */
export const hasHost = () => location.protocol !== "file:";

/**
 * @param {string} url
 * @param {number} most bytes
 * @param {number} patience in milliseconds
 * @returns {Promise<Uint8Array<ArrayBuffer> | null>} null if it is not there
 * @throws if there is no answer
 */
async function read(url, most, patience) {
  const response = await fetch(url, { signal: AbortSignal.timeout(patience), credentials: "omit" });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return readBody(response, most);
}

/** @param {string} path */
const here = (path) => String(new URL(path, new URL("./", location.href)));

/** @param {string} commitment */
export const documentOf = (commitment) =>
  read(here(`v1/raffles/${commitment}`), MOST_DOCUMENT, PATIENCE);

/** @param {string} sha256 */
export const listOf = (sha256) => read(here(`v1/lists/${sha256}`), MOST_LIST, PATIENCE);

/**
 * The answer with the number: of the page's host, or of the relays that the page brings, one after
 * the other. Whoever answers is not believed.
 * @param {{chain: string, round: number}} beacon
 * @param {readonly string[]} relays
 * @param {(bytes: Uint8Array) => Promise<boolean>} isRight whether an answer has the number
 * @returns {Promise<Uint8Array<ArrayBuffer> | null>} null if nobody has it
 */
export async function numberOf({ chain, round }, relays, isRight) {
  const urls = [
    ...(hasHost() ? [[here(`v1/beacons/${chain}/${round}`), PATIENCE]] : []),
    ...relays.map((relay) => [relayUrl(relay, { chain, round }), RELAY_PATIENCE]),
  ];
  for (const [url, patience] of urls) {
    try {
      const found = await read(String(url), MOST_ANSWER, Number(patience));
      if (found !== null && (await isRight(found))) return found;
    } catch {
      // The next one may answer.
    }
  }
  return null;
}

/**
 * Where a relay has a round of a chain.
 * @param {string} relay
 * @param {{chain: string, round: number}} beacon
 * @returns {string}
 */
export function relayUrl(relay, { chain, round }) {
  return `${relay.replace(/\/*$/, "")}/${chain}/public/${round}`;
}

/** The members of what follows the `#` of the page's link. */
export function membersOfLink() {
  return new Map(
    location.hash
      .replace(/^#/, "")
      .split("&")
      .map((part) => {
        const at = part.indexOf("=");
        return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
      }),
  );
}

/**
 * The link to a raffle for others: without anything of the reader's own.
 * @param {string} commitment
 * @param {boolean} isBrought whether the page brings the raffle with it
 * @returns {string | null} null for a file, which has no address for others
 */
export function linkTo(commitment, isBrought) {
  if (!hasHost()) return null;
  const page = location.href.split("#")[0];
  return isBrought ? page : `${page}#raffle=${commitment}`;
}
