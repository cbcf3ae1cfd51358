// The operator's page: tables, what is due, and a round from its promise to its reveal. It asks
// this service alone, with a token that the operator pastes.

import { Problem } from "../fairdeal/problem.js";
import { operator as de } from "../strings/de-operator.js";
import { operator as en } from "../strings/en-operator.js";
import { takeDrops } from "../ui/drop.js";
import { readRoute, tableLink } from "../ui/explore/route.js";
import { Api } from "../ui/operator/api.js";
import { Model } from "../ui/operator/model.js";
import { overview } from "../ui/operator/overview.js";
import { tick } from "../ui/operator/parts.js";
import { drawRefusal } from "../ui/operator/refusal.js";
import { TableView } from "../ui/operator/table.js";
import { keepToken, signIn, tokenOfTab } from "../ui/operator/token.js";
import { startPage } from "../ui/page.js";
import { addWords, t } from "../ui/strings.js";
import { el } from "../ui/text.js";

/**
 * @typedef {{element: HTMLElement, update: () => unknown, focus: () => void,
 *   take?: (files: import("../ui/drop.js").GivenFile[]) => void}} View
 */

/** Hands that another page ended are not in the log: the state is also read at this interval. */
const POLL = 20_000;

addWords({ en, de });
const main = startPage("operator");
document.querySelector(".foot p")?.replaceChildren(t("operator.foot"));
const base = new URL("./", location.href).href;
const { dataset } = document.documentElement;

/** @type {{api: Api, model: Model} | null} */
let entered = null;
/** @type {View | null} */
let view = null;
const live = el("span", { class: "mark", role: "status" });
const told = el("div", { class: "told" });
const place = el("div", { class: "place" });
const back = el("a", { href: "#", id: "back" }, "← ", t("operator.back"));
const bar = el(
  "div",
  { class: "bar" },
  back,
  live,
  el(
    "button",
    { type: "button", class: "plain", id: "forget", click: () => leave(null) },
    t("operator.forget"),
  ),
);

takeDrops((files) => void files.then((all) => view?.take?.(all)));
document.body.dataset.drop = t("operator.drop");
addEventListener("hashchange", () => show(true));
document.addEventListener("visibilitychange", () => poll());
setInterval(tick, 1_000);
setInterval(poll, POLL);

const kept = tokenOfTab();
if (kept === null) leave(null);
else void enter(kept);

/** @param {string} token */
async function enter(token) {
  const api = new Api(base, token);
  try {
    await api.enter();
  } catch (error) {
    return leave(error);
  }
  keepToken(token);
  const model = new Model(api, base, { changed, failed });
  entered = { api, model };
  main.replaceChildren(bar, told, place);
  await model.reload();
  show(false);
}

/** Forgets the token. @param {unknown} error why it is not taken; null if the operator wants it */
function leave(error) {
  entered?.model.end();
  entered = null;
  view = null;
  for (const question of document.querySelectorAll("dialog")) question.close();
  // A service that does not answer has not refused the token.
  if (error === null || isRefused(error)) keepToken(null);
  dataset.stage = "out";
  main.replaceChildren(signIn(enter, error === null ? null : drawRefusal(error)));
  // The token must not go to an address that has no use for it.
  void Api.whyClosed(base).then((why) => {
    if (why !== null && entered === null) main.replaceChildren(signIn(null, drawRefusal(why)));
  });
}

/** @param {unknown} error */
const isRefused = (error) => error instanceof Problem && error.status === 401;

/** @param {unknown} error @returns {boolean} whether the token is not taken any more */
function left(error) {
  if (!isRefused(error)) return entered === null;
  leave(error);
  return true;
}

/** @param {unknown} error */
function failed(error) {
  if (!left(error)) told.replaceChildren(drawRefusal(error));
}

/** @param {Set<string> | null} commitments */
function changed(commitments) {
  if (entered === null) return;
  const { connection } = entered.model;
  live.className = `mark ${connection}`;
  live.textContent = t(`operator.connection.${connection}`);
  if (connection === "live") told.replaceChildren();
  if (commitments === null || commitments.size > 0) void view?.update();
}

function poll() {
  if (document.hidden || entered === null) return;
  if (view instanceof TableView) void view.update();
  else void entered.model.reload();
}

/** Shows what the address names. @param {boolean} isMoved whether the operator came from another view */
function show(isMoved) {
  if (entered === null) return;
  const { api, model } = entered;
  const route = readRoute(location.hash);
  const put = (/** @type {import("../ui/operator/api.js").Standing} */ standing) =>
    model.put(standing);
  if (route.kind === "table" && model.tables.has(route.table))
    view = new TableView(api, () => model.current(route.table), { put, left });
  else if (route.kind === "commitment")
    view = new TableView(api, () => route.commitment, { put, left });
  else {
    dataset.stage = "tables";
    view = overview(model, async (terms, signal) => {
      const { commitment } = await api.commit(terms, signal);
      model.put(await api.standing(commitment));
      location.hash = tableLink(terms.table);
    });
  }
  back.hidden = !(view instanceof TableView);
  place.replaceChildren(view.element);
  const shown = view;
  void Promise.resolve(view.update()).then(() => {
    if (isMoved && shown === view) {
      scrollTo(0, 0);
      shown.focus();
    }
  });
}
