// A service of the command under test, with its own ledger.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after } from "node:test";

import { FAIRDEAL, serving } from "../live.js";

export { FAIRDEAL };

/** The header in which the proxy repeats the type of a problem: a page need not read the body. */
export const PROBLEM = "x-problem";

/** Runs the command, and returns its output. */
export function fairdeal(args, { codes = [0] } = {}) {
  const { status, stdout, stderr, error } = spawnSync(FAIRDEAL, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.ifError(error);
  assert.ok(codes.includes(status), `fairdeal ${args.join(" ")}: exit ${status}: ${stderr}`);
  return stdout;
}

/** A folder that is deleted after the test file. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "fairdeal-web-"));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An empty ledger. */
export function ledger(origin = "x.example/log") {
  const path = join(folder(), "ledger");
  fairdeal(["init", path, "--origin", origin]);
  return {
    path,
    key: fairdeal(["log-key", "--ledger", path]).trim(),
    run: (name, ...args) => fairdeal([name, "--ledger", path, ...args]),
  };
}

/** Serves a ledger until it is stopped or the test file ends. */
export async function service(path, port = 0) {
  const served = await serving(path, { port });
  after(served.stop);
  return served;
}

/** Forwards requests for a log or a service to it, so that a page and its log have one origin. */
export function proxy(target) {
  return (incoming, outgoing) => {
    if (!/^\/(v1\/|tile\/|checkpoint$|readyz$)/.test(incoming.url)) return false;
    const url = target();
    if (url === null) {
      outgoing.destroy();
      return true;
    }
    const passed = request(
      new URL(incoming.url, url),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (answer.statusCode === 503) {
          buffer(answer).then(
            (body) => {
              const problem = /"type":"([^"]*)"/.exec(body.toString())?.[1] ?? "";
              outgoing.writeHead(503, { ...answer.headers, [PROBLEM]: problem }).end(body);
            },
            () => outgoing.destroy(),
          );
          return;
        }
        // A stream of events is open before its first event.
        outgoing.writeHead(answer.statusCode, answer.headers).flushHeaders();
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
        answer.on("aborted", () => outgoing.destroy());
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
    return true;
  };
}
