// The log at this page's address: its entries, new entries, and whether it continues the log seen
// before.

import { channel } from "../ui/channel.js";
import { chooseButton, takeDrops } from "../ui/drop.js";
import { auditPanel } from "../ui/explore/audit.js";
import { checkpointPanel } from "../ui/explore/checkpoint.js";
import { drawPart, tableList } from "../ui/explore/list.js";
import { eventsIn, monitorPanel } from "../ui/explore/monitor.js";
import { readRoute } from "../ui/explore/route.js";
import { patterns } from "../ui/explore/timeline.js";
import { commitmentView, roundView, tableView } from "../ui/explore/views.js";
import { field } from "../ui/inputs.js";
import { startPage } from "../ui/page.js";
import { t } from "../ui/strings.js";
import { el, svg } from "../ui/text.js";
import { drawHeadline } from "../ui/verdict.js";
import { isPolicy } from "../workers/policy-file.js";

/**
 * @typedef {import("../ui/drop.js").GivenFile} GivenFile
 * @typedef {import("../workers/explore/session.js").News} News
 * @typedef {import("../workers/explore/session.js").Summary} Summary
 * @typedef {{element: HTMLElement, update: (summary: Summary) => void}} View
 */

const EXPORT = "fairdeal/export/v1\n";
const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*$/;

const base = new URL("./", location.href).href;
const main = startPage("explore");
const { dataset } = document.documentElement;
const worker = channel("explore", hear);
const live = el("p", { class: "live", role: "status" });
const above = el("div", { class: "above" });
const part = el("div", { class: "excerpt" });
const place = el("div", { class: "place" });
/** @type {{base: string} | {bytes: Uint8Array}} */
let where = { base };
/** @type {Summary | null} */
let summary = null;
let hasApi = false;
/** @type {View | null} */
let view = null;
let turn = 0;
const address = location.protocol === "file:" ? "LOG" : base.replace(/\/$/, "");
let checkpoint = newCheckpoint();
let audit = newAudit();
const monitor = el("div", { class: "told", hidden: true });
/** What a monitor said, if the reader gave its file. @type {ReturnType<typeof eventsIn>} */
let told = null;
let origin = "";

main.append(
  el(
    "div",
    { class: "title-row" },
    el(
      "div",
      { class: "stack" },
      el("h1", {}, t("explore.title")),
      el("p", { class: "lead" }, t("explore.lead")),
    ),
    live,
  ),
  above,
  part,
  place,
  patterns(),
);
takeDrops((files) => void take(files));
addEventListener("hashchange", () => void go());
addEventListener("offline", () => connection("offline", null));
setInterval(() => {
  if (summary !== null && !document.hidden) view?.update(summary);
}, 2_000);
void start();

function newCheckpoint() {
  const isHere = "base" in where && location.protocol !== "file:";
  return checkpointPanel(worker.ask, { address, isHere, onKey: ready });
}

/** The reader gave a key, or the log was opened. */
function ready() {
  audit.ready();
  drawMonitor();
}

function drawMonitor() {
  const drawn = told === null ? [] : [monitorPanel(told, origin, checkpoint.key())];
  monitor.replaceChildren(...drawn);
  monitor.hidden = told === null;
}

function newAudit() {
  return auditPanel({
    where: () => where,
    address,
    keyPart: checkpoint.keyPart,
    key: () => checkpoint.key(),
    since: () => checkpoint.since(),
  });
}

/** Opens the log, and shows that it is loading. */
async function start() {
  const mark = ++turn;
  summary = null;
  view = null;
  dataset.state = "loading";
  above.replaceChildren();
  part.replaceChildren();
  place.replaceChildren(loading(0, 0));
  // A page opened from a folder may not read a log in that folder.
  if (location.protocol === "file:" && "base" in where) return askWhich();
  try {
    const opened = await worker.ask({ ask: "open", ...where });
    if (mark !== turn) return;
    hasApi = opened.hasApi;
    summary = /** @type {Summary} */ (opened.summary);
    checkpoint.last(summary.lastTime);
    origin = opened.seen.origin;
    above.replaceChildren(checkpoint.element, audit.element, monitor);
    ready();
    dataset.state = "open";
    await go();
  } catch (error) {
    if (mark === turn) failed(/** @type {Error & {code?: string}} */ (error));
  }
}

/** A page in a folder has no log of its own: it asks for a file, or for the address of a log. */
function askWhich() {
  dataset.state = "asking";
  const input = el("input", {
    type: "url",
    name: "address",
    required: true,
    pattern: "https?://.+",
  });
  place.replaceChildren(
    el(
      "section",
      { class: "panel zone" },
      el("h2", {}, t("explore.which")),
      el("p", {}, t("explore.which-how")),
      el(
        "div",
        { class: "row" },
        chooseButton(t("explore.choose"), "first", (files) => void take(files)),
      ),
      el(
        "form",
        {
          class: "row",
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            location.href = new URL("explore.html", `${input.value.replace(/\/$/, "")}/`).href;
          },
        },
        field(t("explore.address"), input),
        el("button", {}, t("explore.go")),
      ),
    ),
  );
}

/** @param {Error & {code?: string}} error */
function failed({ code, message }) {
  dataset.state = "failed";
  const isAbsent = code === "no-log" || location.protocol === "file:";
  const again = el(
    "button",
    { type: "button", class: "first", click: () => void start() },
    t("explore.again"),
  );
  place.replaceChildren(
    el(
      "section",
      { class: "panel zone" },
      drawHeadline(
        {
          state: "unreadable",
          sentence: t(isAbsent ? "explore.no-log" : "explore.unreachable"),
          says: isAbsent ? undefined : message,
        },
        "h2",
      ),
      el("p", {}, t(isAbsent ? "explore.no-log-why" : "explore.unreachable-why")),
      el(
        "div",
        { class: "row" },
        location.protocol === "file:" ? null : again,
        chooseButton(t("explore.choose"), "", (files) => void take(files)),
      ),
    ),
  );
  // A missing log may appear later; an unreachable one is tried again.
  if (!isAbsent)
    setTimeout(() => {
      if (dataset.state === "failed") void start();
    }, 10_000);
}

/**
 * @param {number} done
 * @param {number} of
 */
function loading(done, of) {
  return el(
    "section",
    { class: "panel loading", "aria-busy": "true" },
    el("p", {}, of === 0 ? t("explore.loading") : t("explore.loading-n", { n: done, of })),
    el(
      "progress",
      of === 0
        ? { "aria-label": t("explore.loading") }
        : { max: of, value: done, "aria-label": t("explore.loading") },
    ),
    el(
      "div",
      { class: "ghosts", "aria-hidden": "true" },
      el("span", {}),
      el("span", {}),
      el("span", {}),
    ),
  );
}

/** @param {News} news */
function hear(news) {
  switch (news.kind) {
    case "loading":
      if (dataset.state === "loading") place.replaceChildren(loading(news.entries, news.of));
      else
        part
          .querySelector("button")
          ?.replaceChildren(t("explore.loading-n", { n: news.entries, of: news.of }));
      break;
    case "checkpoint":
      checkpoint.arrive(news.seen, news.when);
      break;
    case "connection":
      connection(news.connection, news.retryAt);
      break;
    case "fault":
      live.title = news.says;
      break;
    default:
      changed(news.summary);
  }
}

/** @param {Summary} next */
function changed(next) {
  const wasEmpty = summary?.next === 0;
  summary = next;
  checkpoint.last(next.lastTime);
  dataset.next = String(next.next);
  if (dataset.state !== "open") return;
  drawAround();
  if (wasEmpty && next.next > 0) void go();
  else view?.update(next);
}

function drawAround() {
  const drawn =
    summary === null
      ? null
      : drawPart(summary, () => void worker.ask({ ask: "earlier" }).then(drawAround));
  part.replaceChildren(...(drawn === null ? [] : [drawn]));
}

/**
 * @param {import("../workers/explore/live.js").Connection} to
 * @param {number | null} retryAt
 */
function connection(to, retryAt) {
  dataset.connection = to;
  const seconds = retryAt === null ? 0 : Math.max(1, Math.round((retryAt - Date.now()) / 1000));
  const text =
    to === "offline" && seconds > 0
      ? t("explore.connection.offline-retry", { n: seconds })
      : t(`explore.connection.${to}`);
  const shape = {
    live: "M10 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
    mirror: "M4 4h12v12H4z",
    offline: "M4 4l12 12M16 4L4 16",
    file: "M5 2h7l3 3v13H5z",
  }[to];
  live.className = `live ${to}`;
  live.replaceChildren(
    svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: shape })),
    text,
  );
}

/** Shows the view that the page's link names. */
async function go() {
  if (summary === null) return;
  const mark = ++turn;
  const route = readRoute(location.hash);
  drawAround();
  /** @type {View} */
  let next;
  if (route.kind === "table") next = await tableView(worker.ask, route.table);
  else if (route.kind === "commitment")
    next = await commitmentView(worker.ask, route.commitment, hasApi);
  else if (route.kind === "round")
    next = await roundView(worker.ask, route.commitment, route.nonce, hasApi);
  else if (summary.next === 0) next = { element: empty(), update: () => undefined };
  else next = tableList(worker.ask, summary);
  if (mark !== turn) return;
  const isMove = view !== null;
  view = next;
  place.replaceChildren(next.element);
  dataset.route = route.kind;
  if (!isMove) return;
  // After following a link, the reader is at the view that it names.
  const title = next.element.querySelector("h2");
  if (route.kind === "all" || title === null) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  next.element.scrollIntoView({ block: "start" });
}

function empty() {
  return el(
    "section",
    { class: "panel zone" },
    el("h2", {}, t("explore.empty")),
    el("p", { class: "soft" }, t("explore.empty-why")),
  );
}

/** @param {Promise<GivenFile[]>} files an exported log, a key, a policy, a saved checkpoint, or a
 * monitor's events */
async function take(files) {
  const all = await files;
  for (const file of all) {
    const { bytes } = file;
    const text = new TextDecoder().decode(bytes.subarray(0, 100_000));
    if (text.startsWith(EXPORT)) {
      where = { bytes };
      checkpoint = newCheckpoint();
      audit = newAudit();
      location.hash = "";
      await start();
    } else if (KEY.test(text)) {
      checkpoint.use(text.trim());
    } else if (isPolicy(bytes) && all.length === 1) {
      // Among the operator's files there may be the operator's own witnesses.
      audit.believe(file);
    } else if (/\n\n\u2014 /.test(text)) {
      // A log's name may begin with a byte order mark.
      const whole = new TextDecoder("utf-8", { ignoreBOM: true });
      checkpoint.hold(whole.decode(bytes.subarray(0, 100_000)));
    } else {
      told = eventsIn(new TextDecoder().decode(bytes)) ?? told;
      drawMonitor();
    }
  }
}
