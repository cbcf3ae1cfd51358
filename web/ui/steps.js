// The steps of a round in the order of time: what each shows, and what is inside it.

import { short } from "./cards.js";
import { wrongPlaces } from "./scene.js";
import { hex, rows } from "./copied.js";
import { howMany, nth } from "./places.js";
import { seenWords } from "./policy.js";
import { isDue, voidWords } from "./sentence.js";
import { count, number, parts, t, time } from "./strings.js";
import { el, plain, theirs } from "./text.js";

/**
 * @typedef {import("./sentence.js").Verdict} Verdict
 * @typedef {import("./sentence.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./sentence.js").Compared} Compared
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 */

/**
 * A step. `missing` is for what nothing shows, `unclear` for a finding that accuses nobody.
 * @typedef {object} Step
 * @property {string} name
 * @property {"shown" | "missing" | "unclear" | "wrong"} state
 * @property {string} title
 * @property {string} says
 * @property {string} [seen] which witnesses had seen it
 * @property {unknown} [at] its time
 * @property {() => (Node | null)[]} inside
 * @property {ReceiptFinding[]} findings
 * @property {boolean} [open]
 */

/** What a timeline is drawn from. @typedef {{verdict: Verdict, dossier: Dossier, mine: readonly Kept[], compared: Compared, witnesses: number}} Facts */

/** A hostile file has very many contributions. So many are drawn. */
const MOST_DRAWN = 100;

/**
 * @param {Facts} facts
 * @returns {Step[]}
 */
export function stepsOf(facts) {
  const { dossier } = facts;
  const { lock, deal, voided } = dossier;
  return [
    dossier.commit === null ? null : promiseStep(facts),
    lock === null && deal === null ? null : seedsStep(facts),
    deal === null ? null : dealStep(facts),
    voided === null
      ? null
      : simple("void", facts, t("step.void"), voidWords(voided), voided.time, () => [
          entryOf("void", dossier),
        ]),
    deal === null ? null : revealStep(facts),
  ]
    .filter((each) => each !== null)
    .map((step) => seenStep(step, facts));
}

/**
 * A step with what the reader's witnesses show of it.
 * @param {Step} step
 * @param {Facts} facts
 * @returns {Step}
 */
function seenStep(step, { verdict, witnesses }) {
  const { name } = step;
  const seen =
    name === "lock" || name === "deal" || name === "reveal"
      ? seenWords(name, verdict, witnesses)
      : null;
  if (seen === null) return step;
  const { shown, before_beacon: before } = verdict;
  const more = [
    ...(name === "deal" && shown.includes("timed") ? [t("seen.timed")] : []),
    ...(name === "lock" && before !== undefined ? [t("seen.before-beacon", { n: before })] : []),
  ];
  return { ...step, seen: [seen, ...more].join(" ") };
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
      count("step.terms", Number(commit.rounds), { when: time(Number(commit.reveal_by)) }),
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
  const isShown =
    isHashed &&
    yours &&
    verdict.state !== "unproved" &&
    !verdict.not_shown.includes("no-collusion");
  const [title, says] =
    n === 0
      ? [
          t("step.nobody"),
          t(dossier.commit?.mixing === "hashes" ? "who.nobody-hashed" : "who.nobody"),
        ]
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
    : commit?.sealed !== true
      ? t("step.deal-says", { what })
      : t(dossier.reveal === null ? "step.sealed" : "step.was-sealed", { what });
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
      t(isDue(facts.dossier) ? "step.unrevealed-due" : "step.unrevealed-says", {
        when: time(Number(commit?.reveal_by)),
      }),
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
      : deal.beacon !== undefined && verdict.not_shown.includes("beacon")
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
export function logStep(verdict, dossier) {
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
 * The exact bytes of an entry.
 * @param {string} kind
 * @param {Dossier} dossier
 */
function entryOf(kind, { entries }) {
  const entry = entries.find((each) => each.kind === kind);
  if (entry === undefined) return null;
  return rows([[t("step.entry", { index: number(entry.index) }), entry.bytes]]);
}
