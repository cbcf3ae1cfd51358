// A list of any length. Only its visible rows are in the document.
//
// It is a grid with one focusable element: arrows move along its rows, Enter opens a row. All rows
// have the same height: `--row-height` in the style sheet.

import { el } from "./text.js";

/**
 * @template T
 * @typedef {object} ListOptions
 * @property {string} label
 * @property {string} kind its class, for which the style sheet lays out the columns
 * @property {(string | Node)[]} columns their names
 * @property {number} count
 * @property {(from: number, to: number) => T[] | Promise<T[]>} get
 * @property {(item: T, index: number) => (Node | string | null)[]} draw the cells of a row
 * @property {(item: T, index: number) => string | null} [href] the link of a row
 */

/**
 * @typedef {object} Windowed
 * @property {HTMLElement} element
 * @property {(count: number) => void} resize called when the list has other rows, or more rows
 * @property {(index: number) => void} show scrolls to a row, and makes it the current one
 */

/** Browsers draw no element that is much higher. Longer lists are scrolled in proportion. */
const HIGHEST = 12_000_000;
/** Rows drawn above and below the visible ones. */
const SPARE = 8;

let lists = 0;

/**
 * @template T
 * @param {ListOptions<T>} options
 * @returns {Windowed}
 */
export function windowed({ label, kind, columns, count, get, draw, href }) {
  const id = `list-${++lists}`;
  const head = el(
    "div",
    { role: "row", class: "window-head", "aria-rowindex": 1 },
    columns.map((name) => el("span", { role: "columnheader" }, name)),
  );
  const body = el("div", { role: "rowgroup", class: "window-body" });
  const box = el(
    "div",
    {
      class: `window ${kind}`,
      tabindex: 0,
      role: "grid",
      "aria-label": label,
      "aria-readonly": "true",
    },
    el("div", { role: "rowgroup", class: "window-top" }, head),
    body,
  );
  let all = count;
  let current = -1;
  let turn = 0;
  let height = 44;
  /** The link of each drawn row. @type {Map<number, string | null>} */
  const targets = new Map();

  /** Both ends of the list are at both ends of the way that can be scrolled. */
  const ratio = () => {
    const room = box.clientHeight - head.offsetHeight;
    return Math.max(1, (all * height - room) / (HIGHEST - room));
  };

  /** @param {T} item @param {number} index @param {number} offset */
  const row = (item, index, offset) => {
    targets.set(index, href?.(item, index) ?? null);
    const cells = draw(item, index).map((cell) => el("span", { role: "gridcell" }, cell));
    const drawn = el(
      "div",
      {
        role: "row",
        id: `${id}-${index}`,
        class: "window-row",
        "aria-rowindex": index + 2,
        "aria-selected": index === current ? "true" : null,
        "data-leads": targets.get(index) !== null,
        click: () => {
          current = index;
          open();
        },
      },
      cells,
    );
    drawn.style.transform = `translateY(${offset}px)`;
    return drawn;
  };

  const paint = async () => {
    const mark = ++turn;
    height = parseFloat(getComputedStyle(box).getPropertyValue("--row-height")) || 44;
    body.style.height = `${Math.min(all * height, HIGHEST)}px`;
    box.setAttribute("aria-rowcount", String(all + 1));
    const top = box.scrollTop * ratio();
    const from = Math.max(0, Math.floor(top / height) - SPARE);
    const to = Math.min(all, Math.ceil((top + box.clientHeight) / height) + SPARE);
    const items = await get(from, to);
    if (mark !== turn) return;
    targets.clear();
    const shift = box.scrollTop - top;
    place(items.map((item, i) => row(item, from + i, (from + i) * height + shift)));
    const active = document.getElementById(`${id}-${current}`);
    if (active === null) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", active.id);
  };

  // An unchanged row keeps its element, so that a press or a screen reader is not interrupted.
  const place = (/** @type {HTMLElement[]} */ rows) => {
    const old = new Map([...body.children].map((each) => [each.id, each]));
    const kept = rows.map((each) => {
      const before = old.get(each.id);
      return before !== undefined &&
        before.isEqualNode(each) &&
        before instanceof HTMLElement &&
        before.style.transform === each.style.transform
        ? before
        : each;
    });
    if (kept.length !== body.childElementCount || kept.some((each, i) => each !== body.children[i]))
      body.replaceChildren(...kept);
  };

  let asked = false;
  let isPressed = false;
  const repaint = () => {
    // A click needs the same element when the button goes down and when it goes up.
    if (asked || isPressed) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      void paint();
    });
  };

  /** @param {number} index */
  const show = (index) => {
    current = Math.max(0, Math.min(all - 1, index));
    const room = box.clientHeight - head.offsetHeight;
    const top = box.scrollTop * ratio();
    const wanted =
      current * height < top ? current * height : Math.max(top, (current + 1) * height - room);
    box.scrollTop = wanted / ratio();
    repaint();
  };

  const open = () => {
    repaint();
    const target = targets.get(current);
    if (target !== null && target !== undefined) location.href = target;
  };

  box.addEventListener("pointerdown", () => {
    isPressed = true;
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    addEventListener(end, () => {
      if (!isPressed) return;
      isPressed = false;
      setTimeout(repaint, 0);
    });
  }
  box.addEventListener("scroll", repaint, { passive: true });
  box.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor((box.clientHeight - head.offsetHeight) / height) - 1);
    const moves = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: all - 1,
    };
    if (event.key in moves) {
      event.preventDefault();
      show(moves[/** @type {keyof typeof moves} */ (event.key)]);
    } else if (event.key === "Enter") {
      open();
    }
  });
  new ResizeObserver(repaint).observe(box);
  return {
    element: box,
    resize: (next) => {
      all = next;
      repaint();
    },
    show,
  };
}
