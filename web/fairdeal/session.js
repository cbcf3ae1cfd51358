// A player's signing key: one for each session, because it is as public and permanent as the log.

/** How long a session is, in milliseconds. */
const SESSION = 24 * 3_600_000;

/**
 * The key of this session: the kept key, or a new one. It cannot be exported, not even by this
 * program.
 * @param {import("./storage.js").Storage} storage
 * @param {string} place its name there
 * @returns {Promise<CryptoKeyPair>}
 */
export async function sessionKey(storage, place) {
  const kept = storage.texts === true ? undefined : await storage.get(place);
  if (kept !== undefined && Date.now() - kept.made < SESSION) return kept.pair;
  const pair = /** @type {CryptoKeyPair} */ (
    await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])
  );
  if (storage.texts !== true) await storage.set(place, { pair, made: Date.now() });
  return pair;
}
