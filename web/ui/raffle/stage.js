// Which of its pictures the cloth of a raffle shows.

import { chooseButton } from "../drop.js";
import { differs } from "../keys.js";
import { t } from "../strings.js";
import { apart } from "../text.js";
import { RELAY, relayUrl } from "./source.js";
import { headlineOf } from "./words.js";

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
 * @property {string | null} own the reader's line
 * @property {boolean} isLate whether the number was asked for, and nobody had it
 * @property {readonly string[]} relays
 */

/**
 * Draws the cloth.
 * @param {import("./cloth.js").RaffleCloth} cloth
 * @param {Shown} shown
 * @param {number} now in milliseconds
 * @param {(files: Promise<import("../drop.js").GivenFile[]>) => void} take
 * @param {import("./by-hand.js").ByHand} byHand
 * @returns {{stage: "before" | "waiting" | "drawn", verdict: Headline["state"]}}
 */
export function drawStage(cloth, { facts, answer, own, ...shown }, now, take, byHand) {
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
  const choose = (/** @type {string} */ kind) => chooseButton(t("raffle.start.choose"), kind, take);
  const asked = needed(shown, facts);
  const isList = shown.list?.sha256 === facts.deck.sha256;
  if (asked !== null && !(isBefore && isList && shown.refused === null))
    return say(asked, isList && shown.refused === null ? [] : [choose("first")]);
  if (verdict === null) {
    if (!isBefore) return say({ state: "pending", sentence: t("raffle.v.checking") });
    cloth.wait({ ...facts, out }, "none");
    return { stage, verdict: asked === null ? "pending" : "none" };
  }
  const told = headlineOf(verdict, now, shown.keptSince === null);
  const reason = answer?.voidReason ?? null;
  const found = reason === null ? told : withReason(told, reason);
  const { findings, beacon } = verdict;
  const isFine =
    findings.length === 0 && verdict.shown.includes("logged") && verdict.void === undefined;
  if (isBefore && isFine) {
    cloth.wait({ ...facts, out }, "fair");
    return { stage, verdict: found.state };
  }
  if (drawn !== undefined) {
    cloth.draw(found, facts, drawn, { own, names: answer?.names ?? new Map() });
    return { stage, verdict: found.state };
  }
  const isWaiting = isFine && beacon?.out !== undefined && beacon.signature === undefined;
  if (!isWaiting) return say(found);
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
 * @param {Headline} told
 * @param {string} reason of a void: the organiser wrote it
 * @returns {Headline}
 */
function withReason(told, reason) {
  const says = t("raffle.v.void-reason", { reason: apart(reason, 256) });
  return { ...told, detail: told.detail === undefined ? says : `${says} ${told.detail}` };
}

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
