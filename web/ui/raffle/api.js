// Makes a raffle at the service of this host. Only this module knows the form of the call.

import { post } from "../../fairdeal/transport.js";

/**
 * @typedef {object} NewRaffle
 * @property {string} list the file's text
 * @property {import("../../fairdeal/index.js").RaffleRules} rules
 * @property {number} at the second of the draw
 * @property {string} [policy] the organiser's
 */

const PATIENCE = 120_000;

/**
 * @param {string} token
 * @param {NewRaffle} raffle
 * @param {string} key of the call: however often it is sent with it, there is one raffle
 * @returns {Promise<{commitment: string, document?: object}>}
 * @throws {import("../../fairdeal/problem.js").Problem}
 */
export function makeRaffle(token, raffle, key) {
  const sender = {
    baseUrl: String(new URL("./", location.href)),
    token,
    retries: 2,
    timeout: PATIENCE,
    fetch: /** @type {typeof fetch} */ ((input, init) => fetch(input, init)),
  };
  return post(sender, "v1/raffles", raffle, { key });
}
