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
/** @typedef {{name: string, size: bigint, root: string}} Head */
/**
 * Judges files together. Files that do not hold alone contradict nobody.
 * @param {string} origin of the log
 * @param {readonly Named[]} files all that could be read
 * @param {readonly Head[]} [heads] that a player saw, signed by the log
 * @returns {ReceiptFinding[]}
 */
export function judgeTogether(origin: string, files: readonly Named[], heads?: readonly Head[]): ReceiptFinding[];
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
export type Head = {
    name: string;
    size: bigint;
    root: string;
};
