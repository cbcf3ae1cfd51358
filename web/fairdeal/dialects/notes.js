// The most important facts among those that rows show together.

/** @typedef {import("./rows-show.js").Tally} Tally */

/** @typedef {{code: string, says: string}} Note */

/** With fewer commitments, their share is not reported. */
const ENOUGH = 20;

/**
 * @typedef {object} Found
 * @property {{count: number, only_nonce_0: Tally}} [commitments]
 * @property {{other_result: number}} given_twice
 * @property {{seeds_under_two_commitments: Tally, commitments_with_two_seeds: Tally}} [exchanged]
 * @property {Tally} [seeds_used_again]
 * @property {{shared_between_commitments: number}} [clients]
 */

/**
 * @param {import("./round.js").Dialect} dialect
 * @param {Found} found
 * @returns {Note[]}
 */
export function notesOn(dialect, found) {
  const { count, only_nonce_0: only } = found.commitments ?? { count: 0, only_nonce_0: { count: 0 } };
  /** @type {[string, number, string][]} a code, how many, and what they are */
  const counts = [
    ["other-result", found.given_twice.other_result, "duplicate rounds with different results"],
    [
      "two-commitments",
      found.exchanged?.seeds_under_two_commitments.count ?? 0,
      "server seeds that stand beside more than one commitment, and open one of them at most",
    ],
    [
      "two-seeds",
      found.exchanged?.commitments_with_two_seeds.count ?? 0,
      "commitments that stand beside more than one server seed, and are opened by one of them at most",
    ],
    [
      "seed-used-again",
      found.seeds_used_again?.count ?? 0,
      "server seeds with several rounds, where each round should have its own",
    ],
  ];
  /** @type {Note[]} */
  const notes = [];
  if (count >= ENOUGH && 2 * only.count > count) {
    notes.push({
      code: "never-past-nonce-0",
      says: `${only.count} of ${count} commitments were used for nonce 0 and no more: with a new seed for each round results can be searched for among seeds, and no round alone would show it`,
    });
  }
  for (const [code, many, what] of counts) if (many > 0) notes.push({ code, says: `${what}: ${many}` });
  const shared = dialect.reuse === "seeds" ? (found.clients?.shared_between_commitments ?? 0) : 0;
  if (shared > 0) {
    notes.push({
      code: "client-seed-known",
      says: `commitments that share a client seed with another one: ${shared}; whoever made the later of them could know it before committing`,
    });
  }
  return notes;
}
