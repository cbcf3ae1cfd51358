// The wrong shuffles, compared with the right one.

import { short } from "./cards.js";
import { Heat, legend } from "./heat.js";
import { number, t } from "./strings.js";
import { el } from "./text.js";
import { startWorker } from "./worker.js";

/** @typedef {import("./strings.js").Key} Key */

/** With the names of `fairdeal lab`; the clearest first. */
const WRONG = [
  "swap-any",
  "compare-tim",
  "compare-insertion",
  "modulo-8",
  "random-swaps",
  "never-self",
  "sattolo",
  "last-stays",
  "xor-swap",
  "riffle-5",
  "riffle-7",
];
const ITEMS = 52;
const RATE = 1000;
const MOST = 200_000;

const DECK = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

/** @returns {HTMLElement} */
export function labSection() {
  const wrong = new Heat("");
  const right = new Heat(t("lab.right"));
  const select = el(
    "select",
    {
      id: "lab-name",
      change: () => {
        stop();
        reset();
      },
    },
    WRONG.map((name) => el("option", { value: name }, t(/** @type {Key} */ (`lab.${name}.title`)))),
  );
  const says = el("p", {});
  const counter = el("p", { class: "counter" });
  const button = el(
    "button",
    { type: "button", class: "first", id: "lab-run", click: () => (running ? stop() : run()) },
    t("lab.run"),
  );
  let running = false;
  /** @type {Worker | null} */
  let worker = null;
  let told = 0;

  const reset = () => {
    wrong.title.textContent = t(/** @type {Key} */ (`lab.${select.value}.title`));
    says.textContent = t(/** @type {Key} */ (`lab.${select.value}.says`));
    for (const heat of [wrong, right]) {
      heat.draw(new Uint32Array(ITEMS * ITEMS), ITEMS, 0);
      heat.says.textContent = t("lab.nothing");
      heat.canvas.setAttribute("aria-label", heat.title.textContent ?? "");
    }
    counter.textContent = t("lab.count", { n: 0 });
  };
  const stop = () => {
    worker?.postMessage({});
    running = false;
    button.textContent = t("lab.run");
  };
  const run = () => {
    worker ??= start();
    running = true;
    told = 0;
    button.textContent = t("lab.stop");
    worker.postMessage({ name: select.value, items: ITEMS, rate: RATE, most: MOST });
  };
  const start = () => {
    const started = startWorker("lab");
    started.addEventListener("message", ({ data: { done, counts } }) => {
      if (!running || done === 0) return;
      wrong.draw(counts[0], ITEMS, done);
      right.draw(counts[1], ITEMS, done);
      counter.textContent = t("lab.count", { n: done });
      // The text changes twice a second: nobody reads faster.
      if (performance.now() - told > 500 || done >= MOST) {
        told = performance.now();
        const name = (/** @type {number} */ item) => short(DECK[item]);
        const { dataset } = document.documentElement;
        dataset.wrong = String(wrong.tell(counts[0], ITEMS, done, name));
        dataset.right = String(right.tell(counts[1], ITEMS, done, name));
        dataset.shuffles = String(done);
      }
      if (done >= MOST) stop();
    });
    return started;
  };
  reset();
  return el(
    "section",
    { class: "panel lab" },
    el("h2", {}, t("lab.title")),
    el("p", {}, t("lab.lead", { rate: number(RATE) })),
    el(
      "div",
      { class: "row lab-row" },
      el("label", { class: "field" }, el("span", {}, t("lab.choose")), select),
      button,
    ),
    says,
    counter,
    el("div", { class: "heats" }, wrong.element, right.element),
    el("p", { class: "small soft" }, t("lab.axes")),
    legend(),
    el("p", { class: "small soft" }, t("lab.shell")),
  );
}
