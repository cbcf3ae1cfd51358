// A project that has what `npm pack` makes of the package, and nothing else.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the package. */
export const folder = fileURLToPath(new URL("../fairdeal/", import.meta.url));
const TSC = join(folder, "..", "node_modules", ".bin", "tsc");
const STRICT = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
const TARGET = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];

/** Makes the project in a new folder. */
export function consumer() {
  const where = mkdtempSync(join(tmpdir(), "fairdeal-consumer-"));
  const run = (command, args, more = {}) => {
    const options = { cwd: where, encoding: "utf8", ...more };
    const { status, stdout, stderr } = spawnSync(command, args, options);
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  };
  const packed = run("npm", ["pack", "--silent", folder]).trim();
  const into = join("node_modules", "fairdeal");
  mkdirSync(join(where, into), { recursive: true });
  run("tar", ["xzf", packed, "-C", into, "--strip-components=1"]);
  writeFileSync(join(where, "package.json"), '{ "type": "module" }');
  /** Compiles files as a strict project does. */
  const compile = (files) => run(TSC, [...STRICT, ...TARGET, "--outDir", "built", ...files]);
  return { where, run, compile, end: () => rmSync(where, { recursive: true }) };
}
