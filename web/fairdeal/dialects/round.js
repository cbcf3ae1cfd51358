// The types that the schemes and their checks share.

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./values.js").Decimal} Decimal */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("./numbers.js").Numbers} Numbers */
/** @typedef {import("./numbers.js").Keys} Keys */
/** @typedef {import("./chain.js").Chain} Chain */
/** @typedef {import("./cards.js").DeckOrder} DeckOrder */
/** @typedef {import("./columns.js").Cells} Cells */
/** @typedef {import("./links.js").Published} Published */
/** @typedef {import("./game.js").Accepted} Accepted */

/**
 * One row, read. `deal` has the dialect's own columns.
 * @typedef {object} Round
 * @property {string} serverSeed empty if it is not given
 * @property {string | null} commitment 64 digits in lower case
 * @property {string | null} clientSeed
 * @property {number | null} nonce
 * @property {Card[] | null} cards
 * @property {boolean} full
 * @property {Decimal | null} result
 * @property {Card[] | null} held
 * @property {Card[] | null} final
 * @property {number | null} gameId
 * @property {number | null} chainSteps
 * @property {import("./fairdeal-v1.js").Deal | null} deal
 * @property {Cells} cells as given: another dialect may read them differently
 */

/**
 * The choices of a scheme: whether the server seed is used as text, and for cards the walk.
 * @typedef {object} Scheme
 * @property {"text" | "decoded"} seed how the server seed enters the HMAC
 * @property {Walk} [walk]
 * @property {Numbers} [numbers]
 * @property {DeckOrder} [deck]
 * @property {number} [copies] decks in the shoe
 */

/**
 * The outcome of the seeds: cards in deal order, or a result, or what a game shows, or nothing, with
 * the reason.
 * @typedef {{cards: Card[], size: number | null} | {result: Accepted}
 *   | {follows: import("./game.js").Follows} | {none: string}} Outcome
 */

/**
 * Data that a check keeps from row to row. `steps`: the maximum number of chain hashes for one row.
 * @typedef {{keys: Keys, chain: Chain | null, steps: number}} Memory
 */

/**
 * @typedef {"hash-text" | "hash-decoded" | "chain" | "no-rule"} Committed
 */

/**
 * One scheme.
 * @typedef {object} Dialect
 * @property {string} name
 * @property {string} title
 * @property {string} covers
 * @property {string} source
 * @property {string[]} columns
 * @property {"cards" | "multiplier" | "game"} kind
 * @property {import("./game.js").Game} [game]
 * @property {import("./game.js").Results} [results] the results that it can have, if its game does
 *   not say so
 * @property {{[name: string]: string}} [ownNames] further names of its columns
 * @property {number | null} seedDigits hexadecimal digits of a server seed; null if any text is a
 *   seed
 * @property {Committed} committed
 * @property {Published | null} published a published chain
 * @property {"seeds" | "rounds" | "chain" | "unknown-chain" | "log"} reuse the use of a server seed
 * @property {Scheme} scheme
 * @property {(cells: Cells, round: Round) => void} require refuses a row without the columns that
 *   the dialect needs
 * @property {(round: Round, count: number, scheme: Scheme, memory: Memory) => Outcome} outcome
 * @property {(round: Round) => string | null} [alsoWrong] a further result-mismatch
 * @property {(round: Round, dealt: Card[]) => string | null} [alsoWrongCards] a further
 * result-mismatch of the cards
 * @property {import("./limits.js").Limits} limits
 */

export {};
