// Judgements of files, each made once.

import { Beacons } from "./beacon.js";
import { seenIn } from "./entry.js";
import { readFile } from "./receipt.js";
import { Judgement } from "./verdict.js";

/** How many characters the remembered files have together at most. */
const MOST_TEXT = 2 ** 25;

/** The judgements of the last files that the log's key signed. */
export class Judged {
  /** @param {import("./key.js").Key} key of the log */
  constructor(key) {
    this.key = key;
    this.beacons = new Beacons();
    /** The last used one last. @type {Map<string, Judgement>} */
    this.known = new Map();
    this.length = 0;
  }

  /**
   * The judgement of a file.
   * @param {string} text
   * @returns {Promise<Judgement>}
   */
  async judge(text) {
    const known = this.known.get(text);
    if (known !== undefined) {
      this.known.delete(text);
      this.known.set(text, known);
      return known;
    }
    const judgement = new Judgement(this.key, readFile(text), null, this.beacons);
    await judgement.judge();
    // Anybody can write very many large files, but not with this signature.
    if (judgement.isSigned) this.remember(text, judgement);
    return judgement;
  }

  /**
   * @param {string} text
   * @param {Judgement} judgement
   */
  remember(text, judgement) {
    if (!this.known.has(text)) this.length += text.length;
    this.known.set(text, judgement);
    for (const [oldest] of this.known) {
      if (this.length <= MOST_TEXT) return;
      this.known.delete(oldest);
      this.length -= oldest.length;
    }
  }
}

/**
 * Why the lock that a file shows is not covered by witnesses (spec/receipt.md, section 11.11).
 * @param {Judgement} without of the file, without the policy
 * @param {import("./policy.js").Policy | undefined} policy
 * @param {string} text of the file
 * @returns {Promise<string | null>} null if there is no policy or no lock, or if it is covered, and
 *   nothing is found under the policy
 */
export async function uncovered(without, policy, text) {
  if (policy === undefined || without.locked === null) return null;
  // What a seat catches and keeps must not rest on a policy, which others need not share.
  const judgement = new Judgement(without.key, readFile(text), policy, without.beacons);
  await judgement.judge();
  const { coverage, findings, locked } = judgement;
  if (findings.length > 0) return `${findings[0].code}: ${findings[0].says}`;
  if (coverage === null || locked === null) return "nothing here shows what your witnesses signed";
  return coverage.missing(locked.index);
}

/**
 * The sizes at which a file shows a root of the log.
 * @param {Judgement} judgement
 * @returns {number[]}
 */
export function sizesIn({ checkpoint, receipt }) {
  const brought = (receipt?.entries ?? []).flatMap(({ read: { entry } }) =>
    entry === null ? [] : seenIn(entry),
  );
  return [checkpoint, ...(receipt?.seen ?? []), ...brought].flatMap((each) =>
    each === null ? [] : [Number(each.size)],
  );
}
