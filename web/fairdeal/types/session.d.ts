/**
 * The key of this session: the one that is kept, or a new one. Nobody can read it out, this program included.
 * @param {import("./storage.js").Storage} storage
 * @param {string} name
 * @returns {Promise<CryptoKeyPair>}
 */
export function sessionKey(storage: import("./storage.js").Storage, name: string): Promise<CryptoKeyPair>;
