/**
 * The key of this session: the kept key, or a new one. It cannot be exported, not even by this
 * program.
 * @param {import("./storage.js").Storage} storage
 * @param {string} name
 * @returns {Promise<CryptoKeyPair>}
 */
export function sessionKey(storage: import("./storage.js").Storage, name: string): Promise<CryptoKeyPair>;
