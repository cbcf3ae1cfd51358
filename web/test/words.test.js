import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { strings as deAll } from "../strings/de.js";
import { operator as deOperator } from "../strings/de-operator.js";
import { play as dePlay } from "../strings/de-play.js";
import { raffle as deRaffle } from "../strings/de-raffle.js";
import { strings as enAll } from "../strings/en.js";
import { operator as enOperator } from "../strings/en-operator.js";
import { play as enPlay } from "../strings/en-play.js";
import { raffle as enRaffle } from "../strings/en-raffle.js";
import { CODES } from "../fairdeal/findings.js";
import { example } from "../example.js";
import { text } from "../fixtures.js";

const WEB = fileURLToPath(new URL("../", import.meta.url));
// The pages of a table, of its operator and of a raffle load their own words: players need none.
const [de, en] = [
  { ...deAll, ...dePlay, ...deOperator, ...deRaffle },
  { ...enAll, ...enPlay, ...enOperator, ...enRaffle },
];
const names = (value) => [...value.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("every language has the same keys, and the same names in each text", () => {
  assert.deepEqual(Object.keys(de), Object.keys(en));
  for (const [key, value] of Object.entries(en)) {
    assert.ok(de[key].trim() !== "", key);
    // A language may repeat a name, but may neither leave out nor add a name.
    assert.deepEqual([...new Set(names(de[key]))], [...new Set(names(value))], key);
  }
});

test("a verdict's sentence has 20 words at most, in each language", () => {
  for (const strings of [en, de]) {
    for (const [key, value] of Object.entries(strings)) {
      if (!/^(raffle\.)?v\.(?!word)(?!.*-says)|^state\.|^finding\..*\.title$/.test(key)) continue;
      assert.ok(value.split(/\s+/).length <= 20, `${key}: ${value}`);
    }
  }
});

test("every finding and every token has its words", () => {
  for (const code of CODES) {
    for (const part of ["title", "means"])
      assert.ok(`finding.${code}.${part}` in en, `${code}.${part}`);
  }
  const missing = [
    "logged",
    "judged",
    "replayed",
    "opened",
    "committed-first",
    "yours",
    "authentic",
    "seats",
    "beacon",
    "no-collusion",
    "witnessed",
    "timed",
    "locked-before-beacon",
    "complete",
  ];
  for (const token of missing) assert.ok(`missing.${token}` in en && `how.${token}` in en, token);
});

test("the words of the first view are current", () => {
  execFileSync(process.execPath, [`${WEB}first-words.js`, "--check"]);
});

test("the example is the receipt of the fixtures", () => {
  assert.equal(example.receipt, text("receipts", "round.json"));
  assert.equal(example.key, text("receipts", "log.key"));
});

test("pages are a few lines: one module, sheets, nothing inline, nothing from elsewhere", () => {
  for (const name of readdirSync(WEB).filter((each) => each.endsWith(".html"))) {
    // The text in `pre` is an example for other pages.
    const html = readFileSync(WEB + name, "utf8").replace(/<pre[\s\S]*?<\/pre>/g, "");
    assert.equal([...html.matchAll(/<script\b/g)].length, 1, name);
    assert.equal(
      [...html.matchAll(/<script type="module" src="[\w/.-]+"><\/script>/g)].length,
      1,
      name,
    );
    assert.match(html, /<link rel="stylesheet" href="style.css">/, name);
    for (const [sheet] of html.matchAll(/<link rel="stylesheet"[^>]*>/g))
      assert.match(sheet, /^<link rel="stylesheet" href="[\w.-]+\.css">$/, name);
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:|(src|href)="https?:/, name);
  }
});

test("modules are named as they stand, for who puts them into one file; workers start in one place", () => {
  for (const folder of ["ui", "pages", "workers", "strings", "."]) {
    for (const name of readdirSync(WEB + folder, { recursive: folder !== "." }).filter((each) =>
      each.endsWith(".js"),
    )) {
      const file = `${folder}/${name}`;
      // The tools in this folder run in Node.
      if (folder === "." && /from "node:/.test(readFileSync(WEB + file, "utf8"))) continue;
      const code = readFileSync(`${WEB}${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      assert.doesNotMatch(
        code,
        /\bimport\s*\((?!"\.\.?\/[\w/.-]+\.js"\))/,
        `${file} imports what no reader of its text can name`,
      );
      for (const [, specifier] of code.matchAll(/\b(?:from|import)\s+("[^"]*"|'[^']*')/g))
        // Only the program's copy of curves.js is ever loaded by a page.
        assert.match(
          file === "./curves.js" ? '"./"' : specifier,
          /^"\.\.?\//,
          `${file} imports ${specifier}`,
        );
      if (file !== "ui/worker.js")
        assert.doesNotMatch(code, /new (Shared)?Worker/, `${file} starts a worker`);
      assert.doesNotMatch(
        code,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser/,
        `${file} makes markup from text`,
      );
      assert.ok(
        readFileSync(`${WEB}${file}`, "utf8").split("\n").length <= 500 || folder === "strings",
        `${file} has over 500 lines`,
      );
    }
  }
});
