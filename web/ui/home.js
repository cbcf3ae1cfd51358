// The parts of the home page that need the log of this host: the latest hands, a hand by its table
// and time, the key, and three numbers. It is loaded after the first paint.

import { adopt } from "./adopt.js";
import { channel } from "./channel.js";
import { findForm } from "./find.js";
import { keyForm } from "./inputs.js";
import { handJudge } from "./judged-hands.js";
import { HOME } from "./home-style.js";
import { keyCard } from "./key-card.js";
import { differs, keepKey, keyOf } from "./keys.js";
import { latestList } from "./latest.js";
import { numbersRow } from "./numbers.js";
import { parts, t } from "./strings.js";
import { el, theirs } from "./text.js";

/**
 * @typedef {import("./host.js").HostLog} HostLog
 * @typedef {import("../workers/explore/latest.js").Hand} Hand
 * @typedef {import("../workers/explore/session.js").News} News
 */

adopt(HOME);

/** The number of newest entries that this page reads. */
const WINDOW = 512;
/** The time until a log that cannot be read is tried again. */
const PAUSE = 10_000;

/**
 * @param {HostLog} log
 * @param {import("./start.js").Places} places
 * @param {(name: string, bytes: Uint8Array) => void} open judges a receipt
 */
export function showLog(log, places, open) {
  const base = new URL("./", location.href).href;
  /** The key that hands are judged with: none if the reader refused it. */
  const key = () => (isRefused() ? null : shownKey());
  const shownKey = () => keyOf(log.origin)?.key ?? log.key;
  const isRefused = () => {
    const found = shownKey();
    return found !== null && differs(found);
  };
  const told = el("p", { class: "told", role: "alert", hidden: true });

  /** @param {Hand} hand */
  const openHand = async ({ commitment, nonce }) => {
    told.hidden = true;
    try {
      const bytes = await worker.ask({ ask: "receipt", commitment, nonce });
      open(`hand-${nonce + 1}.json`, bytes);
    } catch {
      told.hidden = false;
      told.replaceChildren(t("home.no-receipt"));
    }
  };

  const worker = channel("explore", (/** @type {News} */ news) => {
    if (news.kind === "connection") latest.connection(news.connection);
    if (news.kind === "changed") {
      numbers.update(news.summary);
      void latest.update();
    }
  });
  const judge = handJudge(worker.ask, key);
  const latest = latestList({ ask: worker.ask, judge, isRefused, openHand });
  const numbers = numbersRow({ base, key, origin: log.origin });
  const keyPlace = el("div", { class: "key-place" });
  fill(places.latest, latest.element, told);
  fill(places.key, keyPlace);
  fill(places.numbers, numbers.element);
  drawKey();
  void begin();

  function drawKey() {
    const changed = () => {
      numbers.ready();
      void latest.update();
    };
    keyPlace.replaceChildren(
      log.key !== null
        ? keyCard({ key: log.key, printedAt: log.printedAt, changed })
        : keyOf(log.origin) === null
          ? el(
              "section",
              { class: "key-card", "data-state": "none" },
              el("p", {}, parts("key.none", { origin: theirs(log.origin, 100) })),
              keyForm(null, (text) => {
                keepKey(text, "");
                drawKey();
                changed();
              }),
            )
          : keyCard({ key: keyOf(log.origin)?.key ?? "", printedAt: null, changed }),
    );
  }

  async function begin() {
    try {
      const { summary, hasApi } = await worker.ask({ ask: "open", base, window: WINDOW });
      numbers.update(summary);
      void latest.update();
      if (hasApi) {
        const tables = await worker.ask({ ask: "tables" });
        if (tables.tables.length > 0)
          fill(places.find, findForm({ ask: worker.ask, judge, tables, openHand }));
      }
      latest.opens(hasApi);
    } catch {
      latest.connection("offline");
      setTimeout(() => void begin(), PAUSE);
    }
  }
}

/** @param {HTMLElement} place @param {...Node} nodes */
function fill(place, ...nodes) {
  place.replaceChildren(...nodes);
  place.hidden = false;
}
