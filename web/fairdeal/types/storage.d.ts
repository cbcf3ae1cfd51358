/**
 * A store of values by name. A value is anything that can be structured-cloned.
 * @typedef {object} Storage
 * @property {(name: string) => Promise<any>} get undefined if there is none
 * @property {(name: string, value: any) => Promise<void>} set
 * @property {boolean} [texts] whether it keeps only JSON. Then a session's key ends with its page
 * @property {<T>(name: string, run: () => Promise<T>) => Promise<T>} [hold] runs a function
 *   exclusively among all users of this storage. Without it the tabs of one browser take turns (Web
 *   Locks), and so does this program
 */
/**
 * Keeps everything in memory: for tests, and for a session that leaves no trace.
 * @returns {Storage}
 */
export function memoryStorage(): Storage;
/**
 * Keeps everything in the browser's database. Keys stay there, and cannot be exported.
 * @param {string} [name] of the database
 * @returns {Storage}
 */
export function indexedDBStorage(name?: string): Storage;
/**
 * The storage of this platform: the browser's database, or memory if there is none, or if the
 * browser does not open it.
 * @returns {Storage}
 */
export function defaultStorage(): Storage;
/**
 * Runs a function exclusively among all tabs and all seats that use this storage.
 * @template T
 * @param {Storage} storage
 * @param {string} name
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export function alone<T>(storage: Storage, name: string, run: () => Promise<T>): Promise<T>;
/**
 * A store of values by name. A value is anything that can be structured-cloned.
 */
export type Storage = {
    /**
     * undefined if there is none
     */
    get: (name: string) => Promise<any>;
    set: (name: string, value: any) => Promise<void>;
    /**
     * whether it keeps only JSON. Then a session's key ends with its page
     */
    texts?: boolean | undefined;
    /**
     * runs a function
     * exclusively among all users of this storage. Without it the tabs of one browser take turns (Web
     * Locks), and so does this program
     */
    hold?: (<T>(name: string, run: () => Promise<T>) => Promise<T>) | undefined;
};
