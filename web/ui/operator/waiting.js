// What the operator pressed, while the service does not answer: what waits, and how to cancel it.

import { t } from "../strings.js";
import { el } from "../text.js";

/** Most answers come before this time. */
const SOON = 1_500;

/**
 * Runs an action. If no answer comes soon, its place says that it waits.
 * @param {HTMLElement} place
 * @param {string} what the text of the pressed button
 * @param {(signal: AbortSignal) => Promise<void>} act
 * @param {AbortController} [outer] of a question with its own button that cancels
 * @returns {Promise<boolean>} whether it was not cancelled
 */
export async function untilDone(place, what, act, outer) {
  const stop = outer ?? new AbortController();
  const cancel = el(
    "button",
    { type: "button", id: "cancel-wait", click: () => stop.abort() },
    t("operator.cancel"),
  );
  place.replaceChildren();
  const timer = setTimeout(
    () =>
      place.replaceChildren(
        el("p", { class: "waits" }, t("operator.waits", { what })),
        ...(outer === undefined ? [cancel] : []),
      ),
    SOON,
  );
  try {
    await act(stop.signal);
    place.replaceChildren();
    return true;
  } catch (error) {
    place.replaceChildren();
    if (!stop.signal.aborted) throw error;
    place.replaceChildren(el("p", {}, t("operator.cancelled")));
    return false;
  } finally {
    clearTimeout(timer);
  }
}
