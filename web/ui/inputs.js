// A reader's inputs other than a receipt: the log's key, and their own contributions.

import { chooseButton } from "./drop.js";
import { hasOwnStorage } from "./kept.js";
import { nameOfKey } from "./keys.js";
import { parts, t } from "./strings.js";
import { el, theirs } from "./text.js";

/**
 * The key in use, and its source.
 * @typedef {object} GivenKey
 * @property {string} text
 * @property {{how: "typed" | "example" | "link"} | {how: "file", name: string} | {how: "host", host: string, printedAt: string | null}
 *   | {how: "kept", when: number, from: string, compared: boolean}} source
 */

/**
 * A form for the key.
 * @param {string | null} origin of the log that the receipt names
 * @param {(key: string, keep: {from: string} | null) => void} use
 * @param {{named?: string | null, here?: import("./host.js").HostLog | null}} [known] the key that a
 *   link names, and the log of this host
 * @returns {HTMLElement}
 */
export function keyForm(origin, use, { named = null, here = null } = {}) {
  const input = el("input", {
    id: "key",
    name: "key",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: t("key.placeholder"),
    required: true,
    pattern: "[^\\s+]+\\+[0-9a-f]{8}\\+\\S+",
    title: t("key.placeholder"),
  });
  const from = el("input", { name: "from", autocomplete: "off" });
  const keep = el("input", { type: "checkbox", name: "keep" });
  const fromField = el(
    "label",
    { class: "field", hidden: true },
    el("span", {}, t("key.from")),
    el("span", { class: "hint" }, t("key.from-hint")),
    from,
  );
  keep.addEventListener("change", () => {
    fromField.hidden = !keep.checked;
  });
  return el(
    "form",
    {
      class: "panel key-form",
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (input.value.trim() !== "")
          use(input.value.trim(), keep.checked ? { from: from.value.trim() } : null);
      },
    },
    origin === null
      ? null
      : el("p", {}, parts("key.wanted", { origin: el("strong", {}, theirs(origin, 200)) })),
    origin === null || here === null || here.origin === origin
      ? null
      : el("p", { class: "note" }, parts("key.elsewhere", { here: theirs(here.origin, 200) })),
    named === null
      ? null
      : el("p", {}, parts("key.named", { name: theirs(nameOfKey(named), 200) })),
    el(
      "div",
      { class: "field" },
      el("label", { for: "key" }, t("key.label")),
      el("span", { class: "hint" }, t("key.hint")),
      input,
    ),
    hasOwnStorage ? el("label", { class: "check" }, keep, t("key.keep")) : null,
    fromField,
    el("div", {}, el("button", { class: "first" }, t("key.use"))),
  );
}

/**
 * The place for what the reader kept, apart from files that somebody else gave.
 * @param {(files: Promise<import("./drop.js").GivenFile[]>) => void} take
 * @returns {HTMLElement}
 */
export function keptZone(take) {
  return el(
    "section",
    { class: "zone small-zone kept-zone", "data-kept": "" },
    el("h2", {}, t("kept.title")),
    el("p", {}, t("kept.lead")),
    el("p", { class: "soft small" }, t("kept.not")),
    chooseButton(t("kept.choose"), "", take),
  );
}

/**
 * The reader's contribution, as typed in the form.
 * @typedef {object} Brought
 * @property {string} from
 * @property {string} seed
 * @property {string} seat
 * @property {Record<string, string>} players
 */

/**
 * A form for the reader's own contribution to the round.
 * @param {Brought} now
 * @param {(brought: Brought) => void} use
 * @returns {HTMLElement}
 */
export function broughtForm(now, use) {
  /** @param {string} name @param {string} value */
  const input = (name, value) =>
    el("input", { name, value, autocomplete: "off", spellcheck: "false" });
  const [from, seed, seat] = [
    input("from", now.from),
    input("seed", now.seed),
    input("seat", now.seat),
  ];
  const players = el(
    "textarea",
    { name: "players", spellcheck: "false", rows: "3" },
    Object.entries(now.players)
      .map(([name, key]) => `${name}=${key}\n`)
      .join(""),
  );
  // A filled form stays open.
  const open = now.from !== "" || now.seat !== "" || Object.keys(now.players).length > 0;
  return el(
    "details",
    { class: "panel brought", open },
    el("summary", {}, el("h2", {}, t("brought.title"))),
    el(
      "form",
      {
        class: "stack",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          use({
            from: from.value,
            seed: seed.value,
            seat: seat.value,
            players: readPlayers(players.value),
          });
        },
      },
      el("p", { class: "soft" }, t("brought.lead")),
      el(
        "div",
        { class: "fields" },
        field(t("brought.label"), from),
        field(t("brought.seed"), seed),
        field(t("brought.seat"), seat),
      ),
      field(t("brought.players"), players, t("brought.players-hint")),
      el("p", { class: "soft" }, t("brought.drop")),
      el("div", {}, el("button", {}, t("brought.use"))),
    ),
  );
}

/**
 * A label with its field.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [hint]
 * @returns {HTMLElement}
 */
export function field(label, input, hint) {
  return el(
    "label",
    { class: "field" },
    el("span", {}, label),
    hint === undefined ? null : el("span", { class: "hint" }, hint),
    input,
  );
}

/**
 * Lines of name=key, split at the last "=".
 * @param {string} text
 * @returns {Record<string, string>}
 */
function readPlayers(text) {
  return Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const at = line.lastIndexOf("=");
        return [line.slice(0, Math.max(at, 0)), line.slice(at + 1).trim()];
      }),
  );
}
