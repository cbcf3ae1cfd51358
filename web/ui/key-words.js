// Where a key is from, in a sentence.

import { locale, t } from "./strings.js";
import { plain } from "./text.js";

/** @typedef {import("./inputs.js").GivenKey["source"]} Source */

const days = new Intl.DateTimeFormat(locale, { dateStyle: "long" });

/**
 * Whether somebody else chose the key, and the reader has not compared it.
 * @param {Source} source
 * @returns {boolean}
 */
export function isUnsure({ how }) {
  return how === "link" || how === "example" || how === "host";
}

/**
 * @param {Source} source
 * @returns {string}
 */
export function sourceWords(source) {
  switch (source.how) {
    case "file":
      return t("key.file", { name: plain(source.name) });
    case "host":
      return t("key.host", { host: plain(source.host) });
    case "kept": {
      const from = plain(source.from);
      const key = source.compared ? "compared" : "kept";
      const more = from === "" ? "" : source.compared ? "-at" : "-from";
      return t(/** @type {"key.kept"} */ (`key.${key}${more}`), { when: dayOf(source.when), from });
    }
    default:
      return t(`key.${source.how}`);
  }
}

/** @param {number} when */
function dayOf(when) {
  const date = new Date(when);
  return Number.isNaN(date.getTime()) ? String(when) : days.format(date);
}
