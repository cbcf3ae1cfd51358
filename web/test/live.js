// A real service in a folder of its own, for the tests of what talks to one.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The command. Where it is missing the tests fail: they must not pass untried. */
export const FAIRDEAL = process.env.FAIRDEAL ?? fileURLToPath(new URL("../../target/debug/fairdeal", import.meta.url));

/**
 * @typedef {object} Live
 * @property {string} url
 * @property {string} token may write and open
 * @property {string} key the log's verifier key
 * @property {string} signing the file of the log's signing key
 * @property {string} folder that goes with the service
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Live>} */
export async function live(origin = "cards.example/log") {
  if (!existsSync(FAIRDEAL)) throw new Error(`${FAIRDEAL} is missing: build it, or name it in FAIRDEAL`);
  const folder = mkdtempSync(join(tmpdir(), "fairdeal-live-"));
  // What the command learns stays here.
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), FAIRDEAL_LEDGER: join(folder, "ledger") };
  const run = (...args) => execFileSync(FAIRDEAL, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("init", env.FAIRDEAL_LEDGER, "--origin", origin);
  const { token } = JSON.parse(run("token", "add", "game", "--open", "--json"));
  const key = run("log-key").trim();
  const service = spawn(FAIRDEAL, ["serve", env.FAIRDEAL_LEDGER, "--listen", "127.0.0.1:0"], { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    service.stdout.on("data", (data) => {
      said += data;
      const found = /^listening on (\S+)/m.exec(said);
      if (found !== null) resolve(found[1]);
    });
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${said}`)));
  });
  return {
    url, token, key, folder,
    signing: join(env.FAIRDEAL_LEDGER, "private", "signing.key"),
    stop: async () => {
      service.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * What the command says of some files.
 * @param {Live} service
 * @param {Record<string, unknown>} files by their names; those whose names begin with `mine` are what a player brought, and
 *   `since` is a saved checkpoint
 * @param {string[]} [more] arguments
 * @returns {{exit: number, verdict: any, says: string}}
 */
export function verify({ folder, key }, files, more = []) {
  const at = mkdtempSync(join(folder, "files-"));
  const args = Object.entries(files).flatMap(([name, file]) => {
    writeFileSync(join(at, name), typeof file === "string" ? file : JSON.stringify(file));
    return name.startsWith("mine") ? ["--mine", name] : name.startsWith("since") ? ["--since", name] : [name];
  });
  try {
    const out = execFileSync(FAIRDEAL, ["verify", ...args, "--key", key, "--json", ...more], { cwd: at, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return { exit: 0, verdict: JSON.parse(out), says: "" };
  } catch (error) {
    if (typeof error.status !== "number") throw error;
    return { exit: error.status, verdict: error.stdout === "" ? null : JSON.parse(error.stdout), says: error.stderr };
  }
}

/** @param {Live} service @returns {string} what the log's signing key is kept as */
export function signingKey({ signing }) {
  return readFileSync(signing, "utf8").trim();
}
