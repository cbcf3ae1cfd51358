// How a round was dealt: its steps, each with a sign and a sentence, and the findings on it.

import { short } from "./cards.js";
import { wrongPlaces } from "./scene.js";
import { howMany, nth } from "./places.js";
import { accusation, isLate, meaningOf, otherKeyIn } from "./sentence.js";
import { logStep, stepsOf } from "./steps.js";
import { clock, number, t, time } from "./strings.js";
import { append, el, plain } from "./text.js";
import { sign } from "./verdict.js";

/**
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./sentence.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./sentence.js").Compared} Compared
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 * @typedef {import("./steps.js").Step} Step
 */

/** A hostile file has very many findings. So many are drawn at once. */
const MOST_DRAWN = 100;

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly Kept[]} mine what the reader brought
 * @param {Compared} compared
 * @param {number} [witnesses] of the reader's policy
 * @returns {HTMLElement}
 */
export function drawTimeline(verdict, dossier, mine, compared, witnesses = 0) {
  const other = otherKeyIn(verdict, dossier);
  /** @type {Step[]} */
  const steps =
    dossier === null || other !== undefined
      ? []
      : stepsOf({ verdict, dossier, mine, compared, witnesses });
  const log = logStep(verdict, dossier);
  // A finding belongs to the step of its entry, and all others to the log.
  const kinds = new Map(dossier?.entries.map(({ index, kind }) => [index, kind]));
  for (const finding of other === undefined ? verdict.findings : [other]) {
    const kind = kinds.get(finding.index ?? -1);
    (steps.find(({ name }) => name === kind) ?? log).findings.push(finding);
  }
  return el(
    "ol",
    { class: "timeline" },
    // What follows from a bad signature comes after it.
    (log.findings.some(({ code }) => code === "bad-signature")
      ? [log, ...steps]
      : [...steps, log]
    ).map((each) =>
      el("li", {}, drawStep(marked(each, verdict, dossier), dossier, verdict.findings)),
    ),
  );
}

/**
 * A step with a finding has the finding's sign, and is open.
 * @param {Step} step
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {Step}
 */
function marked(step, verdict, dossier) {
  const { findings } = step;
  if (findings.length === 0) return step;
  const accuses = findings.find((each) => each.accuses === "operator");
  const isWrongCard = step.name === "deal" && wrongPlaces(verdict, dossier).length > 0;
  return {
    ...step,
    state: accuses === undefined || isLate(findings) ? "unclear" : "wrong",
    ...(isWrongCard ? {} : { says: meaningOf(accuses ?? findings[0], dossier).title }),
    open: true,
  };
}

const SIGNS = { shown: "holds", missing: "missing", unclear: "unreadable", wrong: "fails" };

/**
 * One step. What is inside is drawn when it is opened.
 * @param {Step} step
 * @param {Dossier | null} dossier
 * @param {readonly ReceiptFinding[]} all findings of the file
 * @returns {HTMLElement}
 */
function drawStep(step, dossier, all) {
  const { name, state, title, says, seen, at, inside, findings, open = false } = step;
  const drawn = el("div", { class: "inside" });
  const draw = () => {
    if (drawn.childElementCount > 0) return;
    append(drawn, [
      drawFindings(findings, dossier, { isNamed: findings.length === 1, all }),
      typeof at === "number" ? el("p", { class: "soft" }, time(at)) : null,
      ...inside(),
    ]);
  };
  if (open) draw();
  return el(
    "details",
    { class: `step ${state}`, "data-step": name, open, toggle: draw },
    el(
      "summary",
      { click: draw },
      el("span", { class: "at" }, typeof at === "number" ? clock(at) : null),
      sign(SIGNS[state]),
      el(
        "span",
        { class: "step-text" },
        el("span", { class: "silent" }, `${t(`steps.state.${state}`)}: `),
        el("strong", {}, title),
        el("span", { class: "step-says" }, says),
        seen === undefined ? null : el("span", { class: "step-says", "data-seen": name }, seen),
      ),
    ),
    drawn,
  );
}

/**
 * The findings, the first ones first.
 * @param {readonly ReceiptFinding[]} findings
 * @param {Dossier | null} dossier
 * @param {object} [of]
 * @param {boolean} [of.isNamed] whether the text above them has the title of the only one
 * @param {readonly ReceiptFinding[]} [of.all] findings of the file
 * @returns {HTMLElement | null}
 */
export function drawFindings(findings, dossier, { isNamed = false, all: others = findings } = {}) {
  if (findings.length === 0) return null;
  const hasWriter = others.some(({ accuses }) => accuses === "writer");
  const draw = (/** @type {number} */ from) =>
    findings
      .slice(from, from + MOST_DRAWN)
      .map((finding) => drawFinding(finding, dossier, isNamed, hasWriter));
  const all = el("ul", { class: "findings-list" }, draw(0));
  let n = Math.min(findings.length, MOST_DRAWN);
  if (n === findings.length) return all;
  const rest = () => t("and-more", { n: findings.length - n });
  const more = el(
    "button",
    {
      type: "button",
      click: () => {
        all.append(...draw(n));
        n = Math.min(findings.length, n + MOST_DRAWN);
        if (n === findings.length) more.remove();
        else more.textContent = rest();
      },
    },
    rest(),
  );
  return el("div", { class: "stack" }, all, more);
}

/**
 * @param {ReceiptFinding} finding
 * @param {Dossier | null} dossier
 * @param {boolean} isNamed
 * @param {boolean} hasWriter whether the file accuses its writer: then nobody asks about the others
 */
function drawFinding(finding, dossier, isNamed, hasWriter) {
  const { code, index, says, accuses } = finding;
  const { title, means } = meaningOf(finding, dossier);
  return el(
    "li",
    {
      class: `finding ${accuses === "operator" && !isLate([finding]) ? "wrong" : "unclear"}`,
      "data-token": code,
    },
    el("p", {}, isNamed ? null : el("strong", {}, title), " ", means),
    code === "result-mismatch"
      ? (differences(dossier) ?? el("p", { class: "says" }, plain(says)))
      : el("p", { class: "says" }, plain(says)),
    hasWriter && accuses === "nobody" ? null : el("p", { class: "accuses" }, accusation(finding)),
    el(
      "p",
      { class: "soft small" },
      index === undefined ? code : t("steps.found-at", { code, index: number(index) }),
    ),
  );
}

/** So many wrong cards are named. */
const MOST_NAMED = 8;

/**
 * The places at which the log has another card or item, counted from one.
 * @param {Dossier | null} dossier
 * @returns {HTMLElement | null} null if there is no result to compare
 */
function differences(dossier) {
  const { differs = [], cards, indices } = dossier?.expected ?? {};
  const found = dossier?.deal?.result ?? {};
  const logged = cards === undefined ? found.indices : String(found.cards ?? "").match(/../gs);
  const ours = cards ?? indices;
  if (differs.length === 0 || ours === undefined || !Array.isArray(logged)) return null;
  const name = (/** @type {unknown} */ each) =>
    each === undefined
      ? t("card.nothing")
      : cards === undefined
        ? `#${Number(each) + 1}`
        : plain(short(String(each)));
  const of = howMany(Math.max(ours.length, logged.length), cards !== undefined);
  return el(
    "ul",
    {},
    differs.slice(0, MOST_NAMED).map((at) =>
      el(
        "li",
        {},
        t(cards === undefined ? "step.item-at" : "step.card-at", {
          nth: nth(at + 1),
          of,
          expected: name(ours[at]),
          came: name(logged[at]),
        }),
      ),
    ),
    differs.length > MOST_NAMED
      ? el("li", {}, t("and-more", { n: differs.length - MOST_NAMED }))
      : null,
  );
}
