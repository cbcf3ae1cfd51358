// The audit of the whole log, here in the browser: the same verdict as the command's.

import { classOf } from "../../fairdeal/findings.js";
import { legible } from "../../fairdeal/jcs.js";
import { channel, Stopped } from "../channel.js";
import { same } from "../folds.js";
import { keptPolicy, policyForm, policyLine } from "../policy.js";
import { accusation, isLate, meaning } from "../sentence.js";
import { count, isKey, number, t, time } from "../strings.js";
import { el, plain, quoted, theirs } from "../text.js";
import { drawHeadline } from "../verdict.js";
import { windowed } from "../windowed.js";
import { save } from "./checkpoint.js";
import { placeLink } from "./route.js";
import { ago, lasting } from "./words.js";

/**
 * @typedef {import("../../fairdeal/index.js").AuditVerdict} AuditVerdict
 * @typedef {AuditVerdict["findings"][0]} Finding
 * @typedef {{base: string} | {bytes: Uint8Array}} Where
 * @typedef {import("../drop.js").GivenFile} GivenFile
 */

/**
 * @param {{where: () => Where, address: string, keyPart: HTMLElement, key: () => string | null, since: () => string[]}} options
 * @returns {{element: HTMLElement, ready: () => void, believe: (policy: GivenFile) => void}}
 */
export function auditPanel({ where, address, keyPart, key, since }) {
  const worker = channel("explore");
  const bar = el("progress", { max: 1, value: 0, "aria-label": t("audit.progress") });
  const told = el("p", { class: "count", role: "status" });
  const running = el(
    "div",
    { class: "stack", hidden: true },
    bar,
    told,
    el("div", {}, el("button", { type: "button", click: () => worker.stop() }, t("check.stop"))),
  );
  const result = el("div", { class: "stack", id: "audit-result" });
  const start = el(
    "button",
    { type: "button", class: "first", id: "audit", click: () => void run() },
    t("audit.start"),
  );
  const hint = el("p", { class: "soft small" });
  const policyPart = el("div", { class: "stack" });
  /** @type {GivenFile | null} */
  let policy = null;
  const element = el(
    "section",
    { class: "panel audit", "aria-label": t("audit.title") },
    el("h2", {}, t("audit.title")),
    el("p", {}, t("audit.lead")),
    keyPart,
    policyPart,
    el("div", {}, start),
    hint,
    running,
    result,
  );
  const shell = () => {
    const more = policy === null ? "" : ` --policy ${quoted(policy.name)}`;
    return `fairdeal audit ${quoted(address)} --key ${quoted(key() ?? "LOG.key")} --as-of now${more}`;
  };

  /** Shows the policy that the next audit uses, or a form for one. */
  const drawPolicy = async () => {
    const given = key();
    if (given === null || policy === null) return policyPart.replaceChildren(policyForm(believe));
    const own = policy;
    try {
      const facts = await worker.ask({ ask: "policy", bytes: own.bytes, key: given });
      if (own !== policy) return;
      policyPart.replaceChildren(policyLine(facts, { policy, key: given, changed: forget }));
    } catch (error) {
      if (error instanceof Stopped || own !== policy) return;
      policy = null;
      const says = plain(/** @type {Error} */ (error).message);
      const refused = el("p", { class: "wrong" }, t("policy.refused"), " ", says);
      policyPart.replaceChildren(refused, policyForm(believe));
    }
  };
  const forget = () => {
    policy = null;
    void drawPolicy();
  };
  /** @param {GivenFile} given */
  const believe = (given) => {
    policy = given;
    void drawPolicy();
  };

  const run = async () => {
    const given = key();
    if (given === null) return;
    start.disabled = true;
    running.hidden = false;
    result.replaceChildren();
    element.dataset.state = "running";
    const began = performance.now();
    /** @param {{entries: number, size: number}} progress */
    const tell = ({ entries, size }) => {
      bar.max = Math.max(1, size);
      bar.value = entries;
      told.textContent = t("audit.working", { n: entries, size });
    };
    tell({ entries: 0, size: 1 });
    try {
      /** @type {AuditVerdict} */
      const verdict = await worker.ask(
        { ask: "audit", ...where(), key: given, since: since(), policy: policy?.bytes },
        tell,
      );
      result.replaceChildren(...drawVerdict(verdict, shell(), performance.now() - began));
      element.dataset.state = verdict.holds ? "holds" : "fails";
      element.dataset.verdict = JSON.stringify(verdict);
    } catch (error) {
      element.dataset.state = "unreadable";
      if (!(error instanceof Stopped))
        result.replaceChildren(
          drawHeadline(
            {
              state: "unreadable",
              sentence: t("audit.none"),
              says: /** @type {Error} */ (error).message,
            },
            "h2",
          ),
        );
    } finally {
      worker.stop();
      running.hidden = true;
      start.disabled = false;
      start.textContent = t("audit.again");
    }
  };

  return {
    element,
    ready: () => {
      start.disabled = key() === null;
      hint.textContent = key() === null ? t("audit.needs-key") : "";
      hint.hidden = key() !== null;
      policy ??= keptPolicy(key());
      void drawPolicy();
    },
    believe,
  };
}

/**
 * @param {AuditVerdict} verdict
 * @param {string} shell
 * @param {number} took
 * @returns {Node[]}
 */
function drawVerdict(verdict, shell, took) {
  const { findings, counts } = verdict;
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const told = verdict.holds ? count("audit.holds", verdict.size) : count("audit.fails", all);
  const state = signOf(verdict);
  const accusing = findings.filter(({ accuses }) => accuses === "operator");
  const worst = accusing.find(({ code }) => classOf(code) === "integrity") ?? accusing[0];
  const sentence =
    worst === undefined ? told : t("state.caught", { what: meaning(worst.code, "title") });
  const detail = worst !== undefined ? told : verdict.holds ? undefined : accusation(findings[0]);
  return [
    drawHeadline({ state, isLate: isLate(findings), sentence, detail }, "h2"),
    isByClock(verdict) ? el("p", { class: "note", id: "by-clock" }, t("audit.by-clock")) : "",
    verdict.findings.some(isByWitnesses)
      ? el("p", { class: "note", id: "by-witnesses" }, t("audit.by-witnesses"))
      : "",
    el("p", { class: "soft small" }, t("audit.took", { seconds: (took / 1000).toFixed(1) })),
    ...(findings.length === 0
      ? []
      : [
          drawFindings(findings),
          all > findings.length
            ? el("p", { class: "small" }, t("audit.first", { n: findings.length, all }))
            : "",
        ]),
    drawNumbers(verdict),
    verdict.witnesses === undefined ? "" : drawWitnesses(verdict.witnesses),
    el(
      "div",
      { class: "also" },
      el("h3", {}, t("audit.not-shown")),
      el(
        "ul",
        { class: "bullets" },
        ["witnessed", "no-collusion", "authentic"].map((each) =>
          el("li", {}, t(/** @type {"missing.witnessed"} */ (`missing.${each}`))),
        ),
      ),
    ),
    el(
      "div",
      { class: "row" },
      save(`${legible(JSON.stringify(verdict))}\n`, "audit.json", t("audit.save")),
    ),
    ...same([shell]),
  ].map((each) => (typeof each === "string" ? document.createTextNode(each) : each));
}

/**
 * Whether a finding depends on the clock of this device (spec/audit.md, section 13.4).
 * @param {AuditVerdict} verdict
 */
function isByClock({ findings, as_of: asOf, clock }) {
  return findings.some(
    (finding) =>
      finding.accuses === "operator" &&
      ((finding.code === "time-ahead" && !isByWitnesses(finding)) ||
        (finding.code === "overdue" && asOf === clock)),
  );
}

/**
 * Whether a finding depends on the reader's policy: then its text says so (spec/audit.md, 13.4).
 * @param {Finding} finding
 */
function isByWitnesses({ code, accuses, says }) {
  return (
    accuses === "operator" &&
    (code === "backdated" || (code === "time-ahead" && says.includes("under your policy")))
  );
}

/**
 * What the reader's witnesses show of the log, in words.
 * @param {NonNullable<AuditVerdict["witnesses"]>} witnesses
 * @returns {HTMLElement}
 */
function drawWitnesses({ anchors, proving, size, by, longest, not_covered: left, ...more }) {
  const late = more.reveals_not_in_time;
  const { locks_not_before_beacon: locks, voids_not_before_beacon: voids } = more;
  const seen =
    size === null
      ? [t("audit.w.none")]
      : [
          by === null
            ? t("audit.w.size-once", { n: size })
            : t("audit.w.size", { n: size, when: time(1000 * by) }),
          left === 0 ? t("audit.w.all-covered") : count("audit.w.not-covered", left),
        ];
  const all = [
    ...seen,
    late === 0 ? t("audit.w.in-time") : count("audit.w.late", late),
    ...(locks === 0 ? [] : [count("audit.w.locks", locks)]),
    ...(voids === 0 ? [] : [count("audit.w.voids", voids)]),
    `${count("audit.w.anchors", anchors)} ${t("audit.w.proving", { n: proving })}`,
    ...(longest === null ? [] : [t("audit.w.longest", { long: lasting(1000 * longest) })]),
  ];
  return el(
    "div",
    { class: "also", id: "witnesses" },
    el("h3", {}, t("audit.witnesses")),
    el(
      "ul",
      { class: "bullets" },
      all.map((text) => el("li", {}, text)),
    ),
  );
}

/**
 * @param {AuditVerdict} verdict
 * @returns {"holds" | "caught" | "none"}
 */
function signOf({ holds, findings }) {
  if (holds) return "holds";
  return findings.some(({ accuses }) => accuses === "operator") ? "caught" : "none";
}

/**
 * @param {Finding[]} findings
 * @returns {HTMLElement}
 */
function drawFindings(findings) {
  return windowed({
    label: t("audit.findings"),
    kind: "findings",
    columns: [t("audit.entry"), t("audit.what"), t("audit.about"), t("check.says")],
    count: findings.length,
    get: (from, to) => findings.slice(from, to),
    draw: ({ code, class: about, index, accuses, says }) => [
      index === null ? t("audit.no-entry") : t("audit.at-entry", { n: index }),
      el("span", { title: meaning(code, "title") }, meaning(code, "title")),
      t("audit.of", { about: t(`audit.class.${about}`), whom: t(`audit.whom.${accuses}`) }),
      el("span", { lang: "en", title: plain(says) }, theirs(says, 400)),
    ],
    href: ({ commitment, nonce }) => placeLink(commitment, nonce),
  }).element;
}

/**
 * @param {AuditVerdict} verdict
 * @returns {HTMLElement}
 */
function drawNumbers({
  size,
  root,
  commitments,
  deals,
  voids,
  reveals,
  not_judged: foreign,
  last_time: last,
  as_of: asOf,
  clock,
  overdue_by_clock: overdue,
  unverified,
  reported,
}) {
  /** @type {[string, number | null][]} */
  const numbers = [
    ["size", size],
    ["commitments", commitments],
    ["deals", deals],
    ["voids", voids],
    ["voided-locks", reported.voided_locks],
    ["reveals", reveals],
    ["unrevealed", reported.unrevealed_deals],
    ["never-used", reported.never_used],
    ["ended-early", reported.ended_early],
    ["unanswered", reported.unanswered_locks],
    ["untied", reported.rounds_without_committed_first],
    ["overdue", overdue],
    ["not-judged", foreign],
    ["beacons", unverified.beacons],
    ["beacon-voids", reported.beacon_voids],
    ["weak", Object.keys(reported.weak_seeds).length],
  ];
  const always = 6;
  return el(
    "dl",
    { class: "facts numbers" },
    numbers
      .filter(([, value], i) => value !== null && (i < always || value > 0))
      .map(([name, value]) => {
        const key = `audit.n.${name}`;
        return el(
          "div",
          {},
          el("dt", {}, isKey(key) ? t(key) : name),
          el("dd", {}, number(value ?? 0)),
        );
      }),
    drawSpread(t("audit.per-commitment"), reported.rounds_per_commitment),
    drawSpread(t("audit.per-table"), reported.commitments_per_table),
    asOf === null
      ? null
      : el("div", {}, el("dt", {}, t("audit.n.as-of")), el("dd", {}, time(asOf))),
    last === null || clock === null
      ? null
      : el(
          "div",
          {},
          el("dt", {}, t("audit.last")),
          el("dd", {}, t("audit.behind", { when: time(last), ago: ago(last, clock) })),
        ),
    el(
      "div",
      { class: "wide" },
      el("dt", {}, t("audit.n.root")),
      el("dd", { class: "small" }, root),
    ),
  );
}

/**
 * How many have each number of something: the first few.
 * @param {string} title
 * @param {Record<string, number>} counts
 * @returns {HTMLElement | null}
 */
function drawSpread(title, counts) {
  const all = Object.entries(counts);
  if (all.length === 0) return null;
  const some = all
    .slice(0, 6)
    .map(([of, n]) => t("audit.times", { n, of: Number(of) }))
    .join(", ");
  const text = all.length > 6 ? `${some} …` : some;
  return el("div", {}, el("dt", {}, title), el("dd", {}, text));
}
