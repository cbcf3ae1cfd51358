// <fairdeal-seat>: the player's kit as an element, with a badge that shows the seat's state.
//
//     <script type="module" src="https://their.host/fairdeal/elements.js"></script>
//     <fairdeal-seat log="https://cards.example/log" key="cards.example/log+…" from="alice"></fairdeal-seat>
//
// It brings its style, which needs no exception in the page's policy. The page needs `connect-src`
// for the log.

import { badgeWord, sentenceOf } from "./badge-words.js";
import { isKeyText } from "./key.js";
import { player } from "./player.js";
import { IDLE } from "./seat.js";

/**
 * @typedef {import("./player.js").Contributed} Contributed
 * @typedef {import("./tags.js").Tag} Tag
 */

const STYLE = `
:host { display: inline-block; max-width: 100%; color-scheme: light dark; --good: light-dark(#0a6638, #74d797);
  --bad: light-dark(#a51c17, #ff968c); --unsure: light-dark(#6d4a00, #f1c667); --ink: light-dark(#15201a, #e8efea);
  --paper: light-dark(#ffffff, #18211c); --edge: light-dark(#707d75, #7f8e86); }
:host([hidden]) { display: none; }
div { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; box-sizing: border-box; min-height: 48px; padding: 6px 14px 6px 10px;
  color: var(--ink); background: var(--paper); border: 2px solid var(--edge); border-radius: 26px; font: 16px/1.3 system-ui, sans-serif; }
p { margin: 0; flex: 1 1 150px; overflow-wrap: anywhere; }
svg { width: 28px; height: 28px; flex: none; fill: none; stroke: var(--edge); stroke-width: 4.5; stroke-linecap: round; stroke-linejoin: round; }
.fair { border-color: var(--good); } .fair svg { stroke: var(--good); }
.caught { border-color: var(--bad); } .caught svg { stroke: var(--bad); } .caught p { font-weight: 700; }
.unproved { border-color: var(--unsure); } .unproved svg { stroke: var(--unsure); }
button { font: inherit; min-height: 44px; padding: 0 14px; color: inherit; background: none; border: 1px solid var(--edge); border-radius: 22px; cursor: pointer; }
:focus-visible { outline: 3px solid var(--good); outline-offset: 2px; }
`;

/**
 * Each state has a different outline, so that nobody needs to see colours.
 * @type {Record<string, string>}
 */
const SIGNS = {
  idle: "M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38z",
  waiting: "M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38zM24 14v11l7 5",
  fair: "M24 3a21 21 0 1 1 0 42 21 21 0 0 1 0-42zM13 25l8 8 15-17",
  unproved: "M24 4l21 38H3zM24 18v11M24 36v.1",
  unsure:
    "M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38zM20 19a4.5 4.5 0 1 1 6 4.2c-1.5.7-2 1.6-2 3.8M24 33v.5",
  caught: "M15 3h18l12 12v18L33 45H15L3 33V15zM16 16l16 16M32 16L16 32",
};

/** @type {CSSStyleSheet | null} */
let sheet = null;

// In Node there are no elements. Importing this file must not fail there.
const Base = /** @type {new () => import("./seat.js").VerdictEvents & HTMLElement} */ (
  globalThis.HTMLElement ?? class {}
);

/**
 * A seat of a player. Attributes: `log`, the address of the log's service, or empty; `key`, the
 * log's verifier key; `from`, the player's label, random by default; `lang`. The event `verdict`
 * has the state as its `detail`.
 */
export class FairdealSeat extends Base {
  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    this.root.adoptedStyleSheets = [sheet];
    /**
     * The storage of the kit; set it before the first call.
     * @type {import("./storage.js").Storage | undefined}
     */
    this.storage = undefined;
    /**
     * How wrong this device's clock may be, in milliseconds; set it before the first call.
     * @type {number | undefined}
     */
    this.tolerance = undefined;
    /**
     * The witnesses that the player believes, and how long a lock may wait for them; set them before
     * the first call.
     * @type {import("./policy.js").Policy | undefined}
     */
    this.policy = undefined;
    /** @type {number | undefined} */
    this.coverWait = undefined;
    /** @type {Promise<import("./player.js").Seat> | undefined} */
    this.coming = undefined;
    /** @type {import("./player.js").Seat | undefined} */
    this.known = undefined;
    this.label = "";
    /** Whether this element was removed from its page, which closes the seat. */
    this.left = false;
  }

  connectedCallback() {
    this.left = false;
    this.draw(this.state);
    // What was caught before is shown at once. The page may set a storage before that.
    queueMicrotask(() => {
      if (this.isConnected && (this.getAttribute("key") ?? "") !== "")
        this.seat().catch(() => undefined);
    });
  }

  disconnectedCallback() {
    // Moving a node removes it and inserts it again at once.
    this.left = true;
    queueMicrotask(() => {
      if (this.left) this.known?.close();
    });
  }

  /** The player's label. @returns {string} */
  get from() {
    const given = this.getAttribute("from");
    if (given !== null && given !== "") return given;
    this.label ||= `player-${Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(36)).join("")}`;
    return this.label;
  }

  /** The seat behind this element. @returns {Promise<import("./player.js").Seat>} */
  seat() {
    this.coming ??= this.start().catch((error) => {
      this.coming = undefined;
      const code = isKeyText(this.getAttribute("key")) ? (error.code ?? "unsure") : "no-key";
      this.draw({ ...IDLE, state: "unsure", claims: [{ code, says: error.message }] });
      throw error;
    });
    return this.coming;
  }

  async start() {
    const log = this.getAttribute("log");
    const seat = await player({
      log: log === null || log === "" ? null : new URL(log, document.baseURI).href,
      key: this.getAttribute("key") ?? "",
      from: this.from,
      storage: this.storage,
      tolerance: this.tolerance,
      policy: this.policy,
      coverWait: this.coverWait,
    });
    this.known = seat;
    this.draw(seat.state);
    seat.addEventListener("verdict", ({ detail }) => {
      this.draw(detail);
      this.dispatchEvent(new CustomEvent("verdict", { detail, bubbles: true, composed: true }));
    });
    return seat;
  }

  /**
   * Makes a contribution for a round.
   * @template {import("./player.js").ContributeInput} I
   * @param {I} input
   * @returns {Promise<I extends {count: number} ? Contributed[] : Contributed>}
   */
  async contribute(input) {
    return (await this.seat()).contribute(input);
  }

  /**
   * Takes a message of the game's server, and returns the reply, or null.
   * @param {string | Uint8Array | object} message
   * @param {import("./player.js").ReceiveOptions} [options]
   * @returns {ReturnType<import("./player.js").Seat["receive"]>}
   */
  async receive(message, options) {
    return (await this.seat()).receive(message, options);
  }

  /**
   * All records of the seat, in one file.
   * @param {{all?: boolean}} [options]
   * @returns {Promise<string>}
   */
  async export(options) {
    return (await this.seat()).export(options);
  }

  /** The present state. @returns {import("./player.js").SeatState} */
  get state() {
    return this.known?.state ?? IDLE;
  }

  /** This player's cards. @returns {import("./record.js").PlacedCard[]} */
  get cards() {
    return this.known?.cards ?? [];
  }

  /** All known cards. @returns {import("./record.js").PlacedCard[]} */
  get places() {
    return this.known?.places ?? [];
  }

  /** @param {import("./player.js").SeatState} state */
  draw(state) {
    const language = this.lang || document.documentElement.lang || "en";
    this.dataset.state = state.state;
    this.dataset.stage = state.stage;
    const box = this.root.querySelector("div") ?? document.createElement("div");
    box.className = state.state;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", badgeWord("label", language));
    const text = this.root.querySelector("p") ?? document.createElement("p");
    text.setAttribute("role", "status");
    const sentence = sentenceOf(state, language);
    // A screen reader reads only the changed text.
    if (text.textContent !== sentence) text.textContent = sentence;
    text.title = (state.findings[0] ?? state.claims[0])?.says ?? "";
    box.replaceChildren(
      sign(state.state),
      text,
      ...(["caught", "fair", "unproved"].includes(state.state)
        ? [this.saver(state.state, language)]
        : []),
    );
    if (box.parentNode === null) this.root.append(box);
  }

  /**
   * @param {string} state
   * @param {string} language
   * @returns {HTMLButtonElement}
   */
  saver(state, language) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = badgeWord(state === "caught" ? "evidence" : "record", language);
    button.addEventListener("click", () => void this.save());
    return button;
  }

  /** The name of the exported file. @returns {string} */
  fileName() {
    return `fairdeal-${this.state.state}-${(this.state.commitment ?? "").slice(0, 8)}.json`;
  }

  /** Saves the exported file. */
  async save() {
    const url = URL.createObjectURL(new Blob([await this.export()], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = this.fileName();
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

/** @param {string} state @returns {SVGSVGElement} */
function sign(state) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[state] ?? SIGNS.waiting);
  svg.append(path);
  return svg;
}

if (globalThis.customElements !== undefined && customElements.get("fairdeal-seat") === undefined) {
  customElements.define("fairdeal-seat", FairdealSeat);
}
