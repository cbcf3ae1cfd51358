// Makes a raffle: the form of its organiser, and the links of its entrants.

import { entrantLink } from "../../fairdeal/entrant.js";
import { Problem } from "../../fairdeal/problem.js";
import { copyButton } from "../copied.js";
import { chooseButton } from "../drop.js";
import { field } from "../inputs.js";
import { keepToken, tokenOfTab } from "../operator/token.js";
import { saveFile } from "../save.js";
import { count, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { makeRaffle } from "./api.js";

/**
 * @typedef {{list: string, entrants: {address: string, salt: string}[]}} Made
 * @typedef {(question: object) => Promise<any>} Ask
 */

const TOKEN = /^fairdeal_[0-9a-f]{64}$/;
const MOST_WINNERS = 1000;
const HOUR = 3_600_000;
/** So many links are drawn; the file has all. */
const MOST_DRAWN = 200;

/** A mistake in the form. */
class Mistake extends Error {}

/**
 * @param {Ask} ask of the worker
 * @param {(commitment: string) => string} linkTo the page of a raffle
 * @returns {HTMLElement}
 */
export function makeForm(ask, linkTo) {
  const own = tokenOfTab();
  const token = el("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
  });
  const name = el("input", { id: "name", maxlength: 200, autocomplete: "off" });
  const names = el("textarea", { id: "names", rows: 8, spellcheck: "false", required: true });
  const winners = el("input", {
    id: "winners",
    type: "number",
    inputmode: "numeric",
    min: 1,
    max: MOST_WINNERS,
    value: 1,
    required: true,
  });
  const prizes = el("textarea", { id: "prizes", rows: 3 });
  const at = el("input", { id: "at", type: "datetime-local", required: true, step: 60 });
  at.value = localHour(Date.now() + 24 * HOUR);
  const hashed = el("input", { id: "hashed", type: "checkbox", checked: true });
  const plain = el("p", { class: "note small", hidden: true }, t("raffle.make.plain"));
  hashed.addEventListener("change", () => {
    plain.hidden = hashed.checked;
  });
  const told = el("div", { class: "told", role: "status" });
  const button = el("button", { class: "first", id: "make" }, t("raffle.make.go"));
  const element = el("section", { class: "panel make" });
  /** What is sent again after an answer that leaves it open whether it was done. */
  const last = { form: "", key: "", made: /** @type {Made | null} */ (null) };

  const send = async () => {
    const bearer = own ?? token.value.trim();
    if (!TOKEN.test(bearer)) throw new Mistake(t("raffle.make.no-token"));
    const second = Math.floor(new Date(at.value).getTime() / 1000);
    if (!(1000 * second > Date.now())) throw new Mistake(t("raffle.make.past"));
    const form = JSON.stringify([
      names.value,
      hashed.checked,
      winners.value,
      second,
      name.value,
      prizes.value,
    ]);
    if (last.form !== form || last.made === null) {
      const made = await ask({ ask: "make", names: names.value, isHashed: hashed.checked });
      Object.assign(last, { form, key: newKey(), made });
    }
    const { made, key } = /** @type {{made: Made, key: string}} */ (last);
    const n = new Set(made.list.split("\n")).size - 1;
    const w = Number(winners.value);
    if (n < w) throw new Mistake(count("raffle.make.few", n));
    const all = prizes.value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (all.length > w) throw new Mistake(t("raffle.make.many-prizes"));
    const rules = {
      winners: w,
      ...(name.value.trim() === "" ? {} : { title: name.value.trim() }),
      ...(all.length === 0 ? {} : { prizes: all }),
    };
    const { commitment } = await makeRaffle(bearer, { list: made.list, rules, at: second }, key);
    keepToken(bearer);
    const links = made.entrants;
    Object.assign(last, { form: "", key: "", made: null });
    element.replaceChildren(...drawDone(linkTo(String(commitment)), links));
    element.querySelector("h1")?.focus();
  };

  const form = el(
    "form",
    {
      class: "stack",
      submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        button.disabled = true;
        told.replaceChildren(el("p", {}, t("raffle.make.working")));
        try {
          await send();
        } catch (error) {
          told.replaceChildren(drawMistake(error));
        }
        button.disabled = false;
      },
    },
    field(t("raffle.make.name"), name),
    field(t("raffle.make.names"), names, t("raffle.make.names-hint")),
    el(
      "div",
      {},
      chooseButton(t("raffle.make.file"), "", (files) => {
        void files.then(([{ bytes }]) => {
          names.value = new TextDecoder().decode(bytes);
        });
      }),
    ),
    el("label", { class: "check" }, hashed, t("raffle.make.hashed")),
    plain,
    el(
      "div",
      { class: "fields" },
      field(t("raffle.make.winners"), winners),
      field(t("raffle.make.at"), at, t("raffle.make.at-hint")),
    ),
    field(t("raffle.make.prizes"), prizes, t("raffle.make.prizes-hint")),
    own === null ? field(t("raffle.make.token"), token, t("raffle.make.token-hint")) : null,
    el("p", { class: "soft small" }, t("raffle.make.final")),
    el("div", {}, button),
    told,
  );
  element.append(el("h1", {}, t("raffle.make.title")), el("p", {}, t("raffle.make.lead")), form);
  return element;
}

/**
 * @param {string} page
 * @param {readonly {address: string, salt: string}[]} entrants
 */
function drawDone(page, entrants) {
  const done = [
    el("h1", { tabindex: -1 }, t("raffle.make.done")),
    el("p", {}, el("a", { href: page, class: "button first", id: "open" }, t("raffle.make.open"))),
  ];
  if (entrants.length === 0) return done;
  const links = entrants.map((each) => entrantLink(page, each));
  const text = entrants.map(({ address }, i) => `${address}\t${links[i]}\n`).join("");
  return [
    ...done,
    el("h2", {}, t("raffle.make.links")),
    el("p", {}, t("raffle.make.links-lead")),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          id: "save-links",
          click: () => saveFile(t("raffle.make.links-file"), text),
        },
        t("raffle.make.links-save"),
      ),
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

/** @param {unknown} error */
function drawMistake(error) {
  const problem = error instanceof Problem ? error : null;
  const says = problem?.detail ?? /** @type {Error} */ (error).message;
  return el(
    "div",
    { class: "wrong stack", role: "alert", "data-code": problem?.code ?? "form" },
    problem === null ? null : el("strong", {}, t("raffle.make.refused")),
    el("p", {}, theirs(says)),
    problem?.passing === true ? el("p", {}, t("raffle.make.again")) : null,
  );
}

/** `randomUUID` is missing without TLS. */
function newKey() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return `raffle ${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** A full hour as a field takes it, in the reader's zone. @param {number} time */
function localHour(time) {
  const zone = new Date(time).getTimezoneOffset() * 60_000;
  return `${new Date(time - zone).toISOString().slice(0, 13)}:00`;
}
