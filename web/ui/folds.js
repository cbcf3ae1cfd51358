// Folded parts of a report: what it does not show, and the same in a shell.

import { copyButton } from "./copied.js";
import { isKey, t, time } from "./strings.js";
import { isDue, otherKeyIn } from "./sentence.js";
import { el, quoted } from "./text.js";

/**
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("./strings.js").Key} Key
 */

/**
 * The data for the shell lines.
 * @typedef {object} ShellFacts
 * @property {string[]} files
 * @property {string} key
 * @property {string} more further options of `fairdeal verify`, perhaps none
 */

/**
 * @param {string} name for styles and tests
 * @param {string} title
 * @param {number | null} n how many things are inside
 * @param {boolean} open
 * @param {...(Node | null)} children
 * @returns {HTMLDetailsElement}
 */
export function fold(name, title, n, open, ...children) {
  return el(
    "details",
    { class: `fold ${name}`, open },
    el(
      "summary",
      {},
      el("strong", {}, title),
      n === null ? null : el("span", { class: "fold-count" }, n),
    ),
    el("div", { class: "inside" }, ...children),
  );
}

/**
 * Something that is not shown, the name of its words, and what would show it.
 * @typedef {{token: string, name?: string, how: string}} Missing
 */

/**
 * What was not shown, each with what would show it.
 * @param {Missing[]} missing
 * @param {boolean} open
 * @returns {HTMLElement | null}
 */
export function missingFold(missing, open) {
  if (missing.length === 0) return null;
  return fold(
    "missing",
    t("steps.missing"),
    missing.length,
    open,
    el(
      "ul",
      { class: "missing-list" },
      missing.map(({ token, name = token, how }) =>
        el(
          "li",
          { "data-token": token },
          el("p", {}, t(known(`missing.${name}`))),
          el("p", { class: "soft" }, how),
        ),
      ),
    ),
  );
}

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {Missing[]}
 */
export function missingOf(verdict, dossier) {
  // Under the key of another log nothing could be shown.
  if (otherKeyIn(verdict, dossier) !== undefined) return [];
  return verdict.not_shown.map((token) => {
    // A reader with a policy can know more.
    const name = token === "witnessed" && verdict.policy !== undefined ? `${token}-policy` : token;
    return { token, name, how: howTo(name, verdict, dossier) };
  });
}

/**
 * How something that is not shown could be shown.
 * @param {string} token
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {string}
 */
function howTo(token, verdict, dossier) {
  if (token !== "replayed") return t(known(`how.${token}`));
  if (dossier?.deal?.beacon !== undefined && verdict.not_shown.includes("beacon"))
    return t("how.replayed-beacon");
  if (verdict.findings.length > 0) return t("how.replayed-wrong");
  if (verdict.time === undefined) return t("how.replayed-no-deal");
  return t(isDue(dossier) ? "how.replayed-due" : "how.replayed", {
    when: time(Number(dossier?.commit?.reveal_by)),
  });
}

/**
 * @param {string} key
 * @returns {Key}
 */
function known(key) {
  return isKey(key) ? key : "steps.none";
}

/**
 * The inputs other than receipts, as options of `fairdeal verify`.
 * @param {import("./chips.js").Given} given
 * @returns {string}
 */
export function optionsOf({ mine, receipts, brought, since, list, policy }) {
  const { from, seed, seat, players } = brought;
  const kept = [...mine, ...receipts.filter((file) => file.kept === true)];
  return [
    ...kept.map(({ name }) => `--mine ${quoted(name)}`),
    ...(from === "" || seed === "" ? [] : [`--client ${quoted(`${from}=${seed}`)}`]),
    ...Object.entries(players).map(([label, key]) => `--player ${quoted(`${label}=${key}`)}`),
    ...(seat === "" ? [] : [`--seat ${quoted(seat)}`]),
    ...(since === null ? [] : [`--since ${quoted(since.name)}`]),
    ...(list === null ? [] : [`--list ${quoted(list.name)}`]),
    ...(policy === null ? [] : [`--policy ${quoted(policy.name)}`]),
  ]
    .map((option) => ` ${option}`)
    .join("");
}

/**
 * The commands that check the same, without this page.
 * @param {Dossier | null} dossier
 * @param {ShellFacts} shell
 * @returns {HTMLElement}
 */
export function shellFold(dossier, { files, key, more }) {
  const names = files.map(quoted).join(" ");
  return shellLines([
    `fairdeal verify ${names} --key ${quoted(key)}${more}`,
    ...(dossier?.replay == null ? [] : [`fairdeal replay ${names} --trace`]),
    ...hashLine(dossier?.reveal, dossier?.commit),
    `fairdeal audit LOG --key ${quoted(key)}`,
  ]);
}

/**
 * @param {any} reveal
 * @param {any} commit
 * @returns {string[]}
 */
function hashLine(reveal, commit) {
  const isHash = (/** @type {unknown} */ value) =>
    typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  if (!isHash(reveal?.server_seed) || !isHash(commit?.commitment)) return [];
  return [`printf %s ${reveal.server_seed} | xxd -r -p | sha256sum   # ${commit.commitment}`];
}

/**
 * @param {string[]} lines
 * @returns {HTMLElement}
 */
export function shellLines(lines) {
  return fold("in-a-shell", t("steps.same"), null, false, ...drawn(lines));
}

/**
 * Shell lines under their title.
 * @param {string[]} lines
 * @returns {Node[]}
 */
export function same(lines) {
  return [el("p", { class: "part" }, t("steps.same")), ...drawn(lines)];
}

/** @param {string[]} lines */
function drawn(lines) {
  return lines.map((line) => el("div", { class: "shell" }, el("code", {}, line), copyButton(line)));
}
