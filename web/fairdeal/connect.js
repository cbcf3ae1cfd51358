// Whether a receipt's log continues the head that a player saved: by the receipt's own proof, or by
// the log's tiles.

import { continuity, readHead } from "./continuity.js";

/**
 * @typedef {object} Connected
 * @property {boolean} proved
 * @property {import("./findings.js").ReceiptFinding[]} findings
 * @property {string[]} since signed heads that belong to the findings
 * @property {string} [says] why it is unknown
 */

/** @type {Connected} */
const PROVED = { proved: true, findings: [], since: [] };

/**
 * @param {string} says
 * @param {string[]} since
 * @returns {Connected}
 */
function fork(says, since) {
  return {
    proved: false,
    findings: [{ code: "inconsistent", accuses: "operator", says: `${says}: it signed both` }],
    since,
  };
}

/**
 * Compares a receipt's checkpoint with the saved head, and saves the newer one if the log continues
 * the older.
 * @param {import("./book.js").Book} book
 * @param {import("./client.js").Client | null} log
 * @param {import("./verdict.js").Judgement} judgement
 * @param {import("./contribution.js").Seen | undefined} seen the checkpoint that the player's
 *   contribution to this round named
 * @returns {Promise<Connected>}
 */
export async function connect(book, log, { receipt, proved }, seen) {
  const head = receipt === null ? null : await readHead(receipt.checkpoint, book.key);
  if (head === null) return { proved: false, findings: [], since: [] };
  await book.load();
  const { saved } = book;
  const rootAt = (/** @type {number} */ size) =>
    size === head.size ? head.root : proved.get(size);
  if (saved === null || rootAt(saved.size) === saved.root) {
    await book.alone(() => book.save(head));
    return PROVED;
  }
  const other = rootAt(saved.size);
  if (other !== undefined)
    return fork(
      `at size ${saved.size} the log showed you root ${saved.root}, and this receipt has ${other}`,
      [saved.note],
    );
  const readFile = (/** @type {string} */ path) => log?.readFile(path) ?? null;
  const {
    now,
    heads: [ours, theirs],
  } = await continuity(readFile, book.key, [saved, head]);
  if (now !== null && ours === "fork")
    return fork(`the log no longer has the root that it showed you at size ${saved.size}`, [
      saved.note,
      now.note,
    ]);
  if (now !== null && theirs === "fork")
    return fork(`the log never had the root that this receipt has at size ${head.size}`, [
      now.note,
    ]);
  if (now !== null && ours === "prefix" && theirs === "prefix") {
    await book.alone(() => book.save(now));
    return PROVED;
  }
  // Without the log's answer, the receipt's own proof from the contribution's `seen` is enough.
  const linked = seen !== undefined && rootAt(seen.size) === seen.root;
  return {
    proved: linked,
    findings: [],
    since: [],
    says: "nothing shows yet that the log goes on from what you saw of it",
  };
}
