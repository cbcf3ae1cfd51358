// The frame of every page: the head with links to the other pages, the main part, and the foot with
// the reader's choices.

import { suitSign } from "./cards.js";
import { keep, kept } from "./kept.js";
import { allWords, language, languageNames, setLanguage, t } from "./strings.js";
import { el, plain } from "./text.js";

/** @typedef {import("./strings.js").Key} Key */

// Only the home page starts with the few texts of its first view, and loads the others later.
if (document.documentElement.dataset.words !== "first") await allWords();

const PAGES = ["verify", "check", "watch", "explore", "play"];

/**
 * Puts the head and the foot around the page's main part.
 * @param {string} name of the page, such as "verify"
 * @param {string} [alone] the foot of a page that was given without the other pages: it has no links
 *   to them
 * @returns {HTMLElement} the main part, empty
 */
export function startPage(name, alone) {
  const root = document.documentElement;
  root.lang = language;
  document.title = t("page.title", { page: t(/** @type {Key} */ (`nav.${name}`)) });
  applyLook();
  const main = document.querySelector("main") ?? el("main");
  main.id = "main";
  main.tabIndex = -1;
  main.replaceChildren();
  document.body.replaceChildren(
    el(
      "a",
      {
        class: "skip",
        href: "#main",
        click: (/** @type {Event} */ event) => {
          event.preventDefault();
          main.focus();
        },
      },
      t("page.skip"),
    ),
    alone === undefined
      ? head(name)
      : el("header", { class: "top" }, el("div", {}, el("span", { class: "brand" }, ...brand()))),
    main,
    foot(alone),
  );
  return main;
}

/** @param {string} current */
function head(current) {
  // Only `fairdeal play` has a table to play at. It marks its pages.
  const offers = document.documentElement.dataset.offers === "play" || current === "play";
  const there = offers ? PAGES : PAGES.filter((name) => name !== "play");
  const links = there.map((name) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `${name}.html`, "aria-current": name === current ? "page" : null },
        t(/** @type {Key} */ (`nav.${name}`)),
      ),
    ),
  );
  const menu = el(
    "button",
    {
      type: "button",
      class: "menu",
      "aria-expanded": "false",
      click: () => open(menu.getAttribute("aria-expanded") !== "true"),
    },
    t("nav.menu"),
  );
  const open = (/** @type {boolean} */ is) => menu.setAttribute("aria-expanded", String(is));
  const nav = el(
    "nav",
    {
      "aria-label": t("nav.label"),
      keydown: (/** @type {KeyboardEvent} */ { key }) => {
        if (key !== "Escape") return;
        open(false);
        menu.focus();
      },
    },
    menu,
    el("ul", {}, links),
  );
  addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Node && nav.contains(target))) open(false);
  });
  const home = el("a", { class: "brand", href: "verify.html" }, ...brand());
  return el("header", { class: "top" }, el("div", {}, home, nav));
}

/**
 * Whose pages these are: the log of this host, as its service says, or else the project.
 */
function brand() {
  const { origin } = document.documentElement.dataset;
  const [host, ...path] = plain(origin ?? "fairdeal").split("/");
  return [
    suitSign("s"),
    el("span", {}, host, " ", path.length === 0 ? null : el("small", {}, `/${path.join("/")}`)),
  ];
}

/** @param {string} [alone] */
function foot(alone) {
  return el(
    "footer",
    { class: "foot" },
    el(
      "div",
      {},
      el("p", {}, alone ?? t("page.offline")),
      el(
        "div",
        { class: "row" },
        choice("language", t("look.language"), languageNames, language, setLanguage),
        look("theme", { auto: t("look.auto"), light: t("look.light"), dark: t("look.dark") }),
        // A page that is alone has no cards.
        alone === undefined ? look("suits", { two: t("look.two"), four: t("look.four") }) : null,
      ),
    ),
  );
}

/**
 * @param {"theme" | "suits"} name
 * @param {Record<string, string>} options the first is the default
 */
function look(name, options) {
  return choice(
    name,
    t(`look.${name}`),
    options,
    kept(name) ?? Object.keys(options)[0],
    (value) => {
      keep(name, value);
      applyLook();
    },
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {Record<string, string>} options
 * @param {string} now
 * @param {(value: string) => void} set
 */
function choice(name, label, options, now, set) {
  const select = el(
    "select",
    { name, change: () => set(select.value) },
    Object.entries(options).map(([value, text]) =>
      el("option", { value, selected: value === now }, text),
    ),
  );
  return el("label", {}, label, select);
}

function applyLook() {
  const { dataset } = document.documentElement;
  dataset.theme = kept("theme") ?? "auto";
  dataset.suits = kept("suits") ?? "two";
}
