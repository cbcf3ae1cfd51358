// The heads of a log that are not linked yet. A file that is not kept, because it accuses nobody,
// can have one, too: an extension line, one more signature line or a damaged entry hides no fork.

import { connect } from "./connect.js";
import { newRecord } from "./record.js";

/**
 * @typedef {import("./book.js").Book} Book
 * @typedef {import("./book.js").Id} Id
 * @typedef {import("./continuity.js").Head} Head
 * @typedef {import("./verdict.js").Judgement} Judgement
 */

/** @type {import("./record.js").Claim} */
export const UNLINKED = {
  code: "unlinked",
  says: "the log has not proved yet that it goes on from all that this browser saw of it",
};

/** The record of files that are kept for their heads alone. No commitment is empty. @type {Id} */
const HEADS = { commitment: "", nonce: null };

/**
 * Asks the log to link the heads that were not linked; with a file that is not kept, also its head,
 * which is kept until it is linked.
 * @param {Book} book
 * @param {import("./client.js").Client | null} log
 * @param {{text: string, judgement: Judgement} | null} [file]
 * @param {AbortSignal} [limit] of the time in which the log must answer
 * @returns {Promise<boolean>} false if the view is not the one that was compared
 */
export async function link(book, log, file = null, limit) {
  const [first = HEADS] = (await book.seen()).heads;
  if (file === null && first === HEADS) return true;
  const of = file === null ? first : await showing(book, file.judgement);
  const connected = await connect(book, log, file?.judgement ?? null, of, limit);
  const { version, since, saved, heads, forks, met } = connected;
  return book.alone(async () => {
    await book.load();
    if (book.view.version !== version) return false;
    const left = [...heads, ...forks];
    const place = book.place(of);
    /** @type {import("./record.js").Record[]} */
    const [record = newRecord("", null, "")] = await book.records([place]);
    const head = file === null ? undefined : left.find((each) => isSame(each, met[0]));
    const isNew = head !== undefined && of === HEADS;
    if (file !== null && isNew) {
      const isOpen = (/** @type {string} */ name) => left.some((each) => nameOf(each) === name);
      record.files = record.files.filter(
        ({ name }) => name !== nameOf(head) && (isOpen(name) || record.findings.length > 0),
      );
      record.files.push({ name: nameOf(head), text: file.text });
    }
    const own = head === undefined ? [] : [{ checkpoint: head.note }];
    const shows = record.files.length > 0 && own.length + since.length > 0;
    // Before anything is written: a full storage hides no fork.
    if (shows) await book.catch(record, [...own, ...since], met, place);
    if (isNew) await book.storage.set(place, record);
    await book.see(saved, left, met);
    await book.keepCaught();
    if (shows) await book.see(saved, heads);
    return true;
  });
}

/**
 * The record whose files show a fork together with the head of a file that is not kept.
 * @param {Book} book
 * @param {Judgement} judgement
 * @returns {Promise<Id>}
 */
async function showing(book, { commitment, nonce }) {
  for (const each of commitment === null ? [] : new Set([nonce, null])) {
    const record = await book.find(commitment ?? "", each);
    if (record !== null && record.files.length > 0)
      return { commitment: record.commitment, nonce: each };
  }
  return HEADS;
}

/** @param {Head} a @param {Head | undefined} b */
const isSame = (a, b) => a.size === b?.size && a.root === b.root;

/** @param {Head} head */
const nameOf = ({ size, root }) => `head-${size}-${root.slice(0, 16)}.json`;
