// The page's report on the given files.

import { isWithoutDeal } from "../fairdeal/findings.js";
import { adopt } from "./adopt.js";
import { ANSWER } from "./answer-style.js";
import { laidCloth } from "./cloth.js";
import { chooseButton } from "./drop.js";
import { missingFold, missingOf, optionsOf, shellFold } from "./folds.js";
import { keyLine } from "./key-card.js";
import { drawMore, icon } from "./more.js";
import { policyLine } from "./policy.js";
import { aboutWrong, drawScene } from "./scene.js";
import { headlineOf, headlineOfAll } from "./sentence.js";
import { t } from "./strings.js";
import { el, theirs } from "./text.js";
import { drawFindings, drawTimeline } from "./timeline.js";

/**
 * @typedef {import("./sentence.js").Headline} Headline
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./sentence.js").Compared} Compared
 * @typedef {import("./cloth.js").Scene} Scene
 * @typedef {import("./inputs.js").GivenKey} GivenKey
 * @typedef {import("./drop.js").GivenFile} GivenFile
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/index.js").Verdicts} Verdicts
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 */

/**
 * @typedef {object} Answer
 * @property {Verdicts} verdicts
 * @property {Compared[]} compared
 * @property {(Dossier | null)[]} dossiers
 * @property {string[] | null} items
 * @property {Kept[]} mine what the reader brought, also in evidence that the reader kept
 * @property {GivenFile[]} files that were judged
 * @property {import("../workers/policy.js").PolicyFacts | null} policy
 */

/**
 * @typedef {object} Given
 * @property {string[]} names of the files that were given
 * @property {GivenKey} key
 * @property {GivenFile | null} policy
 * @property {string} seat that the reader named, perhaps none
 * @property {import("./chips.js").Given} gave all that the reader gave
 * @property {HTMLElement} inputs what the reader gave, as a fold
 * @property {(key: string) => void} forget
 * @property {() => void} forgetPolicy called when the reader forgot the policy
 * @property {() => void} changed called when the reader compared the key
 * @property {(files: Promise<GivenFile[]>) => void} takeKept
 * @property {() => void} keepGiven the reader kept what was just given
 * @property {(files: GivenFile[]) => void} saveEvidence
 * @property {((name: string, round: {commitment?: string, nonce?: number}) => Promise<boolean>) | null} renew
 *   takes a new receipt from the log of this host, if it is the receipt's log
 * @property {() => void} another begins again
 */

/** @typedef {{found: Headline, scene: Scene | null, actions: Node | null, drawn: Node}} Report */

/** One file of an answer. @typedef {{verdict: Verdict, dossier: Dossier | null, compared: Compared, file: GivenFile}} One */

adopt(ANSWER);

/** The maximum number of files with findings that are open at first. */
const MOST_OPENED = 10;

/**
 * @param {Answer} answer
 * @param {Given} given
 * @returns {Report}
 */
export function drawReport(answer, given) {
  const { verdicts, dossiers, mine } = answer;
  const { receipts, findings } = verdicts;
  const found = headlineOfAll(verdicts, dossiers, mine);
  // A kept lock is no question of its own. If only one file asks, the page is about this file.
  const asked = receipts.flatMap((each, i) => ("holds" in each && isWithoutDeal(each) ? [] : [i]));
  const [main = null] = receipts.length === 1 ? [0] : asked.length === 1 ? asked : [];
  const one = main === null || findings.length > 0 ? null : oneOf(answer, main);
  const above = [
    keyLine(given.key, given),
    answer.policy === null || given.policy === null
      ? null
      : policyLine(answer.policy, {
          policy: given.policy,
          key: given.key.text,
          changed: given.forgetPolicy,
        }),
    verdicts.continues === undefined
      ? null
      : el("p", { class: "continues" }, t("v.continues", { n: verdicts.continues })),
  ];
  if (one !== null) {
    const about = found.state === "caught" ? aboutWrong(one.verdict, one.dossier) : null;
    if (about !== null) found.detail = [about, found.detail].filter(Boolean).join(" ");
    return {
      found,
      scene: sceneOf(one, answer, given),
      actions: actionsOf(found, one, answer, given),
      drawn: el("div", { class: "report-body" }, above, drawOne(one, found, answer, given, true)),
    };
  }
  const drawn = el(
    "div",
    { class: "report-body" },
    above,
    findings.length === 0
      ? null
      : el(
          "section",
          { class: "together stack" },
          el("h2", {}, t("file.together")),
          drawFindings(findings, null),
        ),
    drawFiles(answer, given),
    given.inputs,
  );
  return { found, scene: null, actions: actionsOf(found, null, answer, given), drawn };
}

/**
 * @param {Answer} answer
 * @param {number} i
 * @returns {One | null} null if the file cannot be read
 */
function oneOf({ verdicts, dossiers, compared, files }, i) {
  const receipt = verdicts.receipts[i];
  if (!("holds" in receipt)) return null;
  const verdict = /** @type {Verdict} */ (/** @type {unknown} */ (receipt));
  return { verdict, dossier: dossiers[i], compared: compared[i], file: files[i] };
}

/** @param {One} one @param {Answer} answer @param {Given} given */
function sceneOf({ verdict, dossier, compared }, { items }, { seat }) {
  return drawScene(verdict, dossier, items, seatOf(verdict, compared, seat));
}

/**
 * The reader's seat: the one that the reader named, or else the label of the reader's contribution.
 * @param {Verdict} verdict
 * @param {Compared} compared
 * @param {string} named
 * @returns {string | null}
 */
function seatOf({ placed = [] }, compared, named) {
  const mixed = compared.filter(({ outcome }) => outcome === "mixed" || outcome === "agrees");
  const own = named !== "" ? [named] : mixed.map(({ from }) => from);
  return own.find((label) => placed.some((each) => "seat" in each && each.seat === label)) ?? null;
}

/**
 * The files, each closed: hundreds are drawn only when they are opened.
 * @param {Answer} answer
 * @param {Given} given
 * @returns {HTMLElement[]}
 */
function drawFiles(answer, given) {
  const { verdicts, dossiers, mine, files } = answer;
  let opened = 0;
  return verdicts.receipts.map((receipt, i) => {
    const own = headlineOf(receipt, dossiers[i], mine);
    const one = oneOf(answer, i);
    const isKeptLock = files[i].kept === true && one !== null && isWithoutDeal(one.verdict);
    const file = el(
      "details",
      { class: "one-file" },
      el(
        "summary",
        {},
        el(
          "span",
          { class: `state ${own.state}` },
          t(isKeptLock ? "kind.kept" : /** @type {"file.none"} */ (`file.${own.state}`)),
        ),
        theirs(receipt.file, 80),
      ),
    );
    const draw = () =>
      file.append(
        laidCloth(own, one === null ? null : sceneOf(one, answer, given)),
        ...(one === null ? [] : [drawOne(one, own, answer, given, false)]),
      );
    if (one !== null && one.verdict.findings.length > 0 && opened++ < MOST_OPENED) {
      draw();
      file.open = true;
    } else file.addEventListener("toggle", draw, { once: true });
    return file;
  });
}

/**
 * How it was dealt, and next to it how to go on.
 * @param {One} one
 * @param {Headline} found
 * @param {Answer} answer
 * @param {Given} given
 * @param {boolean} whole whether the page is about this file
 * @returns {HTMLElement}
 */
function drawOne({ verdict, dossier, compared, file }, found, answer, given, whole) {
  const { mine, policy } = answer;
  const { key, gave, another, inputs } = given;
  const isUnsure = found.state === "unproved";
  return el(
    "div",
    { class: "columns" },
    el(
      "section",
      { class: "how-dealt" },
      el("h2", {}, t("step.title")),
      drawTimeline(verdict, dossier, mine, compared, policy?.witnesses),
    ),
    el(
      "div",
      { class: "side-column" },
      drawMore(file, dossier, {
        first: found.state === "fair",
        another: whole ? another : null,
        key: key.text,
      }),
      el(
        "div",
        { class: "folds" },
        missingFold(missingOf(verdict, dossier), isUnsure),
        whole ? inputs : null,
        shellFold(dossier, { files: [file.name], key: key.text, more: optionsOf(gave) }),
      ),
    ),
  );
}

/**
 * What the reader can do about a verdict.
 * @param {Headline} found
 * @param {One | null} one
 * @param {Answer} answer
 * @param {Given} given
 * @returns {Node | null}
 */
function actionsOf(found, one, answer, given) {
  if (found.state === "none") return renewAction(one, given);
  if (found.state !== "unproved") return caughtActions(found, answer, given);
  if (mayBeKept(answer, given)) return keptQuestion(given);
  const isHashed = one?.dossier?.commit?.mixing === "hashes";
  if (!isHashed || one?.verdict.contributions === undefined) return null;
  const button = chooseButton(t("kept.add"), "first", given.takeKept);
  button.prepend(icon("file"));
  return el(
    "div",
    { "data-kept": "" },
    el("div", { class: "row" }, button),
    el("p", { class: "soft small" }, t("kept.only")),
  );
}

/**
 * A receipt from before the reveal: its log may have the reveal now.
 * @param {One | null} one
 * @param {Given} given
 * @returns {Node | null}
 */
function renewAction(one, { renew }) {
  if (renew === null || one === null || one.dossier === null) return null;
  const { verdict, dossier, file } = one;
  if (!verdict.holds || dossier.deal === null || dossier.reveal !== null) return null;
  const told = el("p", { class: "soft small", role: "status" });
  const click = async () => {
    told.replaceChildren();
    const has = await renew(file.name, verdict).catch(() => null);
    if (has !== true) told.replaceChildren(t(has === null ? "home.no-receipt" : "more.no-reveal"));
  };
  const button = el(
    "button",
    { type: "button", class: "first", id: "renew", click },
    t("more.renew"),
  );
  return el("div", {}, el("div", { class: "row" }, button), told);
}

/**
 * Whether a lock came among the given files, which shows something only if the reader kept it.
 * @param {Answer} answer
 * @param {Given} given
 */
function mayBeKept({ verdicts, files }, { gave }) {
  if (gave.receipts.some(({ sent }) => sent)) return false;
  return verdicts.receipts.some(
    (each, i) => "holds" in each && isWithoutDeal(each) && files[i].kept !== true,
  );
}

/** @param {Given} given */
function keptQuestion({ keepGiven }) {
  return el(
    "div",
    { id: "kept-question" },
    el("p", {}, el("strong", {}, t("kept.question"))),
    el("p", { class: "soft small" }, t("kept.question-hint")),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        { type: "button", class: "first", id: "kept-yes", click: keepGiven },
        t("kept.yes"),
      ),
    ),
  );
}

/**
 * What somebody does who has caught an operator.
 * @param {Headline} found
 * @param {Answer} answer
 * @param {Given} given
 * @returns {Node | null}
 */
function caughtActions(found, { files }, given) {
  if (found.state !== "caught") return null;
  const now = el(
    "ol",
    { class: "what-now", id: "what-now", hidden: true },
    el("li", {}, t("now.keep")),
    el("li", {}, t("now.show")),
    el("li", {}, t(found.isLate ? "now.ask-late" : "now.ask")),
    el("li", {}, t("now.read")),
  );
  const what = el(
    "button",
    {
      type: "button",
      "aria-expanded": "false",
      "aria-controls": "what-now",
      click: () => {
        now.hidden = !now.hidden;
        what.setAttribute("aria-expanded", String(!now.hidden));
      },
    },
    t("now.title"),
  );
  return el(
    "div",
    {},
    el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          class: "first",
          id: "evidence",
          click: () => given.saveEvidence(files),
        },
        icon("save"),
        t("now.save"),
      ),
      what,
    ),
    now,
  );
}
