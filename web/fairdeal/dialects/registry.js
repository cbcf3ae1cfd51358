// The known dialects, in the order of the list.

import { Refused, shown } from "../refused.js";
import { DUEL } from "./duel.js";
import { fairdealV1 } from "./fairdeal-v1.js";
import { LINKS } from "./links.js";
import { LIQD } from "./liqd.js";
import { STAKE } from "./stake.js";

/** @typedef {import("./round.js").Dialect} Dialect */

/** In the order of their names; our own last. @type {readonly Dialect[]} */
export const ALL = [
  ...[...DUEL, ...LINKS, ...LIQD, ...STAKE].sort((one, other) => (one.name < other.name ? -1 : 1)),
  fairdealV1,
];

/**
 * The dialect of this name.
 * @param {unknown} name
 * @returns {Dialect}
 * @throws {Refused} `usage`
 */
export function dialectNamed(name) {
  const found = ALL.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const names = ALL.map((dialect) => dialect.name).join(", ");
  throw new Refused(
    "usage",
    `expected the name of a dialect, one of ${names}; found ${shown(name)}`,
  );
}
