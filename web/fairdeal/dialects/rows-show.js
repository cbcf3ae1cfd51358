// Counts over all rows (spec/dialects.md, section 26). They are not verdicts.

import { notesOn } from "./notes.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./judge.js").Verdict} Verdict */

/** @typedef {{row: number, round: Round, verdict: Verdict}} Counted */

/** A count, with the first rows. @typedef {{count: number, rows: number[]}} Tally */

/** The maximum length of a list of examples. */
const EXAMPLES = 10;

/** @param {number[]} rows @returns {Tally} */
function tally(rows) {
  return { count: rows.length, rows: rows.sort((a, b) => a - b).slice(0, EXAMPLES) };
}

/**
 * The seeds and the client's text, which distinguish rounds.
 * @param {Dialect} dialect
 * @param {Counted} counted
 */
function identify(dialect, { row, round: given, verdict }) {
  const { committed } = dialect;
  // A decoded seed is the same in either case.
  const seed = committed === "hash-text" || committed === "no-rule" ? given.serverSeed : given.serverSeed.toLowerCase();
  const client =
    given.clientSeed ??
    given.deal?.contributions.map(({ from, seed: text, seen }) => `${from}=${text}${seen === undefined ? "" : ` ${seen.size} ${seen.root}`}`).join("\n") ??
    "";
  const nonce = dialect.reuse === "rounds" ? (given.nonce ?? 0) : given.nonce;
  const game = given.gameId ?? (given.chainSteps === null ? null : given.chainSteps + 10_000_000);
  const group = given.commitment !== null ? `commitment ${given.commitment}` : seed === "" ? null : `seed ${seed}`;
  const secret = seed === "" ? group : `seed ${seed}`;
  // A game of a chain is identified by its hash, whatever the salt.
  const parts = dialect.reuse.endsWith("chain") ? [secret] : [secret, client, nonce];
  const name = game !== null ? `game ${game}` : secret === null ? null : JSON.stringify(parts);
  return { row, round: given, verdict, seed, client, nonce, game, group, name };
}

/** @typedef {ReturnType<typeof identify>} Identified */

/**
 * @param {Iterable<Identified>} rows
 * @param {(row: Identified) => string | null} name rows without a value are left out
 * @returns {Map<string, Identified[]>}
 */
function groupBy(rows, name) {
  /** @type {Map<string, Identified[]>} */
  const groups = new Map();
  for (const row of rows) {
    const key = name(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/**
 * For each group in which something has a second value, the first row that has it.
 * @param {Map<string, Identified[]>} groups
 * @param {(row: Identified) => unknown} value
 * @returns {Tally}
 */
function changing(groups, value) {
  /** @type {number[]} */
  const rows = [];
  for (const group of groups.values()) {
    const other = group.find((row) => value(row) !== value(group[0]));
    if (other !== undefined) rows.push(other.row);
  }
  return tally(rows);
}

const BANDS = [[1, 1], [2, 9], [10, 99], [100, 999], [1_000, Infinity]];

/** @param {Map<string, Identified[]>} groups */
function commitmentsOf(groups) {
  const used = [...groups.values()].map((group) => ({
    rounds: new Set(group.map(({ client, nonce }) => JSON.stringify([client, nonce]))).size,
    row: group[0].row,
    isOnly0: group.every(({ nonce }) => nonce === 0),
  }));
  const longest = used.reduce((best, one) => (one.rounds > best.rounds ? one : best), { rounds: 0, row: 0 });
  const only0 = tally(used.filter(({ isOnly0 }) => isOnly0).map(({ row }) => row));
  return {
    count: used.length,
    by_rounds: BANDS.map(([from, to]) => ({
      from,
      ...(to === Infinity ? {} : { to }),
      commitments: used.filter(({ rounds }) => rounds >= from && rounds <= to).length,
    })),
    longest: longest.rounds,
    longest_row: longest.row,
    only_nonce_0: only0,
    only_nonce_0_share: used.length === 0 ? 0 : only0.count / used.length,
  };
}

/**
 * The missing numbers between the numbers of rows.
 * @param {Iterable<Identified[]>} groups
 * @param {(row: Identified) => number | null} number
 */
function gapsOf(groups, number) {
  /** @type {{row: number, from: number, to: number}[]} */
  const gaps = [];
  for (const group of groups) {
    /** @type {Map<number, number>} */
    const firstRow = new Map();
    for (const row of group) {
      const value = number(row);
      if (value !== null && !firstRow.has(value)) firstRow.set(value, row.row);
    }
    const values = [...firstRow.keys()].sort((a, b) => a - b);
    for (let i = 1; i < values.length; i++) {
      if (values[i] - values[i - 1] < 2) continue;
      gaps.push({ row: Number(firstRow.get(values[i])), from: values[i - 1] + 1, to: values[i] - 1 });
    }
  }
  return {
    missing: gaps.reduce((sum, { from, to }) => sum + (to - from + 1), 0),
    places: gaps.length,
    examples: gaps.sort((a, b) => a.row - b.row).slice(0, EXAMPLES),
  };
}

/**
 * Whether two rows of one round have the same result; undefined if only one of them was compared with the seeds.
 * @param {Identified} one
 * @param {Identified} other
 * @returns {boolean | undefined}
 */
function isSameResult(one, other) {
  const isJudged = (/** @type {Identified} */ { verdict }) => verdict === "valid" || verdict === "result-mismatch";
  if (isJudged(one) !== isJudged(other)) return undefined;
  if (isJudged(one) && one.verdict !== other.verdict) return false;
  const [cards, others] = [one.round.cards ?? [], other.round.cards ?? []];
  // Of two valid rows, one may show more cards of the same deal.
  const compared = one.verdict === "valid" ? Math.min(cards.length, others.length) : Math.max(cards.length, others.length);
  for (let at = 0; at < compared; at++) if (cards[at] !== others[at]) return false;
  const [result, otherResult] = [one.round.result, other.round.result];
  return result?.cents === otherResult?.cents && (result?.cents != null || result?.text === otherResult?.text);
}

/** @param {Identified[]} rows */
function givenTwice(rows) {
  /** @type {{row: number, first_row: number, same_result?: boolean}[]} */
  const again = [];
  for (const group of groupBy(rows, ({ name }) => name).values()) {
    for (const row of group.slice(1)) {
      const isSame = isSameResult(group[0], row);
      again.push({ row: row.row, first_row: group[0].row, ...(isSame === undefined ? {} : { same_result: isSame }) });
    }
  }
  const same = again.filter(({ same_result }) => same_result === true);
  const other = again.filter(({ same_result }) => same_result === false);
  const rank = (/** @type {boolean | undefined} */ isSame) => (isSame === false ? 0 : 1);
  again.sort((a, b) => rank(a.same_result) - rank(b.same_result) || a.row - b.row);
  return {
    count: again.length,
    same_result: same.length,
    other_result: other.length,
    examples: again.slice(0, EXAMPLES),
  };
}

/**
 * @param {Dialect} dialect
 * @param {Identified[]} rows
 * @param {Map<string, Identified[]>} groups
 */
function clientsOf(dialect, rows, groups) {
  const withClient = groupBy(rows, ({ client }) => (client === "" ? null : client));
  /** @type {Identified[]} */
  let commonest = [];
  let all = 0;
  for (const group of withClient.values()) {
    all += group.length;
    if (group.length > commonest.length) commonest = group;
  }
  const sharing = new Set();
  for (const group of withClient.values()) {
    const used = new Set(group.map((row) => row.group).filter((name) => name !== null));
    if (used.size > 1) for (const name of used) sharing.add(name);
  }
  return {
    distinct: withClient.size,
    ...(commonest.length === 0
      ? {}
      : {
          commonest: {
            text: [...commonest[0].client].slice(0, 64).join(""),
            row: commonest[0].row,
            rows: commonest.length,
            share: commonest.length / all,
          },
        }),
    ...(dialect.reuse === "seeds" ? { changed_under_a_commitment: changing(groups, ({ client }) => client) } : {}),
    shared_between_commitments: sharing.size,
  };
}

/**
 * @param {Dialect} dialect
 * @param {Identified[]} rows
 */
function oddSeeds(dialect, rows) {
  const seeds = rows.filter(({ seed }) => seed !== "").map(({ row, round }) => ({ row, text: round.serverSeed, length: [...round.serverSeed].length }));
  /** @type {Map<number, number>} */
  const lengths = new Map();
  for (const { length } of seeds) lengths.set(length, (lengths.get(length) ?? 0) + 1);
  const sorted = [...lengths].sort(([a], [b]) => a - b);
  const usual = dialect.seedDigits ?? sorted.reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
  /** @param {(seed: {text: string, length: number}) => boolean} isOdd */
  const odd = (isOdd) => tally(seeds.filter(isOdd).map(({ row }) => row));
  return {
    lengths: sorted.map(([length, count]) => ({ length, rows: count })),
    unusual_length: odd(({ length }) => length !== usual),
    few_characters: odd(({ text }) => new Set(text).size <= 4),
    digits_only: odd(({ text }) => /^[0-9]+$/.test(text)),
    short: odd(({ length }) => length < 16),
  };
}

/**
 * @param {Identified[]} rows
 * @param {Map<string, Identified[]>} bySeed
 */
function exchangedOf(rows, bySeed) {
  const shown = rows.filter(({ round }) => round.commitment !== null && round.serverSeed !== "");
  /** @type {Map<string, Identified[]>} */
  const seeds = new Map();
  for (const [seed, group] of bySeed) {
    const among = group.filter(({ round }) => round.commitment !== null);
    if (among.length > 0) seeds.set(seed, among);
  }
  return {
    seeds_under_two_commitments: changing(seeds, ({ round }) => round.commitment),
    commitments_with_two_seeds: changing(groupBy(shown, ({ round }) => round.commitment), ({ seed }) => seed),
  };
}

/**
 * The counts over all rows. A count that cannot occur under a dialect is absent.
 * @param {Dialect} dialect
 * @param {Counted[]} counted
 */
export function rowsShow(dialect, counted) {
  const rows = counted.map((row) => identify(dialect, row));
  const groups = groupBy(rows, ({ group }) => group);
  const bySeed = groupBy(rows, ({ seed }) => (seed === "" ? null : seed));
  const isHashed = dialect.committed.startsWith("hash");
  const isSeeds = dialect.reuse === "seeds" || dialect.reuse === "log";
  const hasGames = rows.some(({ game }) => game !== null);
  const committed = groupBy(rows, ({ round }) => round.commitment);
  const hidden = [...committed.values()].filter((group) => group.every(({ seed }) => seed === ""));
  const found = {
    dialect: dialect.name,
    rows: rows.length,
    rows_left_out: 0,
    ...(isSeeds ? { commitments: commitmentsOf(groups), nonce_gaps: gapsOf(groups.values(), ({ nonce }) => nonce) } : {}),
    ...(hasGames ? { game_gaps: gapsOf([rows], ({ game }) => game) } : {}),
    given_twice: givenTwice(rows),
    ...(isHashed ? { exchanged: exchangedOf(rows, bySeed) } : {}),
    ...(dialect.reuse === "rounds" ? { seeds_used_again: changing(bySeed, ({ name }) => name) } : {}),
    ...(isHashed ? { clients: clientsOf(dialect, rows, groups) } : {}),
    ...(isHashed ? { never_revealed: tally(hidden.map((group) => group[0].row)) } : {}),
    without_commitment: tally(rows.filter(({ round }) => round.commitment === null).map(({ row }) => row)),
    seeds: oddSeeds(dialect, rows),
  };
  return { ...found, notes: notesOn(dialect, found) };
}
