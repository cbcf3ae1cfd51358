// Runs the package in a real browser: every vector of receipts, of several receipts, of exported
// logs, of signatures and of shuffles, in a page and in a worker.
//
//     node web/browser.js [BROWSER]
//
// BROWSER is a Chromium, by default `chromium`. The page reports to the server that serves it, so
// that no driver is needed.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [browser = "chromium"] = process.argv.slice(2);
const PATIENCE = 120_000;

const checks = `
import { auditExport, replay, verifyReceipt, verifyReceipts, verifiesSignatures } from "/web/fairdeal/index.js";
import { fromHex } from "/web/fairdeal/bytes.js";
import { verify } from "/web/fairdeal/ed25519.js";

const sorted = (value) => JSON.stringify(value, (name, inner) => {
  if (name === "says") return undefined;
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
  return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
});
const plain = ({ table, time, opened, ...rest }) => {
  if ("seal" in rest) { delete rest.cards; delete rest.indices; }
  return rest;
};
const vectors = async (name) => (await (await fetch("/fixtures/vectors/" + name)).json()).vectors;
const options = ({ key, mine, players, seat, since }) => ({ key, mine, players, since, seat: seat ?? undefined });
const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

export async function run() {
  const wrong = [];
  let count = 0;
  const expect = (name, ours, theirs) => {
    count++;
    if (sorted(ours) !== sorted(theirs)) wrong.push(name + ": " + (sorted(ours) ?? "").slice(0, 300));
  };
  const orCode = (run) => run().catch((error) => { if (error.name !== "Refused") throw error; return error.code; });
  expect("signatures are verified", await verifiesSignatures(), true);
  for (const v of await vectors("signatures.json")) {
    expect(v.name, await verify(fromHex(v.public_key), fromHex(v.message), fromHex(v.signature)), v.ok ?? false);
  }
  for (const v of await vectors("receipts.json")) {
    expect(v.name, await orCode(async () => plain(await verifyReceipt(v.file, options(v)))), v.verdict ?? (v.exit === 2 ? "seat" : "unavailable"));
  }
  for (const v of await vectors("several.json")) {
    if (v.verdict === undefined) continue;
    const files = v.files.map(({ name, text, kept }) => ({ name, file: text, kept }));
    const { error, continues, ...all } = await verifyReceipts(files, options(v));
    expect(v.name, { ...all, receipts: all.receipts.map(plain) }, v.verdict);
  }
  for (const v of await vectors("exports.json")) {
    const ours = await orCode(() => auditExport(bytes(v.export), { key: v.key }));
    const silent = (verdict) => ({ ...verdict, findings: verdict.findings.map(({ says, ...finding }) => finding) });
    expect(v.name, v.exit === 3 ? typeof ours : silent(ours), v.exit === 3 ? "string" : v.verdict);
  }
  for (const v of await vectors("shuffles.json")) {
    if (v.error) continue;
    const ours = replay({
      serverSeed: v.server_seed, nonce: v.nonce, contributions: v.contributions, deck: v.deck ?? v.items, draw: v.draw, method: v.method,
    });
    expect(v.name, [ours.cards, ours.digest ?? null], [v.cards, v.digest ?? null]);
  }
  return { count, wrong };
}
`;
const page = `<!doctype html><script type="module">
import { run } from "/checks.js";
const report = (where, result) => fetch("/report", { method: "POST", body: JSON.stringify({ where, ...result }) });
const guard = (promise) => promise.catch((error) => ({ count: 0, wrong: [String(error.stack ?? error)] }));
await report("page", await guard(run()));
const worker = new Worker("/worker.js", { type: "module" });
const result = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
await report("worker", await guard(result));
</script>`;
const worker = `import { run } from "/checks.js"; postMessage(await run().catch((error) => ({ count: 0, wrong: [String(error)] })));`;

const made = {
  "/": ["text/html", page],
  "/checks.js": ["text/javascript", checks],
  "/worker.js": ["text/javascript", worker],
};

function serve({ method, url }, response, report) {
  const known = made[url];
  if (method === "POST") return report();
  const file = normalize(join(root, url));
  try {
    if (known === undefined && !file.startsWith(root)) throw new Error("outside");
    const [type, body] = known ?? [
      url.endsWith(".js") ? "text/javascript" : "application/json",
      readFileSync(file),
    ];
    response.writeHead(200, { "content-type": type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

const reports = [];
const profile = mkdtempSync(join(tmpdir(), "fairdeal-browser-"));
await new Promise((resolve) => {
  const server = createServer((request, response) =>
    serve(request, response, async () => {
      let body = "";
      for await (const part of request) body += part;
      response.writeHead(204).end();
      reports.push(JSON.parse(body));
      if (reports.length === 2) end();
    }),
  );
  let child;
  const end = () => {
    clearTimeout(timer);
    child.once("close", resolve);
    child.kill();
    server.close();
  };
  const timer = setTimeout(end, PATIENCE);
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    const flags = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      `--user-data-dir=${profile}`,
    ];
    child = spawn(browser, [...flags, `http://127.0.0.1:${port}/`], { stdio: "ignore" });
    child.once("error", (error) => {
      console.error(`${browser}: ${error.message}`);
      process.exit(1);
    });
  });
});
// The browser's child processes may still write for a moment.
for (let tries = 0; tries < 20; tries++) {
  try {
    rmSync(profile, { recursive: true, force: true });
    break;
  } catch (error) {
    if (error.code !== "ENOTEMPTY" || tries === 19) throw error;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

for (const { where, count, wrong } of reports) {
  console.log(`${where}: ${count} vectors, ${wrong.length} wrong`);
  for (const each of wrong.slice(0, 10)) console.log(`  ${each}`);
}
process.exitCode =
  reports.length === 2 && reports.every(({ count, wrong }) => count > 0 && wrong.length === 0)
    ? 0
    : 1;
if (reports.length < 2)
  console.log(`only ${reports.length} of 2 reports came within ${PATIENCE / 1000} s`);
