// A hand against the house, and five ways in which the house can try to cheat.

import "../fairdeal/elements.js";
import { toHex, utf8 } from "../fairdeal/bytes.js";
import { verifyEvidence } from "../fairdeal/evidence.js";
import { PolicyFault, readPolicy } from "../fairdeal/policy.js";
import { sha256 } from "../fairdeal/sha256.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { play as de } from "../strings/de-play.js";
import { play as en } from "../strings/en-play.js";
import { kept } from "../ui/kept.js";
import { keepKey, keyOf, originOf } from "../ui/keys.js";
import { Felt } from "../ui/felt.js";
import { startPage } from "../ui/page.js";
import { keptPolicy } from "../ui/policy.js";
import { Steps } from "../ui/play-steps.js";
import { KINDS, RANKS, compareHands, worth } from "../ui/poker.js";
import { addWords, count, isKey, language, t } from "../ui/strings.js";
import { el } from "../ui/text.js";
import { caughtPanel, cheatDrawer, rulesPanel, seedField, stoppedPanel } from "../ui/play-parts.js";
import { Game } from "./play-game.js";

/** @typedef {import("../ui/strings.js").Key} Key */
/** @typedef {import("../fairdeal/player.js").SeatState} SeatState */

addWords({ en, de });
const main = startPage("play");
const root = document.documentElement.dataset;
// A table has four colours unless the player chose two, because suits must be easy to distinguish.
if (kept("suits") === null) {
  root.suits = "four";
  const choice = document.querySelector('select[name="suits"]');
  if (choice instanceof HTMLSelectElement) choice.value = "four";
}

// On other pages no data leaves the browser. Here a seed does, and the moment matters.
document.querySelector(".foot p")?.replaceChildren(t("play.foot"));

/** The time until the last of five cards is face up (play.css). */
const TURN = 600;
const score = { won: 0, lost: 0, split: 0 };
const felt = new Felt();
const steps = new Steps();
const seed = seedField();
const drawer = cheatDrawer((cheat) => tellCheat(cheat));
let seat = newSeat();
const game = new Game(seat);
const fault = el("p", { class: "wrong", role: "alert", hidden: true });
const caught = el("div", { id: "caught" });
const rules = el("div", {});
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;
/** The hand that waits for a later reveal and its verdict. @type {string} */
let outcome = "";

felt.button.addEventListener("click", () => void hand());
void begin();

function newSeat() {
  const made = /** @type {import("../fairdeal/elements.js").FairdealSeat} */ (
    document.createElement("fairdeal-seat")
  );
  made.lang = language;
  made.setAttribute("from", "you");
  // The dealer's clock is this table's, and its deadlines are seconds.
  made.tolerance = 1000;
  made.addEventListener("verdict", (event) => verdict(/** @type {CustomEvent} */ (event).detail));
  return made;
}

/**
 * What a seat caught stays for ever. Here the next hand is another player's, who knows nothing.
 */
function nextPlayer() {
  const next = newSeat();
  for (const name of ["log", "key"]) next.setAttribute(name, seat.getAttribute(name) ?? "");
  next.policy = seat.policy;
  next.storage = memoryStorage();
  seat.replaceWith(next);
  seat = game.seat = next;
}

async function begin() {
  main.append(
    el(
      "div",
      { class: "play-head" },
      el("h1", {}, t("play.title")),
      el("p", { class: "soft lead" }, t("play.lead")),
    ),
    fault,
  );
  try {
    const [about, text] = await Promise.all([
      game.about(),
      fetch("play-rules.txt").then((response) => response.text()),
    ]);
    const { key, from, policy } = keyHere(about.key);
    if (key !== about.key) {
      fail(t("play.other-key"));
      root.play = "refused";
      return;
    }
    seat.setAttribute("log", about.log);
    seat.setAttribute("key", key);
    seat.policy = policy;
    const digest = toHex(sha256(utf8(text)));
    rules.replaceChildren(rulesPanel(text, digest, digest === about.rules, key, from));
    drawer.offer(about.cheats);
    // Its badge says the state of the round: that comes first.
    main.append(
      seat,
      el(
        "div",
        { class: "table" },
        el("div", { class: "column" }, felt.element, caught, drawer.element),
        el(
          "div",
          { class: "column" },
          el(
            "section",
            { class: "panel happens", "aria-label": t("play.steps") },
            el("h2", {}, t("play.steps")),
            steps.element,
            seed.element,
          ),
        ),
      ),
      rules,
    );
    felt.clear();
    felt.say(t("play.ready"));
    root.play = "ready";
  } catch (error) {
    const absent = /** @type {any} */ (error).status === 404;
    const other = absent ? t("play.absent") : t("play.offline");
    fail(error instanceof PolicyFault ? error.message : other);
    main.append(
      el(
        "p",
        {},
        el("button", { type: "button", click: () => location.reload() }, t("play.again")),
      ),
    );
    root.play = "absent";
  }
}

/**
 * The log's key, and the policy of witnesses that is kept with it: the first key that this browser
 * saw. Another key later is another log.
 * @param {string} key
 * @returns {{key: string, from: string, policy: import("../fairdeal/policy.js").Policy | undefined}}
 */
function keyHere(key) {
  const known = keyOf(originOf(key));
  if (known === null) keepKey(key, t("play.key-from", { host: location.host }));
  const bytes = keptPolicy(known?.key ?? null)?.bytes;
  return {
    key: known?.key ?? key,
    from: known?.from ?? t("play.key-from", { host: location.host }),
    policy: bytes === undefined ? undefined : readPolicy(bytes),
  };
}

async function hand() {
  if (felt.button.disabled) return;
  felt.button.disabled = true;
  clearInterval(clock);
  if (seat.state.state === "caught") nextPlayer();
  fault.hidden = true;
  caught.replaceChildren();
  outcome = "";
  root.play = "dealing";
  felt.clear();
  steps.clear();
  steps.set("promise", "now");
  felt.say(t("play.dealing"));
  const cards = { yours: /** @type {string[]} */ ([]), theirs: /** @type {string[]} */ ([]) };
  try {
    await game.hand(
      {
        promised: (commitment) => steps.done("promise", `${commitment.slice(0, 12)}…`),
        given: ({ hash, seen }) => {
          steps.done(
            "hash",
            `${hash.slice(0, 12)}…${seen === undefined ? "" : ` · ${count("play.saw", seen.size)}`}`,
          );
          steps.set("lock", "now");
        },
        locked: (index) => steps.done("lock", t("play.at-index", { index })),
        opened: () => {
          steps.done("open", t("play.opened"));
          steps.set("cards", "now");
        },
        yours: async (five, fair, wrong) => {
          cards.yours = five;
          felt.yours.show(five, wrong);
          // The badge reports a fault at once. The player need not wait for a hand that is not
          // fair.
          if (fair) await rest(TURN);
          felt.yours.says.textContent = nameOf(five);
          if (!fair) return;
          steps.done("cards", t("play.sealed"));
          await rest(500);
        },
        theirs: async (five) => {
          cards.theirs = five;
          felt.house.show(five);
          await rest(TURN);
          felt.house.says.textContent = nameOf(five);
          outcome = ["lost", "split", "won"][compareHands(cards.yours, five) + 1];
          steps.set("reveal", "now");
        },
        revealed: (server) => steps.done("reveal", `${server.slice(0, 12)}…`),
        ended: (state) => end(state),
      },
      { cheat: drawer.cheat(), seed: seed.take() },
    );
  } catch (error) {
    const { status, code, message, detail = message } = /** @type {any} */ (error);
    fail(status === 0 ? t("play.offline") : `${t("play.stopped")} ${code ?? ""}: ${detail}`);
    felt.say(t("play.stopped"));
    steps.wrong();
    root.play = "stopped";
  }
  felt.button.textContent = t("play.next");
  felt.button.disabled = root.play === "waiting";
  seed.renew();
}

/**
 * Shows that a hand is over, was stopped, or waits for its reveal.
 * @param {SeatState} state
 */
function end(state) {
  if (state.state === "caught") return catchIt(state);
  if (state.state === "unsure") return stopIt(state);
  if (state.state === "waiting") {
    root.play = "waiting";
    felt.say(t("play.awaits", { s: "…" }));
    clock = setInterval(() => {
      const left = Math.max(0, Math.ceil(((state.revealBy ?? 0) - Date.now()) / 1000));
      felt.say(t("play.awaits", { s: left }));
    }, 250);
    return;
  }
  steps.done("verdict", t("play.replayed"));
  const key = /** @type {"won" | "lost" | "split"} */ (outcome);
  score[key]++;
  felt.say(t(`play.${key}`), key);
  felt.score.textContent = t("play.score", score);
  root.play = state.state;
}

/** @param {SeatState} state */
function stopIt({ claims: [{ code, says }] }) {
  clearInterval(clock);
  const words = `play.stopped.${code}`;
  felt.say(isKey(words) ? t(words) : says);
  steps.wrong();
  root.play = "unsure";
  root.claim = code;
  const log = new URL(game.known?.log ?? "/", location.href).href;
  const key = seat.getAttribute("key") ?? "";
  caught.replaceChildren(stoppedPanel({ code, says, key, log }));
}

/** @param {SeatState} state */
function verdict(state) {
  // Handles a verdict after a hand's last answer, such as an overdue reveal.
  if (root.play === "waiting" && state.state !== "waiting") {
    clearInterval(clock);
    end(state);
    felt.button.disabled = false;
  }
}

/** @param {SeatState} state */
function catchIt(state) {
  clearInterval(clock);
  const [{ code, says }] = state.findings;
  const words = `play.caught.${code}`;
  felt.say(t("state.caught", { what: t(isKey(words) ? words : "play.caught.other") }), "caught");
  steps.wrong();
  root.play = "caught";
  root.caught = code;
  const key = seat.getAttribute("key") ?? "";
  const judged = seat.export().then((file) => verifyEvidence(file, { key }));
  caught.replaceChildren(
    caughtPanel({
      code,
      says,
      save: () => void seat.save(),
      judged,
    }),
  );
}

/** @param {string | undefined} cheat */
function tellCheat(cheat) {
  felt.button.dataset.cheat = cheat ?? "";
}

/** @param {string[]} five @returns {string} */
function nameOf(five) {
  const [kind, best] = worth(five);
  const name = RANKS[best] ?? "";
  const rank = "TJQKA".includes(name) ? t(/** @type {Key} */ (`rank.${name}`)) : name;
  return t(/** @type {Key} */ (`play.kind.${KINDS[kind]}`), { rank });
}

/**
 * Time to look at the turned cards; none if the system asks for no motion.
 * @param {number} milliseconds
 */
function rest(milliseconds) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return new Promise((resolve) => setTimeout(resolve, still ? 0 : milliseconds));
}

/** @param {string} says */
function fail(says) {
  fault.textContent = says;
  fault.hidden = false;
}
