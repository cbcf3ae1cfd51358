// Time lines: a lane for each table, a bar for each commitment, a mark for each round.

import { locale, t } from "../strings.js";
import { el, plain, svg } from "../text.js";
import { commitmentLink, roundLink, tableLink } from "./route.js";

/**
 * @typedef {import("../../workers/explore/lanes.js").Lane} Lane
 * @typedef {import("../../workers/explore/lanes.js").Bar} Bar
 * @typedef {import("../../workers/explore/lanes.js").Scale} Scale
 * @typedef {Pick<Bar, "dealt" | "voided" | "locked">} Marks
 */

const TOP = 10;
const HIGH = 26;
const LANE = TOP + HIGH + 10;
const MIDDLE = TOP + HIGH / 2;

/** The fill patterns of bars. The document has them once. @returns {SVGSVGElement} */
export function patterns() {
  return svg(
    "svg",
    { class: "silent", width: 0, height: 0, "aria-hidden": "true" },
    svg(
      "defs",
      {},
      svg(
        "pattern",
        {
          id: "hatch",
          width: 7,
          height: 7,
          patternUnits: "userSpaceOnUse",
          patternTransform: "rotate(45)",
        },
        svg("rect", { class: "hatch-ground", width: 7, height: 7 }),
        svg("rect", { class: "hatch-line", width: 3, height: 7 }),
      ),
    ),
  );
}

/**
 * @param {Lane} lane
 * @param {number} width
 * @returns {SVGSVGElement}
 */
export function drawLane({ table, bars, commitments, rounds }, width) {
  const label = t("explore.lane", { table: plain(table), commitments, rounds });
  const drawn = svg(
    "svg",
    { class: "lane", width, height: LANE, role: "img", "aria-label": label },
    svg("path", { class: "ground", d: `M0 ${MIDDLE}H${width}` }),
    ...bars.map((bar) => drawBar(bar, table)),
  );
  // For a pointer only. For keyboards and screen readers, the lists have the same links.
  drawn.addEventListener("click", (event) => {
    const to =
      event.target instanceof Element
        ? event.target.closest("[data-to]")?.getAttribute("data-to")
        : null;
    if (to === null || to === undefined) return;
    event.stopPropagation();
    location.hash = to;
  });
  return drawn;
}

/**
 * @param {Bar} bar
 * @param {string} table
 * @returns {SVGElement}
 */
function drawBar(bar, table) {
  const { start, end, state, due, commitment, count } = bar;
  const wide = Math.max(3, end - start);
  const isOpen = !["revealed", "voided"].includes(state);
  /** @type {SVGElement[]} */
  const parts = [];
  if (due !== null && due > end)
    parts.push(
      svg("path", {
        class: "due",
        d: `M${end} ${MIDDLE}H${due}M${due} ${MIDDLE - 6}V${MIDDLE + 6}`,
      }),
    );
  const shape = svg("rect", {
    class: `bar ${state}`,
    x: start,
    y: TOP,
    width: wide,
    height: HIGH,
    rx: Math.min(4, wide / 2),
  });
  if (state === "overdue") shape.setAttribute("fill", "url(#hatch)");
  parts.push(shape);
  if (count === 1) parts.push(...marks(bar));
  if (wide >= 10 && state === "revealed")
    parts.push(svg("path", { class: "end revealed", d: `M${end} ${TOP - 4}l4 4-4 4-4-4z` }));
  if (state === "overdue")
    parts.push(
      svg("path", { class: "end overdue", d: `M${end + 7} ${TOP}v14M${end + 7} ${TOP + 20}v3` }),
    );
  if (isOpen && wide >= 10 && state !== "overdue")
    parts.push(
      svg("path", {
        class: `end ${state}`,
        d: `M${end - 4} ${TOP + 3}l6 ${HIGH / 2 - 3}-6 ${HIGH / 2 - 3}`,
      }),
    );
  const href = count === 1 ? commitmentLink(commitment) : tableLink(table);
  const title =
    count === 1
      ? t("explore.bar", {
          state: t(`explore.state.${state}`),
          commitment: `${commitment.slice(0, 12)}…`,
        })
      : t("explore.bars", { n: count });
  const link = svg("g", { "data-to": href }, svg("title", {}, title), ...parts);
  return svg(
    "g",
    { "data-commitment": commitment },
    link,
    ...bar.alone.map(([place, nonce]) =>
      svg(
        "g",
        { "data-to": roundLink(commitment, nonce) },
        svg("title", {}, t("explore.round", { n: nonce + 1 })),
        svg("rect", { class: "hit", x: place - 6, y: TOP, width: 12, height: HIGH }),
      ),
    ),
  );
}

/**
 * @param {Marks} bar
 * @returns {SVGElement[]}
 */
function marks({ dealt, voided, locked }) {
  const parts = [];
  if (dealt.length > 0)
    parts.push(
      svg("path", { class: "tick", d: dealt.map((x) => `M${x} ${TOP + 5}v${HIGH - 10}`).join("") }),
    );
  if (voided.length > 0)
    parts.push(
      svg("path", {
        class: "hollow",
        d: voided.map((x) => `M${x - 3.5} ${MIDDLE}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z`).join(""),
      }),
    );
  if (locked.length > 0)
    parts.push(
      svg("path", {
        class: "lock",
        d: locked.map((x) => `M${x - 4} ${MIDDLE - 4}h8v8h-8z`).join(""),
      }),
    );
  return parts;
}

/** Steps of the axis, in milliseconds. */
const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
  172_800, 604_800, 1_209_600, 2_592_000, 7_776_000, 31_536_000,
].map((seconds) => 1000 * seconds);
const DAY = 86_400_000;
const APART = 96;

/**
 * @param {Scale} scale
 * @returns {SVGSVGElement}
 */
export function drawAxis({ from, to, width, now }) {
  const step =
    STEPS.find((each) => (each / (to - from)) * width >= APART) ?? STEPS[STEPS.length - 1];
  const isDays = step >= DAY;
  const format = new Intl.DateTimeFormat(
    locale,
    isDays
      ? { day: "numeric", month: "short", ...(step >= 90 * DAY ? { year: "numeric" } : {}) }
      : {
          hour: "2-digit",
          minute: "2-digit",
          ...(step < 60_000 ? { second: "2-digit" } : {}),
          hourCycle: "h23",
        },
  );
  const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const offset = new Date(to).getTimezoneOffset() * 60_000;
  const x = (/** @type {number} */ time) => ((time - from) / (to - from)) * width;
  /** @type {SVGElement[]} */
  const parts = [];
  let day = "";
  for (let time = Math.ceil((from - offset) / step) * step + offset; time <= to; time += step) {
    const place = Math.round(x(time));
    const today = dates.format(time);
    parts.push(svg("path", { class: "axis", d: `M${place}.5 30v6` }));
    if (place < 32 || place > width - 32) continue;
    parts.push(svg("text", { x: place, y: 26, "text-anchor": "middle" }, format.format(time)));
    if (!isDays && today !== day)
      parts.push(svg("text", { class: "day", x: place, y: 12, "text-anchor": "middle" }, today));
    day = today;
  }
  if (now >= from && now <= to)
    parts.push(svg("path", { class: "now", d: `M${Math.round(x(now))} 28v10` }));
  return svg("svg", { class: "axis-line", width, height: 38, "aria-hidden": "true" }, ...parts);
}

/** The legend of a time line. @returns {HTMLElement} */
export function legend() {
  /** @param {string} name @param {...SVGElement} parts */
  const item = (name, ...parts) =>
    el(
      "li",
      {},
      svg(
        "svg",
        { class: "lane", width: 44, height: 28, viewBox: "0 5 44 34", "aria-hidden": "true" },
        ...parts,
      ),
      name,
    );
  const bar = (/** @type {string} */ state) => {
    const shape = svg("rect", {
      class: `bar ${state}`,
      x: 2,
      y: TOP,
      width: 38,
      height: HIGH,
      rx: 4,
    });
    if (state === "overdue") shape.setAttribute("fill", "url(#hatch)");
    return shape;
  };
  const row = (/** @type {Partial<Marks>} */ some) =>
    marks({ dealt: [], voided: [], locked: [], ...some });
  return el(
    "ul",
    { class: "legend", "aria-label": t("explore.legend") },
    item(t("explore.legend.open"), bar("open")),
    item(
      t("explore.state.revealed"),
      bar("revealed"),
      svg("path", { class: "end revealed", d: `M38 ${TOP - 4}l4 4-4 4-4-4z` }),
    ),
    item(t("explore.state.voided"), bar("voided")),
    item(t("explore.state.overdue"), bar("overdue")),
    item(t("explore.legend.dealt"), ...row({ dealt: [10, 20, 30] })),
    item(t("explore.legend.voided"), ...row({ voided: [20] })),
    item(t("explore.legend.locked"), ...row({ locked: [20] })),
  );
}
