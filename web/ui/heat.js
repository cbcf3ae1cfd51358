// A heat map: how often each item came to each place, compared with the expected number.

import { t } from "./strings.js";
import { el } from "./text.js";

/**
 * A summary of the counts.
 * @typedef {object} Reading
 * @property {number} away the distance of the whole from even, in standard deviations
 * @property {number} item of the cell that is furthest from the expected number
 * @property {number} place
 * @property {number} ratio
 */

/** From rare to frequent; the middle is the expected number, nearly in the background colour. */
const ON_LIGHT = [
  [5, 48, 97],
  [67, 147, 195],
  [247, 247, 247],
  [244, 130, 80],
  [127, 0, 20],
];
const ON_DARK = [
  [150, 210, 255],
  [44, 106, 160],
  [26, 34, 30],
  [176, 70, 30],
  [255, 170, 120],
];
/** Twice or half as often is the end of the scale. */
const END = 1;
const CELL = 7;

/**
 * @param {ArrayLike<number>} counts by item, then place
 * @param {number} items
 * @param {number} done
 * @returns {Reading}
 */
export function read(counts, items, done) {
  const due = done / items;
  let [chi, furthest, at] = [0, -1, 0];
  for (let cell = 0; cell < counts.length; cell++) {
    const part = (counts[cell] - due) ** 2 / due;
    chi += part;
    if (part > furthest) [furthest, at] = [part, cell];
  }
  const free = (items - 1) ** 2;
  const away = ((chi * (items - 1)) / items - free) / Math.sqrt(2 * free);
  return { away, item: Math.floor(at / items), place: at % items, ratio: counts[at] / due };
}

/** A map on a canvas, with its texts. */
export class Heat {
  /** @param {string} title */
  constructor(title) {
    this.canvas = el("canvas", { role: "img", width: 1, height: 1 });
    this.says = el("p", { class: "small heat-says" });
    this.title = el("h3", {}, title);
    this.element = el("figure", { class: "heat" }, this.title, this.canvas, this.says);
  }

  /**
   * @param {ArrayLike<number>} counts
   * @param {number} items
   * @param {number} done
   */
  draw(counts, items, done) {
    const side = items * CELL;
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const image = context.createImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer);
    const due = done / items;
    const colours = palette();
    for (let item = 0; item < items; item++) {
      for (let place = 0; place < items; place++) {
        const colour = colourOf(due === 0 ? 1 : counts[item * items + place] / due, colours);
        for (let y = 0; y < CELL; y++)
          pixels.fill(
            colour,
            (item * CELL + y) * side + place * CELL,
            (item * CELL + y) * side + (place + 1) * CELL,
          );
      }
    }
    context.putImageData(image, 0, 0);
  }

  /**
   * @param {ArrayLike<number>} counts
   * @param {number} items
   * @param {number} done
   * @param {(item: number) => string} name
   * @returns {boolean} whether it looks even
   */
  tell(counts, items, done, name) {
    const { away, item, place, ratio } = read(counts, items, done);
    const even = away < 5;
    const says = t(even ? "lab.even" : "lab.uneven", { n: done, away: Math.round(away * 10) / 10 });
    const furthest = even
      ? ""
      : ` ${t("lab.furthest", { item: name(item), place: place + 1, ratio: Math.round(ratio * 100) / 100 })}`;
    this.says.textContent = `${even ? "✓" : "✗"} ${says}${furthest}`;
    this.says.className = `small heat-says ${even ? "even" : "uneven"}`;
    this.canvas.setAttribute("aria-label", `${this.title.textContent}: ${says}${furthest}`);
    return even;
  }
}

/**
 * @param {number} ratio to the expected number
 * @param {number[][]} colours
 * @returns {number} as a canvas stores it on little-endian machines
 */
function colourOf(ratio, colours) {
  const off = Math.max(-1, Math.min(1, Math.log2(Math.max(ratio, 1e-6)) / END));
  // Small differences are paler than in proportion, because they are due to chance.
  const place = ((Math.sign(off) * Math.abs(off) ** 1.3 + 1) / 2) * (colours.length - 1);
  const low = Math.min(colours.length - 2, Math.floor(place));
  const [r, g, b] = colours[low].map((from, k) =>
    Math.round(from + (colours[low + 1][k] - from) * (place - low)),
  );
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** @returns {number[][]} */
function palette() {
  const { theme } = document.documentElement.dataset;
  const dark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  return dark ? ON_DARK : ON_LIGHT;
}

/** The legend of the colours. */
export function legend() {
  const canvas = el("canvas", { width: 200, height: 12, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  for (let x = 0; x < 200 && context !== null; x++) {
    const colour = colourOf(2 ** ((x / 199) * 2 - 1), palette());
    context.fillStyle = `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
    context.fillRect(x, 0, 1, 12);
  }
  return el(
    "div",
    { class: "legend small" },
    canvas,
    el("span", {}, t("lab.half")),
    el("span", {}, t("lab.due")),
    el("span", {}, t("lab.twice")),
  );
}
