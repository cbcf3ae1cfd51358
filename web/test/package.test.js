import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { path } from "../fixtures.js";

const folder = fileURLToPath(new URL("../fairdeal/", import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
const source = (name) => readFileSync(join(folder, name), "utf8");

test("the package has the version of Cargo.toml", () => {
  const cargo = readFileSync(join(folder, "..", "..", "Cargo.toml"), "utf8");
  assert.equal(manifest.version, /^version = "([^"]+)"/m.exec(cargo)[1]);
});

test("every module imports only its neighbours: no dependency, nothing of Node, nothing that a browser lacks", () => {
  for (const name of modules) {
    const imports = [...source(name).matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"/gm)].map(
      ([, from]) => from,
    );
    for (const from of imports)
      assert.ok(
        from === "./dialects/index.js" ||
          (from.startsWith("./") && modules.includes(from.slice(2))),
        `${name}: ${from}`,
      );
    assert.doesNotMatch(
      source(name),
      /\b(?:require|process|Buffer|globalThis\.process)\b[.(]/,
      name,
    );
  }
  assert.equal(manifest.dependencies, undefined);
});

test("no module has more than 500 lines", () => {
  for (const name of modules) assert.ok(source(name).split("\n").length <= 500, name);
});

test("each module is packed with its types, and so is what the manifest names", () => {
  const npm = spawnSync("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(npm.status, 0, npm.stdout + npm.stderr);
  const packed = JSON.parse(npm.stdout)[0].files.map((file) => file.path);
  const typed = packed
    .filter((file) => file.endsWith(".js"))
    .map((file) => `types/${file.replace(/js$/, "d.ts")}`);
  assert.deepEqual(packed.filter((file) => file.startsWith("types/")).sort(), typed.sort());
  for (const entry of Object.values(manifest.exports)) {
    for (const file of typeof entry === "string" ? [entry] : Object.values(entry)) {
      if (!file.includes("*")) assert.ok(packed.includes(file.slice(2)), file);
    }
  }
});

test("the examples of the README print what it says", () => {
  const where = mkdtempSync(join(tmpdir(), "fairdeal-readme-"));
  cpSync(path("receipts", "round.json"), join(where, "receipt.json"));
  mkdirSync(join(where, "node_modules"));
  cpSync(folder, join(where, "node_modules", "fairdeal"), { recursive: true });
  cpSync(path("logs", "honest-example"), join(where, "log"), { recursive: true });
  const examples = [
    ...readFileSync(join(folder, "README.md"), "utf8").matchAll(
      /```js\n(.*?)```\n\n```text\n(.*?)```/gs,
    ),
  ];
  assert.equal(examples.length, 4);
  for (const [, code, printed] of examples) {
    const key = code.includes("auditLog")
      ? path("logs", "honest-example", "key")
      : path("receipts", "log.key");
    cpSync(key, join(where, "log.key"));
    writeFileSync(join(where, "example.mjs"), code);
    const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], {
      cwd: where,
      encoding: "utf8",
    });
    assert.equal(stdout, printed, stderr);
  }
  rmSync(where, { recursive: true });
});
