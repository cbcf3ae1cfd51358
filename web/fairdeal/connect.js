// Whether a receipt's log continues the head that a player saved: by the receipt's own proof, or by
// the log's tiles.

import { continuity, readHead } from "./continuity.js";

/**
 * @typedef {object} Connected
 * @property {boolean} proved
 * @property {import("./evidence.js").Since[]} since heads that show a fork, with the roots that they
 *   prove
 * @property {string} [says] why nothing is proved
 */

/**
 * Compares a receipt's checkpoint with the saved head, and with the heads of which nothing was
 * proved so far. Saves the newest head if the log continues the older ones.
 * @param {import("./book.js").Book} book
 * @param {import("./client.js").Client | null} log
 * @param {import("./verdict.js").Judgement} judgement
 * @returns {Promise<Connected>}
 */
export async function connect(book, log, { receipt, proved }) {
  const head = receipt === null ? null : await readHead(receipt.checkpoint, book.key);
  if (head === null) return { proved: false, since: [] };
  await book.load();
  const { saved } = book;
  const ours = saved?.size === head.size ? head.root : proved.get(saved?.size ?? 0);
  if (saved === null || ours === saved.root) {
    await book.alone(() => book.save(head));
    return { proved: true, since: [] };
  }
  // The receipt itself shows the other root.
  if (ours !== undefined) return { proved: false, since: [{ checkpoint: saved.note }] };
  const shown = [saved, head, ...book.heads.filter(({ note }) => note !== head.note)];
  const readFile = (/** @type {string} */ path) => log?.readFile(path) ?? null;
  const { now, heads } = await continuity(readFile, book.key, shown);
  const since = heads.flatMap((each, i) =>
    each.is === "fork" ? [{ checkpoint: shown[i].note }, each.proof] : [],
  );
  const linked = now !== null && heads[0].is === "prefix" && heads[1].is === "prefix";
  // What an unlinked log continues is not proved either.
  const open = shown.filter(
    (_, i) => i > 0 && (heads[i].is === "unknown" || (heads[i].is === "prefix" && !linked)),
  );
  await book.alone(() => book.save(linked ? now : null, open));
  if (linked) return { proved: true, since };
  const says =
    now === null
      ? "the log does not answer: nothing shows yet that it goes on from what you saw of it"
      : "the log does not prove that it goes on from what you saw of it";
  return { proved: false, since, says };
}
