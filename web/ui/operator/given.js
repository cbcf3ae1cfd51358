// The files that players give the operator: hashes before the lock, and what opens them after it.
// The service judges them; here a wrong file is refused before it is sent, with what to do.

import { isHex } from "../../fairdeal/bytes.js";
import { isLabel, isSeed } from "../../fairdeal/contribution.js";
import { isObject, readJson } from "../../fairdeal/json.js";
import { fileOf } from "../../fairdeal/receipt.js";
import { t } from "../strings.js";
import { plain } from "../text.js";

/** @typedef {import("../../fairdeal/client.js").Given} Given */
/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("./api.js").Round} Round */

/** The members that the service takes. */
const MEMBERS = [
  "from",
  "log",
  "commitment",
  "nonce",
  "hash",
  "seed",
  "blind",
  "seen",
  "key",
  "signature",
];

/** A file that is not taken, with what to do. */
export class NotTaken extends Error {}

/**
 * A player's file for a round.
 * @param {Uint8Array} bytes
 * @param {Standing} standing
 * @param {number} nonce
 * @param {Round | null} lock the round, once it is locked
 * @returns {Given}
 * @throws {NotTaken}
 */
export function readGiven(bytes, standing, nonce, lock) {
  const given = contributionIn(bytes);
  if (given === null) throw new NotTaken(t("operator.given.unreadable"));
  const { from, hash, seed, blind } = given;
  const name = plain(from);
  /** @param {import("../strings.js").Key} key */
  const not = (key) => new NotTaken(t(key, { name }));
  if (
    (given.commitment ?? standing.commitment) !== standing.commitment ||
    (given.nonce ?? nonce) !== nonce
  )
    throw not("operator.given.other-round");
  if (lock === null) {
    if (blind !== undefined || (hash !== undefined && seed !== undefined))
      throw not("operator.given.secret");
    if (hash === undefined && standing.mixing === "hashes") throw not("operator.given.clear");
    if (hash === undefined ? !isSeed(seed) : !isHex(hash, 32))
      throw new NotTaken(t("operator.given.unreadable"));
    return given;
  }
  const locked = lock.players.find((each) => each.from === from);
  if (locked === undefined) throw not("operator.given.not-locked");
  if (locked.hash === undefined) throw not("operator.given.clear-locked");
  if (seed === undefined || blind === undefined) throw not("operator.given.hash-alone");
  if (hash !== undefined && hash !== locked.hash) throw not("operator.given.other-hash");
  return given;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Given | null}
 */
function contributionIn(bytes) {
  let value;
  try {
    value = readJson(fileOf(bytes));
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value.from !== "string" || !isLabel(value.from)) return null;
  const members = Object.entries(value).filter(([name]) => MEMBERS.includes(name));
  return /** @type {Given} */ (/** @type {unknown} */ (Object.fromEntries(members)));
}
