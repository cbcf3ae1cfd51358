// Runs the right shuffle and a wrong one, thousands of times, and counts the places of each item.

import { SHUFFLES, systemWords } from "./shuffles.js";

const TICK = 40;

/** @type {ReturnType<typeof setInterval> | null} */
let timer = null;

addEventListener("message", ({ data: { name, items, rate, most } }) => {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (name === undefined) return;
  const words = systemWords();
  const counts = [name, "fisher-yates"].map(() => new Uint32Array(items * items));
  let done = 0;
  const started = performance.now();
  const tick = () => {
    const due = Math.min(most, Math.ceil(((performance.now() - started) * rate) / 1000));
    const until = performance.now() + TICK;
    for (; done < due && performance.now() < until; done++) {
      [name, "fisher-yates"].forEach((each, k) => {
        const dealt = SHUFFLES[each](
          Uint16Array.from({ length: items }, (_, i) => i),
          words,
        );
        for (let place = 0; place < items; place++) counts[k][dealt[place] * items + place]++;
      });
    }
    postMessage({ done, counts });
    if (done >= most && timer !== null) clearInterval(timer);
  };
  timer = setInterval(tick, TICK);
});
