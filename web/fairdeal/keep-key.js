// The key of each log's name, which a browser keeps from the first time on.

import { Refused, shown } from "./refused.js";
import { alone, placeOf } from "./storage.js";

/**
 * Keeps the first key of a log's name: another key is another log, whatever a link says.
 * @param {import("./storage.js").Storage} storage
 * @param {string} name
 * @param {string} key
 * @throws {Refused} `key`
 */
export async function keepKey(storage, name, key) {
  const place = placeOf("key", name);
  const kept = await alone(storage, place, async () => {
    const first = await storage.get(place);
    if (first === undefined) await storage.set(place, key);
    return first ?? key;
  });
  if (kept === key) return;
  const says = `expected the key that this browser keeps for the log ${shown(name)}, ${kept}; found another key, ${key}: another key is another log`;
  throw new Refused("key", says);
}
