// The terms of a promise that a player is asked to play under.

import { canonical } from "./jcs.js";
import { Refused, shown } from "./refused.js";

/**
 * The terms of a commitment whose receipt holds and which is open.
 * @param {import("./book.js").Book} book
 * @param {string} commitment
 * @param {{[name: string]: unknown}} expect
 * @param {(due: number) => boolean} isLate
 * @returns {Promise<import("./entry.js").Commit>}
 * @throws {Refused} `promise`, `caught` or `terms`
 */
export async function termsOf(book, commitment, expect, isLate) {
  const record = await book.find(commitment, null);
  if (record === null)
    throw new Refused(
      "promise",
      "no receipt shows this commitment: give its promise, or the log's address",
    );
  const [wrong] = record.findings;
  if (wrong !== undefined) throw new Refused("caught", `${wrong.code}: ${wrong.says}`);
  const { course } = await book.judge(record.files[record.files.length - 1].text);
  const over = course?.ended ?? (await book.ended(commitment));
  if (course === null || over !== null)
    throw new Refused("promise", `this commitment is over: ${over}`);
  if (isLate(course.commit.reveal_by))
    throw new Refused("promise", "this commitment had to be revealed before now");
  for (const [name, value] of Object.entries(expect)) {
    const found = /** @type {any} */ (course.commit)[name];
    const same =
      found === undefined || value === undefined
        ? found === value
        : canonical(found) === canonical(/** @type {any} */ (value));
    if (!same)
      throw new Refused(
        "terms",
        `expected ${name} ${shown(JSON.stringify(value))}, the promise has ${shown(JSON.stringify(found))}`,
      );
  }
  return course.commit;
}
