// The key that this host shows, until the reader has compared it with a printed one.

import { adopt } from "./adopt.js";
import { copyButton } from "./copied.js";
import { keyForm } from "./inputs.js";
import { differs, forgetKey, keepKey, keyOf, nameOfKey, originOf, setDiffers } from "./keys.js";
import { KEY } from "./key-style.js";
import { isUnsure, sourceWords } from "./key-words.js";
import { parts, t } from "./strings.js";
import { el, plain, svg, theirs } from "./text.js";

/**
 * @typedef {object} Shown
 * @property {string} key
 * @property {string | null} printedAt where the operator says that it is printed
 * @property {() => void} changed called when the reader compared it, or took that back
 */

adopt(KEY);

/** The characters of a key's last part, as a card shows them. */
const GROUP = 4;

/**
 * The last part of a verifier key, 44 characters.
 * @param {string} key
 */
const secondPart = (key) => key.slice(nameOfKey(key).length + 1);

/** @param {string} text */
const groupsOf = (text) => text.match(new RegExp(`.{1,${GROUP}}`, "gu")) ?? [];

/**
 * @param {Shown} shown
 * @returns {HTMLElement}
 */
export function keyCard({ key, printedAt, changed }) {
  const element = el("section", { class: "key-card", id: "key-card" });
  const origin = originOf(key);

  /** Whether the reader compares a key that is kept already. */
  let comparing = false;

  const draw = () => {
    const kept = keyOf(origin);
    const state = differs(key)
      ? "differs"
      : kept === null || (comparing && kept.key === key)
        ? "uncompared"
        : kept.key === key
          ? "kept"
          : "other";
    element.dataset.state = state;
    element.dataset.compared = String(kept?.compared === true);
    element.replaceChildren(
      ...{ differs: refused, uncompared: asking, kept: known, other }[state](),
    );
  };
  /** @param {() => void} act */
  const then = (act) => () => {
    comparing = false;
    act();
    draw();
    changed();
  };
  const same = then(() => keepKey(key, printedAt ?? "", true));

  /** @param {string} text @param {() => void} act @param {string} kind @param {string} id */
  const button = (text, act, kind, id) =>
    el("button", { type: "button", class: kind, id, click: act }, text);

  const refuse = () => {
    setDiffers(key, true);
    forgetKey(key);
  };

  const asking = () => {
    const form = typed({ key, same });
    const open = button(
      t("key.type"),
      () => {
        form.hidden = !form.hidden;
        open.setAttribute("aria-expanded", String(!form.hidden));
        if (!form.hidden) form.querySelector("textarea")?.focus();
      },
      "plain",
      "key-type",
    );
    open.setAttribute("aria-expanded", "false");
    return [
      el(
        "div",
        { class: "stack" },
        el("h2", {}, warning(), el("span", {}, parts("key.ask", { origin: theirs(origin, 100) }))),
        el("p", {}, t("key.ask-lead")),
        printedAt === null || printedAt === ""
          ? null
          : el("p", {}, parts("key.ask-at", { at: theirs(printedAt, 200) })),
      ),
      groups(key),
      el(
        "div",
        { class: "row" },
        button(t("key.same"), same, "first", "key-same"),
        button(t("key.differs"), then(refuse), "", "key-differs"),
        open,
      ),
      form,
    ];
  };

  const known = () => {
    const kept = /** @type {import("./keys.js").KeptKey} */ (keyOf(origin));
    return [
      el(
        "p",
        { class: "key-state" },
        el("strong", {}, t(kept.compared ? "key.state.compared" : "key.state.kept")),
        " ",
        el("span", { class: "soft" }, sourceWords({ how: "kept", ...kept })),
      ),
      el(
        "div",
        { class: "row" },
        kept.compared ? null : button(t("key.compare-now"), compare, "plain", "key-compare"),
        forget(() => forgetKey(key), t("key.forget")),
      ),
    ];
  };
  const compare = () => {
    comparing = true;
    draw();
  };

  const other = () => [
    el("h2", {}, warning(), el("span", {}, parts("key.other", { origin: theirs(origin, 100) }))),
    el("p", {}, t("key.other-lead")),
    el(
      "dl",
      { class: "facts" },
      [
        [t("key.other-yours"), keyOf(origin)?.key ?? ""],
        [t("key.other-here"), key],
      ].map(([name, text]) =>
        el(
          "div",
          {},
          el("dt", {}, name),
          el("dd", {}, el("code", {}, theirs(secondPart(text), 44))),
        ),
      ),
    ),
    forget(() => forgetKey(keyOf(origin)?.key ?? ""), t("key.other-forget")),
  ];

  const refused = () => [
    el("h2", {}, warning(), el("span", {}, t("key.refused"))),
    el("p", {}, t("key.refused-lead")),
    groups(key),
    el(
      "details",
      {},
      el("summary", {}, t("key.give")),
      keyForm(null, (text) => then(() => keepKey(text, "", originOf(text) === origin))()),
    ),
    forget(() => setDiffers(key, false), t("key.refused-forget")),
  ];

  /** @param {() => void} act @param {string} text */
  const forget = (act, text) => button(text, then(act), "plain", "key-forget");

  draw();
  return element;
}

/**
 * The key of a verdict and its source, in a line.
 * @param {import("./inputs.js").GivenKey} given
 * @param {{forget: (key: string) => void, changed: () => void}} then called when the reader forgot
 *   the key, or compared it
 * @returns {HTMLElement}
 */
export function keyLine({ text, source }, { forget, changed }) {
  const { how } = source;
  const isCompared = how === "kept" && source.compared;
  const state = how === "kept" ? "kept" : isUnsure(source) ? "open" : "given";
  const title = t(`key.state.${isCompared ? "compared" : state}`);
  const line = el(
    "div",
    { class: `key-line ${state}`, "data-key": how },
    el("p", {}, el("strong", {}, title), " ", sourceWords(source)),
  );
  /** @param {string} label @param {() => void} act @param {string} id */
  const add = (label, act, id) =>
    line.append(el("button", { type: "button", class: "plain", id, click: act }, label));
  if (how === "kept") add(t("key.forget"), () => forget(text), "key-forget");
  if (how !== "host") return line;
  const { printedAt } = source;
  const compare = () => {
    line.querySelector("#key-compare")?.remove();
    line.after(keyCard({ key: text, printedAt, changed }));
  };
  add(t("key.compare-now"), compare, "key-compare");
  return el("div", { class: "stack" }, line);
}

/** @param {string} key */
function groups(key) {
  return el(
    "div",
    { class: "key-text" },
    el(
      "ol",
      { class: "key-groups", "aria-label": t("key.groups") },
      groupsOf(secondPart(key)).map((each) => el("li", {}, plain(each))),
    ),
    el(
      "p",
      { class: "key-name" },
      theirs(nameOfKey(key), 100),
      copyButton(key, { label: t("key.copy") }),
    ),
  );
}

/**
 * A form for the printed key, which the page compares with the one that is shown.
 * @param {{key: string, same: () => void}} shown
 * @returns {HTMLFormElement}
 */
function typed({ key, same }) {
  const told = el("p", { role: "alert", class: "wrong", hidden: true });
  const text = el("textarea", {
    name: "printed",
    rows: "2",
    autocomplete: "off",
    spellcheck: "false",
  });
  return el(
    "form",
    {
      class: "stack typed",
      hidden: true,
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const wrong = comparison(text.value, key);
        if (wrong === null) return same();
        told.hidden = false;
        told.replaceChildren(wrong);
        text.focus();
      },
    },
    el("label", { class: "field" }, el("span", {}, t("key.printed")), text),
    told,
    el("div", {}, el("button", { class: "first" }, t("key.compare"))),
  );
}

/**
 * What differs between the key that the reader typed and the one that is shown.
 * @param {string} printed
 * @param {string} key
 * @returns {string | null} null if every character is the same
 */
function comparison(printed, key) {
  const given = printed.replace(/\s+/gu, "");
  if (given === key) return null;
  const whole = /^([^+]+\+[0-9a-f]{8})\+(.*)$/u.exec(given);
  if (whole !== null && whole[1].split("+")[0] !== originOf(key))
    return t("key.typed-log", { origin: plain(whole[1].split("+")[0]).slice(0, 100) });
  const [own, shown] = [whole?.[2] ?? given, secondPart(key)];
  if (own === shown && whole === null) return null;
  const n = [...own].length;
  if (n !== shown.length) return t("key.typed-length", { n });
  const at = groupsOf(shown).findIndex((each, i) => each !== groupsOf(own)[i]);
  if (at < 0) return t("key.typed-name", { name: nameOfKey(key) });
  return t("key.typed-differs", {
    n: at + 1,
    typed: plain(groupsOf(own)[at]),
    shown: groupsOf(shown)[at],
  });
}

function warning() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "warning", "aria-hidden": "true" },
    svg("path", { d: "M12 2.5L23 21.5H1z" }),
    svg("path", { d: "M12 9.5v5.5M12 18v.5" }),
  );
}
