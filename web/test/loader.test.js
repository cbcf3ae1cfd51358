// The loader of exported pages: every module is in the program, and none needs itself.

import assert from "node:assert/strict";
import { resolveObjectURL } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const LOADER = readFileSync(
  new URL("../../crates/cli/src/page_loader.js", import.meta.url),
  "utf8",
);
const LIST = readFileSync(
  new URL("../../crates/server/src/pages/files.rs", import.meta.url),
  "utf8",
);
const modules = Object.fromEntries(
  [...LIST.matchAll(/"([\w/-]+\.js)"/g)].map(([, name]) => [
    name,
    readFileSync(WEB + name, "utf8"),
  ]),
);

test("a page and a worker name no file, and each module of theirs comes after those that it imports", async () => {
  const urlOf = new Function("modules", `${LOADER}; return urlOf;`)(modules);
  for (const name of Object.keys(modules).filter((each) =>
    /^(pages|workers)\/[\w-]+\.js$/.test(each),
  )) {
    const text = await resolveObjectURL(urlOf(name)).text();
    const imports = (all, path) =>
      all
        .split("\n")
        .filter((line) => /^(import|export|\} from)\b/.test(line) && line.includes(path));
    assert.equal(imports(text, '"./').length + imports(text, '"../').length, 0, name);
    assert.equal(
      imports(text, '"blob:').length,
      imports(modules[name], '"./').length + imports(modules[name], '"../').length,
      name,
    );
  }
});
