// The checkpoint: the log's size and age, and whether it continues the checkpoint that the reader
// saw last.

import { legible } from "../../fairdeal/jcs.js";
import { hostLog } from "../host.js";
import { keyForm } from "../inputs.js";
import { hasOwnStorage } from "../kept.js";
import { keyCard } from "../key-card.js";
import { sourceWords } from "../key-words.js";
import { differs, forgetKey, keepKey, keyOf, originOf } from "../keys.js";
import { meaning } from "../sentence.js";
import { same } from "../folds.js";
import { count, number, parts, t, time } from "../strings.js";
import { bytes, el, plain, quoted, theirs } from "../text.js";
import { sign } from "../verdict.js";
import { forkOf, keepFork, keepSeen, seenOf } from "./memory.js";
import { ago } from "./words.js";

/**
 * @typedef {import("../../workers/explore/compare.js").Compared} Compared
 * @typedef {import("../../workers/explore/compare.js").Seen} Seen
 * @typedef {import("../sentence.js").State} State
 * @typedef {import("./memory.js").Memory} Memory
 */

/**
 * @typedef {object} CheckpointPanel
 * @property {HTMLElement} element
 * @property {HTMLElement} keyPart the key that is used, or a form for it
 * @property {(seen: Seen, when: number) => void} arrive called when a checkpoint was read
 * @property {(lastTime: number | null) => void} last called with the time of the newest entry
 * @property {(key: string) => void} use
 * @property {(note: string) => void} hold compares the log with a checkpoint that the reader kept
 *   elsewhere
 * @property {() => string | null} key
 * @property {() => string[]} since the checkpoints that an audit should compare with the log
 */

/**
 * @param {(question: object) => Promise<any>} ask
 * @param {{address: string, isHere: boolean, onKey: () => void}} options `isHere`: it is the log of
 *   this page's host
 * @returns {CheckpointPanel}
 */
export function checkpointPanel(ask, { address, isHere, onKey }) {
  const status = el("div", { class: "checkpoint-status", role: "status" });
  const facts = el("dl", { class: "facts" });
  const about = el("div", { class: "stack" });
  const keyPart = el("div", { class: "stack" });
  const element = el(
    "section",
    { class: "panel checkpoint", "aria-label": t("explore.checkpoint") },
    el("h2", {}, t("explore.checkpoint")),
    status,
    facts,
    about,
  );
  /** @type {string | null} */
  let key = null;
  /** The key that this host shows. @type {import("../host.js").HostLog & {key: string} | null} */
  let shown = null;
  /** The checkpoint saved before this visit. @type {Memory | null} */
  let before = null;
  /** @type {string | null} */
  let held = null;
  /** @type {{seen: Seen, when: number} | null} */
  let now = null;
  /** @type {Compared | null} */
  let found = null;
  /** @type {number | null} */
  let lastTime = null;
  let turn = 0;

  const compare = async () => {
    const mark = ++turn;
    const { seen } = /** @type {{seen: Seen}} */ (now);
    const saved = held ?? seenOf(seen.origin)?.note ?? null;
    try {
      const compared = await ask({ ask: "compare", key, saved });
      if (mark !== turn) return;
      found = compared;
      remember(compared, saved);
    } catch (error) {
      if (mark !== turn) return;
      found = {
        now: seen,
        signed: key === null ? null : false,
        bad: null,
        relation: { kind: "unknown", says: /** @type {Error} */ (error).message },
      };
    }
    draw();
  };

  /** @param {Compared} compared @param {string | null} saved */
  const remember = ({ now: seen, signed, bad, relation }, saved) => {
    if (bad !== null) return;
    // Anybody can write a checkpoint that no key signed. It is no proof, and replaces none.
    const isSigned = signed === true && key !== null;
    if (relation.kind === "fork" && isSigned && saved !== null && shownFork(seen.origin) === null) {
      keepFork(seen.origin, {
        key: /** @type {string} */ (key),
        saved,
        now: seen.note,
        savedWhen: before?.when ?? 0,
        when: Date.now(),
        says: relation.says ?? "",
      });
    }
    if (held === null && relation.kind === "foreign") before = null;
    if (
      held === null &&
      ["first", "same", "grown", "foreign"].includes(relation.kind) &&
      (isSigned || seenOf(seen.origin)?.signed !== true)
    ) {
      keepSeen(seen.origin, {
        note: seen.note,
        size: seen.size,
        root: seen.root,
        when: Date.now(),
        signed: isSigned,
      });
    }
  };

  /**
   * The proof of a fork, if it is under the reader's key.
   * @param {string} origin
   */
  const shownFork = (origin) => {
    const fork = forkOf(origin);
    return fork !== null && (key === null || fork.key === key) ? fork : null;
  };

  const draw = () => {
    if (now === null) return;
    const { seen, when } = now;
    const fork = shownFork(seen.origin);
    const [state, sentence, says] =
      fork !== null
        ? /** @type {const} */ (["fails", meaning("inconsistent", "title"), fork.says])
        : sentenceOf(found, before, held !== null);
    status.replaceChildren(
      el(
        "div",
        { class: `line ${state}` },
        sign(state),
        el(
          "div",
          {},
          el("p", { class: "sentence" }, sentence),
          says === null ? null : el("p", { class: "small" }, plain(says)),
        ),
      ),
    );
    element.dataset.state = state;
    element.dataset.relation = found?.relation.kind ?? "";
    element.dataset.size = String(seen.size);
    drawFacts(seen, when);
    const note = about.querySelector("details")?.open ?? false;
    about.replaceChildren(
      ...(fork === null ? [] : [drawFork(fork, seen.origin)]),
      el(
        "details",
        { open: note },
        el("summary", {}, t("explore.note")),
        el(
          "div",
          { class: "stack" },
          bytes(seen.note, t("explore.note")),
          el("div", { class: "row" }, save(seen.note, "checkpoint.note", t("explore.save-note"))),
          ...same([`fairdeal checkpoint ${quoted(address)} --key ${quoted(key ?? "LOG.key")}`]),
        ),
      ),
    );
  };

  /** @param {Seen} seen @param {number} when */
  const drawFacts = (seen, when) => {
    /** @type {[string, (Node | string)[]][]} */
    const all = [
      [t("explore.origin"), [theirs(seen.origin, 200)]],
      [
        t("explore.size"),
        [
          el("strong", { class: "large" }, number(seen.size)),
          " ",
          count("explore.entries", seen.size),
        ],
      ],
      [
        t("explore.newest"),
        lastTime === null
          ? [t("explore.none")]
          : [ago(lastTime), el("span", { class: "soft small" }, ` · ${time(lastTime)}`)],
      ],
      [t("explore.read"), [ago(when)]],
      [
        t("explore.saw"),
        before === null
          ? [t("explore.saw-never")]
          : [
              t("explore.saw-size", { n: before.size }),
              el("span", { class: "soft small" }, ` · ${time(before.when)}`),
            ],
      ],
    ];
    facts.replaceChildren(
      ...all.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    );
  };

  const drawKey = () => {
    const { seen } = /** @type {{seen: Seen}} */ (now);
    if (shown !== null && (key === null || key === shown.key)) {
      keyPart.replaceChildren(keyCard({ ...shown, changed: again }));
      return;
    }
    if (key === null) {
      const form = keyForm(null, (text, keeping) => {
        if (keeping !== null) keepKey(text, keeping.from);
        use(text);
      });
      keyPart.replaceChildren(
        el(
          "div",
          { class: "key-ask" },
          el(
            "p",
            {},
            parts("explore.key-ask", { origin: el("strong", {}, theirs(seen.origin, 200)) }),
          ),
          form,
        ),
      );
      return;
    }
    const from = keyOf(seen.origin);
    keyPart.replaceChildren(
      el(
        "div",
        { class: "key-line" },
        el("p", { class: "small" }, t("key.is"), " ", theirs(key, 300)),
        from?.key === key
          ? el(
              "div",
              { class: "row" },
              el("p", { class: "small soft" }, sourceWords({ how: "kept", ...from })),
              el(
                "button",
                {
                  type: "button",
                  class: "plain",
                  click: () => {
                    forgetKey(from.key);
                    key = null;
                    drawKey();
                    onKey();
                    void compare();
                  },
                },
                t("key.forget"),
              ),
            )
          : null,
      ),
    );
  };

  /** @param {string} text */
  const use = (text) => {
    if (differs(text)) return;
    key = text;
    if (now === null) return;
    drawKey();
    onKey();
    void compare();
  };

  /** The key to use after the reader compared the key that this host shows. */
  const again = () => {
    const { seen } = /** @type {{seen: Seen}} */ (now);
    const { key: here } = /** @type {{key: string}} */ (shown);
    key = keyOf(seen.origin)?.key ?? (differs(here) ? null : here);
    onKey();
    void compare();
  };

  /** @param {string} origin */
  const askHost = async (origin) => {
    const found = await hostLog();
    if (found === null || found.key === null || found.origin !== origin) return;
    shown = { ...found, key: found.key };
    if (key === null && !differs(shown.key)) use(shown.key);
    else drawKey();
  };

  setInterval(() => {
    if (now !== null) drawFacts(now.seen, now.when);
  }, 1_000);
  return {
    element,
    keyPart,
    use,
    arrive: (seen, when) => {
      const isFirst = now === null;
      const isNew = now?.seen.note !== seen.note;
      now = { seen, when };
      if (isFirst) {
        before = seenOf(seen.origin);
        key ??= keyOf(seen.origin)?.key ?? null;
        if (key !== null && originOf(key) !== seen.origin && keyOf(seen.origin) !== null)
          key = keyOf(seen.origin)?.key ?? key;
        drawKey();
        onKey();
        if (isHere) void askHost(seen.origin);
      }
      if (isNew) void compare();
    },
    last: (newest) => {
      lastTime = newest;
      if (now !== null) drawFacts(now.seen, now.when);
    },
    hold: (note) => {
      held = note;
      if (now !== null) void compare();
    },
    key: () => key,
    since: () => {
      const saved = held ?? (now === null ? null : (before?.note ?? null));
      return saved === null ? [] : [saved];
    },
  };

  /** @param {import("./memory.js").Fork} fork @param {string} origin */
  function drawFork(fork, origin) {
    return el(
      "div",
      { class: "wrong stack", id: "fork" },
      el("h3", {}, t("explore.fork")),
      el("p", {}, meaning("inconsistent", "means")),
      el(
        "div",
        { class: "row" },
        save(fork.saved, "saved.note", t("explore.fork-saved")),
        save(fork.now, "now.note", t("explore.fork-now")),
        save(
          legible(JSON.stringify({ origin, ...fork }, null, 2)),
          "fork.json",
          t("explore.fork-both"),
        ),
      ),
      ...same([
        `fairdeal audit ${quoted(address)} --key ${quoted(fork.key)} --since saved.note --since now.note`,
      ]),
      el(
        "div",
        {},
        el(
          "button",
          {
            type: "button",
            class: "plain",
            click: () => {
              keepFork(origin, null);
              draw();
            },
          },
          t("explore.fork-forget"),
        ),
      ),
    );
  }
}

/**
 * A button that saves a text as a file.
 * @param {string} text
 * @param {string} name
 * @param {string} label
 */
export function save(text, name, label) {
  return el(
    "a",
    {
      class: "button",
      download: name,
      href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
    },
    label,
  );
}

/**
 * @param {Compared | null} found
 * @param {Memory | null} before
 * @param {boolean} isHeld whether the reader gave the earlier checkpoint
 * @returns {[State, string, string | null]}
 */
function sentenceOf(found, before, isHeld) {
  if (found === null) return ["pending", t("explore.comparing"), null];
  const { signed, bad, relation, now } = found;
  if (bad !== null) return ["fails", meaning("bad-signature", "title"), bad];
  switch (relation.kind) {
    case "fork":
      return signed === true
        ? ["fails", meaning("inconsistent", "title"), relation.says]
        : ["unreadable", t("explore.other"), relation.says];
    case "wrong-tiles":
      return ["fails", meaning("tree-mismatch", "title"), relation.says];
    case "shorter":
      return ["unreadable", t("explore.shorter"), relation.says];
    case "unknown":
      return ["unreadable", t("explore.uncompared"), relation.says];
    case "foreign":
      if (isHeld) return ["unreadable", t("explore.foreign"), relation.says];
      break;
    default:
  }
  const grown = now.size - (before?.size ?? 0);
  // Nothing was compared yet: that is no green sign.
  const isFirst = !isHeld && before === null;
  const sentence = isHeld
    ? t("explore.holds-file")
    : isFirst
      ? t(hasOwnStorage ? "explore.first" : "explore.first-file")
      : grown === 0
        ? t("explore.same")
        : count("explore.grown", grown);
  if (signed !== true) return ["pending", sentence, t("explore.unsigned")];
  return [isFirst ? "none" : "holds", sentence, null];
}
