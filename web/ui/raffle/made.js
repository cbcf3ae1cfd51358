// A raffle that was just made: its page, and the links of its entrants.

import { entrantLink } from "../../fairdeal/entrant.js";
import { copyButton } from "../copied.js";
import { field } from "../inputs.js";
import { saveFile } from "../save.js";
import { t } from "../strings.js";
import { el, theirs } from "../text.js";

/** So many links are drawn; the file has all. */
const MOST_DRAWN = 200;

/** @typedef {{address: string, salt: string}} Entrant */

/**
 * A raffle of a service, which serves its page.
 * @param {string} page its URL
 * @param {readonly Entrant[]} entrants with a link each
 * @returns {(Node | string)[]}
 */
export function drawServed(page, entrants) {
  return [
    title(t("raffle.make.done")),
    el("p", {}, el("a", { href: page, class: "button first", id: "open" }, t("raffle.make.open"))),
    ...(entrants.length === 0 ? [] : drawLinks(entrants, page)),
  ];
}

/**
 * A raffle whose page is a file, which only this page has until it is saved.
 * @param {string} page
 * @param {readonly Entrant[]} entrants with a link each
 * @returns {(Node | string)[]}
 */
export function drawFile(page, entrants) {
  /** @param {BeforeUnloadEvent} event */
  const warn = (event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  const save = () => {
    saveFile("raffle.html", page);
    removeEventListener("beforeunload", warn);
  };
  const button = { type: "button", class: "first", id: "save-page", click: save };
  return [
    title(t("raffle.make.done-file")),
    el("p", {}, t("raffle.make.gone")),
    el("div", {}, el("button", button, t("raffle.make.save"))),
    el(
      "ol",
      { class: "next" },
      el("li", {}, t("raffle.make.next-publish")),
      entrants.length === 0 ? null : el("li", {}, t("raffle.make.next-links")),
      el("li", {}, t("raffle.make.next-draw")),
    ),
    ...(entrants.length === 0 ? [] : drawAddressed(entrants)),
  ];
}

/**
 * The links to a page whose address only the organiser knows. Without it they are codes, which an
 * entrant pastes into the page.
 * @param {readonly Entrant[]} entrants
 */
function drawAddressed(entrants) {
  const page = el("input", { id: "page", type: "url", placeholder: "https://" });
  const links = el("div", { class: "stack" });
  const draw = () => {
    const url = page.value.trim();
    links.replaceChildren(...drawLinks(entrants, URL.canParse(url) ? url : ""));
  };
  page.addEventListener("input", draw);
  draw();
  return [field(t("raffle.make.page"), page, t("raffle.make.page-hint")), links];
}

/** @param {string} text */
const title = (text) => el("h1", { tabindex: -1 }, text);

/**
 * @param {readonly Entrant[]} entrants
 * @param {string} page
 */
function drawLinks(entrants, page) {
  const links = entrants.map((each) => entrantLink(page, each));
  const text = entrants.map(({ address }, i) => `${address}\t${links[i]}\n`).join("");
  const save = () => saveFile(t("raffle.make.links-file"), text);
  return [
    el("h2", {}, t("raffle.make.links")),
    el("p", {}, t("raffle.make.links-lead")),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", id: "save-links", click: save }, t("raffle.make.links-save")),
      copyButton(text),
    ),
    el(
      "ol",
      { class: "links" },
      entrants
        .slice(0, MOST_DRAWN)
        .map(({ address }, i) =>
          el("li", {}, theirs(address, 256), " ", el("code", {}, links[i]), copyButton(links[i])),
        ),
    ),
    entrants.length > MOST_DRAWN
      ? el("p", { class: "soft" }, t("and-more", { n: entrants.length - MOST_DRAWN }))
      : "",
  ];
}
