// The storage of a player's kit for data that must outlive a page: used seeds, rounds, receipts,
// and the log's last head.

/**
 * A store of values by name. A value is anything that can be structured-cloned.
 * @typedef {object} Storage
 * @property {(name: string) => Promise<unknown>} get undefined if there is none
 * @property {(name: string, value: unknown) => Promise<void>} set
 * @property {boolean} [texts] whether it keeps only JSON. Then a session's key ends with its page
 * @property {() => string | null} [trouble] why it does not remember all that it should; null if it
 *   does
 * @property {<T>(name: string, run: () => Promise<T>) => Promise<T>} [hold] runs a function
 *   exclusively among all users of this storage. Without it the tabs of one browser take turns (Web
 *   Locks), and so does this program
 */

/**
 * Keeps everything in memory: for tests, and for a session that leaves no trace.
 * @returns {Storage}
 */
export function memoryStorage() {
  /** @type {Map<string, unknown>} */
  const kept = new Map();
  return {
    // Clones, so that a later change of a value does not change the kept one.
    get: async (name) => structuredClone(kept.get(name)),
    set: async (name, value) => void kept.set(name, structuredClone(value)),
  };
}

/** How long a database may take to open, in milliseconds: another tab can hold it back. */
const PATIENCE = 5000;
/** How long a page waits to hear that its database was closed, in milliseconds. */
const CLOSING = 100;
const DELETED = "this browser's database was deleted or changed while this page was open";
const FORGETS = "this browser opens no database, so nothing is remembered after a reload";

/**
 * Opens a database with the store.
 * @param {string} name
 * @param {() => void} onLost is called when it is deleted, or changed by another version
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(name, onLost) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      reject(new Error(`the database "${name}" does not open: another tab holds it back`));
    };
    const timer = setTimeout(giveUp, PATIENCE);
    request.onblocked = giveUp;
    request.onupgradeneeded = () => void request.result.createObjectStore("kept");
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      const has = database.objectStoreNames.contains("kept");
      if (isLate || !has) database.close();
      if (!has) reject(new Error(`the database "${name}" has no store "kept"`));
      // A tab that holds on to it would hold back all others.
      database.onversionchange = () => {
        database.close();
        onLost();
      };
      database.onclose = onLost;
      resolve(database);
    };
  });
}

/**
 * Keeps everything in the browser's database. Keys stay there, and cannot be exported.
 * @param {string} [name] of the database
 * @returns {Storage}
 */
export function indexedDBStorage(name = "fairdeal") {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;
  let isLost = false;
  const forget = () => {
    opened = undefined;
    isLost = true;
  };
  const open = () => {
    opened ??= openDatabase(name, forget).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  /**
   * @param {IDBDatabase} database
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} ask
   * @returns {Promise<unknown>}
   */
  const runOn = (database, mode, ask) => {
    const transaction = database.transaction("kept", mode, { durability: "strict" });
    const request = ask(transaction.objectStore("kept"));
    return new Promise((resolve, reject) => {
      // Not at the request's success: a seed must be on the disk before its hash is sent.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  };
  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} ask
   * @returns {Promise<unknown>}
   */
  const run = async (mode, ask) => {
    const used = open();
    try {
      return await runOn(await used, mode, ask);
    } catch (error) {
      // A browser that deletes a database closes it first, and tells the page a moment later.
      await new Promise((resolve) => void setTimeout(resolve, CLOSING));
      if (!isLost || opened === used) throw error;
      return runOn(await open(), mode, ask);
    }
  };
  return {
    get: (key) => run("readonly", (store) => store.get(key)),
    set: async (key, value) => void (await run("readwrite", (store) => store.put(value, key))),
    trouble: () => (isLost ? DELETED : null),
  };
}

/**
 * The storage of this platform: the browser's database, or memory if there is none, or if the
 * browser does not open it.
 * @returns {Storage}
 */
export function defaultStorage() {
  const memory = memoryStorage();
  if (globalThis.indexedDB === undefined) return memory;
  const database = indexedDBStorage();
  /** @type {string | null} */
  let why = null;
  /** @type {Promise<Storage> | undefined} */
  let chosen;
  // Only at the start: a database that fails later must not look empty.
  const choose = () =>
    (chosen ??= database.get("").then(
      () => database,
      (error) => {
        why = `${FORGETS}: ${error?.message}`;
        return memory;
      },
    ));
  return {
    get: async (name) => (await choose()).get(name),
    set: async (name, value) => (await choose()).set(name, value),
    trouble: () => why ?? database.trouble?.() ?? null,
  };
}

/**
 * The name of a value, made of parts. Other parts never give the same name: a label or a table may
 * have any character.
 * @param {...(string | number)} parts
 * @returns {string}
 */
export function placeOf(...parts) {
  return JSON.stringify(parts);
}

/**
 * The last running call in this program, by name.
 * @type {WeakMap<Storage, Map<string, Promise<unknown>>>}
 */
const running = new WeakMap();

/**
 * Runs a function exclusively among all tabs and all seats that use this storage.
 * @template T
 * @param {Storage} storage
 * @param {string} name
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export function alone(storage, name, run) {
  if (storage.hold !== undefined) return storage.hold(name, run);
  const locks = globalThis.navigator?.locks;
  const queue = running.get(storage) ?? new Map();
  running.set(storage, queue);
  // Web Locks are shared by the whole browser. Two storages in memory must not wait for each other.
  const inTurn =
    locks === undefined || globalThis.indexedDB === undefined
      ? run
      : () => locks.request(`fairdeal ${name}`, run);
  const before = queue.get(name) ?? Promise.resolve();
  const now = before.then(inTurn, inTurn);
  queue.set(
    name,
    now.catch(() => undefined),
  );
  return /** @type {Promise<T>} */ (now);
}
