// Makes a raffle: the form of its organiser, a last look at what cannot be changed, and the promise.
// A service makes it, or, where the page is one file, the page itself.

import { Problem } from "../../fairdeal/problem.js";
import { chooseButton } from "../drop.js";
import { field } from "../inputs.js";
import { keepToken, tokenOfTab } from "../operator/token.js";
import { isText } from "../../fairdeal/contribution.js";
import { count, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { makeRaffle } from "./api.js";
import { drawFile, drawServed } from "./made.js";
import { namesIn } from "./names.js";
import { drawReview } from "./review.js";
import { RELAY } from "./source.js";
import { pageWith } from "./whole.js";

/**
 * @typedef {import("../drop.js").GivenFile} GivenFile
 * @typedef {import("../../workers/raffle.js").MadeList} MadeList
 * @typedef {import("../../fairdeal/index.js").RaffleRules} RaffleRules
 * @typedef {{made: MadeList, names: string, rules: RaffleRules, second: number}} Raffle `names`: as they
 *   were given
 * @typedef {(question: object) => Promise<any>} Ask
 */

const TOKEN = /^fairdeal_[0-9a-f]{64}$/;
const MOST_WINNERS = 1000;
const HOUR = 3_600_000;
const MOST_AHEAD = 335 * 24 * HOUR;
/** The most characters of names that stay in another language. */
const MOST_CARRIED = 2_000_000;
/** The most bytes of a title, and of a prize. */
const LONGEST = 200;

/** Mistakes in the form. */
class Mistakes extends Error {
  /** @param {...string} all */
  constructor(...all) {
    super(all.join(" "));
    this.all = all;
  }
}

/**
 * @param {Ask} ask of the worker
 * @param {((commitment: string) => string) | null} linkTo the page of a raffle at this host's service;
 *   null if the page makes the raffle by itself
 * @returns {{element: HTMLElement, take: (files: readonly GivenFile[]) => void,
 *   fields: () => Record<string, string | boolean> | null, fill: (fields: Record<string, any>) => void}} `take`
 *   takes files with names; `fields` are what the organiser filled in, for another form
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
  const hashed = el("input", { id: "hashed", type: "checkbox", checked: linkTo !== null });
  const plain = el("p", { class: "note small", hidden: hashed.checked }, t("raffle.make.plain"));
  hashed.addEventListener("change", () => {
    plain.hidden = hashed.checked;
  });
  const told = el("div", { class: "told", role: "status" });
  const button = el("button", { class: "first", id: "make" }, t("raffle.make.go"));
  const element = el("section", { class: "panel make" });
  /** What is sent again after an answer that leaves it open whether it was done. */
  const last = { form: "", key: "", made: /** @type {MadeList | null} */ (null) };

  const bearer = () => own ?? token.value.trim();

  const prizesGiven = () =>
    prizes.value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  // Each prize has a winner, until the organiser says how many there are.
  let isCounted = false;
  winners.addEventListener("input", () => {
    isCounted = winners.value !== "";
  });
  prizes.addEventListener("input", () => {
    if (!isCounted) winners.value = String(Math.max(1, prizesGiven().length));
  });

  /** Reads the form. @returns {Promise<Raffle>} */
  const read = async () => {
    const wrong = [];
    if (linkTo !== null && !TOKEN.test(bearer())) wrong.push(t("raffle.make.no-token"));
    const second = Math.floor(new Date(at.value).getTime() / 1000);
    const ahead = 1000 * second - Date.now();
    if (!(ahead > 0)) wrong.push(t("raffle.make.past"));
    if (ahead > MOST_AHEAD) wrong.push(t("raffle.make.far"));
    const w = Number(winners.value);
    const given = prizesGiven();
    if (given.length > w)
      wrong.push(t("raffle.make.many-prizes", { prizes: given.length, winners: w }));
    const title = name.value.trim();
    const texts = title === "" ? given : [title, ...given];
    if (!texts.every((text) => isText(text, LONGEST))) wrong.push(t("raffle.make.long"));
    if (names.value.trim() === "") throw new Mistakes(t("raffle.make.nobody"), ...wrong);
    const all = [names, winners, name, prizes].map(({ value }) => value);
    const form = JSON.stringify([...all, hashed.checked, second]);
    if (last.form !== form || last.made === null) {
      const made = await ask({ ask: "make", names: names.value, isHashed: hashed.checked });
      Object.assign(last, { form, key: newKey(), made });
    }
    const { made } = /** @type {{made: MadeList}} */ (last);
    if (made.different < w) wrong.push(count("raffle.make.few", made.different));
    if (wrong.length > 0) throw new Mistakes(...wrong);
    const rules = {
      winners: w,
      ...(title === "" ? {} : { title }),
      ...(given.length === 0 ? {} : { prizes: given }),
    };
    return { made, names: names.value, rules, second };
  };

  /** @param {Raffle} raffle */
  const promise = async (raffle) => {
    const { rules, second } = raffle;
    const { list } = raffle.made;
    if (!(1000 * second > Date.now())) throw new Mistakes(t("raffle.make.past"));
    if (linkTo === null) {
      const promised = await ask({ ask: "promise", list, rules, second, now: Date.now() });
      const page = pageWith({ ...promised, list }, [RELAY]);
      return drawFile(page, promised.facts, raffle);
    }
    const token = bearer();
    const { commitment } = await makeRaffle(token, { list, rules, at: second }, last.key);
    keepToken(token);
    return drawServed(linkTo(String(commitment)), raffle);
  };

  /** @param {(Node | string)[]} nodes */
  const show = (...nodes) => {
    element.replaceChildren(...nodes);
    element.querySelector("h1")?.focus();
    scrollTo(0, 0);
  };

  const take = (/** @type {readonly GivenFile[]} */ files) => {
    const problem = files.map((file) => file.problem).find((each) => each !== undefined);
    const texts = files.map(({ bytes }) => namesIn(bytes));
    told.replaceChildren();
    if (problem !== undefined || texts.includes(null))
      return told.replaceChildren(drawMistakes(new Mistakes(problem ?? t("raffle.make.no-names"))));
    names.value = texts.join("\n");
  };

  const form = el(
    "form",
    {
      class: "stack",
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void trying([button], told, "raffle.make.reading", async () => {
          const raffle = await read();
          const go = async () => show(...(await promise(raffle)));
          show(
            ...drawReview(raffle, {
              promise: (buttons, says) => void trying(buttons, says, "raffle.make.working", go),
              change: () => show(...edit),
              repeat: async () => {
                names.value = await ask({ ask: "repeat", names: names.value });
                show(...edit);
                form.requestSubmit();
              },
            }),
          );
        });
      },
    },
    field(t("raffle.make.name"), name),
    field(t("raffle.make.names"), names, t("raffle.make.names-hint")),
    el(
      "div",
      {},
      chooseButton(t("raffle.make.file"), "", (files) => void files.then(take)),
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
    own === null && linkTo !== null
      ? field(t("raffle.make.token"), token, t("raffle.make.token-hint"))
      : null,
    el("div", {}, button),
    told,
  );
  // What was wrong may be mended.
  form.addEventListener("input", () => told.replaceChildren());
  const lead = t(linkTo === null ? "raffle.make.lead-file" : "raffle.make.lead");
  const edit = [el("h1", { tabindex: -1 }, t("raffle.make.title")), el("p", {}, lead), form];
  element.append(...edit);
  if (linkTo === null)
    void crypto.subtle?.generateKey({ name: "Ed25519" }, false, ["sign"]).catch(() => {
      told.replaceChildren(drawMistakes(new Mistakes(t("raffle.make.no-key"))));
    });
  const all = [name, names, winners, prizes, at, hashed];
  const valueOf = (/** @type {typeof all[number]} */ field) =>
    field === hashed ? hashed.checked : field.value;
  // A browser does not take megabytes along.
  const fields = () =>
    names.value.length > MOST_CARRIED
      ? null
      : Object.fromEntries(all.map((field) => [field.id, valueOf(field)]));
  const fill = (/** @type {Record<string, any>} */ given) => {
    for (const field of all) field.value = String(given[field.id] ?? "");
    hashed.checked = given[hashed.id] === true;
    plain.hidden = hashed.checked;
    isCounted = true;
  };
  return { element, take, fields, fill };
}

/**
 * Does what a button is for, and tells a mistake.
 * @param {HTMLButtonElement[]} buttons that do nothing meanwhile
 * @param {HTMLElement} told
 * @param {"raffle.make.reading" | "raffle.make.working"} word what the page does meanwhile
 * @param {() => Promise<void>} what
 */
async function trying(buttons, told, word, what) {
  for (const button of buttons) button.disabled = true;
  told.replaceChildren(el("p", {}, t(word)));
  try {
    await what();
    told.replaceChildren();
  } catch (error) {
    told.replaceChildren(drawMistakes(error));
  }
  for (const button of buttons) button.disabled = false;
}

/** @param {unknown} error */
function drawMistakes(error) {
  const problem = error instanceof Problem ? error : null;
  const isOther = problem === null && !(error instanceof Mistakes);
  const says =
    error instanceof Mistakes
      ? error.all
      : [problem?.detail ?? /** @type {Error} */ (error).message];
  return el(
    "div",
    { class: "wrong stack", role: "alert", "data-code": problem?.code ?? "form" },
    problem === null ? null : el("strong", {}, t("raffle.make.refused")),
    isOther ? el("strong", {}, t("raffle.make.cannot")) : null,
    says.map((each) => el("p", {}, theirs(each))),
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
