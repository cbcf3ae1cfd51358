// Rounds that other operators dealt: the scheme, then one round by hand or a file of many, then a
// verdict on each.

import { channel, Stopped } from "../ui/channel.js";
import { roundForm } from "../ui/check/form.js";
import { drawFile, fileHeadline } from "../ui/check/file.js";
import { drawLimits } from "../ui/check/limits.js";
import { drawRound, roundHeadline } from "../ui/check/round.js";
import { chooseButton, pasted, takeDrops } from "../ui/drop.js";
import { startPage } from "../ui/page.js";
import { t } from "../ui/strings.js";
import { el, theirs } from "../ui/text.js";
import { drawHeadline } from "../ui/verdict.js";

/**
 * @typedef {import("../ui/drop.js").GivenFile} GivenFile
 * @typedef {import("../ui/sentence.js").Headline} Headline
 * @typedef {import("../fairdeal/dialects/index.js").DialectInfo} DialectInfo
 */

const worker = channel("check");
const main = startPage("check");
const { dataset } = document.documentElement;
const schemes = el("fieldset", { class: "schemes panel" });
const about = el("div", { class: "about stack" });
const ways = el("div", { class: "ways" });
const headline = el("div", { id: "headline", role: "status" });
const report = el("div", { class: "report" });
let turn = 0;
/** Whether the worker reads a file. Meanwhile it does not answer other questions. */
let busy = false;
/** @type {DialectInfo | null} */
let chosen = null;

main.append(
  el(
    "div",
    { class: "stack" },
    el("h1", {}, t("check.title")),
    el("p", { class: "lead" }, t("check.lead")),
  ),
  schemes,
  ways,
  headline,
  report,
);
state("pending");
takeDrops((files) => void checkFile(files));
addEventListener("hashchange", () => follow());
/** @type {DialectInfo[]} */
const known = await worker.ask({ ask: "dialects" });
drawSchemes();
follow();

/** @param {Headline["state"]} to */
function state(to) {
  dataset.verdict = to;
}

/** The scheme that the page's link names, or the first one. */
function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("dialect");
  const found = known.find(({ name }) => name === wanted) ?? known[0];
  if (found !== chosen) choose(found);
}

/** A title is the operator's name, a comma, and the game. */
function drawSchemes() {
  /** @type {Map<string, DialectInfo[]>} */
  const operators = new Map();
  for (const one of known) {
    const [operator] = one.title.split(", ");
    operators.set(operator, [...(operators.get(operator) ?? []), one]);
  }
  schemes.replaceChildren(
    el("legend", {}, t("check.scheme")),
    el(
      "div",
      { class: "operators" },
      [...operators].map(([operator, games]) =>
        el(
          "div",
          { class: "operator" },
          el("h2", { lang: "en" }, operator),
          el("div", { class: "pills" }, games.map(pill)),
        ),
      ),
    ),
    about,
  );
}

/** @param {DialectInfo} dialect */
function pill({ name, title }) {
  return el(
    "label",
    { class: "pill" },
    el("input", {
      type: "radio",
      name: "dialect",
      value: name,
      "aria-label": title,
      change: () => {
        location.hash = `dialect=${encodeURIComponent(name)}`;
      },
    }),
    el("span", { lang: "en" }, title.slice(title.indexOf(", ") + 2)),
  );
}

/** @param {DialectInfo} dialect */
function choose(dialect) {
  chosen = dialect;
  turn++;
  if (busy) worker.stop();
  busy = false;
  clear();
  state("pending");
  for (const input of schemes.querySelectorAll("input"))
    input.checked = input.value === dialect.name;
  about.replaceChildren(
    el("p", { lang: "en" }, dialect.covers),
    el(
      "p",
      { class: "soft small" },
      t("check.source"),
      " ",
      el("span", { lang: "en" }, dialect.source),
    ),
  );
  ways.replaceChildren(
    el(
      "section",
      { class: "panel" },
      el("h2", {}, t("check.one")),
      roundForm(dialect, (row) => void checkOne(row)),
    ),
    el("section", { class: "panel drop" }, el("h2", {}, t("check.many")), zone()),
  );
  const limits = el("section", { class: "panel" });
  report.replaceChildren(limits);
  const mark = turn;
  void worker.ask({ ask: "limits", dialect: dialect.name }).then(
    (found) => {
      if (mark === turn) limits.replaceWith(drawLimits(found));
    },
    () => undefined,
  );
}

function zone() {
  const paste = el("textarea", { rows: "5", spellcheck: "false", name: "paste" });
  return el(
    "div",
    { class: "zone" },
    el("p", {}, t("check.drop")),
    el("p", { class: "soft small" }, t("check.forms")),
    el(
      "div",
      { class: "row" },
      chooseButton(t("check.choose"), "first", (files) => void checkFile(files)),
    ),
    el(
      "details",
      {},
      el("summary", {}, t("drop.paste")),
      el(
        "form",
        {
          class: "stack",
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void checkFile([pasted(paste.value, t("check.pasted"))]);
          },
        },
        el("label", { class: "field" }, el("span", {}, t("check.paste-label")), paste),
        el("div", {}, el("button", {}, t("drop.paste-use"))),
      ),
    ),
  );
}

function clear() {
  headline.replaceChildren();
  report.replaceChildren();
}

/**
 * @param {Headline} found
 * @param {Node | null} drawn
 */
function show(found, drawn) {
  headline.replaceChildren(drawHeadline(found, "h2"));
  report.replaceChildren(...(drawn === null ? [] : [drawn]));
  state(found.state);
  headline.scrollIntoView({ block: "start" });
}

/** @param {Record<string, unknown>} row */
async function checkOne(row) {
  if (chosen === null) return;
  const { name: dialect } = chosen;
  const mark = ++turn;
  if (busy) worker.stop();
  busy = false;
  state("pending");
  try {
    const answer = await worker.ask({ ask: "round", dialect, row });
    if (mark === turn) show(roundHeadline(answer), drawRound(answer, row));
  } catch (error) {
    if (mark === turn && !(error instanceof Stopped)) show(unreadable(error), null);
  }
}

/** @param {GivenFile[] | Promise<GivenFile[]>} files the first of them is checked */
async function checkFile(files) {
  if (chosen === null) return;
  const { name: dialect } = chosen;
  const mark = ++turn;
  if (busy) worker.stop();
  busy = true;
  state("pending");
  const [file] = await files;
  if (mark !== turn) return;
  const done = el("p", { class: "count" }, t("check.working", { n: 0 }));
  headline.replaceChildren();
  report.replaceChildren(
    el(
      "section",
      { class: "panel" },
      el("h2", {}, theirs(file.name, 80)),
      el("progress", { "aria-label": t("check.progress") }),
      done,
      el(
        "div",
        {},
        el(
          "button",
          {
            type: "button",
            click: () => {
              turn++;
              busy = false;
              worker.stop();
              clear();
            },
          },
          t("check.stop"),
        ),
      ),
    ),
  );
  try {
    const answer = await worker.ask(
      { ask: "file", dialect, bytes: file.bytes },
      (n) => {
        done.textContent = t("check.working", { n });
      },
      [file.bytes.buffer],
    );
    if (mark !== turn) return;
    dataset.took = answer.took.toFixed(0);
    show(
      fileHeadline(answer),
      drawFile(answer, file.name, (only, from, to) => worker.ask({ ask: "rows", only, from, to })),
    );
  } catch (error) {
    if (mark === turn && !(error instanceof Stopped)) show(unreadable(error), null);
  } finally {
    if (mark === turn) busy = false;
  }
}

/**
 * @param {unknown} error
 * @returns {Headline}
 */
function unreadable(error) {
  return {
    state: "unreadable",
    sentence: t("v.refused"),
    says: /** @type {Error} */ (error).message,
  };
}
