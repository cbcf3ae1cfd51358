// A raffle that was just made: its page, and the links of its entrants.

import { entrantLink } from "../../fairdeal/entrant.js";
import { copyButton } from "../copied.js";
import { field } from "../inputs.js";
import { saveFile } from "../save.js";
import { t } from "../strings.js";
import { el, theirs } from "../text.js";
import { drawIdentity } from "./identity.js";
import { drawSummary } from "./review.js";
import { nameOf } from "./whole.js";
import { weekday } from "./words.js";

/** So many links are drawn; the file has all. */
const MOST_DRAWN = 200;

/** @typedef {{address: string, salt: string}} Entrant */

/**
 * A raffle of a service, which serves its page.
 * @param {string} page its URL
 * @param {import("./make.js").Raffle} raffle
 * @returns {(Node | string)[]}
 */
export function drawServed(page, raffle) {
  const { entrants } = raffle.made;
  return [
    title(t("raffle.make.done")),
    el("p", {}, el("a", { href: page, class: "button first", id: "open" }, t("raffle.make.open"))),
    ...(entrants.length === 0 ? [] : drawLinks(raffle, page, null)),
  ];
}

/**
 * A raffle whose page is a file, which only this page has until it is saved.
 * @param {string} content of the page
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 * @param {import("./make.js").Raffle} raffle
 * @returns {(Node | string)[]}
 */
export function drawFile(content, facts, raffle) {
  const { entrants } = raffle.made;
  const isHashed = entrants.length > 0;
  const unsaved = new Set(isHashed ? ["page", "links"] : ["page"]);
  /** @param {BeforeUnloadEvent} event */
  const warn = (event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  const saved = (/** @type {"page" | "links"} */ what) => {
    if (unsaved.delete(what) && unsaved.size === 0) removeEventListener("beforeunload", warn);
  };
  const told = el("p", { role: "status", id: "saved" });
  const heading = title(t("raffle.make.done-file"));
  const only = el("p", {}, t("raffle.make.unsaved"));
  const save = () => {
    const name = nameOf(facts);
    saveFile(name, content);
    saved("page");
    heading.textContent = t("raffle.make.saved-title");
    only.remove();
    told.textContent = t("raffle.make.saved", { name });
  };
  // Only the organiser knows the address. Without it the links are codes, which an entrant pastes into
  // the page.
  const page = el("input", { id: "page", type: "url", placeholder: "https://" });
  const address = () => {
    const url = page.value.trim();
    const whole = /^[a-z]+:/i.test(url) ? url : `https://${url}`;
    return url !== "" && /^https?:/i.test(whole) && URL.canParse(whole) ? whole : "";
  };
  const links = el("div", { class: "stack" });
  const draw = () =>
    links.replaceChildren(...drawLinks(raffle, address(), facts, () => saved("links")));
  if (isHashed) {
    // At each key, and not when the field loses the focus: a press of a button makes it lose the focus, and
    // this draws the button again, so the press would do nothing.
    page.addEventListener("input", draw);
    draw();
  }
  const button = { type: "button", class: "first", id: "save-page", click: save };
  return [
    heading,
    only,
    el("p", {}, t("raffle.make.gone")),
    drawSummary(raffle),
    el("div", {}, el("button", button, t("raffle.make.save"))),
    told,
    field(t("raffle.make.page"), page, t(`raffle.make.page-hint${isHashed ? "" : "-plain"}`)),
    drawIdentity(facts, "before", address),
    el(
      "ol",
      { class: "next" },
      el("li", {}, t("raffle.make.next-publish")),
      el("li", {}, t("raffle.make.next-announce")),
      isHashed ? el("li", {}, t("raffle.make.next-links")) : null,
      el("li", {}, t("raffle.make.next-draw")),
    ),
    ...(isHashed ? [links] : []),
  ];
}

/** @param {string} text */
const title = (text) => el("h1", { tabindex: -1 }, text);

/**
 * @param {import("./make.js").Raffle} raffle
 * @param {string} page
 * @param {import("../../workers/raffle.js").RaffleFacts | null} facts null if the page is a service's, which
 *   tells the number
 * @param {() => void} [saved]
 */
function drawLinks({ made: { entrants }, rules, second }, page, facts, saved = () => undefined) {
  const first = entrants.slice(0, MOST_DRAWN);
  const rest = entrants.length - first.length;
  const mail = t(page === "" ? "raffle.make.mail-code" : "raffle.make.mail-link", {
    title: rules.title ?? t("raffle.untitled"),
    when: weekday(1000 * second),
    file: facts === null ? "" : nameOf(facts),
  });
  const number = facts === null ? "" : ` ${t("raffle.make.mail-number", { number: facts.number })}`;
  const message = mail + number;
  const told = el("p", { role: "status", class: "small" });
  const textOf = (/** @type {readonly Entrant[]} */ all) =>
    all.map((each) => `${each.address}\t${entrantLink(page, each)}\n`).join("");
  const save = () => {
    const name = t("raffle.make.links-file");
    saveFile(name, textOf(entrants));
    saved();
    told.textContent = t("raffle.make.saved-links", { name });
  };
  return [
    el("h2", {}, t("raffle.make.links")),
    el("p", {}, t("raffle.make.links-lead")),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", id: "save-links", click: save }, t("raffle.make.links-save")),
      rest === 0 ? copyButton(textOf(first)) : null,
      copyButton(message, { word: t("raffle.make.mail") }),
    ),
    told,
    el("p", { class: "soft small" }, t("raffle.make.links-hint")),
    el("p", { class: "soft small" }, t("raffle.make.mail-hint")),
    el(
      "ol",
      { class: "links" },
      first.map((each) => {
        const link = entrantLink(page, each);
        return el("li", {}, theirs(each.address, 256), " ", el("code", {}, link), copyButton(link));
      }),
    ),
    rest > 0 ? el("p", { class: "soft" }, t("and-more", { n: rest })) : "",
  ];
}
