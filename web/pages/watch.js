// A shuffle, step by step, and the wrong shuffles.

import { adopt } from "../ui/adopt.js";
import { cardsIn, short } from "../ui/cards.js";
import { chooseButton, pasted, takeDrops } from "../ui/drop.js";
import { byteFrames } from "../ui/frames.js";
import { labSection } from "../ui/lab.js";
import { fromFragment } from "../ui/link.js";
import { startPage } from "../ui/page.js";
import { Player } from "../ui/player.js";
import { seedsForm } from "../ui/seeds.js";
import { t } from "../ui/strings.js";
import { el, plain } from "../ui/text.js";
import { WATCH } from "../ui/watch-style.js";
import { names } from "../ui/rows.js";
import { asker } from "../ui/worker.js";

/** @typedef {import("../fairdeal/index.js").ReplayInput} ReplayInput */
/** @typedef {import("../workers/dossier.js").Dossier} Dossier */

/** The maximum number of pieces that a person can follow. */
const MOST_ITEMS = 416;

adopt(WATCH);
const ask = asker("judge");
const main = startPage("watch");
const player = new Player();
const fault = el("p", { class: "wrong", role: "alert", hidden: true });
const about = el("p", { class: "soft" });
const { form } = seedsForm(({ input, list }) => void load(input, list, t("watch.by-hand")), {
  button: t("watch.go"),
  compare: false,
});

main.append(
  el("div", {}, el("h1", {}, t("watch.title")), about),
  fault,
  player.element,
  el(
    "details",
    { class: "panel" },
    el("summary", {}, el("h2", {}, t("watch.other"))),
    el(
      "div",
      { class: "stack" },
      el("p", { class: "soft" }, t("watch.other-lead")),
      el(
        "div",
        { class: "row" },
        chooseButton(t("watch.receipt"), "", (files) => void open(files)),
        el(
          "button",
          { type: "button", id: "names", click: () => void loadNames() },
          t("watch.names"),
        ),
        el("button", { type: "button", id: "bytes", click: () => showBytes() }, t("watch.bytes")),
        el(
          "button",
          { type: "button", id: "cycle", click: () => void loadNames("cycle") },
          t("watch.cycle"),
        ),
      ),
      form,
    ),
  ),
  labSection(),
);
takeDrops((files) => void open(files));
addEventListener("hashchange", () => void follow());
void follow();

async function follow() {
  const found = await fromFragment(location.hash).catch(() => null);
  await open(
    found === null ? [pasted((await ask({ ask: "example" })).receipt)] : [{ bytes: found.receipt }],
    found === null,
  );
}

/**
 * @param {{bytes: Uint8Array}[] | Promise<{bytes: Uint8Array}[]>} coming a receipt, or a list of
 * names
 * @param {boolean} [isExample]
 */
async function open(coming, isExample = false) {
  const files = await coming;
  /** @type {(Dossier | null)[]} */
  const dossiers = await ask({ ask: "dossier", files });
  const input = dossiers.find((each) => each?.replay)?.replay ?? null;
  const list = files.find((_, i) => dossiers[i] === null)?.bytes;
  if (input === null && list === undefined) return fail(t("watch.no-seeds"));
  if (input === null) return loadNames("shuffle", list);
  const table = dossiers.find((each) => each !== null)?.commit?.table;
  await load(
    input,
    list,
    isExample
      ? t("watch.example")
      : t("watch.of-receipt", { table: plain(String(table ?? "")), round: input.nonce + 1 }),
  );
}

/**
 * @param {"shuffle" | "cycle"} [method]
 * @param {Uint8Array} [list]
 */
async function loadNames(
  method = "shuffle",
  list = new TextEncoder().encode(
    t("watch.some-names")
      .split(" ")
      .map((name) => `${name}\n`)
      .join(""),
  ),
) {
  const seed = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  await load(
    { serverSeed: seed, nonce: 0, contributions: [{ from: "spectator", seed: "watch" }], method },
    list,
    t(method === "cycle" ? "watch.about-cycle" : "watch.about-names"),
  );
}

/**
 * The same rule with bytes instead of words, where refusals are frequent. One of twelve shuffles
 * has no refusal: it is not shown.
 */
function showBytes() {
  const cards = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
  fault.hidden = true;
  about.textContent = t("watch.about-bytes");
  const shuffle = () => byteFrames(52, () => crypto.getRandomValues(new Uint8Array(1))[0]);
  let frames = shuffle();
  while (!frames.some((frame) => frame.refused)) frames = shuffle();
  player.show({ items: cards, cards: true, method: "shuffle" }, frames, short);
  document.documentElement.dataset.deal = player.deal().join("");
  player.element.scrollIntoView({ block: "start" });
}

/**
 * @param {ReplayInput} input
 * @param {Uint8Array | undefined} list
 * @param {string} says
 */
async function load(input, list, says) {
  try {
    const traced = { ...input, sealed: false, trace: true };
    const answer = await ask({ ask: "replay", input: traced, list, most: MOST_ITEMS });
    const { replayed, items, first, count } = answer;
    if (replayed === null) return fail(t("watch.too-many", { n: count, most: MOST_ITEMS }));
    const isCards = replayed.cards !== undefined;
    fault.hidden = true;
    about.textContent = says;
    const method = input.method ?? "shuffle";
    const all = isCards
      ? first
      : names(
          Array.from({ length: count }, (_, i) => i),
          items,
        );
    player.load({ items: all, cards: isCards, method }, replayed, input.draw ?? count, (item) =>
      isCards ? short(item) : plain(item),
    );
    const { dataset } = document.documentElement;
    dataset.deal = player.deal().join(isCards ? "" : "\n");
    dataset.follows = String(isCards ? dataset.deal === cardsIn(replayed.cards).join("") : true);
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
}

/** @param {string} says */
function fail(says) {
  fault.textContent = says;
  fault.hidden = false;
}
