// Each way to cheat of spec/threat-model.md that a round or a view of the log can show.
//
// A cheat that chooses the cards when it knows the seeds searches with `table.search`.

import { OF_ORDER } from "./cheats-order.js";
import { OF_ROUNDS } from "./cheats-round.js";
import { OF_VIEWS } from "./cheats-views.js";

/**
 * @typedef {object} Cheat
 * @property {string[]} rows of the threat model, by the beginning of their first cell
 * @property {string[]} found what the player's files show of it: one of these codes
 * @property {string} [unseen] why they may show nothing, by the threat model
 * @property {boolean} [isApart] whether it takes the log's service to compare it with other tables
 * @property {object} [terms] that the table needs
 * @property {(game: import("./game.js").Game, table: import("./table.js").Table) => Promise<any>}
 *   play does it; false if the game did not get so far
 */

/** @type {Record<string, Cheat>} */
export const CHEATS = { ...OF_ROUNDS, ...OF_ORDER, ...OF_VIEWS };
