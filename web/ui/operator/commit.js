// The form for a table's promise.

import { field } from "../inputs.js";
import { t } from "../strings.js";
import { el } from "../text.js";
import { GAMES, drawOf, gameOf, seatsOf } from "./games.js";
import { drawRefusal } from "./refusal.js";
import { untilDone } from "./waiting.js";

/** @typedef {import("../../fairdeal/client.js").Terms} Terms */
/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("../strings.js").Key} Key */

/**
 * @param {object} options
 * @param {string} [options.table] an existing table, whose name is not asked for
 * @param {Standing} [options.before] its last commitment: the same terms are the default
 * @param {(terms: Terms, signal: AbortSignal) => Promise<void>} options.commit
 * @returns {HTMLFormElement}
 */
export function commitForm({ table, before, commit }) {
  const last = before === undefined ? "holdem" : (gameOf(before) ?? "cards");
  const name = el("input", {
    id: "table-name",
    required: true,
    autocomplete: "off",
    maxlength: 128,
  });
  const game = choice("game", [...Object.keys(GAMES), "cards"], last, "operator.game");
  const many = el("input", {
    id: "many",
    type: "number",
    required: true,
    min: 1,
    inputmode: "numeric",
  });
  const label = el("span", {});
  const sealed = choice(
    "sealed",
    ["hidden", "open"],
    before?.sealed === false ? "open" : "hidden",
    "operator.cards",
  );
  const mixing = choice(
    "mixing",
    ["hashes", "seeds"],
    before?.mixing ?? "hashes",
    "operator.seeds",
  );
  const rounds = el("input", {
    id: "rounds",
    type: "number",
    required: true,
    min: 1,
    max: 1_000_000,
    value: before?.rounds ?? 100,
    inputmode: "numeric",
  });
  const within = el("input", {
    id: "within",
    type: "number",
    required: true,
    min: 1,
    max: 9_999,
    value: 12,
    inputmode: "numeric",
    "aria-label": t("operator.reveal-in"),
  });
  const unit = choice("unit", ["m", "h", "d"], "h", "operator.unit");
  unit.setAttribute("aria-label", t("operator.unit"));
  const when = choice("when", ["done", "deadline", "manual"], "done", "operator.when");
  const next = el("input", { type: "checkbox", id: "next", checked: true });
  const signed = el("input", { type: "checkbox", id: "signed", checked: before?.signed === true });
  const told = el("div", { class: "told" });
  const button = el("button", { class: "first", id: "commit" }, t("operator.commit.go"));

  const play = (isNew = true) => {
    const isCards = game.value === "cards";
    // Hidden cards are opened by seat and street: without these nobody could open one here.
    sealed.disabled = isCards;
    if (isCards) sealed.value = "open";
    else if (isNew) sealed.value = "hidden";
    label.textContent = t(isCards ? "operator.draw" : "operator.most-seats");
    many.max = String(isCards ? 52 : seatsOf(game.value));
    many.value = String(
      isCards
        ? (before?.draw ?? 5)
        : before !== undefined && gameOf(before) === game.value
          ? (before.draw - drawOf(game.value, 0)) / GAMES[game.value].layout.hand
          : 9,
    );
  };
  game.addEventListener("change", () => play());
  play(before === undefined);

  const terms = () => {
    const n = Number(many.value);
    const { deck, layout } = GAMES[game.value] ?? { deck: "standard-52", layout: undefined };
    return {
      table: table ?? name.value,
      deck,
      layout,
      draw: layout === undefined ? n : drawOf(game.value, n),
      sealed: sealed.value === "hidden",
      mixing: /** @type {"hashes" | "seeds"} */ (mixing.value),
      signed: signed.checked,
      rounds: Number(rounds.value),
      reveal_in: `${Number(within.value)}${unit.value}`,
      reveal: /** @type {"done"} */ (when.value),
      next: next.checked,
    };
  };
  return el(
    "form",
    {
      class: "commit stack",
      submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        button.disabled = true;
        told.replaceChildren();
        try {
          await untilDone(told, button.textContent ?? "", (signal) => commit(terms(), signal));
        } catch (error) {
          told.replaceChildren(drawRefusal(error));
        }
        button.disabled = false;
      },
    },
    el(
      "div",
      { class: "fields" },
      table === undefined ? field(t("operator.table-name"), name) : null,
      field(t("operator.game"), game),
      el("label", { class: "field" }, label, many),
      field(t("operator.cards"), sealed),
      field(t("operator.seeds"), mixing),
      field(t("operator.rounds"), rounds),
      el(
        "div",
        { class: "field" },
        el("span", {}, t("operator.reveal-in")),
        el("div", { class: "pair" }, within, unit),
      ),
    ),
    el(
      "details",
      {},
      el("summary", {}, t("operator.more")),
      el(
        "div",
        { class: "stack more" },
        field(t("operator.when"), when),
        el("label", { class: "check" }, next, t("operator.next")),
        el("label", { class: "check" }, signed, t("operator.signed")),
      ),
    ),
    told,
    el("div", { class: "row" }, button),
  );
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {string} now
 * @param {string} key the texts are those of `{key}.{value}`
 */
function choice(id, values, now, key) {
  return el(
    "select",
    { id },
    values.map((value) =>
      el("option", { value, selected: value === now }, t(/** @type {Key} */ (`${key}.${value}`))),
    ),
  );
}
