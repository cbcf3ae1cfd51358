// The operator's token: pasted once, in this tab's memory until the tab is closed or it is
// forgotten. It is never in the document, in an address or in `localStorage`.

import { drawBack, drawCard } from "../cards.js";
import { t } from "../strings.js";
import { el } from "../text.js";

const NAME = "fairdeal.operator";
const TOKEN = /^fairdeal_[0-9a-f]{64}$/;

/** @returns {string | null} */
export function tokenOfTab() {
  try {
    const found = sessionStorage.getItem(NAME);
    return found !== null && TOKEN.test(found) ? found : null;
  } catch {
    return null;
  }
}

/** @param {string | null} token null to forget it */
export function keepToken(token) {
  try {
    if (token === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, token);
  } catch {
    // Without the browser's memory the token is pasted again after a reload.
  }
}

/**
 * @param {((token: string) => Promise<void>) | null} use null if this address takes no token
 * @param {Node | null} why the reason why an earlier token is not used, or none is taken
 * @returns {HTMLElement}
 */
export function signIn(use, why) {
  if (use === null) return drawn([el("h1", {}, t("operator.title")), why]);
  // Without a name, so that no form could ever put it into an address.
  const input = el("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "token-hint",
  });
  const told = el("div", { class: "told" }, why);
  const button = el("button", { class: "first", id: "enter" }, t("operator.enter"));
  const parts = [
    el("h1", {}, t("operator.title")),
    el("p", {}, t("operator.lead")),
    el(
      "form",
      {
        class: "stack",
        submit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const token = input.value.trim();
          input.value = "";
          if (!TOKEN.test(token)) {
            told.replaceChildren(
              el("p", { class: "wrong", role: "alert" }, t("operator.no-token")),
            );
            return input.focus();
          }
          button.disabled = true;
          told.replaceChildren();
          await use(token);
          button.disabled = false;
        },
      },
      el("label", { for: "token" }, t("operator.token")),
      el("div", { class: "token-row" }, input, button),
      el("p", { class: "small", id: "token-hint" }, t("operator.token-hint")),
    ),
    told,
    globalThis.isSecureContext ? null : el("p", { class: "note" }, t("operator.not-secure")),
  ];
  return drawn(parts);
}

/** @param {(Node | null)[]} parts */
function drawn(parts) {
  return el(
    "section",
    { class: "cloth fair sign-in" },
    el("div", { class: "main-part" }, parts),
    el("div", { class: "fan", "aria-hidden": "true" }, drawCard("As"), drawBack()),
  );
}
