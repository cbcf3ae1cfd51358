// New entries: from the service's events if it has them, otherwise by reading the checkpoint.

/**
 * @typedef {"live" | "mirror" | "offline" | "file"} Connection
 */

const KINDS = ["commit", "lock", "deal", "void", "reveal", "anchor", "message"];
/** The longest pause between two tries. */
const LONGEST = 30_000;

/**
 * Follows the service's events. It connects again after a break.
 * @param {string} base
 * @param {() => number} next the index of the next entry that is wanted
 * @param {{event: (index: number, text: string) => void, open: () => void, lost: (retryAt: number) => void}} hear
 * @returns {() => void} stops following
 */
export function follow(base, next, { event, open, lost }) {
  let pause = 1_000;
  /** @type {EventSource} */
  let source;
  /** @type {ReturnType<typeof setTimeout>} */
  let again;
  const start = () => {
    const after = next() - 1;
    source = new EventSource(`${base}v1/events${after < 0 ? "" : `?after=${after}`}`);
    source.addEventListener("open", () => {
      pause = 1_000;
      open();
    });
    for (const kind of KINDS) {
      source.addEventListener(kind, (message) => {
        const { lastEventId, data } = /** @type {MessageEvent} */ (message);
        if (/^\d+$/.test(lastEventId)) event(Number(lastEventId), data);
      });
    }
    source.addEventListener("error", () => {
      // The browser's own retries never stop and keep the same interval, but it gives up after an
      // answer like 503.
      source.close();
      lost(Date.now() + pause);
      again = setTimeout(start, pause);
      pause = Math.min(2 * pause, LONGEST);
    });
  };
  start();
  return () => {
    source.close();
    clearTimeout(again);
  };
}
