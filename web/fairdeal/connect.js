// Whether a receipt's log continues the head that a player saved: by the receipt's own proof, or by
// the log's tiles.

import { textOrNull } from "./bytes.js";
import { continuity } from "./continuity.js";

/**
 * What a receipt, or a call of the log alone, shows of the log.
 * @typedef {object} Connected
 * @property {number} version of the view that was compared
 * @property {boolean} proved whether the receipt's log continues the saved head
 * @property {import("./evidence.js").Since[]} since heads that show a fork, with the roots that they
 *   prove
 * @property {import("./continuity.js").Head | null} saved the highest head that is linked now
 * @property {import("./book.js").OpenHead[]} heads those that are not linked now, without forks
 * @property {import("./book.js").OpenHead[]} forks
 * @property {import("./continuity.js").Head[]} met the heads that were compared now
 */

/**
 * Compares a receipt's checkpoint with the saved head, and with all heads that were not linked
 * before.
 * @param {import("./book.js").Book} book
 * @param {import("./client.js").Client | null} log
 * @param {import("./verdict.js").Judgement | null} judgement of a receipt; null to ask the log alone
 * @param {{commitment: string | null, nonce: number | null} | null} [of] the record that keeps it
 * @param {AbortSignal} [limit] of the time in which the log must answer
 * @returns {Promise<Connected>}
 */
export async function connect(book, log, judgement, of = judgement, limit) {
  const { saved, heads: open, version } = await book.seen();
  const { commitment = null, nonce = null } = of ?? {};
  const head = judgement === null ? null : headOf(judgement);
  // Of another file only the head counts: it is never what the player saw, and nothing is opened.
  const isLogged = judgement?.logged === true;
  const met = head === null ? [] : [head];
  const none = { version, proved: false, since: [], saved, heads: open, forks: [], met };
  if (judgement !== null && (head === null || commitment === null)) return none;
  /** The roots that the receipt shows. @type {Map<number, string>} */
  const roots = new Map(judgement?.proved);
  if (head !== null) roots.set(head.size, head.root);
  const left = open.filter(({ size, root }) => roots.get(size) !== root);
  const ours = roots.get(saved?.size ?? 0);
  if (head !== null && (saved === null ? isLogged : ours === saved.root)) {
    const highest = isLogged && (saved === null || saved.size < head.size) ? head : saved;
    return { ...none, proved: isLogged, saved: highest, heads: left };
  }
  // The receipt itself shows the other root.
  if (isLogged && ours !== undefined) return none;
  const own = { commitment: commitment ?? "", nonce, from: book.from };
  const fresh =
    head === null || open.some(({ size, root }) => size === head.size && root === head.root)
      ? []
      : [{ ...head, ...own }];
  const heads = [...open, ...fresh];
  // Nothing can be compared without a head.
  if (saved === null) return { ...none, heads };
  const readFile = (/** @type {string} */ path) => log?.readFile(path, { signal: limit }) ?? null;
  const { now, heads: all } = await continuity(readFile, book.key, [saved, ...heads]);
  const [stands, ...others] = all;
  const linked = now !== null && stands.is === "prefix";
  const since = [saved, ...heads].flatMap(({ note }, i) => {
    const each = all[i];
    return each.is === "fork" ? [{ checkpoint: note }, each.proof] : [];
  });
  // What an unlinked log continues is not linked either.
  const isLinked = (/** @type {number} */ i) => linked && others[i].is === "prefix";
  const at = heads.findIndex(({ size, root }) => size === head?.size && root === head.root);
  return {
    version,
    proved: isLogged && at >= 0 && isLinked(at),
    since,
    saved: linked && now.size > saved.size ? now : saved,
    heads: heads.filter((_, i) => others[i].is !== "fork" && !isLinked(i)),
    forks: heads.filter((_, i) => others[i].is === "fork"),
    met: now === null ? met : [...met, now],
  };
}

/**
 * The head that a file's checkpoint is, if the log's key signed it, whatever else is in the file.
 * @param {import("./verdict.js").Judgement} judgement
 * @returns {import("./continuity.js").Head | null}
 */
function headOf({ isHead, checkpoint, receipt }) {
  if (!isHead || checkpoint === null || receipt === null) return null;
  const { root } = checkpoint;
  const size = Number(checkpoint.size);
  if (size === 0 || size > Number.MAX_SAFE_INTEGER) return null;
  return { size, root, note: textOrNull(receipt.checkpoint) ?? "" };
}
