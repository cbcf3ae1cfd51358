// The findings of an audit, as its verdict has them (spec/audit.md, section 13.4).

import { inOrder } from "./findings.js";

/** @typedef {import("./findings.js").Finding} Finding */

const MOST_KEPT = 1000;

/** Findings of each code: how many, and the first 1,000 in order. */
export class Found {
  constructor() {
    /** @type {Map<string, {count: number, kept: Finding[]}>} */
    this.codes = new Map();
  }

  /** @param {Finding} finding */
  add(finding) {
    const code = this.codes.get(finding.code) ?? { count: 0, kept: [] };
    this.codes.set(finding.code, code);
    code.count++;
    code.kept.push(finding);
    // A finding may come after others with a higher index, so the order is known only at the end.
    if (code.kept.length >= 4 * MOST_KEPT) this.cut(code.kept);
  }

  /** @param {Finding[]} kept */
  cut(kept) {
    kept.sort(inOrder);
    kept.length = Math.min(kept.length, MOST_KEPT);
  }

  /** @returns {{findings: Finding[], counts: Record<string, number>}} */
  end() {
    const all = [...this.codes];
    for (const [, { kept }] of all) this.cut(kept);
    return {
      findings: all.flatMap(([, { kept }]) => kept).sort(inOrder),
      counts: Object.fromEntries(
        all.sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, { count }]) => [code, count]),
      ),
    };
  }
}
