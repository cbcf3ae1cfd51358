/**
 * @param {string} call
 * @param {string} argument its name and its content, such as `options with "key"`
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectObject(call: string, argument: string, value: unknown): void;
/**
 * A file, in a form that the judging calls take. A value of JSON is checked by its reader, which
 * may find that it is not a receipt.
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
 * Files, with or without names.
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
