// Data that a page keeps in this browser. If the browser keeps nothing, a page has its data as long as
// it is open.

const PREFIX = "fairdeal.";

/**
 * A host's pages have a storage of their own. All pages that were opened as files share one, whoever
 * wrote them: there a key, a policy or a promise could be anybody's (spec/raffle.md, section 38).
 */
export const hasOwnStorage = /^https?:$/.test(globalThis.location?.protocol ?? "");
/** The reader's choices of how pages look. No verdict depends on them. */
const LOOKS = ["language", "theme", "suits"];

/**
 * The data that a page took with it when it loaded itself again: the browser keeps it with the entry of the
 * tab's history. A file that was at the same path before could have written it.
 * @type {any}
 */
export const carriedOver = globalThis.history?.state?.fairdeal ?? null;
if (carriedOver !== null) history.replaceState(null, "");
let give = () => /** @type {unknown} */ (null);

/** @param {() => unknown} what a page takes with it; a structured clone is made of it */
export function carry(what) {
  give = what;
}

/** Loads the page again, with what it takes with it. */
export function loadAgain() {
  history.replaceState({ fairdeal: give() }, "");
  location.reload();
}

/** The data of this visit, by their names. @type {Map<string, string>} */
const visit = new Map();

/** @param {string} name */
const isStored = (name) => hasOwnStorage || LOOKS.includes(name);

/**
 * @param {string} name
 * @returns {string | null}
 */
export function kept(name) {
  try {
    const stored = isStored(name) ? globalThis.localStorage?.getItem(PREFIX + name) : null;
    if (typeof stored === "string") return stored;
  } catch {
    // The browser keeps nothing.
  }
  return visit.get(name) ?? null;
}

/**
 * @param {string} name
 * @param {string | null} value null to forget it
 * @returns {boolean} whether it is kept longer than this visit
 */
export function keep(name, value) {
  if (value === null) visit.delete(name);
  else visit.set(name, value);
  if (!isStored(name)) return false;
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false;
  }
}
