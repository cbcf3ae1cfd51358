// The findings of several receipts together (spec/receipt.md, section 11.6).

import { equal, toHex } from "./bytes.js";
import { contributionsOf, isCommit } from "./entry.js";
import { accused } from "./findings.js";
import { Life } from "./life.js";
import { leafHash } from "./merkle.js";
import { judgePossible } from "./opening.js";
import { Breath } from "./wait.js";

/**
 * @typedef {import("./verdict.js").Judgement} Judgement
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./findings.js").Found} Found
 * @typedef {import("./receipt.js").ReceiptEntry} ReceiptEntry
 * @typedef {import("./signatures.js").Checks} Checks
 */

/**
 * @typedef {object} Named
 * @property {string} name
 * @property {Judgement} judgement
 */

/** @typedef {{name: string, each: ReceiptEntry, checks: Checks}} Shown */

/**
 * A head of the log, with each root that it proves (section 11.10).
 * @typedef {{name: string, roots: readonly {size: number | bigint, root: string}[]}} Head
 */

/**
 * Judges files together.
 * @param {import("./key.js").Key} log
 * @param {readonly Named[]} all of a file that is not `logged`, only the checkpoint counts, as a head
 * @param {readonly Head[]} seen other heads, signed by the log
 * @returns {Promise<ReceiptFinding[]>}
 */
export async function judgeTogether(log, all, seen) {
  const files = all.filter(({ judgement }) => judgement.logged === true);
  const heads = [
    ...all.flatMap(({ name, judgement: { logged, isHead, checkpoint } }) =>
      logged === false && isHead && checkpoint !== null ? [{ name, roots: [checkpoint] }] : [],
    ),
    ...seen,
  ];
  // A single file is not compared with itself.
  if (files.length + heads.length < 2) return [];
  /** @type {Found[]} */
  const findings = [];
  const entries = oneEntry(files, findings);
  oneRoot(files, heads, findings);
  const known = new Set(
    files.flatMap(({ judgement }) =>
      judgement.findings.flatMap(({ code, index }) =>
        index === undefined ? [] : [`${code} ${index}`],
      ),
    ),
  );
  /** @param {Found["code"]} code @param {number} index @param {string} says */
  const find = (code, index, says) => {
    if (known.has(`${code} ${index}`)) return;
    known.add(`${code} ${index}`);
    findings.push({ code, index, says });
  };
  await oneExcerpt(log, files, entries, find);
  oneSetOfCards(files, find);
  return accused(findings, true);
}

/**
 * Step 1: the entries of all files by index.
 * @param {readonly Named[]} files
 * @param {Found[]} findings
 * @returns {Map<number, Shown>} in ascending order
 */
function oneEntry(files, findings) {
  /** @type {Map<number, Shown>} */
  const entries = new Map();
  const contradicted = new Set();
  for (const { name, judgement } of files) {
    judgement.receipt?.entries.forEach((each, i) => {
      const first = entries.get(each.index);
      if (first === undefined) entries.set(each.index, { name, each, checks: judgement.checks[i] });
      else if (!equal(first.each.bytes, each.bytes) && !contradicted.has(each.index)) {
        contradicted.add(each.index);
        findings.push({
          code: "inconsistent",
          says: `entry ${each.index} is one thing in ${first.name} and another in ${name}`,
        });
      }
    });
  }
  return new Map([...entries].sort((a, b) => a[0] - b[0]));
}

/**
 * Step 2: the roots of the log, as the files show them.
 * @param {readonly Named[]} files
 * @param {readonly Head[]} heads
 * @param {Found[]} findings
 */
function oneRoot(files, heads, findings) {
  /** @type {Map<string, {root: string, name: string}>} */
  const roots = new Map();
  const contradicted = new Set();
  const had = files.flatMap(({ name, judgement }) =>
    rootsOf(judgement).map(([size, root]) => ({ name, size, root })),
  );
  for (const { name, roots: some } of heads)
    had.push(...some.map(({ size, root }) => ({ name, size: String(size), root })));
  for (const { name, size, root } of had) {
    const first = roots.get(size);
    if (first === undefined) roots.set(size, { root, name });
    else if (first.root !== root && !contradicted.has(size)) {
      contradicted.add(size);
      findings.push({
        code: "inconsistent",
        says: `at size ${size}, ${first.name} has root ${first.root} and ${name} has ${root}`,
      });
    }
  }
}

/**
 * @param {Judgement} judgement
 * @returns {[string, string][]} sizes and roots that the log signed
 */
function rootsOf({ checkpoint, receipt, checks }) {
  /** @type {[string, string][]} */
  const roots = [];
  if (checkpoint !== null) roots.push([String(checkpoint.size), checkpoint.root]);
  for (const { size, root } of receipt?.seen ?? []) roots.push([String(size), root]);
  receipt?.entries.forEach(({ read: { entry } }, i) => {
    if (entry === null) return;
    if (entry.entry === "anchor") roots.push([String(entry.size), entry.root]);
    contributionsOf(entry).forEach(({ seen }, n) => {
      if (seen !== undefined && checks[i].seen[n] === true)
        roots.push([String(seen.size), seen.root]);
    });
  });
  return roots;
}

/**
 * Step 3: all entries as one excerpt.
 * @param {import("./key.js").Key} log
 * @param {readonly Named[]} files
 * @param {ReadonlyMap<number, Shown>} entries
 * @param {(code: Found["code"], index: number, says: string) => void} find
 */
async function oneExcerpt(log, files, entries, find) {
  const commits = new Set();
  for (const {
    each: { read },
  } of entries.values()) {
    if (isCommit(read)) commits.add(read.commitment);
  }
  // Files that are judged together share their chains.
  const beacons = files[0]?.judgement.beacons;
  const life = new Life({ log, excerpt: true, noRoots: true, beacons });
  const breath = new Breath();
  for (const [
    index,
    {
      each: { read },
      checks,
    },
  ] of entries) {
    if (read.commitment !== null && !commits.has(read.commitment)) continue;
    // Each deal is replayed again, with the reveals of all files.
    await breath.take();
    for (const finding of life.judge(read, index, checks).findings)
      find(finding.code, finding.index ?? index, finding.says);
  }
}

/**
 * Step 4: the cards of all openings of one deal, which is one entry at one index.
 * @param {readonly Named[]} files
 * @param {(code: Found["code"], index: number, says: string) => void} find
 */
function oneSetOfCards(files, find) {
  /** @type {Map<string, {index: number, commit: import("./entry.js").Commit, pairs: Map<number, number>}>} */
  const deals = new Map();
  for (const {
    judgement: { receipt, opened, dealt, course },
  } of files) {
    if (
      !opened ||
      dealt === null ||
      course === null ||
      receipt === null ||
      receipt.opening === null
    )
      continue;
    const { index } = dealt;
    const own = receipt.entries.find((each) => each.index === index);
    if (own === undefined) continue;
    // Another view of the log may have another deal at this index.
    const name = `${index} ${toHex(leafHash(own.bytes))}`;
    const deal = deals.get(name) ?? { index, commit: course.commit, pairs: new Map() };
    deals.set(name, deal);
    for (const { t, item } of receipt.opening.opened) deal.pairs.set(t, item);
  }
  for (const { index, commit, pairs } of deals.values()) {
    const why = judgePossible(commit, commit.draw, pairs);
    if (why !== null) find("result-mismatch", index, `in several openings together: ${why}`);
  }
}
