// Shifted columns: a row has a value that belongs to its neighbour.

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./changes.js").Change} Change */

/**
 * A part of a record that may come from another row: its name, and the columns that belong to it.
 * @typedef {{code: string, says: string, columns: (keyof Round)[], touches: Change["touches"]}} Part
 */

/** @param {Dialect} dialect @returns {Part[]} */
function partsOf(dialect) {
  /** @type {Part} */
  const seed = { code: "server-seed", says: "the server seed", columns: ["serverSeed"], touches: "both" };
  /** @type {Part} */
  const commitment = { code: "commitment", says: "the commitment", columns: ["commitment"], touches: "commitment" };
  /** @type {Part} */
  const client = { code: "client-seed", says: "the client seed", columns: ["clientSeed", "deal"], touches: "result" };
  /** @type {Part} */
  const seeds = {
    code: "seeds",
    says: "the record of seeds and commitment",
    columns: ["serverSeed", "commitment", "clientSeed", "deal"],
    touches: "both",
  };
  return [seed, ...(dialect.committed.startsWith("hash") ? [commitment] : []), client, seeds];
}

/** @type {[string, string, "before" | "after" | "otherBefore" | "otherAfter"][]} */
const PLACES = [
  ["row-before", "of the row before", "before"],
  ["row-after", "of the row after", "after"],
  ["other-before", "of the nearest row before that has another one", "otherBefore"],
  ["other-after", "of the nearest row after that has another one", "otherAfter"],
];

/**
 * The key by which values of a column are compared: a decoded seed is the same in either case.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {keyof Round} column
 * @returns {unknown}
 */
function valueOf({ seedDigits, committed }, round, column) {
  const isDecoded = column === "serverSeed" && seedDigits !== null && committed !== "hash-text";
  return isDecoded ? round.serverSeed.toLowerCase() : round[column];
}

/**
 * The columns of a part that another row has.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Round | null} other
 * @param {(keyof Round)[]} columns
 * @returns {Partial<Round> | null} null if they are the same, or if there is no such row
 */
function taken(dialect, round, other, columns) {
  if (other === null) return null;
  // A record with the same seed is not another record.
  if (valueOf(dialect, round, columns[0]) === valueOf(dialect, other, columns[0])) return null;
  // The dialect's own columns are read again.
  return Object.fromEntries(columns.map((column) => [column, column === "deal" ? null : other[column]]));
}

/**
 * @param {Dialect} dialect
 * @returns {Change[]}
 */
export function neighbourChanges(dialect) {
  /** @type {Change[]} */
  const changes = [];
  for (const { code, says, columns, touches } of partsOf(dialect)) {
    for (const [place, where, which] of PLACES) {
      changes.push({
        code: `${code}-of-${place}`,
        says: `${says} is that ${where}`,
        touches,
        verifies(guess) {
          const first = columns[0];
          const other =
            which === "before" || which === "after" ? guess.neighbour(which) : guess.otherNeighbour(which, (round) => valueOf(dialect, round, first));
          const columnsTaken = taken(dialect, guess.round, other, columns);
          return columnsTaken === null ? null : guess.isValidWith(columnsTaken);
        },
      });
    }
  }
  /** @type {(keyof Round)[]} */
  const result = dialect.kind === "cards" ? ["cards", "full", "held", "final"] : ["result"];
  for (const [place, where, which] of PLACES) {
    if (which !== "before" && which !== "after") continue;
    changes.push({
      code: `result-of-${place}`,
      says: `the result is that ${where}`,
      touches: "result",
      verifies(guess) {
        const columnsTaken = taken(dialect, guess.round, guess.neighbour(which), result);
        return columnsTaken === null ? null : guess.isValidWith(columnsTaken);
      },
    });
  }
  return changes;
}
