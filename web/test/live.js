// A real service in its own folder, for the tests of its clients.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The command. If it is missing the tests fail: they must not pass without it. */
export const FAIRDEAL =
  process.env.FAIRDEAL ?? fileURLToPath(new URL("../../target/debug/fairdeal", import.meta.url));

/**
 * @typedef {object} Live
 * @property {string} url
 * @property {string} token may write and open
 * @property {string} key the log's verifier key
 * @property {string} signing the file of the log's signing key
 * @property {string} folder that goes with the service
 * @property {() => Promise<void>} stop
 */

/**
 * Serves a ledger until it is stopped.
 * @param {string} ledger
 * @param {{port?: number, env?: NodeJS.ProcessEnv, stderr?: "inherit" | "ignore", more?: string[]}}
 * [how] `more` arguments
 */
export async function serving(
  ledger,
  { port = 0, env = process.env, stderr = "inherit", more = [] } = {},
) {
  return started(["serve", ledger, "--listen", `127.0.0.1:${port}`, ...more], env, stderr);
}

/** Starts a command that listens, and waits for the line that says where. */
async function started(args, env, stderr) {
  const child = spawn(FAIRDEAL, args, { env, stdio: ["ignore", "pipe", stderr] });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  const url = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`fairdeal ${args[0]} ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^(?:listening on|play at) (http:\/\/[^/\s]+)/.exec(line);
      if (found !== null) resolve(found[1]);
    });
  });
  return { url, port: Number(new URL(url).port), stop, child };
}

/**
 * A table to play at, with the log's key and a folder for files.
 * @returns {Promise<{url: string, key: string, folder: string, stop: () => Promise<void>}>}
 */
export async function table() {
  const folder = mkdtempSync(join(tmpdir(), "fairdeal-live-"));
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config") };
  const { url, stop } = await started(["play", "--listen", "127.0.0.1:0"], env, "ignore");
  const { key } = await (await fetch(`${url}/play`)).json();
  return {
    url,
    key,
    folder,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param {string} [origin]
 * @returns {Promise<Live>}
 */
export async function live(origin = "cards.example/log") {
  if (!existsSync(FAIRDEAL))
    throw new Error(`${FAIRDEAL} is missing: build it, or name it in FAIRDEAL`);
  const folder = mkdtempSync(join(tmpdir(), "fairdeal-live-"));
  // The command's configuration stays in this folder.
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: join(folder, "config"),
    FAIRDEAL_LEDGER: join(folder, "ledger"),
  };
  const run = (...args) =>
    execFileSync(FAIRDEAL, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("init", env.FAIRDEAL_LEDGER, "--origin", origin);
  const { token } = JSON.parse(run("token", "add", "game", "--open", "--json"));
  const key = run("log-key").trim();
  const { url, stop } = await serving(env.FAIRDEAL_LEDGER, { env, stderr: "ignore" });
  return {
    url,
    token,
    key,
    folder,
    signing: join(env.FAIRDEAL_LEDGER, "private", "signing.key"),
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The command's verdict on some files.
 * @param {{folder: string, key: string}} service
 * @param {Record<string, unknown>} files by their names; files whose names begin with `mine` are a
 *   player's contributions, and `since` is a saved checkpoint
 * @param {string[]} [more] arguments
 * @returns {{exit: number, verdict: any, says: string}}
 */
export function verify({ folder, key }, files, more = []) {
  const at = mkdtempSync(join(folder, "files-"));
  const args = Object.entries(files).flatMap(([name, file]) => {
    writeFileSync(join(at, name), typeof file === "string" ? file : JSON.stringify(file));
    return name.startsWith("mine")
      ? ["--mine", name]
      : name.startsWith("since")
        ? ["--since", name]
        : [name];
  });
  try {
    const out = execFileSync(FAIRDEAL, ["verify", ...args, "--key", key, "--json", ...more], {
      cwd: at,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { exit: 0, verdict: JSON.parse(out), says: "" };
  } catch (error) {
    if (typeof error.status !== "number") throw error;
    return {
      exit: error.status,
      verdict: error.stdout === "" ? null : JSON.parse(error.stdout),
      says: error.stderr,
    };
  }
}

/** @param {Live} service @returns {string} the text of the log's signing key */
export function signingKey({ signing }) {
  return readFileSync(signing, "utf8").trim();
}
