// How the reader goes on: watch the shuffle, share the receipt, or check another hand.

import { nameOfKey } from "./keys.js";
import { MOST_LINK, toFragment } from "./link.js";
import { t } from "./strings.js";
import { el, svg } from "./text.js";

/**
 * @param {{name: string, bytes: Uint8Array}} file
 * @param {import("../workers/dossier.js").Dossier | null} dossier
 * @param {{first: boolean, another: (() => void) | null, key: string}} options whether to watch is
 *   the first thing to do, how to begin again, and the key that a link names
 * @returns {HTMLElement}
 */
export function drawMore(file, dossier, { first, another, key }) {
  const bytes = Uint8Array.from(file.bytes);
  const told = el("div", { role: "status", class: "stack" });
  const isSecret = dossier !== null && dossier.opening && dossier.reveal === null;
  const save = el(
    "a",
    {
      class: "go-on-row",
      download: file.name.replace(/[^\w.-]/g, "_") || "receipt.json",
      href: URL.createObjectURL(new Blob([bytes], { type: "application/json" })),
    },
    icon("save"),
    t("more.save"),
  );
  const share = el(
    "button",
    {
      type: "button",
      class: "go-on-row",
      id: "share",
      click: () => (isSecret ? warn() : makeLink()),
    },
    icon("share"),
    t("more.share"),
  );
  const makeLink = async () => {
    const fragment = await toFragment(bytes, nameOfKey(key));
    const link = `${location.href.split("#")[0]}#${fragment}`;
    if (link.length > MOST_LINK) {
      told.replaceChildren(
        el("p", { class: "note" }, t("more.too-long", { n: link.length, most: MOST_LINK })),
      );
      return;
    }
    const shown = el("input", {
      readonly: true,
      value: link,
      "aria-label": t("more.share"),
      id: "link",
      focus: () => shown.select(),
    });
    told.replaceChildren(shown, el("p", {}, t("more.link"), " ", t("more.key-apart")));
    await navigator.clipboard?.writeText(link).then(
      () => {
        share.lastChild?.replaceWith(t("copied"));
      },
      () => undefined,
    );
  };
  /** Cards that only their player knows are not copied before the reader has read this. */
  const warn = () => {
    const go = { type: "button", id: "share-hidden", click: () => void makeLink() };
    told.replaceChildren(
      el("p", { class: "note" }, t("more.hidden")),
      el("button", go, t("more.hidden-go")),
    );
  };
  const watch =
    dossier?.replay == null
      ? null
      : el(
          "a",
          {
            class: first ? "button first" : "go-on-row",
            id: "watch",
            href: "watch.html",
            click: async (/** @type {Event} */ event) => {
              event.preventDefault();
              location.href = `watch.html#${await toFragment(bytes)}`;
            },
          },
          icon("watch"),
          t("more.watch"),
        );
  return el(
    "section",
    { class: "go-on" },
    el("h2", {}, t("more.title")),
    watch,
    share,
    told,
    save,
    another === null
      ? null
      : el(
          "button",
          { type: "button", class: "go-on-row", id: "another", click: another },
          icon("another"),
          t("more.another"),
        ),
  );
}

/** Paths in a square of 20. */
const ICONS = {
  watch: "M6 4l10 6-10 6z",
  share: "M8.5 11.5l3-3M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9",
  save: "M10 3v9M6 8.5l4 4 4-4M4 16.5h12",
  another: "M10 4v12M4 10h12",
  file: "M10 13V4M6 7.5l4-4 4 4M3.5 13v3.5h13V13",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}
