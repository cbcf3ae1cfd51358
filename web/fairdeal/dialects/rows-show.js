// Counts over all rows (spec/dialects.md, section 16.6). They are not verdicts.

import { lost } from "./judge.js";

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
function identify({ committed, published, reuse }, { row, round: given, verdict }) {
  // What stands in the place of a seed names no round.
  const written = verdict === "unreadable" && lost(given) !== null ? "" : given.serverSeed;
  // A decoded seed is the same in either case.
  const seed =
    committed === "hash-text" || committed === "no-rule" ? written : written.toLowerCase();
  const lines = given.deal?.contributions.map(
    ({ from, seed: text, seen }) =>
      `${from}=${text}${seen === undefined ? "" : ` ${seen.size} ${seen.root}`}`,
  );
  const client = given.clientSeed ?? lines?.sort().join("\n") ?? "";
  const isChain = reuse.endsWith("chain");
  const number = isChain
    ? (given.gameId ??
      (given.chainSteps === null ? null : given.chainSteps + (published?.endGame ?? 0)))
    : reuse === "rounds"
      ? (given.nonce ?? 0)
      : given.nonce;
  const group =
    given.commitment !== null
      ? `commitment ${given.commitment}`
      : seed === ""
        ? null
        : `seed ${seed}`;
  const secret = seed === "" ? group : `seed ${seed}`;
  // A game of a chain is identified by its number, or by its hash, whatever the salt. A row without
  // a nonce identifies no round.
  const name = isChain
    ? number === null
      ? secret
      : `game ${number}`
    : secret === null || number === null
      ? null
      : JSON.stringify([secret, client, number]);
  return { row, seed, number, group, name };
}

/** @typedef {ReturnType<typeof identify>} Identified */

/**
 * @param {Iterable<Identified>} rows
 * @param {(row: Identified) => string | null} name rows without a value are left out
 * @returns {Identified[][]}
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
  return [...groups.values()];
}

/**
 * The missing numbers between the numbers of rows.
 * @param {Identified[][]} groups
 */
function gapsOf(groups) {
  /** @type {{row: number, from: number, to: number}[]} */
  const gaps = [];
  for (const group of groups) {
    /** @type {Map<number, number>} */
    const firstRow = new Map();
    for (const { number, row } of group)
      if (number !== null && !firstRow.has(number)) firstRow.set(number, row);
    const values = [...firstRow.keys()].sort((a, b) => a - b);
    for (let i = 1; i < values.length; i++) {
      if (values[i] - values[i - 1] < 2) continue;
      gaps.push({
        row: Number(firstRow.get(values[i])),
        from: values[i - 1] + 1,
        to: values[i] - 1,
      });
    }
  }
  return {
    missing: gaps.reduce((sum, { from, to }) => sum + (to - from + 1), 0),
    places: gaps.length,
    examples: gaps.sort((a, b) => a.row - b.row).slice(0, EXAMPLES),
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
  const firsts = (/** @type {(row: Identified) => boolean} */ isSo) =>
    tally(groups.filter((group) => group.every(isSo)).map((group) => group[0].row));
  const isSeeds = dialect.reuse === "seeds" || dialect.reuse === "log";
  const hasGames = dialect.reuse.endsWith("chain") && rows.some(({ number }) => number !== null);
  const reused = () =>
    groupBy(rows, ({ seed }) => (seed === "" ? null : seed)).flatMap(
      (group) => group.find(({ name }) => name !== group[0].name)?.row ?? [],
    );
  return {
    dialect: dialect.name,
    rows: rows.length,
    rows_left_out: 0,
    ...(isSeeds
      ? { commitments: groups.length, only_nonce_0: firsts(({ number }) => number === 0) }
      : {}),
    ...(dialect.reuse === "rounds" ? { reused: tally(reused()) } : {}),
    ...(isSeeds ? { skipped: gapsOf(groups) } : hasGames ? { skipped: gapsOf([rows]) } : {}),
    doubled: tally(
      groupBy(rows, ({ name }) => name).flatMap((group) => group.slice(1).map(({ row }) => row)),
    ),
    ...(dialect.committed.startsWith("hash")
      ? { never_revealed: firsts(({ seed }) => seed === "") }
      : {}),
  };
}
