// Typed seeds: the deal that they give, and whether it is the deal that the reader saw.

import { cardsIn } from "./cards.js";
import { seedsForm } from "./seeds.js";
import { missingFold, shellLines } from "./folds.js";
import { t } from "./strings.js";
import { el, plain, quoted, section } from "./text.js";
import { drawCompared, longRow, names } from "./rows.js";

/**
 * @typedef {import("./sentence.js").Headline} Headline
 * @typedef {import("./seeds.js").Seeds} Seeds
 * @typedef {import("./cards.js").Dealt} Dealt
 * @typedef {{replayed: import("../fairdeal/index.js").Replayed, items: string[] | null}} Answer
 */

/**
 * @param {(question: object) => Promise<any>} ask
 * @param {(found: Headline, drawn: Node | null) => void} show
 * @returns {HTMLElement}
 */
export function handForm(ask, show) {
  const go = async (/** @type {Seeds} */ seeds) => {
    try {
      /** @type {Answer} */
      const answer = await ask({ ask: "replay", input: seeds.input, list: seeds.list });
      show(headline(answer, seeds), drawReplayed(answer, seeds));
    } catch (error) {
      show(
        {
          state: "unreadable",
          sentence: t("v.refused"),
          says: /** @type {Error} */ (error).message,
        },
        null,
      );
    }
    document.getElementById("headline")?.scrollIntoView({ block: "center" });
  };
  return el(
    "div",
    { class: "stack" },
    el("p", { class: "soft" }, t("hand.lead")),
    seedsForm(go, { button: t("hand.go"), compare: true }).form,
  );
}

/**
 * The seen cards and the cards of the seeds, as many as were seen.
 * @param {Answer} answer
 * @param {Seeds} seeds
 * @returns {{dealt: Dealt, seen: Dealt | null, same: boolean}}
 */
function compare({ replayed, items }, { expect, input: { method } }) {
  const { cards, indices } = replayed;
  /** @type {Dealt} */
  const dealt =
    cards === undefined
      ? { items: names(indices ?? [], items, method === "cycle") }
      : { cards: cardsIn(cards) };
  if (expect === "") return { dealt, seen: null, same: true };
  const ours = "cards" in dealt ? dealt.cards : dealt.items;
  const seen = "cards" in dealt ? cardsIn(expect) : expect.split(/\s*[,;]\s*/);
  const same = seen.every((each, i) => each === ours[i]);
  return { dealt, seen: "cards" in dealt ? { cards: seen } : { items: seen }, same };
}

/**
 * @param {Answer} answer
 * @param {Seeds} seeds
 * @returns {Headline}
 */
function headline(answer, seeds) {
  const { seen, same } = compare(answer, seeds);
  if (seeds.promise !== "" && seeds.promise !== answer.replayed.commitment) {
    const says = `${t("card.expected")} ${answer.replayed.commitment} · ${t("hand.promise")}: ${plain(seeds.promise)}`;
    return { state: "fails", sentence: t("v.hand-broken"), says };
  }
  if (!same) return { state: "fails", sentence: t("v.hand-wrong") };
  if (seen !== null) return { state: "holds", sentence: t("v.hand-right") };
  if (seeds.promise !== "") return { state: "holds", sentence: t("v.hand-promise") };
  return {
    state: "holds",
    sentence: t(answer.replayed.cards === undefined ? "v.hand-items" : "v.hand"),
  };
}

/**
 * @param {Answer} answer
 * @param {Seeds} seeds
 * @returns {HTMLElement}
 */
function drawReplayed(answer, seeds) {
  const { dealt, seen, same: right } = compare(answer, seeds);
  const title = t("cards" in dealt ? "card.title" : "card.title-items");
  const all = "cards" in dealt ? dealt.cards : dealt.items;
  const seenLength = seen === null ? 0 : "cards" in seen ? seen.cards.length : seen.items.length;
  /** @type {Dealt} */
  const asFar =
    "cards" in dealt ? { cards: all.slice(0, seenLength) } : { items: all.slice(0, seenLength) };
  const missing = [
    ...(seeds.promise === "" ? [how("promise")] : []),
    how("logged"),
    how("authentic"),
    how("no-collusion"),
    how("complete"),
  ];
  return el(
    "div",
    { class: "stack" },
    section(
      title,
      seen === null || right
        ? longRow(dealt, { label: title })
        : drawCompared(asFar, seen, t("card.saw")),
    ),
    el("div", { class: "folds" }, missingFold(missing, true), shellLines([shellLine(seeds)])),
  );
}

/** @param {"promise" | "logged" | "authentic" | "no-collusion" | "complete"} token */
function how(token) {
  return { token, how: t(`how.${token}`) };
}

/**
 * @param {Seeds} seeds
 * @returns {string}
 */
function shellLine({ input, list: isList, promise }) {
  const players = (input.contributions ?? []).map(
    ({ from, seed }) => `--client ${quoted(`${from}=${seed}`)}`,
  );
  return [
    "fairdeal replay --server-seed",
    quoted(String(input.serverSeed)),
    ...players,
    `--nonce ${input.nonce}`,
    isList === undefined
      ? input.deck === "standard-52"
        ? ""
        : `--deck ${input.deck}`
      : "--list LIST.txt",
    input.draw === undefined ? "" : `--draw ${input.draw}`,
    input.method === "cycle" ? "--method cycle" : "",
    promise === "" ? "" : `--commitment ${quoted(promise)}`,
    "--trace",
  ]
    .filter((word) => word !== "")
    .join(" ");
}
