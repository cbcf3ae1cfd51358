// Which of its pictures the cloth of a raffle shows.

import { copyButton } from "../copied.js";
import { chooseButton } from "../drop.js";
import { differs } from "../keys.js";
import { t } from "../strings.js";
import { el, theirs } from "../text.js";
import { winnersText } from "./identity.js";
import { RELAY, hasHost, relayUrl } from "./source.js";
import { headlineOf, otherSays } from "./words.js";

/**
 * @typedef {import("./words.js").Headline} Headline
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 */

/**
 * @typedef {object} Shown
 * @property {RaffleFacts} facts
 * @property {import("../../workers/raffle.js").ListFacts | null} list
 * @property {import("../../workers/raffle.js").RaffleAnswer | null} answer
 * @property {Headline | null} refused
 * @property {import("../inputs.js").GivenKey | null} key
 * @property {number | null} keptSince since when this browser has kept the document
 * @property {boolean} hasMessage whether the reader says that a message from before the draw has the number
 * @property {boolean} isDenied whether the reader says that such a message has another number
 * @property {OtherRaffle | null} other another raffle, whose promise the reader had before
 * @property {string | null} own the reader's line
 * @property {boolean} isLate whether the number was asked for, and nobody had it
 * @property {readonly string[]} relays
 */

/**
 * Another raffle than the one of the page: the reader gave its file, or this browser saw it at the page's
 * address.
 * @typedef {{number: string, title: string | null, out: number | null, void: number | null, isSeen: boolean}}
 *   OtherRaffle `void`: when its organiser says that it was given up before its draw, in milliseconds
 */

/**
 * What the reader says.
 * @typedef {object} Saying
 * @property {(files: Promise<import("../drop.js").GivenFile[]>) => void} take
 * @property {() => void} hadThis that the file of the page is from before the draw
 * @property {(isSame: boolean) => void} hasMessage whether a message from before the draw has the number
 * @property {CompareForm} compare
 */

/** The form for a message from before the draw. It stays the same element, so that what is typed stays. */
export class CompareForm {
  /** @param {(text: string) => void} compare */
  constructor(compare) {
    const placeholder = t("raffle.compare-label");
    const text = el("input", { id: "message", autocomplete: "off", required: true, placeholder });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      compare(text.value);
    };
    this.element = el(
      "form",
      { class: "find-line", submit },
      el("label", {}, el("span", { class: "silent" }, placeholder), text),
      el("button", { class: "first" }, t("raffle.compare-go")),
    );
  }
}

/**
 * Draws the cloth.
 * @param {import("./cloth.js").RaffleCloth} cloth
 * @param {Shown} shown
 * @param {number} now in milliseconds
 * @param {Saying} saying
 * @param {import("./by-hand.js").ByHand} byHand
 * @returns {{stage: "before" | "waiting" | "drawn", verdict: Headline["state"]}}
 */
export function drawStage(cloth, { facts, answer, own, ...shown }, now, saying, byHand) {
  const { out } = facts;
  const verdict = answer?.verdict ?? null;
  const isBefore = out !== null && now < 1000 * out;
  // Anybody can write a document with winners: without the log's signature none are shown.
  const drawn = verdict?.shown.includes("logged") === true ? verdict.drawn : undefined;
  const stage = isBefore ? "before" : drawn === undefined ? "waiting" : "drawn";
  /** @param {Headline} found @param {Node[]} [actions] */
  const say = (found, actions) => {
    cloth.say(found, facts, actions);
    return /** @type {const} */ ({ stage, verdict: found.state });
  };
  const choose = (/** @type {string} */ kind) =>
    chooseButton(t("raffle.start.choose"), kind, saying.take);
  const asked = needed(shown, facts);
  const isList = shown.list?.sha256 === facts.deck.sha256;
  if (asked !== null && !(isBefore && isList && shown.refused === null))
    return say(asked, isList && shown.refused === null ? [] : [choose("first")]);
  if (verdict === null) {
    if (!isBefore) return say({ state: "pending", sentence: t("raffle.v.checking") });
    cloth.wait({ ...facts, out }, "none");
    return { stage, verdict: asked === null ? "pending" : "none" };
  }
  const { hasMessage, isDenied, keptSince, other } = shown;
  const told = headlineOf(verdict, now, { hasMessage, isGiven: keptSince === null });
  const isDrawn = /^(fair|unproved)$/.test(verdict.state ?? "") && !hasMessage;
  const isOther = isDrawn && (isDenied || other !== null);
  const found = isOther ? otherThan(facts, isDenied ? null : other) : told;
  const reason = reasonOf(answer?.voidReason ?? null);
  const { findings, beacon } = verdict;
  const isFine =
    findings.length === 0 && verdict.shown.includes("logged") && verdict.void === undefined;
  if (isBefore && isFine) {
    cloth.wait({ ...facts, out }, "fair");
    return { stage, verdict: found.state };
  }
  if (drawn !== undefined) {
    const names = answer?.names ?? new Map();
    const actions = [
      ...reason,
      ...(found.isUsual === true || isOther ? [comparing(facts, verdict, saying)] : []),
      ...(found.state === "none" ? [] : copyWinners(facts, drawn, names)),
    ];
    cloth.draw(found, facts, drawn, { own, names }, actions);
    return { stage, verdict: found.state };
  }
  const isWaiting = isFine && beacon?.out !== undefined && beacon.signature === undefined;
  if (!isWaiting) return say(found, reason);
  if (!shown.isLate)
    return say({
      state: "pending",
      sentence: t("raffle.v.waiting"),
      detail: t("raffle.v.waiting-says"),
    });
  // The author of the page chose its relays: an address that is a script never becomes a link.
  const relay = shown.relays.find((each) => /^https?:\/\//.test(each)) ?? RELAY;
  byHand.at(relayUrl(relay, facts.beacon));
  return say({ ...found, detail: t("raffle.v.no-number-says") }, [byHand.element]);
}

/**
 * The buttons that copy the winners. Entrants of a hashed list did not want everybody to have their
 * address.
 * @param {RaffleFacts} facts
 * @param {readonly import("../../fairdeal/raffle.js").Winner[]} drawn
 * @param {Map<string, string>} names the addresses of lines
 */
function copyWinners(facts, drawn, names) {
  const all = copyButton(winnersText(facts, drawn, new Map()), { word: t("raffle.copy-winners") });
  if (names.size === 0) return [all];
  const own = copyButton(winnersText(facts, drawn, names), {
    word: t("raffle.copy-winners-named"),
  });
  return [all, own];
}

/**
 * Draws the cloth where there is no raffle yet.
 * @param {import("./cloth.js").RaffleCloth} cloth
 * @param {Headline | null} refused why there is none
 * @param {boolean} isMaking whether the reader can make one here
 * @param {Saying["take"]} take
 */
export function drawStart(cloth, refused, isMaking, take) {
  const lead = {
    state: /** @type {const} */ ("none"),
    sentence: t(isMaking ? "raffle.start.both" : "raffle.start.title"),
    detail: t(isMaking ? "raffle.start.both-lead" : "raffle.start.lead"),
  };
  const make = { class: "button first", id: "make-one", href: "#new" };
  const choose = chooseButton(
    t(isMaking ? "raffle.start.check" : "raffle.start.choose"),
    "first",
    take,
  );
  const actions = isMaking ? [el("a", make, t("raffle.start.make")), choose] : [choose];
  cloth.say(refused ?? lead, null, actions);
}

/**
 * What a reader can say who comes after the draw.
 * @param {RaffleFacts} facts
 * @param {import("../../fairdeal/index.js").RaffleVerdict} verdict
 * @param {Saying} saying
 */
function comparing({ number }, verdict, { hadThis, hasMessage, compare }) {
  // A file that is opened from a folder may be the one that its reader saved before the draw, if it has
  // no deal.
  const isPromise = !hasHost() && verdict.indices === undefined;
  return el(
    "div",
    { class: "comparing" },
    el("p", {}, t("raffle.compare")),
    el("code", {}, number),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        { type: "button", id: "same-number", click: () => hasMessage(true) },
        t("raffle.message-same"),
      ),
      el(
        "button",
        { type: "button", id: "other-number", click: () => hasMessage(false) },
        t("raffle.message-other"),
      ),
    ),
    compare.element,
    ...(isPromise
      ? [
          el(
            "div",
            { class: "row" },
            el("button", { type: "button", id: "had-this", click: hadThis }, t("raffle.had-this")),
          ),
          el("p", { class: "small" }, t("raffle.had-this-says")),
        ]
      : []),
  );
}

/**
 * @param {RaffleFacts} facts
 * @param {OtherRaffle | null} other null if the reader's message has another number
 * @returns {Headline}
 */
function otherThan(facts, other) {
  const state = "unproved";
  if (other === null)
    return { state, sentence: t("raffle.denied"), detail: t("raffle.denied-says") };
  const sentence = t(other.isSeen ? "raffle.other-seen" : "raffle.other-given");
  return { state, sentence, detail: otherSays(facts, other) };
}

/** @param {string | null} reason of a void: the organiser wrote it */
const reasonOf = (reason) =>
  reason === null
    ? []
    : [el("p", { class: "reason" }, t("raffle.v.void-reason"), " ", el("q", {}, theirs(reason)))];

/**
 * What the reader must give before anything is checked.
 * @param {Pick<Shown, "refused" | "list" | "key">} shown
 * @param {RaffleFacts} facts
 * @returns {Headline | null}
 */
function needed({ refused, list, key }, { deck }) {
  if (refused !== null) return refused;
  if (list === null)
    return {
      state: "none",
      sentence: t("raffle.v.no-list"),
      detail: t("raffle.v.no-list-says", { n: deck.count }),
    };
  if (list.sha256 !== deck.sha256)
    return {
      state: "none",
      sentence: t("raffle.v.other-list"),
      detail: t("raffle.v.other-list-says"),
    };
  if (key === null) return { state: "none", sentence: t("raffle.v.no-key") };
  return differs(key.text) ? { state: "none", sentence: t("v.key-differs") } : null;
}

/**
 * Draws a part of the page again. What the reader had opened in it stays open.
 * @param {HTMLElement} place
 * @param {Node[]} nodes
 */
export function drawAgain(place, nodes) {
  const all = () => [...place.querySelectorAll("details")];
  const nameOf = (/** @type {HTMLDetailsElement} */ { firstElementChild }) =>
    firstElementChild?.querySelector("strong, h2")?.textContent;
  const open = new Set(all().flatMap((each) => (each.open ? [nameOf(each)] : [])));
  place.replaceChildren(...nodes);
  for (const each of all()) if (open.has(nameOf(each))) each.open = true;
}
