// The steps of a verdict: what is wrong, what is shown, and, in the same size, what is not shown.
// Each is a line that opens.

import { accusation, meaningOf } from "./sentence.js";
import { isKey, t, time } from "./strings.js";
import { append, bytes, el, plain, quoted } from "./text.js";
import { sign } from "./verdict.js";

/**
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./sentence.js").ReceiptFinding} ReceiptFinding
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
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {ShellFacts} shell
 * @returns {HTMLElement}
 */
export function drawSteps(verdict, dossier, shell) {
  const shown = verdict.shown.map((token) =>
    step("shown", t(known(`shown.${token}`)), token, () => evidence(token, dossier, shell)),
  );
  const missing = verdict.not_shown.map((token) =>
    step("missing", t(known(`missing.${token}`)), token, () => [
      el("p", { class: "part" }, t("steps.how")),
      el("p", {}, howTo(token, verdict, dossier)),
      ...evidence(token, dossier, shell),
    ]),
  );
  return el(
    "div",
    { class: "steps" },
    verdict.findings.length === 0
      ? null
      : wrongList(t("steps.wrong"), verdict.findings, dossier, shell),
    list("shown", t("steps.shown"), shown),
    list("missing", t("steps.missing"), missing),
  );
}

/** A hostile file has very many findings and entries. So many are drawn at once. */
const MOST_DRAWN = 100;

/**
 * The findings, the first ones first.
 * @param {string} title
 * @param {readonly ReceiptFinding[]} findings
 * @param {Dossier | null} dossier
 * @param {ShellFacts} shell
 * @returns {HTMLElement}
 */
export function wrongList(title, findings, dossier, shell) {
  const draw = (/** @type {number} */ from) =>
    findings.slice(from, from + MOST_DRAWN).map((finding) => findingStep(finding, dossier, shell));
  const drawn = list("wrong", title, draw(0));
  let count = Math.min(findings.length, MOST_DRAWN);
  if (count === findings.length) return drawn;
  const rest = () => t("and-more", { n: findings.length - count });
  const more = el(
    "button",
    {
      type: "button",
      click: () => {
        drawn.querySelector("ul")?.append(...draw(count).map((each) => el("li", {}, each)));
        count = Math.min(findings.length, count + MOST_DRAWN);
        if (count === findings.length) more.remove();
        else more.textContent = rest();
      },
    },
    rest(),
  );
  drawn.append(more);
  return drawn;
}

/**
 * @param {"wrong" | "shown" | "missing"} kind
 * @param {string} title
 * @param {HTMLElement[]} steps
 * @returns {HTMLElement}
 */
export function list(kind, title, steps) {
  return el(
    "section",
    { class: `panel ${kind}` },
    el("h2", {}, title),
    kind === "missing" ? el("p", { class: "soft" }, t("steps.open")) : null,
    steps.length === 0
      ? el("p", { class: "soft" }, t("steps.none"))
      : el(
          "ul",
          {},
          steps.map((each) => el("li", {}, each)),
        ),
  );
}

/**
 * One step, closed. What is inside is drawn when it is opened.
 * @param {"wrong" | "shown" | "missing"} kind
 * @param {string} line
 * @param {string} token
 * @param {() => (Node | null)[]} inside
 * @returns {HTMLElement}
 */
export function step(kind, line, token, inside) {
  const state = { wrong: "fails", shown: "holds", missing: "missing" }[kind];
  const drawn = el("div", { class: "inside" });
  const draw = () => {
    if (drawn.childElementCount === 0) append(drawn, inside());
  };
  return el(
    "details",
    { class: `step ${kind}`, "data-token": token, toggle: draw },
    el(
      "summary",
      { click: draw },
      sign(state),
      el("span", {}, el("span", { class: "silent" }, `${t(`steps.state.${kind}`)}: `), line),
    ),
    drawn,
  );
}

/**
 * @param {ReceiptFinding} finding
 * @param {Dossier | null} dossier
 * @param {ShellFacts} shell
 * @returns {HTMLElement}
 */
function findingStep(finding, dossier, shell) {
  const { code, index, says } = finding;
  const { title, means } = meaningOf(finding, dossier);
  return step("wrong", title, code, () => {
    const entry = dossier?.entries.find((each) => each.index === index);
    return [
      el("p", {}, means),
      el("p", { class: "accuses" }, el("strong", {}, accusation(finding))),
      el("p", { class: "part" }, t("steps.says")),
      el("p", { class: "says" }, plain(says)),
      entry === undefined ? null : entryBytes(entry),
      ...same([verifyLine(shell)]),
    ];
  });
}

/**
 * The bytes that show a step, and the shell lines that check the same.
 * @param {string} token
 * @param {Dossier | null} dossier
 * @param {ShellFacts} shell
 * @returns {(Node | null)[]}
 */
function evidence(token, dossier, shell) {
  if (dossier === null) return same([verifyLine(shell)]);
  const { entries, checkpoint, reveal, commit } = dossier;
  /** @param {...string} kinds */
  const of = (...kinds) =>
    entries
      .filter(({ kind }) => kinds.includes(kind))
      .slice(0, MOST_DRAWN)
      .map(entryBytes);
  const file = shell.files.map(quoted).join(" ");
  switch (token) {
    case "logged":
      return [
        el("p", { class: "part" }, t("steps.checkpoint")),
        bytes(checkpoint, t("steps.checkpoint")),
        ...entries.slice(0, MOST_DRAWN).map(entryBytes),
        ...same([verifyLine(shell)]),
      ];
    case "replayed":
      return [
        ...of("commit", "lock", "deal", "reveal"),
        ...same([`fairdeal replay ${file} --trace`, ...hashLine(reveal, commit)]),
      ];
    case "opened":
      return [...of("commit", "deal"), ...same([verifyLine(shell)])];
    case "complete":
      return same([`fairdeal audit LOG --key ${quoted(shell.key)}`]);
    case "witnessed":
      return same([`${verifyLine({ ...shell, more: "" })} --since SAVED.note --log LOG`]);
    case "yours":
      return [
        ...of("lock", "deal"),
        ...same([verifyLine(shell) + (shell.more === "" ? " --mine MINE.json" : "")]),
      ];
    case "authentic":
      return [
        ...of("lock", "deal"),
        ...same([
          verifyLine(shell) + (shell.more.includes("--player") ? "" : " --player NAME=HEX"),
        ]),
      ];
    default:
      return [...of("commit", "lock", "deal"), ...same([verifyLine(shell)])];
  }
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
 * @param {import("../workers/dossier.js").DossierEntry} entry
 * @returns {HTMLElement}
 */
function entryBytes({ index, kind, bytes: text }) {
  const title = t("steps.entry", { index, kind: plain(kind).slice(0, 20) });
  return el("div", {}, el("p", { class: "part" }, title), bytes(text, title));
}

/**
 * @param {ShellFacts} shell
 * @returns {string}
 */
function verifyLine({ files, key, more }) {
  return `fairdeal verify ${files.map(quoted).join(" ")} --key ${quoted(key)}${more}`;
}

/**
 * Shell lines, each with a button that copies it.
 * @param {string[]} lines
 * @returns {Node[]}
 */
export function same(lines) {
  return [
    el("p", { class: "part" }, t("steps.same")),
    ...lines.map((line) => {
      const button = el(
        "button",
        {
          type: "button",
          class: "plain",
          click: async () => {
            await navigator.clipboard?.writeText(line).catch(() => undefined);
            button.textContent = t("copied");
          },
        },
        t("copy"),
      );
      return el("div", { class: "shell" }, el("code", {}, line), button);
    }),
  ];
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
  if (dossier?.deal?.beacon !== undefined) return t("how.replayed-beacon");
  if (verdict.findings.length > 0) return t("how.replayed-wrong");
  if (verdict.time === undefined) return t("how.replayed-no-deal");
  return t("how.replayed", { when: time(Number(dossier?.commit?.reveal_by)) });
}

/**
 * @param {string} key
 * @returns {Key}
 */
function known(key) {
  return isKey(key) ? key : "steps.none";
}
