// The home page: receipts in, a verdict out.

import { channel } from "../ui/channel.js";
import { Cloth } from "../ui/cloth.js";
import { pasted, takeDrops } from "../ui/drop.js";
import { hostLog } from "../ui/host.js";
import { differs, forgetKey, keepKey, keyOf, nameOfKey, originOf } from "../ui/keys.js";
import { fromFragment } from "../ui/link.js";
import { startPage } from "../ui/page.js";
import { saveFile } from "../ui/save.js";
import { startView } from "../ui/start.js";
import { allWords, t } from "../ui/strings.js";
import { el } from "../ui/text.js";

/**
 * @typedef {import("../ui/drop.js").GivenFile} GivenFile
 * @typedef {import("../ui/inputs.js").GivenKey} GivenKey
 * @typedef {import("../ui/inputs.js").Brought} Brought
 * @typedef {import("../ui/sentence.js").Headline} Headline
 * @typedef {import("../workers/sort.js").Sorted} Sorted
 */

/**
 * The modules that draw a verdict are larger than the first view. They are loaded with the first
 * file.
 */
const loadReport = () => import("../ui/report.js");

/** @returns {Brought} */
const nothing = () => ({ from: "", seed: "", seat: "", players: {} });

/** @returns {import("../ui/chips.js").Given} */
const nothingGiven = () => ({
  receipts: [],
  mine: [],
  since: null,
  list: null,
  policy: null,
  key: null,
  named: null,
  origin: null,
  brought: nothing(),
});

const given = nothingGiven();

const worker = channel("judge");
const { ask } = worker;
const main = startPage("verify");
const cloth = new Cloth();
const report = el("div", { class: "report" });
const drop = el("section", { class: "drop" });
const chips = el("ul", { class: "chips", "aria-label": t("drop.given") });
const aside = el("div", { class: "aside" });
/** What the reader gave, and more that they could give: a fold of the report. */
const inputs = el("div", { class: "inputs stack" });
const withWhat = el("details", { class: "fold", id: "with" }, el("summary", {}), inputs);
const hand = el(
  "details",
  { class: "panel", id: "hand" },
  el("summary", {}, el("h2", {}, t("hand.title"))),
);
hand.addEventListener("toggle", () => void openHand(), { once: true });
let turn = 0;
/** Whether the worker judges. A hostile file can take it hours. */
let judging = false;
/** Files are sorted in the order in which they came, so that none is lost. */
let taking = Promise.resolve();
/** Whether the page shows more than the drop zone. */
let answered = false;
/** The log of this page's host, once the host told it. @type {import("../ui/host.js").HostLog | null} */
let here = null;
/** Forms for what the reader gives: loaded with the first file. @type {typeof import("../ui/given.js") | null} */
let forms = null;
const start = startView({
  files: (files) => void take(files, "file"),
  text: (text) => void usePasted(text),
  example: () => void useExample(),
  receipt: (name, bytes) => void take([{ name, bytes }], "file"),
});

main.append(drop, cloth.element, aside, report, hand);
takeDrops((files, kept) => void take(files, "file", kept));
// The workers are loaded when the pointer comes near the drop zone, not before the first paint.
for (const sign of ["pointermove", "dragenter", "focusin", "touchstart"])
  addEventListener(sign, warm, { once: true });
addEventListener("hashchange", () => void follow());
draw();
state("pending");
void follow();

/** @param {Headline["state"]} to */
function state(to) {
  document.documentElement.dataset.verdict = to;
}

async function openHand() {
  const [{ handForm }] = await Promise.all([import("../ui/byhand.js"), allWords()]);
  hand.append(
    handForm(ask, (found, drawn) => {
      turn++;
      clear();
      show(found, drawn);
    }),
  );
}

function warm() {
  void loadReport().catch(() => undefined);
  void allWords().catch(() => undefined);
  void ask({ ask: "sort", files: [] }).catch(() => undefined);
}

function clear() {
  Object.assign(given, nothingGiven());
}

/** Ends a judgement that nobody waits for any more. */
function stopJudging() {
  if (judging) worker.stop();
  judging = false;
}

/** The receipt in the page's link. */
async function follow() {
  try {
    const found = await fromFragment(location.hash);
    if (found === null) return;
    clear();
    if (found.key !== null) given.key = { text: found.key, source: { how: "link" } };
    given.named = found.key ?? found.name;
    await take([{ name: t("drop.linked"), bytes: found.receipt, sent: true }], "file");
  } catch {
    show({ state: "none", sentence: t("v.link-broken") }, null);
  }
}

/**
 * Takes files of any kind, sorts them, and judges.
 * @param {GivenFile[] | Promise<GivenFile[]>} coming
 * @param {"file" | "typed" | "example"} how
 * @param {boolean} [kept] whether the reader kept them
 */
function take(coming, how, kept = false) {
  const mark = ++turn;
  stopJudging();
  state("pending");
  const sorting = taking.then(() => sort(coming, how, kept, mark));
  taking = sorting.catch(() => undefined);
  return sorting;
}

/**
 * @param {GivenFile[] | Promise<GivenFile[]>} coming
 * @param {"file" | "typed" | "example"} how
 * @param {boolean} kept
 * @param {number} mark
 */
async function sort(coming, how, kept, mark) {
  const files = await coming;
  /** @type {Sorted[]} */
  let sorted;
  try {
    // The answer is laid out by the style that comes with the report.
    [sorted, here, forms] = await Promise.all([
      ask({ ask: "sort", files }),
      hostLog(),
      import("../ui/given.js"),
      allWords(),
      loadReport(),
    ]);
  } catch (error) {
    return show(
      {
        state: "none",
        sentence: t("page.broken"),
        says: /** @type {Error} */ (error).message,
      },
      null,
    );
  }
  // New receipts are a new question. What was given with the old receipts does not apply to it.
  const fresh = kept ? undefined : sorted.find(({ kind }) => kind === "receipt");
  if (fresh !== undefined && given.receipts.some(({ kept: is, asked }) => !is || asked)) {
    const other =
      given.key === null ||
      given.key.source.how === "example" ||
      given.key.source.how === "link" ||
      originOf(given.key.text) !== fresh.origin;
    const { key, policy } = given;
    clear();
    if (!other) Object.assign(given, { key, policy });
  }
  const alone = sorted.length === 1;
  sorted.forEach((each, i) => put(Object.assign(files[i], { kept }), each, how, alone));
  const first = given.receipts.find((file) => file.kept !== true) ?? given.receipts[0];
  given.origin =
    first === undefined ? null : (sorted[files.indexOf(first)]?.origin ?? given.origin);
  if (mark === turn) void judge();
}

/**
 * @param {GivenFile} file
 * @param {Sorted} sorted
 * @param {"file" | "typed" | "example"} how
 * @param {boolean} alone whether no other file came with it
 */
function put(file, { kind, text, each, broken }, how, alone) {
  // Among the operator's files there may be the operator's own witnesses.
  if (kind === "policy" && !alone) return;
  if (kind === "receipt") given.receipts.push(Object.assign(file, { broken }));
  else if (kind === "mine") given.mine.push({ name: file.name, texts: each ?? [] });
  else if (kind === "key" && !isTyped(text ?? ""))
    given.key = { text: text ?? "", source: how === "file" ? { how, name: file.name } : { how } };
  else if (kind !== "key") given[kind] = file;
}

/**
 * Whether the reader typed a key of the same name: a file of somebody else does not replace it.
 * @param {string} key
 */
function isTyped(key) {
  return given.key?.source.how === "typed" && originOf(given.key.text) === originOf(key);
}

/**
 * The key that the reader keeps for this name; otherwise the given key, or the key that this host
 * shows for its own log. A file, a link or a host does not replace a kept key, and a link does not
 * replace the key of this host: if it names another one, the reader must choose.
 * @returns {GivenKey | null}
 */
function theKey() {
  const last = given.key?.source.how;
  const key = last === "kept" || last === "host" ? null : given.key;
  const isLinked = key?.source.how === "link";
  const origin =
    key === null || (isLinked && given.origin !== null) ? given.origin : originOf(key.text);
  if (origin === null) return key;
  const found = keyOf(origin);
  if (found !== null) return { text: found.key, source: { how: "kept", ...found } };
  if (here === null || here.key === null || here.origin !== origin) return key;
  if (key !== null && !isLinked) return key;
  return linksElsewhere() ? null : { text: here.key, source: { how: "host", ...here } };
}

/** Whether the link names another key than this host shows for the same log. */
function linksElsewhere() {
  const { named, origin } = given;
  if (named === null || here === null || here.key === null || here.origin !== origin) return false;
  return named !== here.key && named !== nameOfKey(here.key);
}

/** Whether no key could help. */
function noneReadable() {
  return given.receipts.every(({ broken }) => broken !== undefined);
}

async function judge() {
  const mark = ++turn;
  stopJudging();
  state("pending");
  if (given.receipts.length === 0) {
    answered = false;
    given.brought = nothing();
    cloth.clear();
    report.replaceChildren();
    return draw();
  }
  given.key = theKey();
  if (given.key === null && noneReadable()) {
    const [{ broken = "" }, ...others] = given.receipts;
    const n = given.receipts.length;
    const { unreadable } = await import("../ui/sentence.js");
    const several = others.length === 0 ? {} : { sentence: t("v.unreadable-some", { n }) };
    if (mark === turn) show({ ...unreadable(broken), ...several }, null);
    return;
  }
  if (given.key === null) {
    const sentence = t(linksElsewhere() ? "v.link-key" : "v.which-key");
    show({ state: linksElsewhere() ? "none" : "pending", sentence }, null);
    document.getElementById("key")?.focus();
    return;
  }
  if (differs(given.key.text)) return show({ state: "none", sentence: t("v.key-differs") }, null);
  // Most verdicts are ready before anybody could read this text, so it is shown only later.
  const working = setTimeout(() => show({ state: "pending", sentence: t("v.working") }, null), 200);
  const { from, seed, seat, players } = given.brought;
  // A file does not replace a kept policy; the form does.
  const kept = forms?.keptPolicy(given.key.text) ?? null;
  const policy = given.policy?.typed === true ? given.policy : (kept ?? given.policy);
  const options = {
    key: given.key.text,
    mine: [
      ...given.mine.flatMap(({ texts }) => texts),
      ...(from === "" || seed === "" ? [] : [JSON.stringify({ from, seed })]),
    ],
    players,
    ...(seat === "" ? {} : { seat }),
    ...(given.since === null ? {} : { since: given.since.bytes }),
    ...(given.list === null ? {} : { list: given.list.bytes }),
  };
  judging = true;
  try {
    const [answer, { drawReport }] = await Promise.all([
      ask({ ask: "verify", files: given.receipts, options, policy: policy?.bytes }),
      loadReport(),
    ]);
    if (mark !== turn) return;
    const others = given.receipts.filter((file) => file.kept !== true);
    const { found, scene, actions, drawn } = drawReport(answer, {
      names: (others.length > 0 ? others : given.receipts).map(({ name }) => name),
      key: given.key,
      policy,
      seat,
      gave: given,
      inputs: withWhat,
      forget,
      forgetPolicy: () => {
        given.policy = null;
        void judge();
      },
      changed,
      takeKept,
      keepGiven,
      saveEvidence: (judged) => void saveEvidence(judged),
      renew: here !== null && here.origin === given.origin ? renew : null,
      another,
    });
    document.documentElement.dataset.took = answer.took.toFixed(1);
    show(found, drawn, scene, actions);
  } catch (error) {
    if (mark !== turn) return;
    const { code, message } = /** @type {Error & {code?: string}} */ (error);
    // A key that cannot be read is of no use, and would keep the reader from giving another.
    if (code === "key") {
      forgetKey(given.key.text);
      given.key = null;
    }
    show({ state: "none", sentence: t("v.refused"), says: message }, null);
  } finally {
    if (mark === turn) judging = false;
    clearTimeout(working);
  }
}

/** @param {string} key */
function forget(key) {
  forgetKey(key);
  given.key = null;
  void judge();
}

/**
 * The files that were judged, in one file for others. What the reader brought is not in it: a seed
 * may still be secret.
 * @param {GivenFile[]} files
 */
async function saveEvidence(files) {
  const text = await ask({
    ask: "evidence",
    key: given.key?.text,
    files,
    since: given.since?.bytes,
  });
  saveFile("evidence.json", text);
}

/**
 * Takes a new receipt of a round from the log of this host, in the place of an old one.
 * @param {string} name of the old file
 * @param {{commitment?: string, nonce?: number}} round
 * @returns {Promise<boolean>} whether the new receipt has the reveal
 */
async function renew(name, { commitment, nonce }) {
  const path = `v1/commitments/${commitment}/rounds/${nonce}/receipt`;
  const response = await fetch(new URL(path, new URL("./", location.href)));
  if (!response.ok) throw new Error(String(response.status));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const [found] = await ask({ ask: "dossier", files: [{ bytes }] });
  if ((found?.reveal ?? null) === null) return false;
  const old = given.receipts.find((file) => file.name === name);
  if (old === undefined) given.receipts.push({ name, bytes });
  else old.bytes = bytes;
  void judge();
  return true;
}

/** Begins again, without the receipt in the page's link. */
function another() {
  history.replaceState(null, "", location.href.split("#")[0]);
  clear();
  void judge();
  document.querySelector("main")?.focus();
  scrollTo(0, 0);
}

/**
 * @param {Headline} found
 * @param {Node | null} drawn
 * @param {import("../ui/cloth.js").Scene | null} [scene]
 * @param {Node | null} [actions]
 */
function show(found, drawn, scene = null, actions = null) {
  answered = true;
  void loadReport().catch(() => undefined);
  draw();
  cloth.show(found, scene, actions);
  withWhat.firstElementChild?.replaceChildren(
    el("strong", {}, t(drawn === null ? "drop.given" : "steps.with")),
    el("span", { class: "fold-count" }, chips.childElementCount),
  );
  const outside = given.receipts.length === 0 && given.key === null ? [] : [withWhat];
  report.replaceChildren(...(drawn === null ? outside : [drawn]));
  state(found.state);
}

/** The drop zone, the given files, and the forms. */
function draw() {
  const empty = given.receipts.length === 0 && !answered;
  drop.replaceChildren(...(empty ? [start, chips] : []));
  drop.hidden = !empty;
  hand.hidden = given.receipts.length > 0;
  if (forms === null) return;
  const isAsking = !noneReadable() && !(empty && given.key === null);
  const asked = isAsking ? forms.drawAsked(given, theKey(), here, useKey, changed) : null;
  aside.replaceChildren(...(asked === null ? [] : [asked]));
  const drawnChips = forms.drawChips(given, changed);
  chips.replaceChildren(...drawnChips);
  chips.hidden = drawnChips.length === 0;
  if (empty) return;
  const isJudged = given.receipts.length > 0 && !(given.key === null && noneReadable());
  inputs.replaceChildren(...forms.drawInputs(given, chips, isJudged, takeKept, changed));
}

function changed() {
  void judge();
}

/** @param {Promise<GivenFile[]>} files */
function takeKept(files) {
  void take(files, "file", true);
}

/** The reader says that the files that were just given are kept ones. */
function keepGiven() {
  for (const file of given.receipts)
    Object.assign(file, { kept: true, asked: file.asked || file.kept !== true });
  void judge();
}

/**
 * @param {string} key
 * @param {{from: string} | null} keep
 */
function useKey(key, keep) {
  if (keep !== null && keyOf(originOf(key)) === null) keepKey(key, keep.from);
  given.key = { text: key, source: { how: "typed" } };
  given.origin ??= originOf(key);
  void judge();
}

/** @param {string} text */
async function usePasted(text) {
  const fragment = text.trim().match(/#(receipt=\S+)$/)?.[1];
  if (fragment === undefined) return take([pasted(text)], "typed");
  const found = await fromFragment(fragment).catch(() => null);
  if (found === null) return show({ state: "none", sentence: t("v.link-broken") }, null);
  given.named = found.key ?? found.name;
  return take([{ name: t("drop.linked"), bytes: found.receipt, sent: true }], "file");
}

async function useExample() {
  clear();
  const { receipt, key } = await ask({ ask: "example" });
  await take([pasted(receipt, "round.json"), pasted(key, "log.key")], "example");
}
