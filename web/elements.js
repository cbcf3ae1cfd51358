// Elements for other people's pages.
//
//     <script type="module" src="https://cards.example/elements.js"></script>
//     <fairdeal-verify receipt="/receipts/7.json" key="cards.example/log+b5c97633+Aepk…"></fairdeal-verify>
//
// <fairdeal-seat>, a player's seat, is in fairdeal/elements.js, and this file defines it too.
//
// The page's policy needs `script-src` for this file, and `connect-src` for the receipt. No style
// of the page is needed.

import { verifyReceipts } from "./fairdeal/index.js";
import "./fairdeal/elements.js";
import { strings as de } from "./strings/de.js";
import { strings as en } from "./strings/en.js";
import { laidCloth } from "./ui/cloth.js";
import { elementStyle } from "./ui/element-style.js";
import { nameOfKey } from "./ui/keys.js";
import { toFragment } from "./ui/link.js";
import { drawScene } from "./ui/scene.js";
import { headlineOfAll } from "./ui/sentence.js";
import { missingFold, missingOf } from "./ui/folds.js";
import { addWords, language, t } from "./ui/strings.js";
import { el } from "./ui/text.js";
import { drawTimeline } from "./ui/timeline.js";
import "./workers/beacons.js";
import { dossier } from "./workers/dossier.js";

// A worker from another host does not start, so the texts are loaded with this module.
addWords({ en, de });

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * A receipt's verdict. Attributes: `receipt`, an address or the receipt itself; `key`, the log's
 * verifier key. The property `verdict` is the verdict's state, "caught", "fair" or "unproved";
 * "none" if there is no state; or "pending". The event `verdict` says when it changes, and its
 * `detail` has the whole verdict.
 */
export class FairdealVerify extends HTMLElement {
  static observedAttributes = ["receipt", "key"];

  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [elementStyle()];
    this.turn = 0;
    /** @type {import("./ui/sentence.js").State} */
    this.verdict = "pending";
  }

  connectedCallback() {
    void this.judge();
  }

  attributeChangedCallback() {
    if (this.isConnected) void this.judge();
  }

  async judge() {
    const mark = ++this.turn;
    this.show({ state: "pending", sentence: t("v.working") }, null, [], undefined);
    // The two attributes are often set one after the other.
    await Promise.resolve();
    if (mark !== this.turn) return;
    const key = this.getAttribute("key") ?? "";
    try {
      const bytes = await read(this.getAttribute("receipt") ?? "");
      const all = await verifyReceipts([{ name: "receipt.json", file: bytes }], { key });
      if (mark !== this.turn) return;
      const { receipts } = all;
      // Evidence has several files: of them, only the headline is shown.
      const [verdict] = receipts.length === 1 ? receipts : [all];
      const facts = dossier(bytes, key);
      const found = headlineOfAll(
        all,
        receipts.map(() => facts),
        [],
      );
      const judged = "shown" in verdict ? verdict : null;
      // If this file is part of a page and has no address, the verifying page is in that page's
      // folder.
      const beside = import.meta.url.startsWith("http") ? import.meta.url : document.baseURI;
      const link = new URL(`verify.html#${await toFragment(bytes, nameOfKey(key))}`, beside).href;
      this.show(
        found,
        judged === null ? null : drawScene(judged, facts, null, null),
        judged === null
          ? []
          : [
              drawTimeline(judged, facts, [], []),
              missingFold(missingOf(judged, facts), false),
              el("p", {}, el("a", { href: link, rel: "noreferrer" }, t("element.page"))),
            ],
        verdict,
      );
    } catch (error) {
      if (mark !== this.turn) return;
      this.show(
        {
          state: "none",
          sentence: t(error instanceof Unfetched ? "element.unfetched" : "v.refused"),
          says: /** @type {Error} */ (error).message,
        },
        null,
        [],
        undefined,
      );
    }
  }

  /**
   * @param {import("./ui/sentence.js").Headline} found
   * @param {import("./ui/cloth.js").Scene | null} scene
   * @param {(Node | null)[]} more
   * @param {unknown} detail
   */
  show(found, scene, more, detail) {
    this.root.replaceChildren(
      el(
        "div",
        { class: "all", lang: language, role: "group", "aria-label": t("element.label") },
        el("div", { role: "status" }, laidCloth(found, scene)),
        more,
      ),
    );
    this.verdict = found.state;
    this.dataset.verdict = found.state;
    if (found.state !== "pending")
      this.dispatchEvent(new CustomEvent("verdict", { detail, bubbles: true, composed: true }));
  }
}

/** The receipt could not be fetched. */
class Unfetched extends Error {}

/**
 * @param {string} receipt an address on this page's host or on this file's, or the receipt itself
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function read(receipt) {
  if (receipt.trimStart().startsWith("{")) return new TextEncoder().encode(receipt);
  const url = new URL(receipt, document.baseURI);
  if (url.origin !== location.origin && url.origin !== new URL(import.meta.url).origin)
    throw new Unfetched(t("element.origin", { host: url.host }));
  const options = /** @type {const} */ ({ credentials: "omit", referrerPolicy: "no-referrer" });
  const response = await fetch(url, options).catch((error) => {
    throw new Unfetched(`${url.href}: ${error.message}`);
  });
  if (!response.ok)
    throw new Unfetched(t("element.status", { url: url.href, status: response.status }));
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MOST_BYTES) throw new Error(t("element.large"));
  return bytes;
}

if (customElements.get("fairdeal-verify") === undefined)
  customElements.define("fairdeal-verify", FairdealVerify);
