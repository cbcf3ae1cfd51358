// A form for the seeds and the terms of a deal.

import { field } from "./inputs.js";
import { t } from "./strings.js";
import { el, plain } from "./text.js";

/**
 * @typedef {object} Seeds
 * @property {import("../fairdeal/index.js").ReplayInput} input
 * @property {Uint8Array} [list]
 * @property {string} promise empty if none was given
 * @property {string} expect the cards that somebody saw, in the form of a result; or the items, one
 *   per line
 */

const DECKS = [
  "standard-52",
  "short-36",
  "jokers-54",
  "standard-52x2",
  "standard-52x4",
  "standard-52x6",
  "standard-52x8",
];

/** An example that is also in the help of `fairdeal replay`. */
const EXAMPLE = {
  server: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  promise: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
  players: "alice=lucky\nbob=seven",
};

/**
 * @param {(seeds: Seeds) => void} go
 * @param {{button: string, compare: boolean}} options `compare`: whether to ask for a promise and
 * for cards that were seen
 * @returns {{form: HTMLFormElement, fill: () => void}} `fill` puts the example in
 */
export function seedsForm(go, { button, compare }) {
  /** @param {string} name @param {Record<string, unknown>} [more] */
  const input = (name, more = {}) =>
    el("input", { name, autocomplete: "off", spellcheck: "false", ...more });
  const server = input("server", { required: true, maxlength: 80 });
  const promise = input("promise", { maxlength: 80 });
  const players = el("textarea", { name: "players", spellcheck: "false", rows: "3" });
  const round = input("round", { type: "number", min: 0, step: 1, value: 0, required: true });
  const deck = el("select", { name: "deck" }, [
    ...DECKS.map((name) => el("option", { value: name }, name)),
    el("option", { value: "list" }, t("hand.list")),
  ]);
  const list = el("textarea", { name: "list", spellcheck: "false", rows: "5" });
  const draw = input("draw", { type: "number", min: 1, step: 1 });
  const method = el(
    "select",
    { name: "method" },
    el("option", { value: "shuffle" }, t("hand.shuffle")),
    el("option", { value: "cycle" }, t("hand.cycle")),
  );
  const expect = input("expect");
  const fault = el("p", { class: "wrong", role: "alert", hidden: true });
  const listField = field(t("hand.items"), list, t("hand.items-hint"));
  listField.hidden = true;
  deck.addEventListener("change", () => {
    listField.hidden = deck.value !== "list";
  });

  const read = () => {
    const isList = deck.value === "list";
    const lines = list.value
      .replace(/\r/g, "")
      .split("\n")
      .filter((line) => line !== "");
    return {
      input: {
        serverSeed: server.value.trim().toLowerCase(),
        nonce: Number(round.value),
        contributions: readPlayers(players.value),
        method: /** @type {"shuffle" | "cycle"} */ (method.value),
        ...(isList ? { deck: lines.length } : { deck: deck.value }),
        ...(draw.value === "" ? {} : { draw: Number(draw.value) }),
      },
      ...(isList
        ? { list: new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")) }
        : {}),
      promise: promise.value.trim().toLowerCase(),
      expect: isList ? expect.value.trim() : readCards(expect.value),
    };
  };
  const form = el(
    "form",
    {
      class: "stack",
      novalidate: true,
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        fault.hidden = true;
        try {
          go(read());
        } catch (error) {
          fault.textContent = /** @type {Error} */ (error).message;
          fault.hidden = false;
        }
      },
    },
    el(
      "div",
      { class: "fields" },
      field(t("hand.server"), server, t("hand.server-hint")),
      compare ? field(t("hand.promise"), promise, t("hand.promise-hint")) : null,
    ),
    field(t("hand.players"), players, t("hand.players-hint")),
    el(
      "div",
      { class: "fields" },
      field(t("hand.round"), round),
      field(t("hand.deck"), deck),
      field(t("hand.method"), method),
      field(t("hand.draw"), draw, t("hand.draw-hint")),
    ),
    listField,
    compare ? field(t("hand.expect"), expect, t("hand.expect-hint")) : null,
    fault,
    el(
      "div",
      { class: "row" },
      el("button", { class: "first" }, button),
      el("button", { type: "button", "data-fill": "", click: () => fill() }, t("hand.example")),
    ),
  );
  const fill = () => {
    [server.value, promise.value, players.value, round.value] = [
      EXAMPLE.server,
      EXAMPLE.promise,
      EXAMPLE.players,
      "0",
    ];
  };
  return { form, fill };
}

/**
 * Lines of name=seed, split at the first "=".
 * @param {string} text
 * @returns {{from: string, seed: string}[]}
 * @throws {Error} for a line without "="
 */
export function readPlayers(text) {
  return text
    .replace(/\r/g, "")
    .split("\n")
    .flatMap((line, i) => {
      if (line.trim() === "") return [];
      const at = line.indexOf("=");
      if (at < 0) throw new Error(t("hand.line", { n: i + 1, line: plain(line).slice(0, 80) }));
      return [{ from: line.slice(0, at), seed: line.slice(at + 1) }];
    });
}

/**
 * Converts cards as people write them to the form of a result: "10♥ qs" is "ThQs".
 * @param {string} text
 * @returns {string}
 */
export function readCards(text) {
  const signs = /** @type {Record<string, string>} */ ({ "♣": "c", "♦": "d", "♥": "h", "♠": "s" });
  return text
    .replace(/10/g, "T")
    .replace(/[♣♦♥♠]/g, (sign) => signs[sign])
    .replace(/[\s,;\ufe0e\ufe0f]/g, "")
    .replace(/../g, (card) => `${card[0].toUpperCase()}${card[1].toLowerCase()}`);
}
