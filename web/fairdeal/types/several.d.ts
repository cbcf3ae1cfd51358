/**
 * @typedef {import("./verdict.js").Judgement} Judgement
 * @typedef {import("./verdict.js").ReceiptFinding} ReceiptFinding
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
 * Judges files together. Those that do not hold up alone contradict nobody.
 * @param {string} origin of the log
 * @param {readonly Named[]} files all that could be read
 * @returns {ReceiptFinding[]}
 */
export function judgeTogether(origin: string, files: readonly Named[]): ReceiptFinding[];
export type Judgement = import("./verdict.js").Judgement;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
export type ReceiptEntry = import("./receipt.js").ReceiptEntry;
export type Checks = import("./signatures.js").Checks;
export type Named = {
    name: string;
    judgement: Judgement;
};
export type Shown = {
    name: string;
    each: ReceiptEntry;
    checks: Checks;
};
