// The home page while nothing is given: the place for a receipt, and the ways on. What needs the
// log of this host is loaded after the first paint.

import { face } from "./cards.js";
import { chooseButton } from "./drop.js";
import { hostLog } from "./host.js";
import { allWords, parts, t } from "./strings.js";
import { el, svg, theirs } from "./text.js";

/** @typedef {import("./strings.js").Key} Key */

/**
 * Where the parts that need a log are put.
 * @typedef {object} Places
 * @property {HTMLElement} find
 * @property {HTMLElement} latest
 * @property {HTMLElement} key
 * @property {HTMLElement} numbers
 */

/**
 * How a receipt comes.
 * @typedef {object} Ways
 * @property {(files: Promise<import("./drop.js").GivenFile[]>) => void} files
 * @property {(text: string) => void} text
 * @property {() => void} example
 * @property {(name: string, bytes: Uint8Array) => void} receipt that the log gave
 */

/**
 * @param {Ways} ways
 * @returns {HTMLElement}
 */
export function startView({ files, text, example, receipt }) {
  const whose = el("p", { class: "whose-log" });
  const place = () => el("div", { hidden: true });
  /** @type {Places} */
  const places = { find: place(), latest: place(), key: place(), numbers: place() };
  const fan = el("div", { class: "start-fan", "aria-hidden": "true" });
  fan.append(...["Qd", "9h", "As"].map(picture));
  const element = el(
    "section",
    { class: "start" },
    el(
      "div",
      { class: "cloth fair" },
      el(
        "div",
        { class: "receive" },
        whose,
        el("h1", {}, el("span", {}, t("start.title")), " ", el("span", {}, t("start.title-2"))),
        el(
          "div",
          { class: "box" },
          el(
            "div",
            { class: "spot" },
            upload(),
            el(
              "p",
              {},
              el("strong", { class: "drops" }, t("start.drop")),
              el("strong", { class: "pastes" }, t("start.paste")),
              el("span", { class: "soft" }, t("start.receipt")),
            ),
          ),
          el(
            "div",
            { class: "row" },
            chooseButton(t("drop.choose"), "first", files),
            pasteBox(text),
            el("button", { type: "button", id: "example", click: example }, t("drop.example")),
          ),
        ),
        places.find,
      ),
      fan,
      places.latest,
    ),
    places.key,
    places.numbers,
    el("ul", { class: "doors" }, doors()),
  );
  void hostLog().then(async (found) => {
    if (found === null) return whose.remove();
    whose.append(...parts("start.whose", { origin: theirs(found.origin, 100) }));
    document.documentElement.dataset.log = "here";
    const [{ showLog }] = await Promise.all([import("./home.js"), allWords()]);
    showLog(found, places, receipt);
  });
  return element;
}

/** @param {(text: string) => void} use */
function pasteBox(use) {
  const text = el("textarea", { rows: "5", spellcheck: "false" });
  return el(
    "details",
    { class: "paste" },
    el("summary", {}, t("drop.paste")),
    el(
      "form",
      {
        class: "stack",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          use(text.value);
          text.value = "";
        },
      },
      el("label", { class: "field" }, el("span", {}, t("drop.paste-label")), text),
      el("div", {}, el("button", { class: "first" }, t("drop.paste-use"))),
    ),
  );
}

/** The other pages, each with two cards. */
function doors() {
  const play = document.documentElement.dataset.offers === "play";
  const all = [
    play ? ["play", "As", "Kh"] : ["check", "7c", "2d"],
    ["watch", "Qh", "9s"],
    ["explore", "3c", "Jd"],
  ];
  return all.map(([name, ...cards]) =>
    el(
      "li",
      {},
      el("div", { class: "pair", "aria-hidden": "true" }, cards.map(picture)),
      el(
        "p",
        {},
        el("a", { href: `${name}.html` }, `${t(/** @type {Key} */ (`nav.${name}`))} →`),
        el("span", { class: "soft" }, t(/** @type {Key} */ (`start.${name}`))),
      ),
    ),
  );
}

/**
 * A card for decoration.
 * @param {string} card
 */
const picture = (card) => svg("svg", { class: "card", viewBox: "0 0 60 84" }, ...face(card));

function upload() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "line", "aria-hidden": "true" },
    svg("path", { d: "M12 15V4M7.5 8L12 3.5 16.5 8M4 15v5h16v-5" }),
  );
}
