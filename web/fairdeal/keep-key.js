// The key of each log's name, which a browser keeps from the first time on.

import { keyText, readKey } from "./key.js";
import { Refused, shown } from "./refused.js";
import { alone, placeOf } from "./storage.js";

/**
 * Keeps the first key of a log's name: another key is another log, whatever a link says.
 * @param {import("./book.js").Book} book
 * @throws {Refused} `key`
 */
export async function keepKey(book) {
  const { storage, key, log } = book;
  const place = placeOf("key", key.name);
  const kept = await alone(storage, place, async () => {
    const first = await book.read(place, (value, damaged) => {
      const isKey = isKeyOf(value, key.name);
      if (!isKey) damaged();
      return isKey ? value : undefined;
    });
    if (first === undefined) await storage.set(place, log);
    return first ?? log;
  });
  if (kept === log) return;
  const says = `expected the key that this browser keeps for the log ${shown(key.name)}, ${kept}; found another key, ${log}: another key is another log`;
  throw new Refused("key", says);
}

/**
 * @param {any} value
 * @param {string} name
 * @returns {boolean}
 */
function isKeyOf(value, name) {
  try {
    return readKey(value).name === name && keyText(readKey(value)) === value;
  } catch {
    return false;
  }
}
