// What the players of a round have given so far, and the place to put their files.

import { chooseButton, pasted } from "../drop.js";
import { field } from "../inputs.js";
import { t } from "../strings.js";
import { el, plain } from "../text.js";
import { NotTaken, readGiven } from "./given.js";
import { drawRefusal } from "./refusal.js";

/** @typedef {import("../../fairdeal/client.js").Given} Given */
/** @typedef {import("./api.js").Standing} Standing */
/** @typedef {import("./api.js").Round} Round */

export class Collect {
  /** In the order of the seats. @type {Map<string, Given>} */
  given = new Map();

  /**
   * @param {Standing} standing
   * @param {number} nonce
   * @param {Round | null} lock the round, once it is locked
   * @param {() => void} changed
   */
  constructor(standing, nonce, lock, changed) {
    this.standing = standing;
    this.nonce = nonce;
    this.lock = lock;
    this.changed = changed;
    this.told = el("div", { class: "told", role: "status" });
    this.element = this.#zone();
  }

  /** The players of the lock who gave a hash. @returns {string[]} */
  get hashed() {
    const players = this.lock?.players ?? [];
    return players.filter(({ hash }) => hash !== undefined).map(({ from }) => from);
  }

  /** Those who have not opened it yet. @returns {string[]} */
  get missing() {
    return this.hashed.filter((from) => !this.given.has(from));
  }

  /** Whether all seeds are here in the clear, so that a deal needs no lock. */
  get isClear() {
    return this.given.size > 0 && [...this.given.values()].every(({ seed }) => seed !== undefined);
  }

  /** @param {{name: string, bytes: Uint8Array}[]} files */
  take(files) {
    /** @type {Node[]} */
    const told = [];
    for (const { name, bytes } of files) {
      try {
        const given = readGiven(bytes, this.standing, this.nonce, this.lock);
        this.given.set(given.from, given);
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error;
        const about = new NotTaken(`${plain(name)}: ${error.message}`);
        told.push(drawRefusal(about));
      }
    }
    this.told.replaceChildren(...told);
    this.changed();
  }

  /** @param {string} name */
  remove(name) {
    this.given.delete(name);
    this.changed();
  }

  /** Gives a player the seat before. @param {string} name */
  earlier(name) {
    const all = [...this.given];
    const i = all.findIndex(([each]) => each === name);
    if (i > 0) all.splice(i - 1, 2, all[i], all[i - 1]);
    this.given = new Map(all);
    this.changed();
  }

  #zone() {
    const stage = this.lock === null ? "lock" : "open";
    const paste = el("textarea", { id: "paste", rows: "3", spellcheck: "false" });
    return el(
      "section",
      { class: "zone", "aria-label": t(`operator.zone.${stage}`) },
      el("p", {}, el("strong", {}, t(`operator.zone.${stage}`))),
      el("p", { class: "small soft" }, t(`operator.zone.${stage}-hint`)),
      el(
        "div",
        { class: "row" },
        chooseButton(t("operator.choose"), "", (files) => void files.then((all) => this.take(all))),
      ),
      el(
        "details",
        {},
        el("summary", {}, t("operator.paste")),
        el(
          "form",
          {
            class: "stack",
            submit: (/** @type {Event} */ event) => {
              event.preventDefault();
              this.take([pasted(paste.value, t("operator.pasted"))]);
              paste.value = "";
            },
          },
          field(t("operator.paste-label"), paste),
          el("div", {}, el("button", { id: "add-pasted" }, t("operator.add"))),
        ),
      ),
      stage === "lock" && this.standing.mixing === "seeds" ? this.#typed() : null,
      this.told,
    );
  }

  /** A seed that a player says at the table. */
  #typed() {
    const from = el("input", {
      id: "typed-from",
      required: true,
      autocomplete: "off",
      maxlength: 64,
    });
    const seed = el("input", {
      id: "typed-seed",
      required: true,
      autocomplete: "off",
      maxlength: 256,
    });
    return el(
      "form",
      {
        class: "typed",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const file = JSON.stringify({ from: from.value, seed: seed.value });
          this.take([pasted(file, from.value)]);
          from.value = seed.value = "";
          from.focus();
        },
      },
      field(t("operator.typed-from"), from),
      field(t("operator.typed-seed"), seed),
      el("button", { id: "add-typed" }, t("operator.add")),
    );
  }

  /**
   * The players on the cloth, with what can be done about each.
   * @returns {{name: string, mark: Node, below: Node[] | undefined}[]}
   */
  seats() {
    const { lock } = this;
    if (lock !== null)
      return (lock.seats ?? lock.players.map(({ from }) => from)).map((name) => ({
        name,
        mark: mark(this.missing.includes(name) ? "waits" : "here"),
        below: undefined,
      }));
    return [...this.given].map(([name, { hash }], i) => ({
      name,
      mark: mark(hash === undefined ? "seed" : "hash"),
      below: [
        i === 0
          ? null
          : this.#button("↑", "operator.earlier", name, `earlier-${i}`, () => this.earlier(name)),
        this.#button("×", "operator.remove", name, `remove-${i}`, () => this.remove(name)),
      ].filter((each) => each !== null),
    }));
  }

  /**
   * @param {string} sign
   * @param {"operator.earlier" | "operator.remove"} key
   * @param {string} name
   * @param {string} id
   * @param {() => void} click
   */
  #button(sign, key, name, id, click) {
    const label = t(key, { name: plain(name) });
    return el(
      "button",
      { type: "button", class: "icon", id, "aria-label": label, title: label, click },
      sign,
    );
  }
}

/** @param {"waits" | "here" | "seed" | "hash"} state */
function mark(state) {
  return el("span", { class: `mark ${state}` }, t(`operator.mark.${state}`));
}
