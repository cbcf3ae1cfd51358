// Shared by the tests: the fixtures, which every implementation reads.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readPolicy } from "./fairdeal/policy.js";

const ROOT = fileURLToPath(new URL("../fixtures/", import.meta.url));

export const path = (...names) => join(ROOT, ...names);
export const bytes = (...names) => new Uint8Array(readFileSync(path(...names)));
export const text = (...names) => readFileSync(path(...names), "utf8");
export const json = (...names) => JSON.parse(text(...names));
export const names = (...folder) => readdirSync(path(...folder)).sort();

/** The attacks that a command judges, by name. */
export const attacks = (command) =>
  names("attacks")
    .map((file) => [file.replace(/\.json$/, ""), json("attacks", file)])
    .filter(([, attack]) => attack.command === command);

/** Each file of an attack, with its text: JSON as `file`, or exactly a `text`. */
export const filesOf = ({ files }) =>
  files.map(({ file, text, ...each }) => ({ ...each, file: text ?? JSON.stringify(file) }));

/** The policy of a case, if it has one: the text of the file. */
export const policyIn = ({ policy }) =>
  policy === undefined ? undefined : readPolicy(new TextEncoder().encode(policy));

const base64 = (text) => new Uint8Array(Buffer.from(text, "base64"));

/**
 * The bytes of a log's file in an attack: a checkpoint's text, a bundle's entries, or the base64 of
 * anything else.
 */
export function logFile(path, content) {
  if (path === "checkpoint") return new TextEncoder().encode(content);
  if (typeof content === "string") return base64(content);
  return new Uint8Array(
    Buffer.concat(
      content.flatMap((entry) => {
        const bytes = Buffer.from(entry);
        return [Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes];
      }),
    ),
  );
}

/** The vectors of one file, at least one. */
export function vectors(file) {
  const all = json("vectors", file).vectors;
  if (all.length === 0) throw new Error(`${file} has no vectors`);
  return all;
}

/** The vector of a file with this name. */
export const vectorNamed = (file, wanted) => vectors(file).find(({ name }) => name === wanted);

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
