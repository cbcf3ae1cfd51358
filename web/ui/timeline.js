// How a round was dealt: the steps in the order of time, each with a sign and a sentence. The bytes
// of a step are inside it.

import { short } from "./cards.js";
import { wrongPlaces } from "./cloth.js";
import { howMany, nth } from "./places.js";
import { accusation, meaningOf } from "./sentence.js";
import { clock, count, number, parts, t, time } from "./strings.js";
import { append, el, plain, theirs } from "./text.js";
import { sign } from "./verdict.js";

/**
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./sentence.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./sentence.js").Compared} Compared
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 * @typedef {import("./strings.js").Key} Key
 */

/**
 * A step. `missing` is for what nothing shows, `unclear` for a finding that accuses nobody.
 * @typedef {object} Step
 * @property {string} name
 * @property {"shown" | "missing" | "unclear" | "wrong"} state
 * @property {string} title
 * @property {string} says
 * @property {unknown} [at] its time
 * @property {() => (Node | null)[]} inside
 * @property {ReceiptFinding[]} findings
 * @property {boolean} [open]
 */

/** What a timeline is drawn from. @typedef {{verdict: Verdict, dossier: Dossier, mine: readonly Kept[], compared: Compared}} Facts */

/** A hostile file has very many findings and entries. So many are drawn at once. */
const MOST_DRAWN = 100;

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly Kept[]} mine what the reader brought
 * @param {Compared} compared
 * @returns {HTMLElement}
 */
export function drawTimeline(verdict, dossier, mine, compared) {
  /** @type {Step[]} */
  const steps =
    dossier === null
      ? []
      : stepsOf({ verdict, dossier, mine, compared }).filter((each) => each !== null);
  const log = logStep(verdict, dossier);
  // A finding belongs to the step of its entry, and all others to the log.
  for (const finding of verdict.findings) {
    const kind = dossier?.entries.find(({ index }) => index === finding.index)?.kind;
    (steps.find(({ name }) => name === kind) ?? log).findings.push(finding);
  }
  return el(
    "ol",
    { class: "timeline" },
    [...steps, log].map((each) => el("li", {}, drawStep(marked(each, verdict, dossier), dossier))),
  );
}

/**
 * @param {Facts} facts
 * @returns {(Step | null)[]}
 */
function stepsOf(facts) {
  const { dossier } = facts;
  const { lock, deal, voided } = dossier;
  return [
    dossier.commit === null ? null : promiseStep(facts),
    lock === null && deal === null ? null : seedsStep(facts),
    deal === null ? null : dealStep(facts),
    voided === null
      ? null
      : simple("void", facts, t("step.void"), t("step.void-says"), voided.time, () => [
          entryOf("void", dossier),
        ]),
    deal === null ? null : revealStep(facts),
  ];
}

/**
 * A step that is shown if the log has it.
 * @param {string} name
 * @param {Facts} facts
 * @param {string} title
 * @param {string} says
 * @param {unknown} at
 * @param {() => (Node | null)[]} inside
 * @param {boolean} [is] whether it is shown, if the log has it
 * @returns {Step}
 */
function simple(name, { verdict }, title, says, at, inside, is = true) {
  // What the log does not have is only what the file says.
  if (!verdict.shown.includes("logged"))
    return { name, state: "missing", title, says: t("step.claimed"), at, inside, findings: [] };
  return { name, state: is ? "shown" : "missing", title, says, at, inside, findings: [] };
}

/** @param {Facts} facts */
function promiseStep(facts) {
  const { commit } = facts.dossier;
  return simple("commit", facts, t("step.commit"), t("step.commit-says"), commit.time, () => [
    el(
      "p",
      {},
      t("step.terms", { n: Number(commit.rounds), when: time(Number(commit.reveal_by)) }),
    ),
    rows([[t("fact.promise"), String(commit.commitment ?? "")]]),
    entryOf("commit", facts.dossier),
  ]);
}

/**
 * Who brought which seed. Only a hash that the reader made, under a lock that the reader kept,
 * shows that a seed is nobody's choice.
 * @param {Facts} facts
 * @returns {Step}
 */
function seedsStep(facts) {
  const { verdict, dossier, mine, compared } = facts;
  const brought = verdict.contributions ?? [];
  const n = brought.length;
  const own = (/** @type {typeof brought[0]} */ { from, seed }) =>
    mine.some((each) => each.from === from && (seed === undefined || each.seed === seed));
  const yours = verdict.shown.includes("yours");
  const isHashed = dossier.lock !== null;
  const isShown = isHashed && yours && verdict.state !== "unproved";
  const [title, says] =
    n === 0
      ? [t("step.nobody"), t("who.nobody")]
      : !isHashed
        ? [t("step.clear"), count(yours ? "step.clear-yours" : "step.clear-says", n)]
        : isShown
          ? [t("step.lock"), count("step.lock-yours", n)]
          : [
              t(yours ? "step.lock" : "step.lock-whose"),
              count(yours ? "step.lock-known" : "step.lock-says", n),
            ];
  const step = simple(
    isHashed ? "lock" : "seeds",
    facts,
    title,
    says,
    dossier.lock?.time,
    () => [
      ...compared.map(({ from, outcome }) =>
        el("p", { "data-outcome": outcome }, parts(`mine.${outcome}`, { from: theirs(from, 64) })),
      ),
      el(
        "ul",
        { class: "who" },
        brought
          .slice(0, MOST_DRAWN)
          .map((each) =>
            el(
              "li",
              { class: own(each) ? "mine" : null },
              el(
                "span",
                { class: "from" },
                theirs(each.from, 64),
                own(each) ? `, ${t("who.mine")}` : null,
              ),
              hex(each.hash ?? each.seed ?? "", 300),
              about(each),
            ),
          ),
        n > MOST_DRAWN ? el("li", {}, t("and-more", { n: n - MOST_DRAWN })) : null,
      ),
      isHashed ? entryOf("lock", dossier) : null,
    ],
    isShown,
  );
  return { ...step, open: verdict.state === "unproved" && n > 0 };
}

/** @param {NonNullable<Verdict["contributions"]>[0]} each */
function about({ hash, seen, key, committed_first: tied }) {
  const words = [
    hash !== undefined ? null : t(tied ? "who.tied" : "who.untied"),
    seen === undefined ? null : t("who.saw", { n: seen.size }),
    key === undefined ? null : t("who.signed", { key: `${key.slice(0, 8)}…` }),
  ].filter((word) => word !== null);
  return words.length === 0 ? null : el("span", { class: "about" }, words.join(" · "));
}

/**
 * @param {Facts} facts
 * @returns {Step}
 */
function dealStep(facts) {
  const { verdict, dossier } = facts;
  const { commit, deal } = dossier;
  const areCards = typeof commit?.deck === "string";
  const draw = Number(commit?.draw ?? 0);
  const what = howMany(draw, areCards);
  const isOpened = verdict.shown.includes("opened");
  const says = isOpened
    ? t("step.opened")
    : t(commit?.sealed === true ? "step.sealed" : "step.deal-says", { what });
  const wrong = wrongPlaces(verdict, dossier);
  const [first] = wrong;
  const cards = dossier.expected?.cards;
  const logged = verdict.cards?.match(/../gs);
  const step = simple(
    "deal",
    facts,
    first === undefined
      ? t("step.deal")
      : t(wrong.length === 1 ? "step.deal-other" : "step.deal-others", {
          n: wrong.length,
          nth: nth(first + 1),
        }),
    first === undefined || cards === undefined || logged == null
      ? says
      : t("step.deal-differs", {
          expected: short(cards[first] ?? ""),
          came: short(logged[first] ?? ""),
        }),
    deal.time,
    () => [
      rows([
        [t("fact.seal"), verdict.seal],
        [t("fact.digest"), verdict.digest],
        [t("fact.result"), verdict.seal === undefined ? verdict.cards : undefined],
        ...(verdict.contributions ?? [])
          .filter(({ hash, seed }) => hash !== undefined && seed !== undefined)
          .slice(0, MOST_DRAWN)
          .map(
            ({ from, seed }) =>
              /** @type {[Node, string | undefined]} */ ([
                el("span", {}, parts("fact.seed-of", { from: theirs(from, 64) })),
                seed,
              ]),
          ),
      ]),
      entryOf("deal", dossier),
    ],
    verdict.shown.includes("replayed") || isOpened,
  );
  return step;
}

/**
 * @param {Facts} facts
 * @returns {Step}
 */
function revealStep(facts) {
  const { verdict, dossier } = facts;
  const { reveal, commit, deal } = dossier;
  if (reveal === null)
    return simple(
      "reveal",
      facts,
      t("step.unrevealed"),
      t("step.unrevealed-says", { when: time(Number(commit?.reveal_by)) }),
      undefined,
      () => [],
      false,
    );
  const replayed = verdict.shown.includes("replayed");
  // A result is compared only with the result of the promised seed.
  const isPromised = verdict.findings.some(({ code }) => code === "result-mismatch");
  const says = replayed
    ? "step.reveal-same"
    : isPromised
      ? "step.reveal-promised"
      : deal.beacon !== undefined
        ? "step.reveal-beacon"
        : "step.reveal-says";
  return simple(
    "reveal",
    facts,
    t("step.reveal"),
    t(says),
    reveal.time,
    () => [
      rows([[t("fact.server-seed"), String(reveal.server_seed ?? "")]]),
      entryOf("reveal", dossier),
    ],
    replayed || isPromised,
  );
}

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {Step}
 */
function logStep(verdict, dossier) {
  const logged = verdict.shown.includes("logged");
  return {
    name: "log",
    state: logged ? "shown" : "missing",
    title: t("step.log"),
    says:
      logged && dossier !== null
        ? t("step.log-says", { n: plain(dossier.size) })
        : t("step.log-not"),
    inside: () =>
      dossier === null
        ? []
        : [
            el("p", {}, t("fact.log"), ": ", theirs(dossier.origin, 200)),
            rows([[t("steps.checkpoint"), dossier.checkpoint]]),
          ],
    findings: [],
  };
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
    state: accuses === undefined ? "unclear" : "wrong",
    ...(isWrongCard ? {} : { says: meaningOf(accuses ?? findings[0], dossier).title }),
    open: true,
  };
}

const SIGNS = { shown: "holds", missing: "missing", unclear: "unreadable", wrong: "fails" };

/**
 * One step. What is inside is drawn when it is opened.
 * @param {Step} step
 * @param {Dossier | null} dossier
 * @returns {HTMLElement}
 */
function drawStep({ name, state, title, says, at, inside, findings, open = false }, dossier) {
  const drawn = el("div", { class: "inside" });
  const draw = () => {
    if (drawn.childElementCount > 0) return;
    append(drawn, [drawFindings(findings, dossier, findings.length === 1), ...inside()]);
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
      ),
    ),
    drawn,
  );
}

/**
 * The findings, the first ones first.
 * @param {readonly ReceiptFinding[]} findings
 * @param {Dossier | null} dossier
 * @param {boolean} [isNamed] whether the text above them has the title of the only one
 * @returns {HTMLElement | null}
 */
export function drawFindings(findings, dossier, isNamed = false) {
  if (findings.length === 0) return null;
  const draw = (/** @type {number} */ from) =>
    findings
      .slice(from, from + MOST_DRAWN)
      .map((finding) => drawFinding(finding, dossier, isNamed));
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
 */
function drawFinding(finding, dossier, isNamed) {
  const { code, index, says, accuses } = finding;
  const { title, means } = meaningOf(finding, dossier);
  return el(
    "li",
    { class: `finding ${accuses === "operator" ? "wrong" : "unclear"}`, "data-token": code },
    el("p", {}, isNamed ? null : el("strong", {}, title), " ", means),
    code === "result-mismatch"
      ? (differences(dossier) ?? el("p", { class: "says" }, plain(says)))
      : el("p", { class: "says" }, plain(says)),
    el("p", { class: "accuses" }, accusation(finding)),
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

/**
 * Bytes by their names, each with a button that copies them.
 * @param {[Node | string, string | undefined][]} all
 * @returns {HTMLElement}
 */
function rows(all) {
  return el(
    "dl",
    { class: "bytes-rows" },
    all.flatMap(([name, value]) =>
      value === undefined || value === ""
        ? []
        : [el("div", {}, el("dt", {}, name), el("dd", {}, hex(value)))],
    ),
  );
}

/**
 * The exact bytes of an entry.
 * @param {string} kind
 * @param {Dossier} dossier
 */
function entryOf(kind, { entries }) {
  const entry = entries.find((each) => each.kind === kind);
  if (entry === undefined) return null;
  return rows([[t("step.entry", { index: number(entry.index) }), entry.bytes]]);
}

/**
 * One line of text from outside. *Copy* takes all of it; if the browser does not copy, all of it is
 * shown.
 * @param {string} text
 * @param {number} [most] characters that are shown
 * @returns {HTMLElement}
 */
function hex(text, most = 4000) {
  const line = theirs(text, most);
  line.classList.add("seed");
  const drawn = el(
    "span",
    { class: "hex-line" },
    line,
    copyButton(text, () => drawn.classList.add("whole")),
  );
  return drawn;
}

/**
 * @param {string} text
 * @param {() => void} [failed] called if the browser does not copy
 * @returns {HTMLElement}
 */
export function copyButton(text, failed = () => undefined) {
  const button = el(
    "button",
    {
      type: "button",
      class: "plain copy",
      click: async () => {
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = t("copied");
        } catch {
          failed();
        }
      },
    },
    t("copy"),
  );
  return button;
}
