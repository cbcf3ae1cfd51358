// A table, a commitment, a round.

import { MOST_LINK, toFragment } from "../link.js";
import { saveFile } from "../save.js";
import { number, t, time } from "../strings.js";
import { bytes, el, plain, theirs } from "../text.js";
import { windowed } from "../windowed.js";
import { drawDealt, drawShort } from "./dealt.js";
import { scaleOf } from "./list.js";
import { commitmentLink, roundLink, tableLink } from "./route.js";
import { drawAxis, drawLane, legend } from "./timeline.js";
import { ago, drawState, shortTime } from "./words.js";

/**
 * @typedef {import("../../workers/explore/views.js").RoundView} RoundView
 * @typedef {import("../../workers/explore/views.js").CourseView} CourseView
 * @typedef {(question: object) => Promise<any>} Ask
 * @typedef {{element: HTMLElement, update: () => void}} View
 */

/**
 * The path to this view: all tables, the table, the commitment.
 * @param {...([string, Node | string] | null)} steps
 * @returns {HTMLElement}
 */
function crumbs(...steps) {
  return el(
    "nav",
    { class: "crumbs", "aria-label": t("explore.path") },
    el(
      "ol",
      {},
      el("li", {}, el("a", { href: "#" }, t("explore.tables"))),
      steps.map((step) =>
        step === null ? null : el("li", {}, el("a", { href: step[0] }, step[1])),
      ),
    ),
  );
}

/**
 * @param {string} what
 * @returns {View}
 */
function missing(what) {
  return {
    element: el(
      "section",
      { class: "panel" },
      crumbs(),
      el("h2", {}, t("explore.missing")),
      el("p", {}, theirs(what, 200)),
      el("p", { class: "soft" }, t("explore.missing-why")),
    ),
    update: () => undefined,
  };
}

/**
 * @param {Ask} ask
 * @param {string} table
 * @returns {Promise<View>}
 */
export async function tableView(ask, table) {
  const axis = el("div", { class: "axis-cell" });
  const lane = el("div", { class: "wide-lane" });
  const now = Date.now();
  const found = await ask({
    ask: "table",
    table,
    scale: scaleOf("all", { first: null, last: null }, 600, now),
  });
  if (found === null) return missing(table);
  const list = windowed({
    label: t("explore.commitments"),
    kind: "commitments",
    count: found.count,
    columns: [
      t("explore.commitment"),
      t("explore.state"),
      t("explore.published"),
      t("explore.due"),
      t("explore.rounds-of"),
    ],
    get: (from, to) => ask({ ask: "commitments", table, from, to }),
    draw: (/** @type {CourseView} */ course) => [
      `${course.commitment.slice(0, 16)}…`,
      drawState(course.state),
      shortTime(course.time),
      course.ended?.kind === "revealed" && course.ended.index >= 0
        ? t("explore.revealed-at", { when: shortTime(course.ended.time) })
        : shortTime(course.revealBy),
      t("explore.of", { n: course.done, most: course.most }),
    ],
    href: ({ commitment }) => commitmentLink(commitment),
  });
  let total = found.count;
  const paint = async () => {
    const at = Date.now();
    const scale = scaleOf(
      "all",
      { first: found.from, last: found.last },
      lane.clientWidth || 600,
      at,
    );
    const next = await ask({ ask: "table", table, scale });
    if (next === null) return;
    axis.replaceChildren(drawAxis(scale));
    lane.replaceChildren(drawLane(next.lane, scale.width));
    total = next.count;
    list.resize(total);
  };
  const element = el(
    "section",
    { class: "panel" },
    crumbs(),
    el("h2", {}, t("explore.table"), " ", theirs(table, 128)),
    el("div", {}, axis, lane),
    legend(),
    el("h3", {}, t("explore.commitments")),
    list.element,
  );
  // The newest are at the end.
  requestAnimationFrame(() => list.show(total - 1));
  let wide = 0;
  new ResizeObserver(() => {
    if (lane.clientWidth === wide) return;
    wide = lane.clientWidth;
    void paint();
  }).observe(lane);
  return { element, update: () => void paint() };
}

/**
 * @param {Ask} ask
 * @param {string} commitment
 * @param {boolean} hasApi
 * @returns {Promise<View>}
 */
export async function commitmentView(ask, commitment, hasApi) {
  /** @type {CourseView | null} */
  let course = await ask({ ask: "commitment", commitment });
  if (course === null) return missing(commitment);
  const facts = el("dl", { class: "facts" });
  const size = () => (course === null ? 0 : course.done + (course.locked !== null ? 1 : 0));
  const list = windowed({
    label: t("explore.rounds-of"),
    kind: "rounds",
    count: size(),
    columns: [
      t("explore.round-n"),
      t("explore.state"),
      t("explore.when"),
      t("explore.who"),
      t("explore.result"),
    ],
    get: (from, to) => ask({ ask: "rounds", commitment, from, to }),
    draw: (/** @type {RoundView | null} */ round, index) =>
      round === null
        ? [number(index + 1), "…", "", "", ""]
        : [
            number(round.nonce + 1),
            drawState(round.state),
            shortTime(round.time),
            theirs(round.players.map(({ from }) => from).join(", "), 80),
            drawShort(round),
          ],
    href: (_, index) => roundLink(commitment, index),
  });
  const empty = el("p", { class: "soft" }, t("explore.no-rounds"));
  const draw = () => {
    if (course === null) return;
    facts.replaceChildren(...courseFacts(course));
    empty.hidden = size() > 0;
    list.element.hidden = size() === 0;
    list.resize(size());
  };
  draw();
  const element = el(
    "section",
    { class: "panel" },
    crumbs([tableLink(course.table), theirs(course.table, 60)]),
    el("h2", {}, t("explore.commitment")),
    el("p", { class: "hex" }, commitment),
    facts,
    hasApi ? receiptButtons(ask, { commitment, nonce: null }) : null,
    el(
      "div",
      { class: "title-row" },
      el("h3", {}, t("explore.rounds-of")),
      el(
        "div",
        { class: "row" },
        el(
          "button",
          {
            type: "button",
            click: () => {
              list.element.focus();
              list.show(size() - 1);
            },
          },
          t("explore.to-last"),
        ),
      ),
    ),
    empty,
    list.element,
    course.text === null
      ? null
      : el(
          "details",
          {},
          el("summary", {}, t("steps.entry", { index: course.index, kind: "commit" })),
          bytes(course.text, t("steps.entry", { index: course.index, kind: "commit" })),
        ),
  );
  return {
    element,
    update: async () => {
      course = (await ask({ ask: "commitment", commitment })) ?? course;
      draw();
    },
  };
}

/**
 * @param {CourseView} course
 * @returns {HTMLElement[]}
 */
function courseFacts({
  state,
  index,
  time: published,
  revealBy,
  most,
  done,
  ended,
  terms,
  table,
  locked,
}) {
  const { deck, draw, method, mixing, sealed } = /** @type {any} */ (terms);
  /** @type {[string, (Node | string)[]][]} */
  const facts = [
    [
      t("explore.state"),
      [drawState(state), locked === null ? "" : ` ${t("explore.round", { n: locked })}`],
    ],
    [t("explore.table"), [el("a", { href: tableLink(table) }, theirs(table, 128))]],
    [
      t("explore.published"),
      [
        time(published),
        " ",
        el("span", { class: "soft small" }, t("explore.entry-n", { n: index })),
      ],
    ],
    [
      t("explore.due"),
      [
        time(revealBy),
        " ",
        el("span", { class: "soft small" }, ended === null ? ago(revealBy) : ""),
      ],
    ],
    [t("explore.rounds-of"), [t("explore.of", { n: done, most })]],
    [
      t("explore.deck"),
      [
        t("explore.deck-of", {
          deck:
            typeof deck === "string"
              ? plain(deck)
              : t("explore.deck-list", { n: deck?.count ?? 0 }),
          draw: Number(draw),
          method: plain(String(method)),
        }),
        sealed ? ` · ${t("explore.sealed")}` : "",
      ],
    ],
    [t("explore.mixing"), [plain(String(mixing))]],
  ];
  if (ended !== null && ended.index >= 0) {
    facts.push([
      t(`explore.state.${ended.kind}`),
      [
        time(ended.time),
        " ",
        el("span", { class: "soft small" }, t("explore.entry-n", { n: ended.index })),
      ],
    ]);
    if (ended.reason !== null) facts.push([t("explore.reason"), [theirs(ended.reason, 256)]]);
    if (ended.seed !== null)
      facts.push([t("explore.seed"), [el("span", { class: "hex" }, ended.seed)]]);
  }
  return facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
}

/**
 * @param {Ask} ask
 * @param {string} commitment
 * @param {number} nonce
 * @param {boolean} hasApi
 * @returns {Promise<View>}
 */
export async function roundView(ask, commitment, nonce, hasApi) {
  const inside = el("div", { class: "stack" });
  const element = el("section", { class: "panel" }, inside);
  let drawn = "";
  const draw = async () => {
    /** @type {{course: CourseView, round: RoundView} | null} */
    const found = await ask({ ask: "round", commitment, nonce });
    const state = JSON.stringify(found);
    // An unchanged row keeps its element.
    if (state === drawn) return;
    drawn = state;
    if (found === null)
      inside.replaceChildren(...missing(`${commitment}/${nonce}`).element.childNodes);
    else inside.replaceChildren(...drawRound(ask, found.course, found.round, hasApi));
  };
  await draw();
  return { element, update: () => void draw() };
}

/**
 * @param {Ask} ask
 * @param {CourseView} course
 * @param {RoundView} round
 * @param {boolean} hasApi
 * @returns {(Node | string)[]}
 */
function drawRound(ask, course, round, hasApi) {
  const { commitment, table, done, locked, terms } = course;
  const { nonce, state, reason, blame, players, seats, entries } = round;
  /** @param {number} n @param {string} text */
  const step = (n, text) =>
    n < 0 || n >= done + (locked === null ? 0 : 1)
      ? null
      : el("a", { class: "button", href: roundLink(commitment, n) }, text);
  /** @type {[string, (Node | string)[]][]} */
  const facts = [
    [t("explore.state"), [drawState(state)]],
    [t("explore.when"), [time(round.time)]],
  ];
  if (reason !== null)
    facts.push([
      t("explore.reason"),
      [
        theirs(reason, 256),
        blame === null ? "" : el("span", {}, " · ", t("explore.blamed"), " ", theirs(blame, 64)),
      ],
    ]);
  if (seats.length > 0) facts.push([t("explore.seats"), [theirs(seats.join(", "), 400)]]);
  return [
    crumbs(
      [tableLink(table), theirs(table, 60)],
      [commitmentLink(commitment), `${commitment.slice(0, 12)}…`],
    ),
    el(
      "div",
      { class: "title-row" },
      el("h2", {}, t("explore.round", { n: nonce + 1 })),
      el(
        "div",
        { class: "row" },
        step(nonce - 1, t("explore.before")),
        step(nonce + 1, t("explore.after")),
      ),
    ),
    el(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    ),
    hasApi
      ? receiptButtons(ask, { commitment, nonce })
      : el("p", { class: "soft" }, t("explore.no-receipts")),
    drawDealt(round, Number(terms.draw ?? 0)),
    el("h3", {}, t("who.title")),
    players.length === 0
      ? el("p", { class: "note" }, t("who.nobody"))
      : el(
          "ul",
          { class: "who" },
          players.map(({ from, seed, hash, signed }) =>
            el(
              "li",
              {},
              el("p", { class: "from" }, theirs(from, 64)),
              el(
                "p",
                { class: "seed" },
                seed === null ? el("em", {}, t("who.hidden")) : theirs(seed, 300),
              ),
              el(
                "p",
                { class: "soft small" },
                [hash === null ? null : t("who.hashed"), signed ? t("explore.signed") : null]
                  .filter((each) => each !== null)
                  .join(" · "),
              ),
            ),
          ),
        ),
    ...entries.map(({ index, kind, text }) => {
      const title = t("steps.entry", { index, kind });
      return text === null
        ? el("p", { class: "soft small" }, title)
        : el("details", {}, el("summary", {}, title), bytes(text, title));
    }),
  ].filter((each) => each !== null);
}

/**
 * Opens the receipt on the page that verifies it, or saves it.
 * @param {Ask} ask
 * @param {{commitment: string, nonce: number | null}} which
 * @returns {HTMLElement}
 */
function receiptButtons(ask, which) {
  const told = el("div", { role: "status" });
  /** @param {(bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>} use */
  const withReceipt = (use) => async () => {
    try {
      told.replaceChildren();
      await use(Uint8Array.from(await ask({ ask: "receipt", ...which })));
    } catch (error) {
      told.replaceChildren(
        el(
          "p",
          { class: "note" },
          t("explore.receipt-failed"),
          " ",
          plain(/** @type {Error} */ (error).message),
        ),
      );
    }
  };
  /** @param {Uint8Array<ArrayBuffer>} receipt */
  const download = (receipt) =>
    saveFile(which.nonce === null ? "commitment.json" : `round-${which.nonce}.json`, receipt);
  return el(
    "div",
    { class: "stack" },
    el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          class: "first",
          id: "verify",
          click: withReceipt(async (receipt) => {
            const fragment = await toFragment(receipt);
            if (fragment.length <= MOST_LINK * 100) location.href = `verify.html#${fragment}`;
            else download(receipt);
          }),
        },
        t("explore.verify"),
      ),
      el("button", { type: "button", click: withReceipt(download) }, t("explore.save-receipt")),
    ),
    told,
  );
}
