/**
 * @param {string} call
 * @param {string} argument its name and what it holds, such as `options with "key"`
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectObject(call: string, argument: string, value: unknown): void;
/**
 * A file as the calls that judge take it. What JSON can hold is left to its reader, which may say that it is no receipt.
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFile(call: string, argument: string, value: unknown): void;
/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectBytes(call: string, argument: string, value: unknown): void;
/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFunction(call: string, argument: string, value: unknown): void;
/**
 * Files, each with a name or not.
 * @param {string} call
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFiles(call: string, value: unknown): void;
/**
 * The address of a service.
 * @param {string} call
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectAddress(call: string, value: unknown): void;
