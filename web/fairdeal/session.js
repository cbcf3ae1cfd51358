// A player's signing key: one for each session, because it is as public and permanent as the log.

/** How long a session is, in milliseconds. */
const SESSION = 24 * 3_600_000;

/**
 * The key of this session: the kept key, or a new one. It cannot be exported, not even by this
 * program.
 * @param {import("./book.js").Book} book
 * @returns {Promise<CryptoKeyPair>}
 */
export async function sessionKey(book) {
  const { storage, from } = book;
  const place = book.name("key", from);
  const kept = storage.texts === true ? undefined : await book.read(place, readPair);
  if (kept !== undefined && Date.now() - kept.made < SESSION) return kept.pair;
  const pair = /** @type {CryptoKeyPair} */ (
    await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])
  );
  if (storage.texts !== true) await storage.set(place, { pair, made: Date.now() });
  return pair;
}

/** @type {import("./stored.js").Reader<{pair: CryptoKeyPair, made: number} | undefined>} */
function readPair(value, damaged) {
  const keys = [value.pair?.privateKey, value.pair?.publicKey];
  if (keys.every((each) => each instanceof CryptoKey) && Number.isFinite(value.made)) return value;
  damaged();
  return undefined;
}
