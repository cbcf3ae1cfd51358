// The value of a poker hand.

/** From the lowest to the highest. */
export const RANKS = "23456789TJQKA";
/** From the lowest to the highest: the strings have a name for each. */
export const KINDS = [
  "high",
  "pair",
  "two-pairs",
  "three",
  "straight",
  "flush",
  "full-house",
  "four",
  "straight-flush",
];

/**
 * The counts of equal ranks, from the highest count to the lowest, decide the kind.
 * @type {Record<string, number>}
 */
const SHAPES = { 41: 7, 32: 6, 311: 3, 221: 2, 2111: 1, 11111: 0 };

/**
 * The value of five cards, as numbers that are compared from left to right: the kind, then the
 * ranks that decide.
 * @param {readonly string[]} five such as `["Qh", "Td", …]`
 * @returns {number[]}
 */
export function worth(five) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const [rank] of five)
    counts.set(RANKS.indexOf(rank), (counts.get(RANKS.indexOf(rank)) ?? 0) + 1);
  const groups = [...counts].sort(([r, n], [s, m]) => m - n || s - r);
  let ranks = groups.map(([rank]) => rank);
  const flush = new Set(five.map((card) => card[1])).size === 1;
  // In the lowest straight, the ace is low.
  if (ranks.join() === "12,3,2,1,0") ranks = [3, 2, 1, 0, -1];
  const straight = ranks.length === 5 && ranks[0] - ranks[4] === 4;
  return [
    straight && flush ? 8 : flush ? 5 : straight ? 4 : SHAPES[groups.map(([, n]) => n).join("")],
    ...ranks,
  ];
}

/**
 * Compares two hands.
 * @param {readonly string[]} ours
 * @param {readonly string[]} theirs
 * @returns {-1 | 0 | 1} 1 if ours is
 */
export function compareHands(ours, theirs) {
  const [a, b] = [worth(ours), worth(theirs)];
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] > b[at] ? 1 : -1;
}
