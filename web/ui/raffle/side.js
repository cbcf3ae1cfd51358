// Beside the steps of a raffle: its link, the promise as a file, what is not shown, the key.

import { copyButton } from "../copied.js";
import { chooseButton } from "../drop.js";
import { fold, missingFold, shellLines } from "../folds.js";
import { keyLine } from "../key-card.js";
import { policyForm, policyLine } from "../policy.js";
import { isKey, t } from "../strings.js";
import { bytes, el, quoted, svg } from "../text.js";
import { drawIdentity } from "./identity.js";
import { hasHost } from "./source.js";
import { isWhole } from "./whole.js";
import { otherSays } from "./words.js";

/**
 * @typedef {import("../drop.js").GivenFile} GivenFile
 * @typedef {import("../inputs.js").GivenKey} GivenKey
 * @typedef {import("./steps.js").Known} Known
 */

/**
 * What the reader can do beside a raffle.
 * @typedef {object} Doing
 * @property {() => Promise<string>} save saves the promise as a file, and gives the file's name
 * @property {(files: Promise<GivenFile[]>) => void} take
 * @property {(files: Promise<GivenFile[]>) => void} takeKept takes documents that the reader kept
 * @property {(policy: GivenFile | null) => void} usePolicy
 * @property {(key: string) => void} forget
 * @property {() => void} changed
 */

/**
 * @param {Known} known
 * @param {{link: string | null, key: GivenKey | null, policy: GivenFile | null}} given
 *   `link`: null for a page that has no address for others
 * @param {Doing} doing
 * @returns {Node[]}
 */
export function drawSide(known, { link, key, policy }, doing) {
  const { facts, list, answer, keptSince, other, now } = known;
  const isVoid = answer?.verdict.void !== undefined;
  const isBefore = facts.out !== null && now < 1000 * facts.out;
  const isChanged = answer === null || list === null || list.sha256 !== facts.deck.sha256;
  const when = isVoid ? "void" : isBefore ? "before" : isChanged ? "changed" : "after";
  const isNamed = (answer?.names.size ?? 0) > 0;
  return [
    drawIdentity(facts, when, () => link ?? ""),
    ...(isBefore && other !== null
      ? [el("p", { class: "note small", id: "other-here" }, otherSays(facts, other))]
      : []),
    ...(link === null ? [] : [share(link, isBefore)]),
    ...(isVoid ? [] : isBefore ? [keeping(keptSince !== null, doing)] : had(known, doing)),
    ...(list?.isHashed === true && answer?.verdict.drawn !== undefined && !isNamed
      ? [naming(doing)]
      : []),
    el(
      "div",
      { class: "folds" },
      answer === null ? null : missingFold(missingOf(answer.verdict, facts, isBefore), false),
      fold(
        "more-checks",
        t("raffle.more-checks"),
        null,
        false,
        witnesses(known, { key, policy }, doing),
        key === null
          ? null
          : fold("the-key-fold", t("raffle.key"), null, false, keyLine(key, doing)),
        key === null ? null : shell(key),
      ),
    ),
    ...(isWhole()
      ? [el("p", { class: "small" }, el("a", { href: "#new" }, t("raffle.start.own")))]
      : []),
  ];
}

/** @param {string} link @param {boolean} isBefore */
function share(link, isBefore) {
  return el(
    "section",
    { class: "share" },
    el("h2", {}, t("raffle.share")),
    el(
      "div",
      { class: "share-line" },
      el("input", {
        readonly: true,
        value: link,
        id: "link",
        "aria-label": t("raffle.share-label"),
        focus: (/** @type {Event} */ { target }) =>
          target instanceof HTMLInputElement && target.select(),
      }),
      copyButton(link, { label: t("copy") }),
    ),
    el("p", { class: "soft small" }, t(isBefore ? "raffle.share-before" : "raffle.share-after")),
  );
}

/** @param {boolean} isKept @param {Doing} doing */
function keeping(isKept, { save }) {
  const told = el("p", { role: "status", class: "small", id: "kept-as" });
  const click = async () => {
    told.textContent = t("raffle.keep-saved", { name: await save() });
  };
  return el(
    "section",
    { class: "keep" },
    el("h2", {}, t("raffle.keep")),
    el(
      "p",
      { class: "soft small" },
      t(!isKept ? "raffle.keep-not" : hasHost() ? "raffle.keep-is" : "raffle.keep-open"),
    ),
    el(
      "button",
      { type: "button", id: "save", click },
      svg(
        "svg",
        { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
        svg("path", { d: "M12 4v10M7.5 10.5L12 15l4.5-4.5M5 19h14" }),
      ),
      t(isWhole() ? "raffle.make.save" : "raffle.keep-save"),
    ),
    told,
  );
}

/** For the organiser of hashed lines, who has the file with the links. @param {Doing} doing */
function naming({ take }) {
  return el(
    "section",
    { class: "zone small-zone", id: "naming" },
    el("h2", {}, t("raffle.naming")),
    el("p", { class: "small" }, t("raffle.naming-says")),
    chooseButton(t("raffle.naming-choose"), "", take),
  );
}

/**
 * The place for what the reader saved, where it could show more.
 * @param {Known} known
 * @param {Doing} doing
 */
function had({ answer }, { takeKept }) {
  if (answer === null || answer.verdict.state !== "unproved") return [];
  return [
    el(
      "section",
      { class: "zone small-zone kept-zone", "data-kept": "" },
      el("h2", {}, t("raffle.had")),
      el("p", { class: "small" }, t("raffle.had-lead")),
      chooseButton(t("raffle.had-choose"), "", takeKept),
    ),
  ];
}

/** The log of a raffle that a page made (spec/raffle.md, section 35.5). */
const ALONE = /^raffle\/[0-9a-f]{16}$/;

/** What only witnesses show. */
const OF_WITNESSES = ["witnessed", "locked-before-beacon"];
/** What the draw itself will show. */
const TO_COME = ["drawn", "replayed", "beacon"];

/**
 * @param {import("../../fairdeal/index.js").RaffleVerdict} verdict
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 * @param {boolean} isBefore the draw
 * @returns {import("../folds.js").Missing[]}
 */
function missingOf({ not_shown, policy: believed }, { origin }, isBefore) {
  // The key of a page's log is forgotten: no witness and no draw comes to it later.
  const isAlone = ALONE.test(origin) && believed === undefined;
  const missing = not_shown.filter(
    (token) => !(isBefore && TO_COME.includes(token)) && !(isAlone && OF_WITNESSES.includes(token)),
  );
  // The log of a page ends with the promise, and nobody can do anything about it.
  if (isAlone) missing.sort((a, b) => Number(a === "replayed") - Number(b === "replayed"));
  const all = missing.map((token) => {
    const alone = `raffle-${token}-alone`;
    const own = isAlone && isKey(`how.${alone}`) ? alone : `raffle-${token}`;
    const policy = token === "witnessed" ? "witnessed-policy" : token;
    const is = isKey(`missing.raffle-${token}`);
    const name = is ? `raffle-${token}` : policy;
    const how = `how.${is ? own : policy}`;
    return { token, name, how: isKey(how) ? t(how) : "" };
  });
  // What brings the raffle could also show something else than it checks.
  return isWhole()
    ? [...all, { token: "page", name: "raffle-page", how: t("how.raffle-page") }]
    : all;
}

/**
 * @param {Known} known
 * @param {{key: GivenKey | null, policy: GivenFile | null}} given
 * @param {Doing} doing
 */
function witnesses({ facts, answer }, { key, policy }, { usePolicy, changed }) {
  const theirs = facts.policy;
  const line =
    policy === null || key === null || answer === null || answer.policy === null
      ? null
      : policyLine(answer.policy, { policy, key: key.text, changed });
  return fold(
    "witnesses",
    t("raffle.witnesses"),
    null,
    false,
    line,
    theirs === null || policy !== null
      ? null
      : el(
          "div",
          { class: "stack" },
          el("p", {}, t("raffle.witnesses-theirs")),
          bytes(theirs, t("raffle.witnesses")),
          el(
            "div",
            {},
            el(
              "button",
              {
                type: "button",
                id: "their-policy",
                click: () =>
                  usePolicy({
                    name: t("kind.policy"),
                    bytes: new TextEncoder().encode(theirs),
                    typed: true,
                  }),
              },
              t("raffle.witnesses-use"),
            ),
          ),
        ),
    policyForm(usePolicy),
  );
}

/** @param {GivenKey} key */
function shell({ text }) {
  const key = text.replaceAll("'", "");
  const page = decodeURIComponent(location.pathname.split("/").pop() ?? "");
  const own = quoted(page === "" ? "raffle.html" : page);
  const files = isWhole() ? `${own} --list ${own}` : "raffle.json --list list.txt";
  return shellLines([`fairdeal raffle verify ${files} --key '${key}'`]);
}
