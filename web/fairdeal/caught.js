// What was caught: in lists, and in records that could not be written yet.

import { nextNumber } from "./record.js";

/**
 * @typedef {import("./book.js").Caught} Caught
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./record.js").Record} Record
 */

/**
 * @param {ReceiptFinding} a
 * @param {ReceiptFinding} b
 * @returns {boolean}
 */
export function isSameFinding(a, b) {
  return a.code === b.code && a.index === b.index;
}

/**
 * All that was caught, without what was caught before in the same record.
 * @param {readonly Caught[]} before
 * @param {readonly Caught[]} more
 * @returns {Caught[]}
 */
export function withAll(before, more) {
  const all = [...before];
  for (const each of more)
    if (!all.some((other) => isSameFinding(other, each) && other.records[0] === each.records[0]))
      all.push(each);
  return all;
}

/**
 * A kept record with the files and the findings of one that could not be written. Another tab may
 * have opened the seed meanwhile: the rest is that of the kept record.
 * @param {Record | undefined} kept
 * @param {Record} held
 * @returns {Record}
 */
export function joined(kept, held) {
  if (kept === undefined) return held;
  const files = [...kept.files];
  for (const { name, text } of held.files) {
    if (files.some((each) => each.text === text)) continue;
    const isTaken = files.some((each) => each.name === name);
    const other = name.replace(/\d+\.json$/, `${nextNumber(files)}.json`);
    files.push({ name: isTaken ? other : name, text });
  }
  const findings = held.findings.filter((each) =>
    kept.findings.every((other) => !isSameFinding(other, each)),
  );
  return {
    ...kept,
    files,
    findings: [...kept.findings, ...findings],
  };
}
