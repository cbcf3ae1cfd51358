// Writes the texts of the home page's first view to a file, or checks that the file is current.
//
//     node web/first-words.js            writes web/strings/first.js
//     node web/first-words.js --check    exit code 1 if it is not current
//
// All texts of all languages are half as large as the rest of that page. A worker loads them after
// the first paint.

import { readFileSync, writeFileSync } from "node:fs";

import { strings as de } from "./strings/de.js";
import { strings as en } from "./strings/en.js";

const FIRST = /^(page|nav|look|drop|start)\.|^hand\.title$|^v\.(word\.none|link-broken)$/;
const file = new URL("strings/first.js", import.meta.url);

const lines = Object.entries({ en, de }).map(([language, strings]) => {
  const some = Object.entries(strings).filter(([key]) => FIRST.test(key));
  return `  ${language}: {\n${some.map(([key, text]) => `    ${JSON.stringify(key)}: ${JSON.stringify(text)},\n`).join("")}  },\n`;
});
const text = `// Made by \`node web/first-words.js\` from the files of the languages. Do not edit.\n\nexport const first = {\n${lines.join("")}};\n`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("web/strings/first.js is not current: run `node web/first-words.js`");
  process.exitCode = 1;
}
