// How a raffle is drawn, in four steps.

import { rows } from "../copied.js";
import { count, t, time } from "../strings.js";
import { drawFindings } from "../timeline.js";
import { el, svg } from "../text.js";
import { sign } from "../verdict.js";
import { hasHost } from "./source.js";
import { date, when } from "./words.js";

/**
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../../workers/raffle.js").ListFacts} ListFacts
 * @typedef {import("../../workers/raffle.js").RaffleAnswer} RaffleAnswer
 */

/**
 * What is known of a raffle.
 * @typedef {object} Known
 * @property {RaffleFacts} facts
 * @property {ListFacts | null} list
 * @property {RaffleAnswer | null} answer
 * @property {number | null} keptSince since when this browser has kept the document
 * @property {boolean} hasMessage whether the reader says that a message from before the draw has the number
 * @property {import("./stage.js").OtherRaffle | null} other another raffle that the reader had before
 * @property {HTMLElement | null} lines the lines of the list, to look at
 * @property {number} now
 */

/**
 * @typedef {object} Step
 * @property {"list" | "promise" | "number" | "winners"} name
 * @property {"shown" | "missing" | "open" | "unchecked" | "wrong" | "void"} state
 * @property {number | null} at in milliseconds
 * @property {string} says
 * @property {import("../strings.js").Key} title
 * @property {() => (Node | null)[]} [inside]
 */

/**
 * @param {Known} known
 * @returns {HTMLElement}
 */
export function drawSteps(known) {
  const findings = known.answer?.verdict.findings ?? [];
  return el(
    "ol",
    { class: "timeline" },
    [list, promise, number, winners].map((each) => el("li", {}, drawStep(each(known)))),
    findings.length === 0 ? null : el("li", { class: "found" }, drawFindings(findings, null)),
  );
}

/**
 * Whether the promise is shown to be older than the number.
 * @param {Known} known
 */
const isBefore = ({ answer, keptSince, hasMessage }) =>
  hasMessage ||
  answer?.verdict.shown.includes("locked-before-beacon") === true ||
  answer?.verdict.shown.includes("kept-before-beacon") === true ||
  keptSince !== null;

/** @param {Known} known @returns {Step} */
function list(known) {
  const { deck, closed, out } = known.facts;
  const { list: given, answer, lines, now } = known;
  const is = given?.sha256 === deck.sha256;
  const isLogged = is && answer?.verdict.shown.includes("logged") === true;
  // Nobody has the number yet, or the list is shown to be older.
  const isClosed = isLogged && (isBefore(known) || (out !== null && now < 1000 * out));
  const says =
    !is || given === null
      ? t("raffle.v.no-list")
      : given.isHashed
        ? t("raffle.step.list-hashed", { n: given.count })
        : given.different < given.count
          ? t("raffle.step.list-repeated", { n: given.count, different: given.different })
          : t("raffle.step.list-says", { n: given.count });
  return {
    name: "list",
    title: isClosed ? "raffle.step.list-closed" : "raffle.step.list",
    state: !is ? "missing" : isLogged ? "shown" : "unchecked",
    at: isClosed ? closed : null,
    says: isLogged ? `${says} ${t("raffle.step.list-same")}` : says,
    inside: () => [
      is ? lines : null,
      rows([
        [t("raffle.fact.lines"), String(deck.count)],
        [t("raffle.fact.sha256"), deck.sha256],
      ]),
    ],
  };
}

/** @param {Known} known @returns {Step} */
function promise(known) {
  const { facts, answer, keptSince, hasMessage } = known;
  const { closed, commitment, table, origin } = facts;
  const verdict = answer?.verdict;
  const seen = verdict === undefined ? null : seenBy(verdict, answer?.policy?.witnesses ?? 0);
  const since =
    seen ??
    (keptSince !== null
      ? t(hasHost() ? "raffle.step.promise-kept" : "raffle.step.promise-open", {
          when: when(keptSince),
        })
      : verdict?.shown.includes("kept-before-beacon") === true
        ? t("raffle.step.promise-given")
        : hasMessage
          ? t("raffle.step.promise-message")
          : t("raffle.step.promise-word", { when: when(closed) }));
  // While the organiser alone has the seed, it can stop: that is not left to who opens the step.
  const says = verdict?.has_seed === false ? `${since} ${t("raffle.seed-secret")}` : since;
  return {
    name: "promise",
    title: "raffle.step.promise",
    state:
      verdict === undefined
        ? "unchecked"
        : verdict.shown.includes("logged") && isBefore(known)
          ? "shown"
          : "missing",
    at: closed,
    says,
    inside: () => [
      verdict === undefined
        ? null
        : el("p", {}, t(verdict.has_seed ? "raffle.seed-out" : "raffle.seed-secret")),
      rows([
        [t("raffle.fact.commitment"), commitment],
        [t("raffle.fact.table"), table],
        [t("raffle.fact.log"), origin],
      ]),
    ],
  };
}

/**
 * Which of the reader's witnesses had seen the closed list.
 * @param {import("../../fairdeal/index.js").RaffleVerdict} verdict
 * @param {number} all how many witnesses the policy has
 * @returns {string | null}
 */
function seenBy({ witnessed }, all) {
  const seen = witnessed?.lock;
  if (seen === undefined) return null;
  const n = seen.witnesses.length;
  return seen.by === undefined
    ? count("raffle.seen-once", all, { n, all })
    : count("raffle.seen", all, { n, all, when: time(1000 * seen.by) });
}

/** @param {Known} known @returns {Step} */
function number({ facts: { beacon, out }, answer, now }) {
  const round = String(beacon.round);
  const signature = answer?.verdict.beacon?.signature;
  const isOut = out !== null && now >= 1000 * out;
  const says =
    out === null
      ? t("raffle.step.number-unknown", { round })
      : t(isOut ? "raffle.step.number-was" : "raffle.step.number-will", {
          round,
          when: when(1000 * out),
        });
  return {
    name: "number",
    title: "raffle.step.number",
    state:
      signature !== undefined
        ? "shown"
        : out !== null && !isOut
          ? "open"
          : answer === null
            ? "unchecked"
            : "missing",
    at: out === null ? null : 1000 * out,
    says,
    inside: () => [
      el(
        "p",
        {},
        t(signature === undefined ? "raffle.step.number-missing" : "raffle.step.number-checked"),
      ),
      rows([
        [t("raffle.fact.signature"), signature],
        [t("raffle.fact.chain"), beacon.chain],
      ]),
    ],
  };
}

/** @param {Known} known @returns {Step} */
function winners({ facts: { out }, answer, now }) {
  const verdict = answer?.verdict;
  const isOut = out !== null && now >= 1000 * out;
  const drawn = verdict?.shown.includes("logged") === true ? verdict.drawn : undefined;
  const isWrong = verdict?.findings.some(({ code }) => code === "result-mismatch") === true;
  const isVoid = verdict?.shown.includes("logged") === true && verdict.void !== undefined;
  if (isVoid && !isWrong)
    return {
      name: "winners",
      title: "raffle.step.winners",
      state: "void",
      at: verdict.void ?? null,
      says: t("raffle.step.winners-void"),
    };
  return {
    name: "winners",
    title: "raffle.step.winners",
    state: isWrong
      ? "wrong"
      : drawn !== undefined
        ? "shown"
        : !isOut && out !== null
          ? "open"
          : answer === null
            ? "unchecked"
            : "missing",
    at: out === null ? null : 1000 * out,
    says:
      drawn !== undefined
        ? t("raffle.step.winners-were")
        : t(isOut ? "raffle.step.winners-missing" : "raffle.step.winners-will"),
    ...(drawn === undefined || isWrong
      ? {}
      : {
          inside: () => [
            el(
              "p",
              {},
              t(
                verdict?.shown.includes("replayed") === true
                  ? "raffle.step.winners-logged"
                  : "raffle.step.winners-unlogged",
              ),
            ),
          ],
        }),
  };
}

const STATES = /** @type {const} */ ({
  shown: "steps.state.shown",
  missing: "steps.state.missing",
  open: "raffle.state.open",
  unchecked: "raffle.state.unchecked",
  wrong: "steps.state.wrong",
  void: "raffle.state.void",
});

/**
 * One step. What is inside is drawn when it is opened.
 * @param {Step} step
 * @returns {HTMLElement}
 */
function drawStep({ name, title, state, at, says, inside }) {
  const drawn = el("div", { class: "inside" });
  const head = [
    el("span", { class: "at" }, at === null ? null : date(at)),
    mark(state),
    el(
      "span",
      { class: "step-text" },
      el("span", { class: "silent" }, `${t(STATES[state])}: `),
      el("strong", {}, t(title)),
      el("span", { class: "step-says" }, says),
    ),
  ];
  const kind = { class: `step ${state}`, "data-step": name };
  if (inside === undefined) return el("div", kind, el("div", { class: "step-head" }, head));
  const draw = () => {
    if (drawn.childElementCount === 0)
      drawn.append(...inside().flatMap((each) => (each === null ? [] : [each])));
  };
  return el("details", { ...kind, toggle: draw }, el("summary", { click: draw }, head), drawn);
}

/** @param {Step["state"]} state */
function mark(state) {
  if (state === "shown") return sign("holds");
  if (state === "wrong") return sign("fails");
  if (state === "missing") return sign("missing");
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 48 48", "aria-hidden": "true" },
    svg("circle", { class: "ring", cx: 24, cy: 24, r: 20 }),
    ...(state === "unchecked" ? [svg("circle", { class: "dot", cx: 24, cy: 24, r: 8 })] : []),
  );
}
