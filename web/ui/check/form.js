// The form for one round: its fields are the columns that the scheme reads.

import { examples } from "../../check-examples.js";
import { field } from "../inputs.js";
import { t } from "../strings.js";
import { el } from "../text.js";
import { columnText } from "./words.js";

/** @typedef {import("../../fairdeal/dialects/index.js").DialectInfo} DialectInfo */

/** The columns under "more columns". A round needs none of them. */
const RARE = ["chain_steps", "held", "final", "full", "contributions", "deck", "method"];

/** The columns of one whole number. */
const WHOLE = ["nonce", "chain_steps", "game_id", "rows", "segments", "mine_count", "slot"];

/** The columns that are always needed. */
const NEEDED = ["server_seed"];

/**
 * @param {DialectInfo} dialect
 * @param {(row: Record<string, unknown>) => void} go
 * @returns {HTMLFormElement}
 */
export function roundForm({ name: dialect, columns }, go) {
  /** @type {Map<string, HTMLInputElement | HTMLTextAreaElement>} */
  const inputs = new Map(columns.map((column) => [column, inputFor(column, dialect)]));
  /** @param {string} column */
  const fieldFor = (column) => {
    const input = /** @type {HTMLInputElement} */ (inputs.get(column));
    const label = columnText(column, dialect, "label") ?? column;
    if (input.type === "checkbox") return el("label", { class: "check" }, input, label);
    return field(label, input, columnText(column, dialect, "hint") ?? undefined);
  };
  const usual = columns.filter((column) => !RARE.includes(column));
  const rare = columns.filter((column) => RARE.includes(column));
  const example = examples[dialect];
  return el(
    "form",
    {
      class: "stack",
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        go(rowOf(inputs));
      },
    },
    usual.map(fieldFor),
    rare.length === 0
      ? null
      : el(
          "details",
          {},
          el("summary", {}, t("check.more")),
          el("div", { class: "stack" }, rare.map(fieldFor)),
        ),
    el(
      "div",
      { class: "row" },
      el("button", { class: "first" }, t("check.go")),
      example === undefined
        ? null
        : el(
            "button",
            { type: "button", "data-fill": "", click: () => fill(inputs, example) },
            t("hand.example"),
          ),
    ),
  );
}

/**
 * @param {string} column
 * @param {string} dialect
 * @returns {HTMLInputElement | HTMLTextAreaElement}
 */
function inputFor(column, dialect) {
  const common = {
    name: column,
    autocomplete: "off",
    spellcheck: "false",
    required: NEEDED.includes(column),
  };
  if (column === "full") return el("input", { type: "checkbox", name: column });
  const isLines =
    column === "contributions" || (column === "client_seed" && dialect === "fairdeal/v1");
  if (isLines) return el("textarea", { ...common, rows: "2" });
  return el("input", {
    ...common,
    inputmode: WHOLE.includes(column) ? "numeric" : null,
  });
}

/**
 * The typed row. An empty field is not given.
 * @param {Map<string, HTMLInputElement | HTMLTextAreaElement>} inputs
 * @returns {Record<string, unknown>}
 */
function rowOf(inputs) {
  /** @type {Record<string, unknown>} */
  const row = {};
  for (const [column, input] of inputs) {
    if (input.type === "checkbox") {
      if (/** @type {HTMLInputElement} */ (input).checked) row[column] = true;
    } else if (input.value !== "") {
      // A seed is used exactly as typed: a space at its end is part of it, and the form says so.
      row[column] = column.endsWith("seed") ? input.value.replaceAll("\r", "") : input.value.trim();
    }
  }
  // A player may hold no card.
  if (row.final !== undefined && row.held === undefined) row.held = [];
  return row;
}

/**
 * @param {Map<string, HTMLInputElement | HTMLTextAreaElement>} inputs
 * @param {Record<string, string>} example
 */
function fill(inputs, example) {
  for (const [column, input] of inputs) {
    if (input.type === "checkbox") /** @type {HTMLInputElement} */ (input).checked = false;
    else input.value = example[column] ?? "";
  }
}
