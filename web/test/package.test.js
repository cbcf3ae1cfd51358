import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { path } from "../fixtures.js";
import { consumer, folder } from "./consumer.js";
import { live } from "./live.js";

const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
const source = (name) => readFileSync(join(folder, name), "utf8");

test("the package has the version of Cargo.toml", () => {
  const cargo = readFileSync(join(folder, "..", "..", "Cargo.toml"), "utf8");
  assert.equal(manifest.version, /^version = "([^"]+)"/m.exec(cargo)[1]);
});

test("every module imports only its neighbours: no required dependency, nothing of Node, nothing that a browser lacks", () => {
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
  const optional = Object.keys(manifest.peerDependenciesMeta);
  assert.deepEqual(
    [optional, Object.keys(manifest.peerDependencies)],
    [["@noble/curves"], optional],
  );
  assert.ok(manifest.peerDependenciesMeta["@noble/curves"].optional);
  const loading = modules.filter((name) => / import\("[^.]/.test(source(name)));
  assert.deepEqual(loading, ["beacon.js"]);
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
  typed.push("types/tags.d.ts");
  assert.deepEqual(packed.filter((file) => file.startsWith("types/")).sort(), typed.sort());
  for (const entry of Object.values(manifest.exports)) {
    for (const file of typeof entry === "string" ? [entry] : Object.values(entry)) {
      if (!file.includes("*")) assert.ok(packed.includes(file.slice(2)), file);
    }
  }
});

/** The examples of the README: their language, their code, and what they print. */
const examples = [
  ...readFileSync(join(folder, "README.md"), "utf8").matchAll(
    /```(js|ts)\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs,
  ),
].map(([, language, code, printed]) => ({ language, code, printed }));

// A project without the types of Node.
const NODE = `declare module "node:fs";
declare module "node:fs/promises";
declare const process: { env: Record<string, string | undefined> };
`;

test("the examples of the README have the package's types, under tsc --strict, and print what it says", async () => {
  const { where, run, compile, end } = consumer();
  const service = await live();
  try {
    cpSync(path("receipts", "round.json"), join(where, "receipt.json"));
    cpSync(path("logs", "honest-example"), join(where, "log"), { recursive: true });
    writeFileSync(join(where, "node.d.ts"), NODE);
    examples.forEach(({ language, code }, i) =>
      writeFileSync(join(where, `example${i}.${language}`), code),
    );
    const typed = examples.flatMap(({ language }, i) =>
      language === "ts" ? [`example${i}.ts`] : [],
    );
    compile(["node.d.ts", ...typed]);
    for (const [i, { language, code, printed }] of examples.entries()) {
      if (printed === undefined) continue;
      const of = code.includes("auditLog") ? ["logs", "honest-example", "key"] : null;
      cpSync(path(...(of ?? ["receipts", "log.key"])), join(where, "log.key"));
      const file = language === "ts" ? join("built", `example${i}.js`) : `example${i}.js`;
      const { url: FAIRDEAL_URL, token: FAIRDEAL_TOKEN, key: FAIRDEAL_KEY } = service;
      const env = { ...process.env, FAIRDEAL_URL, FAIRDEAL_TOKEN, FAIRDEAL_KEY };
      assert.equal(run(process.execPath, [file], { env, timeout: 60_000 }), printed, file);
    }
    assert.deepEqual(
      ["js", "ts"].map((each) => examples.filter(({ language }) => language === each).length),
      [6, 6],
    );
  } finally {
    await service.stop();
    end();
  }
});
