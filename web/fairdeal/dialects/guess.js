// Tries changes on one row that does not verify.

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { SALT, first52 } from "./bustabit.js";
import { deckOf, repeated } from "./cards.js";
import { cardsNeeded, isValid, readRow, newMemory } from "./judge.js";
import { dealtPlaces, decoded, schemeDeck } from "./seeds.js";
import { Unreadable } from "./unreadable.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./cards.js").DeckOrder} DeckOrder */

/** @type {Map<string, number[]>} */
const decks = new Map();

/** @param {DeckOrder} order @param {number} copies @returns {number[]} */
function deckIn(order, copies) {
  const name = `${order.suits} ${order.inner} ${order.ace} ${copies}`;
  let deck = decks.get(name);
  if (deck === undefined) decks.set(name, (deck = repeated(deckOf(order), copies)));
  return deck;
}

/** A row among the rows of its file. */
export class Guess {
  /**
   * @param {Dialect} dialect
   * @param {Memory} memory
   * @param {(Round | null)[]} rounds of the whole file; null for rows that were not read
   * @param {number} at
   */
  constructor(dialect, memory, rounds, at) {
    this.dialect = dialect;
    this.memory = memory;
    this.rounds = rounds;
    this.at = at;
    this.round = /** @type {Round} */ (rounds[at]);
    /** @type {number[] | null | undefined} */
    this.ownCards = undefined;
    /** @type {number[] | null | undefined} */
    this.ownPlaces = undefined;
  }

  /** @param {Partial<Round>} columns @returns {boolean} */
  isValidWith(columns) {
    return isValid(this.dialect, { ...this.round, ...columns }, this.memory);
  }

  /** @param {Scheme} scheme @returns {boolean} */
  isValidUnder(scheme) {
    return isValid(this.dialect, this.round, this.memory, scheme);
  }

  /**
   * The row before or after, if it was read.
   * @param {"before" | "after"} which
   * @returns {Round | null}
   */
  neighbour(which) {
    return this.rounds[this.at + (which === "before" ? -1 : 1)] ?? null;
  }

  /**
   * The nearest row with another value.
   * @param {"otherBefore" | "otherAfter"} which
   * @param {(round: Round) => unknown} value
   * @returns {Round | null}
   */
  otherNeighbour(which, value) {
    const step = which === "otherBefore" ? -1 : 1;
    const own = value(this.round);
    // A seed has at most some thousands of rows.
    for (let at = this.at + step, left = 10_000; left > 0 && at >= 0 && at < this.rounds.length; at += step, left--) {
      const round = this.rounds[at];
      if (round !== null && value(round) !== own) return round;
    }
    return null;
  }

  /** @param {number} count @returns {number[] | null} the first cards that the row's own seeds deal, or all of them */
  dealt(count) {
    if (this.ownCards === undefined) {
      this.ownCards = null;
      const fault = this.isReadable();
      const outcome = fault ? this.dialect.outcome(this.round, Math.max(count, cardsNeeded(this.round)), this.dialect.scheme, this.memory) : null;
      if (outcome !== null && "cards" in outcome) this.ownCards = outcome.cards;
    }
    return this.ownCards;
  }

  /** @returns {boolean} whether the scheme takes the row's seeds */
  isReadable() {
    try {
      this.dialect.require(this.round.cells, this.round);
      const { seedDigits } = this.dialect;
      return seedDigits === null || (this.round.serverSeed.length === seedDigits && decoded(this.round.serverSeed) !== null);
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }

  /** @returns {bigint | null} the multiplier that the row's own seeds give */
  cents() {
    const outcome = this.isReadable() ? this.dialect.outcome(this.round, 0, this.dialect.scheme, this.memory) : null;
    return outcome !== null && "cents" in outcome ? outcome.cents : null;
  }

  /** @returns {number | null} the 52 bits of a game's hash */
  number52() {
    const hash = decoded(this.round.serverSeed);
    return hash === null ? null : first52(new HmacKey(utf8(this.round.clientSeed ?? SALT)).sign(hash));
  }

  /** @returns {boolean} */
  isValidFromEnd() {
    const { cards } = this.round;
    const { dialect, memory } = this;
    if (cards === null || !this.isReadable()) return false;
    const places = dealtPlaces(this.round, schemeDeck(dialect.scheme).length, dialect.scheme, memory);
    if (places === null || typeof places === "string") return false;
    const deck = schemeDeck(dialect.scheme);
    const last = places.length - 1;
    if (cards.length > places.length || cards.some((card, at) => card !== deck[places[last - at]])) return false;
    return this.isValidWith({ cards: places.slice(0, cards.length).map((place) => deck[place]), held: null, final: null });
  }

  /**
   * Whether the row's cards follow if the deck was in another order. The positions of a deal do not
   * depend on that order.
   * @param {DeckOrder} order
   * @returns {boolean}
   */
  isValidOnDeck(order) {
    const { cards } = this.round;
    const { dialect, memory } = this;
    if (cards === null) return false;
    if (this.ownPlaces === undefined) {
      const places = this.isReadable() ? dealtPlaces(this.round, cardsNeeded(this.round), dialect.scheme, memory) : null;
      this.ownPlaces = typeof places === "string" ? null : places;
    }
    const places = this.ownPlaces;
    if (places === null || cards.length > places.length) return false;
    const deck = deckIn(order, dialect.scheme.copies ?? 1);
    for (let at = 0; at < cards.length; at++) if (deck[places[at]] !== cards[at]) return false;
    return this.isValidUnder({ ...dialect.scheme, deck: order });
  }

  /**
   * Whether another dialect's scheme makes the row valid.
   * @param {Dialect} other
   * @returns {boolean}
   */
  isValidAs(other) {
    try {
      const { round, refused } = readRow(other, Object.fromEntries(this.round.cells), true);
      return refused === null && isValid(other, round, { ...newMemory(other), steps: 0 });
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }
}
