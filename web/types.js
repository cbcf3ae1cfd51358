// Writes the type declarations of the package, or checks that they are current and that the types hold.
//
//     node web/types.js            writes web/fairdeal/types
//     node web/types.js --check    exit code 1 if they are not current

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL(".", import.meta.url));
const current = join(web, "fairdeal", "types");
const check = process.argv.includes("--check");
const out = check ? mkdtempSync(join(tmpdir(), "fairdeal-types-")) : current;

if (!check) rmSync(current, { recursive: true, force: true });
// `npm ci` in web/ brings it.
const compiler = join(web, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", join(web, "tsconfig.json"), "--outDir", out], { stdio: "inherit" });

/** Every declaration below a folder, by its path in it. */
const declarations = (folder) => Object.fromEntries(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath ?? each.path, each.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")])
    .sort(),
);

if (status !== 0) process.exitCode = 1;
else if (check) {
  if (JSON.stringify(declarations(out)) !== JSON.stringify(declarations(current))) {
    console.error("web/fairdeal/types is not current: run `node web/types.js`");
    process.exitCode = 1;
  }
  rmSync(out, { recursive: true });
}
