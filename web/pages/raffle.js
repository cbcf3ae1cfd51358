// The page of a raffle: before its draw the time that is left, and the reader's ticket; after it the
// winners, drawn in this browser.

import { raffle as de } from "../strings/de-raffle.js";
import { raffle as en } from "../strings/en-raffle.js";
import { adopt } from "../ui/adopt.js";
import { ANSWER } from "../ui/answer-style.js";
import { channel } from "../ui/channel.js";
import { pasted, takeDrops } from "../ui/drop.js";
import { hostLog } from "../ui/host.js";
import { keyForm } from "../ui/inputs.js";
import { keyCard } from "../ui/key-card.js";
import { carriedOver, carry } from "../ui/kept.js";
import { differs, forgetKey, keepKey, keyOf, originOf } from "../ui/keys.js";
import { startPage } from "../ui/page.js";
import { keptPolicy } from "../ui/policy.js";
import { ByHand } from "../ui/raffle/by-hand.js";
import { RaffleCloth } from "../ui/raffle/cloth.js";
import { FindForm } from "../ui/raffle/find.js";
import {
  compareNumber,
  drawNotes,
  openNewer,
  otherAfter,
  takeFiles,
  takeNumber,
  textOf,
} from "../ui/raffle/given.js";
import { listView } from "../ui/raffle/list-view.js";
import { hadBefore, keepSeen, keptBefore } from "../ui/raffle/memory.js";
import { drawSide } from "../ui/raffle/side.js";
import { said, state } from "../ui/raffle/state.js";
import {
  documentOf,
  hasHost,
  linkTo,
  listOf,
  membersOfLink,
  numberOf,
} from "../ui/raffle/source.js";
import { CompareForm, drawAgain, drawStage, drawStart } from "../ui/raffle/stage.js";
import { drawSteps } from "../ui/raffle/steps.js";
import { isWhole, promiseFile } from "../ui/raffle/whole.js";
import { saveFile } from "../ui/save.js";
import { refusal } from "../ui/raffle/words.js";
import { addWords, t } from "../ui/strings.js";
import { el } from "../ui/text.js";

/**
 * @typedef {import("../ui/drop.js").GivenFile} GivenFile
 * @typedef {import("../ui/inputs.js").GivenKey} GivenKey
 * @typedef {import("../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../workers/raffle.js").ListFacts} ListFacts
 * @typedef {import("../ui/raffle/words.js").Headline} Headline
 */

/** A reader of many asks between so many milliseconds after the draw: not all at once. */
const [SOONEST, LATEST] = [1_000, 5_000];
/** The first pause before the number is asked for again, and the longest. */
const [PAUSE, LONGEST_PAUSE] = [2_000, 60_000];

// What the page brings with it is read before the page is drawn.
const brought = document.getElementById("raffle")?.textContent ?? null;

// They replace some of all pages, which speak of cards.
addWords({ en, de });
adopt(ANSWER);
const isAlone = brought !== null || isWhole();
const main = startPage("raffle", isAlone ? t("raffle.foot-alone") : undefined);
document.body.dataset.drop = t("raffle.drop");
const { dataset } = document.documentElement;
const { ask } = channel("raffle");
const told = el("div", { id: "told", class: "stack", role: "status" });
const find = new FindForm((text) => void look(text));
const cloth = new RaffleCloth(find.element);
const asked = el("div", { class: "asked" });
const steps = el("section", { class: "how-dealt" });
const side = el("div", { class: "side-column" });
const ticket = el("section", { class: "own-ticket" });
const columns = el("div", { class: "columns", hidden: true }, steps, el("div", {}, ticket, side));
const jitter = SOONEST + Math.random() * (LATEST - SOONEST);

let here = /** @type {import("../ui/host.js").HostLog | null} */ (null);
/** The form of an organiser. */
let form = /** @type {ReturnType<typeof import("../ui/raffle/make.js").makeForm> | null} */ (null);
let turn = 0;
/** When the number is asked for next, in milliseconds; Infinity while it is asked for. */
let next = 0;
let pause = PAUSE;
const taker = { ask, state, open, useList, theKey };
const chosen = (/** @type {Promise<GivenFile[]>} */ files) => void take(files, false);
const byHand = new ByHand({
  take: chosen,
  takeNumber: async (text) => {
    const fault = await takeNumber(new TextEncoder().encode(text), taker);
    if (fault === null) await judge();
    return fault;
  },
  again: () => void askNumber(),
});

const saying = {
  take: chosen,
  compare: new CompareForm((text) => void compare(text)),
  hadThis: () => void take(Promise.resolve([pasted(state.file ?? "")]), true),
  hasMessage: (/** @type {boolean} */ isSame) => {
    const number = state.facts?.number ?? null;
    Object.assign(state, { confirmed: isSame ? number : null, denied: isSame ? null : number });
    draw();
  },
};

carry(() => ({ said: said(), form: form?.fields() }));
takeDrops((files, kept) => void take(files, kept));
addEventListener("hashchange", () => location.reload());
setInterval(tick, 1_000);
void begin();

async function begin() {
  dataset.verdict = "pending";
  const members = membersOfLink();
  here = hasHost() ? await hostLog() : null;
  if (members.has("new")) {
    const { makeForm } = await import("../ui/raffle/make.js");
    dataset.stage = "make";
    if (!isWhole()) document.querySelector(".foot p")?.replaceChildren(t("raffle.make.foot"));
    const linkOf = (/** @type {string} */ commitment) => String(linkTo(commitment, false));
    form = makeForm(ask, isWhole() ? null : linkOf);
    if (carriedOver?.form) form.fill(carriedOver.form);
    document.body.dataset.drop = t("raffle.make.drop");
    main.replaceChildren(form.element);
    return;
  }
  if (members.has("salt")) state.wanted = { link: location.hash };
  const commitment = members.get("raffle") ?? "";
  if (/^[0-9a-f]{64}$/.test(commitment)) state.commitment = commitment;
  if (brought !== null) return useBrought(brought);
  if (state.commitment !== null && hasHost()) return load(commitment);
  draw();
}

/** @param {string} text */
async function useBrought(text) {
  try {
    const { document: file, list, relays, key } = await ask({ ask: "brought", text });
    Object.assign(state, { relays, linked: key });
    await open(file);
    state.commitment = state.facts?.commitment ?? null;
    if (list !== null) await useList(list);
  } catch (error) {
    state.refused = refusal(/** @type {Error} */ (error), "raffle.v.changed-list");
  }
  await judge();
}

/** The raffle of the page's link. @param {string} commitment */
async function load(commitment) {
  cloth.say({ state: "pending", sentence: t("raffle.v.loading") }, null);
  main.replaceChildren(cloth.element);
  try {
    const file = await documentOf(commitment);
    if (file === null) {
      state.refused = { state: "none", sentence: t("raffle.v.no-host") };
      return draw();
    }
    await open(textOf(file));
    const list = state.facts === null ? null : await listOf(state.facts.deck.sha256);
    if (list !== null) await useList(list);
  } catch (error) {
    state.refused =
      "code" in /** @type {Error} */ (error) &&
      typeof (/** @type {any} */ (error).code) === "string"
        ? refusal(/** @type {Error} */ (error))
        : { state: "none", sentence: t("raffle.v.no-answer") };
    return draw();
  }
  await judge();
}

/**
 * @param {string} file the text of a document
 * @throws `other-raffle`, if it is not the one of the link: whoever gave the link promised that one
 */
async function open(file) {
  const facts = await ask({ ask: "read", document: file });
  if (state.commitment !== null && facts.commitment !== state.commitment)
    throw Object.assign(new Error(facts.commitment), { code: "other-raffle" });
  state.other = otherAfter(state, facts);
  Object.assign(state, { facts, file });
}

/** @param {Uint8Array} bytes */
async function useList(bytes) {
  /** @type {ListFacts} */
  const list = await ask({ ask: "list", bytes, deck: state.facts?.deck });
  Object.assign(state, { list, lines: listView(ask, list.count) });
  find.expect(list.isHashed);
}

/**
 * @param {Promise<GivenFile[]>} coming
 * @param {boolean} kept whether the reader kept them
 */
async function take(coming, kept) {
  const files = await coming;
  if (form !== null) return form.take(files);
  const notes = await takeFiles(files, kept, taker);
  tell(notes);
  if (notes.length < files.length) state.refused = null;
  await judge();
}

/** @param {string} text a message from before the draw */
async function compare(text) {
  tell([{ name: t("drop.pasted"), sentence: await compareNumber(text, taker) }]);
  draw();
  cloth.headline.scrollIntoView({ block: "nearest" });
}

/** @param {import("../ui/raffle/given.js").Note[]} notes of what the reader gave last */
function tell(notes) {
  told.replaceChildren(...drawNotes(notes));
  if (notes.length > 0) told.scrollIntoView({ block: "nearest" });
}

/**
 * The key of the raffle's log: the one that the reader keeps, or gave, or that this host shows for
 * its own log, or that the page brings.
 * @returns {GivenKey | null}
 */
function theKey() {
  const { facts, key, linked } = state;
  if (facts === null) return null;
  const { origin } = facts;
  const found = keyOf(origin);
  if (found !== null) return { text: found.key, source: { how: "kept", ...found } };
  if (key !== null && key.source.how !== "kept") return key;
  if (here !== null && here.key !== null && here.origin === origin)
    return { text: here.key, source: { how: "host", ...here } };
  return linked === null ? null : { text: linked, source: { how: "link" } };
}

/** The policy that the reader gave, or keeps with the key. @param {GivenKey | null} key */
function thePolicy(key) {
  return state.policy ?? keptPolicy(key?.text ?? null);
}

async function judge() {
  const mark = ++turn;
  const { facts, file, list } = state;
  const key = theKey();
  state.answer = null;
  if (facts !== null && file !== null && list !== null && key !== null && !differs(key.text)) {
    const working = setTimeout(draw, 200);
    try {
      const answer = await ask({
        ask: "verify",
        document: file,
        key: key.text,
        policy: thePolicy(key)?.bytes,
        kept: [...keptBefore(facts.commitment, facts.out).map(({ text }) => text), ...state.kept],
        ...(state.number === null ? {} : { beacon: state.number }),
      });
      if (mark !== turn) return;
      state.answer = answer;
      state.refused = null;
      dataset.took = answer.took.toFixed(1);
    } catch (error) {
      if (mark !== turn) return;
      if (refuse(/** @type {Error & {code?: string}} */ (error), key)) return judge();
    } finally {
      clearTimeout(working);
    }
  }
  // What the log's key did not sign would take the place of what it signed.
  const isLogged = state.answer?.verdict.shown.includes("logged") === true;
  if (isLogged && state.refused === null) {
    state.logged = facts?.number ?? null;
    keepSeen(state, brought !== null);
  }
  if (state.wanted !== null) await lookAgain();
  draw();
  tick();
}

/**
 * What is of no use would keep the reader from giving another.
 * @param {Error & {code?: string}} error
 * @param {GivenKey} key
 * @returns {boolean} whether the raffle can be judged without it
 */
function refuse(error, key) {
  const { number, policy } = state;
  if (
    (error.code === "beacon" && number !== null) ||
    (error.code === "policy" && policy !== null)
  ) {
    tell([{ name: error.code === "policy" ? (policy?.name ?? "") : "", ...refusal(error) }]);
    Object.assign(state, error.code === "policy" ? { policy: null } : { number: null });
    return true;
  }
  state.refused = refusal(error);
  if (error.code === "key") {
    forgetKey(key.text);
    state.key = null;
  }
  return false;
}

/** @param {string} text a line, or an entrant's link */
async function look(text) {
  const isHashed = state.list?.isHashed === true;
  const isLink = isHashed && (text.includes("#") || text.includes("salt="));
  // An address that is in the list is not found without its salt: nobody is told that it is missing.
  if (isHashed && !isLink && !/^[0-9a-f]{64}$/.test(text.trim()))
    return find.wrong("raffle.no-link");
  state.wanted = isLink ? { link: text.trim() } : { line: text };
  await lookAgain();
  if (state.facts !== null) drawCloth(state.facts);
}

async function lookAgain() {
  state.own = null;
  if (state.list === null || state.wanted === null) return;
  const isLink = "link" in state.wanted;
  if (isLink && !state.list.isHashed) return find.wrong("raffle.plain-link");
  try {
    const own = await ask({ ask: "find", ...state.wanted });
    // The link may be of another raffle: it does not show that somebody is missing.
    if (isLink && own.tickets === 0) return find.wrong("raffle.other-link");
    state.own = own;
  } catch {
    find.wrong();
  }
}

/** Every second: the time that is left, and then the number. */
function tick() {
  const { facts, answer } = state;
  if (facts === null || facts.out === null) return;
  const left = facts.out - Date.now() / 1000;
  cloth.tick(left);
  if (left > 0 || state.refused !== null) return;
  if (dataset.stage === "before") draw();
  const isDone = answer?.verdict.beacon?.signature !== undefined && answer.verdict.has_seed;
  const isFirst = next === 0;
  // Who comes long after the draw does not wait.
  if (isFirst) next = Math.max(Date.now(), 1000 * facts.out + jitter);
  if (!isDone && answer !== null && Date.now() >= next) void askNumber();
}

/** Asks for what is missing: the number, and a newer document with the seed. */
async function askNumber() {
  const { facts, answer } = state;
  if (facts === null || answer === null || answer.verdict.beacon?.out === undefined) return;
  next = Infinity;
  const hadNumber = answer.verdict.beacon.signature !== undefined;
  const isRight = async (/** @type {Uint8Array} */ bytes) =>
    (await ask({ ask: "number", beacon: facts.beacon, bytes })).is === "right";
  const number = hadNumber ? null : await numberOf(facts.beacon, state.relays, isRight);
  const newer =
    answer.verdict.has_seed || !hasHost() || brought !== null
      ? null
      : await documentOf(facts.commitment).catch(() => null);
  if (number !== null) state.number = number;
  try {
    if (newer !== null) await openNewer(textOf(newer), taker);
  } catch {
    // The first document is as good as before.
  }
  state.isLate = number === null && !hadNumber;
  next = Date.now() + pause;
  pause = Math.min(2 * pause, LONGEST_PAUSE);
  if (number !== null || newer !== null) await judge();
  else drawCloth(facts);
}

/** @param {string} key @param {{from: string} | null} keep */
function useKey(key, keep) {
  if (keep !== null && keyOf(originOf(key)) === null) keepKey(key, keep.from);
  state.key = { text: key, source: { how: "typed" } };
  void judge();
}

/** Everything that the page shows. */
function draw() {
  const { facts, refused } = state;
  if (facts === null) {
    dataset.stage = "start";
    dataset.verdict = refused === null ? "pending" : "none";
    drawStart(cloth, refused, here !== null || isWhole(), chosen);
    main.replaceChildren(cloth.element, told);
    return;
  }
  const key = theKey();
  drawCloth(facts);
  drawAsked(facts, key);
  const known = { ...state, facts, ...hadBefore(state, brought !== null), now: Date.now() };
  const isDrawn = dataset.stage === "drawn";
  const title = el("h2", {}, t(isDrawn ? "raffle.how-was" : "raffle.how-will"));
  drawAgain(steps, [title, drawSteps(known)]);
  const given = {
    link: linkTo(facts.commitment, brought !== null),
    key,
    policy: thePolicy(key),
  };
  drawAgain(
    side,
    drawSide(known, given, {
      save,
      take: chosen,
      takeKept: (files) => void take(files, true),
      usePolicy: (policy) => {
        state.policy = policy;
        tell([]);
        void judge();
      },
      forget: (text) => {
        forgetKey(text);
        state.key = null;
        void judge();
      },
      changed: () => {
        state.policy = null;
        void judge();
      },
    }),
  );
  columns.hidden = false;
  if (!main.contains(columns)) main.replaceChildren(cloth.element, told, asked, columns);
}

/** Saves the promise. @returns {Promise<string>} the file's name */
async function save() {
  const list = state.list === null ? null : await ask({ ask: "bytes" });
  const { name, content } = promiseFile(state, list, theKey()?.text ?? null);
  saveFile(name, content);
  return name;
}

/** @param {RaffleFacts} facts */
function drawCloth(facts) {
  const { list, own } = state;
  const given = { key: theKey(), ...hadBefore(state, brought !== null), own: own?.line ?? null };
  const shown = { ...state, facts, ...given };
  const drawn = drawStage(cloth, shown, Date.now(), saying, byHand);
  Object.assign(dataset, drawn);
  ticket.hidden = list === null || drawn.stage === "before";
  if (!ticket.hidden && !ticket.contains(find.element))
    ticket.replaceChildren(el("h2", {}, t("raffle.find")), find.element);
  if (own === null || list === null) return;
  // Nobody wins a raffle that was given up.
  const isDrawn = drawn.stage === "drawn" && drawn.verdict !== "none";
  find.show(own, list.count, isDrawn, facts.rules.prizes ?? []);
}

/**
 * The form for a key, where there is none; or about a key that the reader refused.
 * @param {RaffleFacts} facts
 * @param {GivenKey | null} key
 */
function drawAsked({ origin }, key) {
  const isAsking = key === null || differs(key.text);
  if (!isAsking) return asked.replaceChildren();
  // What the reader types stays.
  if (key === null && asked.querySelector(".key-form") !== null) return;
  const changed = () => void judge();
  asked.replaceChildren(
    key === null
      ? keyForm(origin, useKey, { here })
      : keyCard({ key: key.text, printedAt: null, changed }),
  );
}
