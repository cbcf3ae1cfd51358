// Promises a raffle with a log for it alone (spec/raffle.md, section 35.5).

import { QUICKNET, rightRound } from "./beacon.js";
import { concat, fromHex, toBase64, toHex, utf8 } from "./bytes.js";
import { checkpointText } from "./checkpoint.js";
import * as is from "./expected.js";
import { canonical } from "./jcs.js";
import { keyId, keyText } from "./key.js";
import { leafHash, nodeHash } from "./merkle.js";
import { linesOf, readRaffle } from "./raffle-document.js";
import { Refused } from "./refused.js";
import { commitmentOf } from "./seed.js";
import { sha256 } from "./sha256.js";

const DAY = 86_400_000;
/** The most that a reveal may come after its commit. Here none comes. */
const REVEAL_IN = 366 * DAY;
const MOST_AHEAD = 335 * DAY;

/**
 * A raffle to publish. Nobody can change it: the key that signed it is gone.
 * @typedef {object} PromisedRaffle
 * @property {string} document the text of the document (section 37), with the server seed
 * @property {string} key the verifier key of its log
 */

/**
 * Promises a raffle that quicknet decides: makes a key, a server seed, and a log with the commit and
 * the lock. The signing key cannot be read, and is forgotten.
 * @param {Uint8Array} list the file of the list (section 35.1)
 * @param {import("./raffle-document.js").RaffleRules} rules
 * @param {number} second of the draw, since 1970: later than now, and at most 335 days ahead
 * @param {number} [now] the time of the promise, in milliseconds: this clock's by default
 * @returns {Promise<PromisedRaffle>}
 * @throws {Refused} `list`, if it is no list, or has fewer different lines than winners; `draw`, if
 *   that second cannot be promised; `unavailable`, if the rules have another form, the list is too
 *   long, or this platform does not sign with Ed25519
 * @throws {TypeError} if an argument is missing, or is of another type
 */
export async function promiseRaffle(list, rules, second, now = Date.now()) {
  const call = "promiseRaffle(list, rules, second)";
  is.expectBytes(call, "list", list);
  is.expectObject(call, "rules", rules);
  const lines = linesOf(list);
  const different = new Set(lines).size;
  const { winners } = rules;
  if (different < winners)
    throw new Refused("list", `${winners} win, and the list has ${different} different lines`);
  const time = Math.floor(now);
  const margin = 1000 * second - time - 1;
  const round = rightRound(QUICKNET, time, margin);
  if (!Number.isSafeInteger(second) || margin < 0 || margin >= MOST_AHEAD || round === null)
    throw new Refused(
      "draw",
      `expected a second of the draw from now to 335 days ahead; found ${second}, and it is ${Math.floor(time / 1000)}`,
    );
  const { name, publicKey, sign } = await newLog();
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const commitment = toHex(commitmentOf(seed));
  const table = `raffle-${toHex(crypto.getRandomValues(new Uint8Array(8)))}`;
  const entries = [
    {
      entry: "commit",
      time,
      commitment,
      protocol: "fairdeal/v1",
      origin: name,
      table,
      method: "shuffle",
      deck: { count: lines.length, sha256: toHex(sha256(list)) },
      draw: different === lines.length ? winners : lines.length,
      sealed: false,
      mixing: "beacon",
      beacon: { chain: QUICKNET.hash, margin },
      rounds: 1,
      reveal_by: time + REVEAL_IN,
      rules: toHex(sha256(utf8(canonical(/** @type {any} */ (rules))))),
    },
    { entry: "lock", time, commitment, nonce: 0, beacon: round },
  ].map((entry) => canonical(/** @type {any} */ (entry)));
  const [commit, lock] = entries.map((entry) => leafHash(utf8(entry)));
  const text = checkpointText(name, entries.length, nodeHash(commit, lock));
  const key = { name, id: keyId(name, publicKey), publicKey };
  const signature = toBase64(concat(fromHex(key.id), await sign(utf8(text))));
  const document = JSON.stringify(
    {
      format: "fairdeal/raffle/v1",
      rules,
      receipt: {
        format: "fairdeal/receipt/v1",
        entries: [lock, commit].map((sibling, index) => ({
          index,
          entry: entries[index],
          proof: [toBase64(sibling)],
        })),
        checkpoint: `${text}\n\u2014 ${name} ${signature}\n`,
      },
      server_seed: toHex(seed),
    },
    null,
    2,
  );
  // The form of the rules is judged in one place.
  readRaffle(document);
  return { document: `${document}\n`, key: keyText(key) };
}

/**
 * A key for one log, and its name. Nothing can read the signing key, and nothing keeps it.
 * @returns {Promise<{name: string, publicKey: Uint8Array,
 *   sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>}>}
 * @throws {Refused} `unavailable`, if this platform has no Ed25519
 */
async function newLog() {
  try {
    const pair = /** @type {CryptoKeyPair} */ (
      await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])
    );
    const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    return {
      name: `raffle/${toHex(sha256(publicKey)).slice(0, 16)}`,
      publicKey,
      sign: async (bytes) =>
        new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, pair.privateKey, bytes)),
    };
  } catch (cause) {
    const says = "this platform does not sign with Ed25519";
    throw new Refused("unavailable", says, { cause });
  }
}
