// The page's links: each table, commitment and round of a log has a permanent link.

/**
 * @typedef {{kind: "all"} | {kind: "table", table: string}
 *   | {kind: "commitment", commitment: string}
 *   | {kind: "round", commitment: string, nonce: number}} Route
 */

/**
 * @param {string} hash with or without "#"
 * @returns {Route}
 */
export function readRoute(hash) {
  const found = /^#?(table|commitment|round)=(.*)$/s.exec(hash);
  if (found === null) return { kind: "all" };
  const [, kind, value] = found;
  if (kind === "table") return { kind, table: decoded(value) };
  if (kind === "commitment") return { kind, commitment: value.toLowerCase() };
  const [commitment, nonce] = value.split("/");
  return /^\d{1,15}$/.test(nonce ?? "")
    ? { kind: "round", commitment: commitment.toLowerCase(), nonce: Number(nonce) }
    : { kind: "commitment", commitment };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} table */
export const tableLink = (table) => `#table=${encodeURIComponent(table)}`;

/** @param {string} commitment */
export const commitmentLink = (commitment) => `#commitment=${commitment}`;

/** @param {string} commitment @param {number} nonce */
export const roundLink = (commitment, nonce) => `#round=${commitment}/${nonce}`;

/**
 * The link of a finding's or an event's place.
 * @param {string | null} commitment
 * @param {number | null} nonce
 * @returns {string | null} null if it is about no commitment
 */
export const placeLink = (commitment, nonce) =>
  commitment === null
    ? null
    : nonce === null
      ? commitmentLink(commitment)
      : roundLink(commitment, nonce);
