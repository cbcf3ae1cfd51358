// The reader's next steps: watch the shuffle, or share the receipt.

import { MOST_LINK, toFragment } from "./link.js";
import { t } from "./strings.js";
import { el } from "./text.js";

/**
 * @param {{name: string, bytes: Uint8Array}} file
 * @param {import("../workers/dossier.js").Dossier | null} dossier
 * @returns {HTMLElement}
 */
export function drawMore(file, dossier) {
  const bytes = Uint8Array.from(file.bytes);
  const told = el("div", { role: "status", class: "stack" });
  const save = el(
    "a",
    {
      class: "button",
      download: file.name.replace(/[^\w.-]/g, "_") || "receipt.json",
      href: URL.createObjectURL(new Blob([bytes], { type: "application/json" })),
    },
    t("more.save"),
  );
  const share = el(
    "button",
    {
      type: "button",
      id: "share",
      click: async () => {
        const fragment = await toFragment(bytes);
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
            share.textContent = t("copied");
          },
          () => undefined,
        );
      },
    },
    t("more.share"),
  );
  const watch =
    dossier?.replay == null
      ? null
      : el(
          "a",
          {
            class: "button",
            id: "watch",
            href: "watch.html",
            click: async (/** @type {Event} */ event) => {
              event.preventDefault();
              location.href = `watch.html#${await toFragment(bytes)}`;
            },
          },
          t("more.watch"),
        );
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, t("more.title")),
    el("div", { class: "row" }, watch, share, save),
    told,
  );
}
