// Shared by the tests: the fixtures, which every implementation reads.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../fixtures/", import.meta.url));

export const path = (...names) => join(ROOT, ...names);
export const bytes = (...names) => new Uint8Array(readFileSync(path(...names)));
export const text = (...names) => readFileSync(path(...names), "utf8");
export const json = (...names) => JSON.parse(text(...names));
export const names = (...folder) => readdirSync(path(...folder)).sort();

/** The vectors of one file, at least one. */
export function vectors(file) {
  const all = json("vectors", file).vectors;
  if (all.length === 0) throw new Error(`${file} has no vectors`);
  return all;
}

/** The code of a refusal. Any other error is thrown again; no error gives null. */
export function refusal(run) {
  try {
    run();
    return null;
  } catch (error) {
    if (error?.name !== "Refused") throw error;
    return error.code;
  }
}
