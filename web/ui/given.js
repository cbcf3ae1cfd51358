// What the reader gave to the home page, and the forms for more. It is loaded with the first file.

import { drawChips } from "./chips.js";
import { broughtForm, keptZone, keyForm } from "./inputs.js";
import { keyCard } from "./key-card.js";
import { differs } from "./keys.js";
import { keptPolicy, policyForm } from "./policy.js";
import { t } from "./strings.js";
import { el, theirs } from "./text.js";

/**
 * @typedef {import("./chips.js").Given} Given
 * @typedef {import("./inputs.js").GivenKey} GivenKey
 */

/**
 * What the page must ask before it can judge: for a key, or about a key that the reader refused.
 * @param {Given} given
 * @param {GivenKey | null} key that is used
 * @param {import("./host.js").HostLog | null} here
 * @param {(key: string, keep: {from: string} | null) => void} useKey
 * @param {() => void} changed called when the verdict may be another one
 * @returns {HTMLElement | null}
 */
export function drawAsked({ origin, named }, key, here, useKey, changed) {
  if (key === null) return keyForm(origin, useKey, { named, here });
  return differs(key.text) ? keyCard({ key: key.text, printedAt: null, changed }) : null;
}

/**
 * The files, the key, and forms for what the reader kept and brought.
 * @param {Given} given
 * @param {HTMLElement} chips
 * @param {boolean} isJudged whether there is anything that more files could say more about
 * @param {(files: Promise<import("./drop.js").GivenFile[]>) => void} takeKept
 * @param {() => void} changed
 * @returns {Node[]}
 */
export function drawInputs(given, chips, isJudged, takeKept, changed) {
  const { key, brought } = given;
  return [
    ...(key === null
      ? []
      : [el("p", { class: "the-key" }, t("key.is"), " ", theirs(key.text, 300))]),
    chips,
    ...(isJudged
      ? [
          keptZone(takeKept),
          broughtForm(brought, (more) => {
            given.brought = more;
            changed();
          }),
          policyForm((policy) => {
            given.policy = policy;
            changed();
          }),
        ]
      : []),
  ];
}

export { drawChips, keptPolicy };
