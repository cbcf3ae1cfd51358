// Checks the arguments of calls. A wrong argument is a mistake of the calling program and gives no
// verdict on a file: a TypeError says what was expected and what was found.

/**
 * The type of a value, in words. The value is not repeated: it may be a secret.
 * @param {unknown} value
 * @returns {string}
 */
function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object")
    return typeof value === "function" ? "a function" : `a ${typeof value}`;
  if (Array.isArray(value)) return "an array";
  const [, name] = /** @type {RegExpExecArray} */ (
    /^\[object (.*)\]$/s.exec(Object.prototype.toString.call(value))
  );
  return name === "Object"
    ? "an object"
    : name === "Promise"
      ? "a Promise: await it first"
      : `an object of type ${name}`;
}

/**
 * Whether a value is an object with members, of any realm.
 * @param {unknown} value
 * @returns {value is object}
 */
function isRecord(value) {
  return kindOf(value) === "an object";
}

/**
 * @param {string} call such as `verifyReceipt(file, options)`
 * @param {string} expected
 * @param {unknown} value
 * @returns {never}
 */
function wrong(call, expected, value) {
  throw new TypeError(`${call}: expected ${expected}, found ${kindOf(value)}`);
}

/**
 * @param {string} call
 * @param {string} argument its name and its content, such as `options with "key"`
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectObject(call, argument, value) {
  if (!isRecord(value)) wrong(call, `${argument}, as an object`, value);
}

/**
 * A file, in a form that the judging calls take. A value of JSON is checked by its reader, which
 * may find that it is not a receipt.
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFile(call, argument, value) {
  const isJson =
    value === null ||
    ["undefined", "boolean", "number"].includes(typeof value) ||
    Array.isArray(value) ||
    isRecord(value);
  if (typeof value === "string" || value instanceof Uint8Array || isJson) return;
  wrong(
    call,
    `${argument}, a file's text, its bytes as a Uint8Array, or what JSON.parse made of it`,
    value,
  );
}

/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectBytes(call, argument, value) {
  if (!(value instanceof Uint8Array)) wrong(call, `${argument}, as a Uint8Array`, value);
}

/**
 * @param {string} call
 * @param {string} argument
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFunction(call, argument, value) {
  if (typeof value !== "function") wrong(call, `${argument}, a function`, value);
}

/**
 * Files, with or without names.
 * @param {string} call
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectFiles(call, value) {
  if (!Array.isArray(value)) wrong(call, "files, an array", value);
  /** @type {unknown[]} */ (value).forEach((each, i) => {
    if (typeof each === "string" || each instanceof Uint8Array) return;
    const form = `files[${i}], a file's text, its bytes as a Uint8Array, or {name, file}`;
    if (!isRecord(each)) wrong(call, form, each);
    if (!("file" in each) || !("name" in each))
      throw new TypeError(`${call}: expected ${form}, found an object without "name" or "file"`);
    expectFile(call, `files[${i}].file`, each.file);
  });
}

/**
 * The address of a service.
 * @param {string} call
 * @param {unknown} value
 * @throws {TypeError}
 */
export function expectAddress(call, value) {
  if (typeof value !== "string" && !(value instanceof URL))
    wrong(call, "baseUrl, a text or a URL", value);
}
