import assert from "node:assert/strict";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { consumer } from "./consumer.js";

const spec = (name) => readFileSync(new URL(`../../spec/${name}`, import.meta.url), "utf8");
const { schemas } = JSON.parse(spec("openapi.json")).components;
const cases = fileURLToPath(new URL("types/", import.meta.url));

/** The type of a value that a schema describes. */
function typeOf({ $ref, oneOf, allOf, enum: values, type, items, ...more }) {
  if ($ref !== undefined) return $ref.split("/").at(-1);
  if (oneOf !== undefined) return `(${oneOf.map(typeOf).join(" | ")})`;
  if (allOf !== undefined) return `(${allOf.map(typeOf).join(" & ")})`;
  if (values !== undefined) return `(${values.map((value) => JSON.stringify(value)).join(" | ")})`;
  if (type === "integer") return "number";
  if (type === "array") return `${typeOf(items)}[]`;
  if (type !== "object") return type;
  const { properties = {}, required = [], additionalProperties: each } = more;
  if (typeof each === "object") return `Record<string, ${typeOf(each)}>`;
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  return `{ ${members.join("; ")} }`;
}

/** The lists of texts in the specification, as types. */
function listed() {
  const { judged, finding } = JSON.parse(spec("schema/verify.json")).$defs;
  const { shown, not_shown } = judged.properties;
  const [problems] = /^## 10\. .*?^## /ms.exec(spec("http.md"));
  const rows = [...problems.matchAll(/^\| [0-9, ]+ \| ([^|]+) \|/gm)];
  const codes = rows.flatMap(([, names]) =>
    /^`[^.]*`$/.test(names) ? names.match(/[a-z-]+/g) : [],
  );
  const all = {
    Finding: finding.properties.code.enum,
    Shown: shown.items.enum,
    NotShown: not_shown.items.enum,
    Service: codes,
  };
  return Object.entries(all).map(
    ([name, values]) => `export type ${name} = ${typeOf({ enum: values })};\n`,
  );
}

test("a strict program has the types that the specification states, and what it must not write is refused", () => {
  const { where, compile, end } = consumer();
  try {
    const types = Object.entries(schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
    );
    writeFileSync(join(where, "openapi.ts"), types.join(""));
    writeFileSync(join(where, "listed.ts"), listed().join(""));
    const files = readdirSync(cases);
    for (const name of files) copyFileSync(join(cases, name), join(where, name));
    assert.equal(compile(["openapi.ts", "listed.ts", ...files]), "");
  } finally {
    end();
  }
});
