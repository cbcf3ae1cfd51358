// Statements of what the rows of a scheme show and do not show (docs/dialects.md).

/** @typedef {"property" | "shown" | "in-part" | "in-the-log" | "not-shown"} Standing */

/** @typedef {{code: string, standing: Standing, says: string}} Statement */

/** @typedef {import("./round.js").Dialect["reuse"]} Reuse */

/** The order of the statements, and those that hold for every scheme. */
const CODES = [
  "rotation",
  "committed-first",
  "client-seed",
  "last-speaker",
  "secrecy",
  "order",
  "completeness",
  "aborts",
  "time",
  "same-for-all",
  "stakes",
];

/** @type {Record<string, [Standing, string]>} */
const ALWAYS = {
  secrecy: ["not-shown", "that nobody at the table knew the server seed while it was secret"],
  completeness: ["not-shown", "that no round is missing"],
  aborts: [
    "not-shown",
    "how many rounds were called off, and which: no column tells a round that was played from one that was not",
  ],
  time: ["not-shown", "when anything happened"],
  "same-for-all": [
    "not-shown",
    "that everybody was shown the same: a row is what one player was shown, and only players who compare their rows find a difference",
  ],
  stakes: [
    "not-shown",
    "what was shown at the table, what was staked and what was paid: a row has only the result",
  ],
};

/** @type {Record<Reuse, Record<string, [Standing, string]>>} what is said otherwise, by what a server seed is used for */
const BY_REUSE = {
  seeds: {
    rotation: [
      "not-shown",
      "that the server seed was not picked: a new seed may begin at any round, at nonce 0 again, so an operator who knows or guesses the client seed can try seeds until a result suits, and commit to that seed. Every such round verifies; the only sign is many commitments that never pass nonce 0",
    ],
    "committed-first": [
      "not-shown",
      "that the commitment was made before the client seed was known: a row has both and does not say when",
    ],
    "client-seed": [
      "not-shown",
      "who chose the client seed: a seed that the operator's page proposed, and the player kept, adds nothing",
    ],
    order: [
      "not-shown",
      "which commitment came after which; rounds under one commitment are numbered by their nonces",
    ],
    completeness: [
      "not-shown",
      "that no round is missing: a nonce that is left out can be seen, a commitment that is left out cannot",
    ],
  },
  rounds: {
    rotation: [
      "not-shown",
      "that the server seed was not picked: each round has its own, at nonce 0, so an operator who knows all other inputs before committing can try seeds until a result suits. Every such round verifies",
    ],
    "committed-first": [
      "not-shown",
      "that the commitment was made before the client's input was known: a row has both and does not say when",
    ],
    "client-seed": ["not-shown", "that the client's input comes from its stated source"],
    order: ["not-shown", "which round came after which"],
  },
  chain: {
    rotation: [
      "in-part",
      "the game hashes cannot be changed once the end is published; that the chain was not picked among many is not shown",
    ],
    "committed-first": [
      "not-shown",
      "that the chain's end was published before the salt was known and before the games: only people who kept it since then can tell",
    ],
    "client-seed": ["not-shown", "that the salt was random, and that nobody chose it"],
    order: ["shown", "each game has one place on the chain"],
    completeness: [
      "in-part",
      "a missing game is a gap in the numbers, and its hash follows from later hashes; that a game was played is not shown",
    ],
    "same-for-all": [
      "in-part",
      "everybody who checks uses the same end of the chain; that all were shown the same results is not shown",
    ],
  },
  "unknown-chain": {
    rotation: [
      "not-shown",
      "that the game hash was not picked: it is said to be a link of a chain, and no row shows that it is",
    ],
    "committed-first": [
      "not-shown",
      "that the game hash was fixed before the salt was known: a row has both and does not say when",
    ],
    "client-seed": ["not-shown", "that the salt was random, and that nobody chose it"],
    order: ["not-shown", "which game came after which: their chain is not known"],
    "same-for-all": ["not-shown", "that everybody was shown the same hash and the same salt"],
  },
  log: {
    rotation: [
      "in-the-log",
      "which commitments a table had, in order, and how many rounds each was used for: `audit` counts them. A row does not show it",
    ],
    "committed-first": [
      "in-the-log",
      "a contribution may name the commitment, or a checkpoint that holds it; `verify` says whether it does",
    ],
    "client-seed": [
      "in-the-log",
      "who brought which seed, under the name they used; only the players can say that they chose it",
    ],
    order: ["in-the-log", "the log has the order of rounds and commitments"],
    completeness: [
      "in-the-log",
      "`audit` finds missing rounds; a row says nothing of other rounds",
    ],
    aborts: ["in-the-log", "which rounds were called off, and why: voids are entries of the log"],
    time: [
      "in-the-log",
      "by the operator's clock only; checkpoints that other people kept show what was in the log by when",
    ],
    "same-for-all": ["in-the-log", "by comparing checkpoints; a row does not show it"],
  },
};

/** @type {Record<import("./round.js").Committed | "chain-text", [Standing, string]>} */
const COMMITMENT = {
  "hash-text": [
    "property",
    "SHA-256 of the server seed's text, as it is written, and not of the bytes that its hex digits are",
  ],
  "hash-decoded": [
    "property",
    "SHA-256 of the bytes that the server seed's hex digits are, and not of its text",
  ],
  chain: [
    "property",
    "one for all games, the end of a chain: SHA-256, repeated, of the bytes of a game's hash",
  ],
  "chain-text": [
    "property",
    "one for all games, the end of a chain: SHA-256, repeated, of a game's hash as hex text",
  ],
  "no-rule": [
    "not-shown",
    "that the seed was fixed before the round: the sources give no rule by which a commitment opens, so none is checked",
  ],
};

/**
 * The number of random bits of a server seed, in words.
 * @param {import("./limits.js").Limits} limits
 * @returns {string}
 */
function seedSays({ seed, seedBits, resultBits }) {
  if (seedBits === undefined || resultBits === undefined) return seed;
  const few =
    seedBits < resultBits ? ": nearly all orders cannot occur, whatever the client seed" : "";
  return `${seed}; at most ${seedBits} bits, where some ${resultBits} decide a round${few}`;
}

/**
 * The statements of a dialect.
 * @param {import("./round.js").Dialect} dialect
 * @returns {Statement[]}
 */
export function statementsOf({ committed, published, reuse, limits }) {
  /** @type {Record<string, [Standing, string]>} */
  const said = { ...ALWAYS, "last-speaker": ["property", limits.lastSpeaker], ...BY_REUSE[reuse] };
  /** @type {[string, [Standing, string]][]} */
  const all = [
    ["commitment", COMMITMENT[published?.hashesText ? "chain-text" : committed]],
    ["seed", ["property", seedSays(limits)]],
    ...CODES.map((code) => /** @type {[string, [Standing, string]]} */ ([code, said[code]])),
    ...limits.also.map(
      (says) => /** @type {[string, [Standing, string]]} */ (["also", ["property", says]]),
    ),
  ];
  return all.map(([code, [standing, says]]) => ({ code, standing, says }));
}
