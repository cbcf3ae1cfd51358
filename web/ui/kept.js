// Data that a page keeps in this browser. If the browser keeps nothing, pages work without it.

const PREFIX = "fairdeal.";

/**
 * @param {string} name
 * @returns {string | null}
 */
export function kept(name) {
  try {
    return globalThis.localStorage?.getItem(PREFIX + name) ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | null} value null to forget it
 * @returns {boolean} whether it was kept
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false;
  }
}
