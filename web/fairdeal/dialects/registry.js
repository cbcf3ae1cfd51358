// The known dialects, in the order of the list.

import { Refused, shown } from "../refused.js";
import { bustabit } from "./bustabit.js";
import { duelCrash } from "./duel-crash.js";
import { duelVideoPoker } from "./duel-video-poker.js";
import { fairdealV1 } from "./fairdeal-v1.js";
import { liqdBlackjack } from "./liqd-blackjack.js";
import { stakeCrash } from "./stake-crash.js";
import { stakeReplace } from "./stake-replace.js";
import { stakeVideoPoker } from "./stake-video-poker.js";

/** @typedef {import("./round.js").Dialect} Dialect */

/** @type {readonly Dialect[]} */
export const ALL = [
  bustabit,
  duelCrash,
  duelVideoPoker,
  liqdBlackjack,
  stakeCrash,
  stakeReplace,
  stakeVideoPoker,
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
