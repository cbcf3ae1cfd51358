// The parts around the table: the editable seed, the drawer of cheats, the rules, and the
// explanation of a cheat.

import { same } from "./folds.js";
import { isKey, t } from "./strings.js";
import { el, quoted } from "./text.js";

/** @typedef {import("./strings.js").Key} Key */

/** The player's own seed, if they want one: the kit makes a better one. */
export function seedField() {
  const input = el("input", {
    name: "seed",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 256,
    placeholder: t("play.seed-random"),
  });
  const element = el(
    "div",
    { class: "seed-row" },
    el(
      "label",
      { class: "field" },
      el("span", {}, t("play.seed")),
      input,
      el("span", { class: "hint" }, t("play.seed-hint")),
    ),
  );
  const take = () => (input.value.trim() === "" ? undefined : input.value.trim());
  return {
    element,
    renew: () => {
      input.value = "";
    },
    take,
  };
}

/**
 * The drawer: a switch for each cheat, and one for an honest deal.
 * @param {(cheat: string | undefined) => void} tell
 */
export function cheatDrawer(tell) {
  const list = el("fieldset", { class: "cheats" });
  const title = el("span", {}, t("play.drawer"));
  const element = el(
    "details",
    { class: "panel", id: "drawer", open: matchMedia("(min-width: 900px)").matches },
    el("summary", {}, el("h2", {}, title)),
    el("p", { class: "soft" }, t("play.drawer-lead")),
    list,
  );
  /** @type {string | undefined} */
  let chosen;
  /** @param {string} cheat */
  const option = (cheat) => {
    const value = cheat === "" ? "honest" : cheat;
    return el(
      "label",
      { class: "cheat" },
      el("input", {
        type: "radio",
        name: "cheat",
        value,
        checked: cheat === "",
        change: () => {
          chosen = cheat === "" ? undefined : cheat;
          title.textContent =
            chosen === undefined
              ? t("play.drawer")
              : `${t("play.drawer")}: ${t(/** @type {Key} */ (`play.cheat.${chosen}`))}`;
          tell(chosen);
        },
      }),
      el(
        "span",
        {},
        el("strong", {}, t(/** @type {Key} */ (`play.cheat.${value}`))),
        el("small", {}, t(/** @type {Key} */ (`play.cheat.${value}.how`))),
      ),
    );
  };
  return {
    element,
    /** @param {string[]} cheats the cheats that the dealer can do */
    offer: (cheats) =>
      list.replaceChildren(
        el("legend", { class: "silent" }, t("play.drawer")),
        ...["", ...cheats.filter((cheat) => isKey(`play.cheat.${cheat}`))].map(option),
      ),
    cheat: () => chosen,
  };
}

/**
 * @param {string} text
 * @param {string} digest of the text
 * @param {boolean} same whether the dealer promised this text
 * @param {string} key
 * @param {string} from the source of the key
 */
export function rulesPanel(text, digest, same, key, from) {
  return el(
    "details",
    { class: "panel", id: "rules" },
    el("summary", {}, el("h2", {}, t("play.rules"))),
    el("p", { class: "rules" }, text.trim()),
    el("p", { class: same ? "small" : "wrong" }, t(same ? "play.rules-bound" : "play.rules-other")),
    el("p", { class: "bytes", tabindex: "0", role: "region", "aria-label": "SHA-256" }, digest),
    el("h3", {}, t("play.key")),
    el("p", { class: "small" }, t("play.key-says", { from })),
    el("p", { class: "bytes", tabindex: "0", role: "region", "aria-label": t("play.key") }, key),
  );
}

/**
 * The explanation of a cheat, and the evidence file.
 * @param {object} facts
 * @param {string} facts.code
 * @param {string} facts.says
 * @param {() => void} facts.save
 * @param {Promise<import("../fairdeal/verify.js").Verdicts>} facts.judged the findings of the file
 *   alone
 */
export function caughtPanel({ code, says, save, judged }) {
  const known = isKey(`play.how.${code}`) ? code : "other";
  const alone = el("p", { class: "small", role: "status" }, t("play.judging"));
  void judged.then(({ state, findings, receipts }) => {
    const codes = new Set(
      [...findings, ...receipts.flatMap((each) => ("findings" in each ? each.findings : []))].map(
        (each) => each.code,
      ),
    );
    alone.textContent = t("play.file-says", { codes: [...codes].join(", ") });
    alone.dataset.state = state ?? "none";
  });
  return el(
    "section",
    { class: "panel caught-panel", "aria-label": t("play.how-caught") },
    el("h2", {}, t("play.how-caught")),
    el("p", {}, t(/** @type {Key} */ (`play.how.${known}`))),
    el("p", { class: "small soft" }, `${code}: ${says}`),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "first", id: "evidence", click: save }, t("play.save")),
    ),
    alone,
  );
}

/**
 * The explanation of a hand that the kit stopped, and that accuses nobody.
 * @param {object} facts
 * @param {string} facts.code
 * @param {string} facts.says
 * @param {string} facts.key
 * @param {string} facts.log
 */
export function stoppedPanel({ code, says, key, log }) {
  const how = `play.how.${code}`;
  return el(
    "section",
    { class: "panel caught-panel stopped", "aria-label": t("play.how-stopped") },
    el("h2", {}, t("play.how-stopped")),
    isKey(how) ? el("p", {}, t(how)) : null,
    el("p", { class: "small soft" }, `${code}: ${says}`),
    ...(code === "overdue" ? same([`fairdeal audit ${quoted(log)} --key ${quoted(key)}`]) : []),
  );
}
