// Statements of what the rows of a scheme show and do not show (spec/dialects.md, sections 26 and
// 27).

/** @typedef {"property" | "shown" | "in-part" | "in-the-log" | "not-shown"} Standing */

/** @typedef {{code: string, standing: Standing, says: string}} Statement */

/** @typedef {import("./round.js").Dialect["reuse"]} Reuse */

/** The order of the statements, and those that hold for every scheme. */
const CODES = [
  "rotation", "committed-first", "client-seed", "last-speaker", "secrecy", "order", "completeness", "aborts", "time",
  "same-for-all", "stakes",
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
    "that everybody was shown the same: a row is what one was shown, and only players who compare find that another was shown something else",
  ],
  stakes: [
    "not-shown",
    "what was shown at the table, what was staked and what was paid: a row holds the result only",
  ],
};

/** @type {Record<Reuse, Record<string, [Standing, string]>>} what is said otherwise, by what a server seed is used for */
const BY_REUSE = {
  seeds: {
    rotation: [
      "not-shown",
      "that the server seed was not picked: a new one may begin at any round, at nonce 0 again, so whoever knows or guesses the client seed can try seeds until one pleases and commit to that. Every such round verifies; only many commitments that never pass nonce 0 are a sign",
    ],
    "committed-first": [
      "not-shown",
      "that the commitment was made before the client seed was known: a row holds both and says nothing of when",
    ],
    "client-seed": [
      "not-shown",
      "whose choice the client seed was: one that the operator's page proposed, and the player kept, brings nothing",
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
      "that the server seed was not picked: each round has one of its own, at nonce 0, so whoever knows what else goes in before committing can try seeds until one pleases. Every such round verifies",
    ],
    "committed-first": [
      "not-shown",
      "that the commitment was made before what the client side brings was known: a row holds both and says nothing of when",
    ],
    "client-seed": ["not-shown", "that what the client side brings comes from where it is said to come"],
    order: ["not-shown", "which round came after which"],
  },
  chain: {
    rotation: [
      "in-part",
      "the game hashes cannot be exchanged once the end is published; that the chain itself was not picked among many is not shown",
    ],
    "committed-first": [
      "not-shown",
      "that the chain's end was published before the salt was known and before the games: only who kept it from then on can tell",
    ],
    "client-seed": ["not-shown", "that the salt was chance, and nothing that somebody chose"],
    order: ["shown", "each game has one place on the chain, before the one and after the other"],
    completeness: [
      "in-part",
      "a game that is left out is a gap in the numbers, and its hash follows from later ones; that a game was played is not shown",
    ],
    "same-for-all": [
      "in-part",
      "one end of the chain holds for everybody who checks against it; that all were shown the same results is not shown",
    ],
  },
  "unknown-chain": {
    rotation: [
      "not-shown",
      "that the game hash was not picked: it is said to be a link of a chain, and no row shows that it is",
    ],
    "committed-first": [
      "not-shown",
      "that the game hash was fixed before the salt was known: a row holds both and says nothing of when",
    ],
    "client-seed": ["not-shown", "that the salt was chance, and nothing that somebody chose"],
    order: ["not-shown", "which game came after which: their chain is not known"],
    "same-for-all": ["not-shown", "that everybody was shown the same hash and the same salt"],
  },
  log: {
    rotation: [
      "in-the-log",
      "which commitments a table had, one after the other, and how many rounds each was used for: `audit` counts them. A row does not show it",
    ],
    "committed-first": [
      "in-the-log",
      "a contribution may name the commitment, or a checkpoint that holds it; `verify` says whether it does",
    ],
    "client-seed": [
      "in-the-log",
      "who brought which seed, under a name of their own; that it was their choice, only they can say",
    ],
    order: ["in-the-log", "rounds and commitments follow each other as the log says"],
    completeness: ["in-the-log", "`audit` finds missing rounds; one row knows nothing of the others"],
    aborts: ["in-the-log", "what was called off, and with which reason: voids are entries of the log"],
    time: ["in-the-log", "by the operator's clock only; checkpoints that others kept say what was there by when"],
    "same-for-all": ["in-the-log", "by comparing checkpoints; a row does not show it"],
  },
};

/** @type {Record<import("./round.js").Committed, [Standing, string]>} */
const COMMITMENT = {
  "hash-text": [
    "property",
    "SHA-256 of the server seed's text, the characters as they are written, and not of bytes that they stand for",
  ],
  "hash-decoded": [
    "property",
    "SHA-256 of the bytes that the server seed's hex digits stand for, and not of its text",
  ],
  chain: [
    "property",
    "one for all games, the end of a chain: SHA-256, time and again, of the bytes of a game's hash",
  ],
  "no-rule": [
    "not-shown",
    "that the seed was fixed before the round: the sources give no rule by which a commitment would open, and none is checked",
  ],
};

/**
 * The number of random bits of a server seed, in words.
 * @param {import("./limits.js").Limits} limits
 * @returns {string}
 */
function seedSays({ seed, seedBits, resultBits }) {
  if (seedBits === undefined || resultBits === undefined) return seed;
  const few = seedBits < resultBits ? ": whatever the client seed, nearly all orders cannot come" : "";
  return `${seed}; at most ${seedBits} bits, where some ${resultBits} decide a round${few}`;
}

/**
 * The statements of a dialect.
 * @param {import("./round.js").Dialect} dialect
 * @returns {Statement[]}
 */
export function statementsOf({ committed, reuse, limits }) {
  /** @type {Record<string, [Standing, string]>} */
  const said = { ...ALWAYS, "last-speaker": ["property", limits.lastSpeaker], ...BY_REUSE[reuse] };
  /** @type {[string, [Standing, string]][]} */
  const all = [
    ["commitment", COMMITMENT[committed]],
    ["seed", ["property", seedSays(limits)]],
    ...CODES.map((code) => /** @type {[string, [Standing, string]]} */ ([code, said[code]])),
    ...limits.also.map((says) => /** @type {[string, [Standing, string]]} */ (["also", ["property", says]])),
  ];
  return all.map(([code, [standing, says]]) => ({ code, standing, says }));
}
