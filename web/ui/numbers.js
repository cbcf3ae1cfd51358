// Three numbers of the log: hands, hands without a reveal, and hands that this browser audited.

import { Stopped, channel } from "./channel.js";
import { seenOf } from "./explore/memory.js";
import { keep, kept } from "./kept.js";
import { count, locale, number, t } from "./strings.js";
import { el } from "./text.js";

/**
 * @typedef {import("../workers/explore/session.js").Summary} Summary
 * @typedef {import("../fairdeal/index.js").AuditVerdict} AuditVerdict
 * @typedef {{key: string, size: number, deals: number}} Audited an audit that found nothing
 */

const days = new Intl.DateTimeFormat(locale, { dateStyle: "long" });

/**
 * @param {object} options
 * @param {string} options.base
 * @param {() => string | null} options.key
 * @param {string} options.origin
 * @returns {{element: HTMLElement, update: (summary: Summary) => void, ready: () => void}}
 */
export function numbersRow({ base, key, origin }) {
  const worker = channel("explore");
  const [dealt, waiting] = [figure(), figure()];
  const audited = figure();
  const bar = el("progress", { max: 1, value: 0, "aria-label": t("audit.progress"), hidden: true });
  const start = el(
    "button",
    { type: "button", class: "plain", id: "home-audit", click: () => void run() },
    t("home.audit"),
  );
  const stop = el(
    "button",
    { type: "button", class: "plain", hidden: true, click: () => worker.stop() },
    t("check.stop"),
  );
  const more = el("a", { href: "explore.html", hidden: true }, t("home.audit-show"));
  const own = el("div", { class: "audited" }, audited.element, bar, start, stop, more);
  let size = 0;

  /** @returns {Audited | null} */
  const before = () => {
    try {
      const found = JSON.parse(kept(`audited.${origin}`) ?? "null");
      const isAudit = Number.isSafeInteger(found?.size) && Number.isSafeInteger(found.deals);
      return isAudit && found.key === key() ? found : null;
    } catch {
      return null;
    }
  };

  const ready = () => {
    start.disabled = key() === null;
    const done = before();
    own.dataset.state = done === null ? "none" : "holds";
    audited.set(done?.deals ?? null, t(done === null ? "home.audited-none" : "home.audited"));
    bar.hidden = done === null;
    more.hidden = true;
    progress(done?.size ?? 0, size);
    start.replaceChildren(t(done === null ? "home.audit" : "audit.again"));
  };

  /** @param {number} entries @param {number} of */
  const progress = (entries, of) => {
    bar.max = Math.max(1, of);
    bar.value = Math.min(entries, of);
  };

  const run = async () => {
    const used = key();
    if (used === null) return;
    own.dataset.state = "running";
    start.hidden = more.hidden = true;
    bar.hidden = stop.hidden = false;
    const memory = seenOf(origin);
    try {
      /** @type {AuditVerdict} */
      const verdict = await worker.ask(
        { ask: "audit", base, key: used, since: memory?.signed === true ? [memory.note] : [] },
        (/** @type {{entries: number, size: number}} */ at) => {
          progress(at.entries, at.size);
          audited.set(at.entries, t("home.auditing", { size: at.size }));
        },
      );
      if (verdict.holds) {
        const found = { key: used, size: Number(verdict.size), deals: Number(verdict.deals) };
        keep(`audited.${origin}`, JSON.stringify(found));
        size = Math.max(size, found.size);
        ready();
        audited.set(found.deals, t("home.audited"));
        own.dataset.state = "holds";
      } else {
        keep(`audited.${origin}`, null);
        ready();
        const caught = verdict.findings.some(({ accuses }) => accuses === "operator");
        own.dataset.state = caught ? "caught" : "fails";
        const all = Object.values(verdict.counts).reduce((sum, each) => sum + each, 0);
        audited.set(all, t(caught ? "home.audit-caught" : "home.audit-fails"));
        more.hidden = false;
      }
    } catch (error) {
      ready();
      if (!(error instanceof Stopped)) audited.set(null, t("audit.none"));
    } finally {
      worker.stop();
      start.hidden = false;
      stop.hidden = true;
    }
  };

  ready();
  return {
    element: el("div", { class: "numbers" }, dealt.element, waiting.element, own),
    ready,
    update: (summary) => {
      size = summary.next;
      // The counts of a long log are known only to those who read all of it.
      if (summary.first === 0)
        dealt.set(
          summary.deals,
          summary.firstTime === null
            ? t("home.dealt-none")
            : t("home.dealt", { when: days.format(summary.firstTime) }),
        );
      else dealt.set(summary.next, t("home.entries"));
      waiting.set(
        summary.waiting,
        summary.overdue === 0 ? t("home.waiting") : count("home.waiting-overdue", summary.overdue),
      );
      waiting.element.dataset.overdue = String(summary.overdue > 0);
      if (own.dataset.state === "holds") progress(before()?.size ?? 0, size);
    },
  };
}

/** A number with a text below it. */
function figure() {
  const value = el("strong", {});
  const text = el("span", { class: "soft" });
  return {
    element: el("p", { class: "figure" }, value, " ", text),
    /** @param {number | null} n @param {string} about */
    set(n, about) {
      value.replaceChildren(n === null ? "" : number(n));
      text.replaceChildren(about);
    },
  };
}
