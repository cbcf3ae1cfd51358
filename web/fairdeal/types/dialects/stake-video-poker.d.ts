/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @type {Scheme} */
export const STAKE_SCHEME: Scheme;
export namespace STAKE_LIMITS {
    let seed: string;
    let lastSpeaker: string;
    let also: string[];
}
/** @type {Dialect} */
export const stakeVideoPoker: Dialect;
export type Dialect = import("./round.js").Dialect;
export type Scheme = import("./round.js").Scheme;
