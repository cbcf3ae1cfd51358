// The policy of a reader: the witnesses that they believe (spec/witness.md). It is kept with the key
// of its log.

import { chooseButton } from "./drop.js";
import { field } from "./inputs.js";
import { hasOwnStorage } from "./kept.js";
import { keepPolicy, keyOf, originOf } from "./keys.js";
import { clock, count, t, time } from "./strings.js";
import { el, plain } from "./text.js";

/**
 * @typedef {import("./drop.js").GivenFile} GivenFile
 * @typedef {import("../workers/policy.js").PolicyFacts} PolicyFacts
 * @typedef {import("../fairdeal/index.js").Verdict} Verdict
 */

/** So many pairs of witnesses are named. */
const MOST_PAIRS = 3;
const DAY = 86_400_000;

/**
 * The policy that this browser keeps for a log.
 * @param {string | null} key of the log
 * @returns {GivenFile | null}
 */
export function keptPolicy(key) {
  const kept = key === null ? null : keyOf(originOf(key));
  if (kept === null || kept.key !== key || kept.policy === undefined) return null;
  const bytes = Uint8Array.from(kept.policy, (each) => each.charCodeAt(0));
  return { name: t("kind.policy"), bytes, kept: true };
}

/**
 * A form for a policy, closed at first.
 * @param {(policy: GivenFile) => void} use
 * @returns {HTMLElement}
 */
export function policyForm(use) {
  const text = el("textarea", { name: "policy", spellcheck: "false", rows: "4", required: true });
  return el(
    "details",
    { class: "panel policy-form" },
    el("summary", {}, el("h2", {}, t("policy.title"))),
    el(
      "form",
      {
        class: "stack",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const bytes = new TextEncoder().encode(text.value);
          use({ name: t("kind.policy"), bytes, typed: true });
        },
      },
      el("p", { class: "soft" }, t("policy.lead")),
      field(t("policy.label"), text, t("policy.hint")),
      el(
        "div",
        { class: "row" },
        el("button", {}, t("policy.use")),
        chooseButton(t("drop.choose"), "", (files) => void files.then(([first]) => use(first))),
      ),
    ),
  );
}

/**
 * What a policy is worth, and whether it is kept.
 * @param {PolicyFacts} facts
 * @param {{policy: GivenFile, key: string, changed: () => void}} given `changed` is called when the
 *   reader forgot it
 * @returns {HTMLElement}
 */
export function policyLine(facts, { policy, key, changed }) {
  const element = el("div", { class: "policy-line stack small", "data-policy": "" });
  const draw = () => {
    const isKept = policy.kept === true;
    /** @param {string} id @param {import("./strings.js").Key} label @param {boolean} keep */
    const button = (id, label, keep) =>
      el(
        "button",
        {
          type: "button",
          class: "plain",
          id,
          click: () => {
            keepPolicy(key, keep ? String.fromCharCode(...policy.bytes) : null);
            policy.kept = keep;
            draw();
            if (!keep) changed();
          },
        },
        t(label),
      );
    const hasKey = hasOwnStorage && keyOf(originOf(key))?.key === key;
    element.replaceChildren(
      el("p", {}, el("strong", {}, count("policy.is", facts.witnesses)), " ", worth(facts)),
      ...warnings(facts).map((text) => el("p", { class: "note" }, text)),
      el(
        "div",
        { class: "row" },
        isKept ? el("span", { class: "soft" }, t("policy.kept")) : null,
        isKept
          ? button("policy-forget", "policy.forget", false)
          : hasKey && policy.bytes.length <= MOST_KEPT
            ? button("policy-keep", "policy.keep", true)
            : null,
      ),
    );
  };
  draw();
  return element;
}

/** A browser keeps little. */
const MOST_KEPT = 65_536;

/** @param {PolicyFacts} facts */
function worth({ q, v, isNone }) {
  if (isNone) return t("policy.none");
  return `${count("policy.q", q)} ${v === 0 ? t("policy.v.none") : count("policy.v", v)}`;
}

/** @param {PolicyFacts} facts */
function warnings({ v, isNone, twice }) {
  return [
    ...(isNone || v > 1 ? [] : [t("policy.weak")]),
    ...twice.slice(0, MOST_PAIRS).map(([a, b]) => t("policy.twice", { a: plain(a), b: plain(b) })),
  ];
}

/**
 * Which of the reader's witnesses had seen an entry, in a sentence.
 * @param {"lock" | "deal" | "reveal"} kind
 * @param {Verdict} verdict
 * @param {number} all how many witnesses the policy has
 * @returns {string | null} null if it is not covered
 */
export function seenWords(kind, { witnessed, time: dealt }, all) {
  const seen = witnessed?.[kind];
  if (seen === undefined) return null;
  const n = seen.witnesses.length;
  if (seen.by === undefined) return count(`seen.${kind}-once`, all, { n, all });
  const by = 1000 * seen.by;
  const isNear = Math.abs(by - (dealt ?? Infinity)) < DAY / 2;
  return count(`seen.${kind}`, all, { n, all, when: isNear ? clock(by) : time(by) });
}
