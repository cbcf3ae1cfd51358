// The files of the log at the page's address, and the answers of its service.

import { ExportSource } from "../../fairdeal/export.js";
import { readBody } from "../../fairdeal/problem.js";
import { FileSource } from "../../fairdeal/source.js";
import { LONGEST_BUNDLE } from "../../fairdeal/tile.js";

/** No answer, or not one of a log. It may answer later. */
export class Unreachable extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "Unreachable";
    this.code = "unreachable";
  }
}

const TRIES = 3;
/** The maximum number of bytes of an answer: of a list of 1,000, and of a receipt. */
const LONGEST_LIST = 2 ** 27;
const LONGEST_RECEIPT = 2 ** 24;

/**
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>} of any status except those that say "later"
 * @throws {Unreachable}
 */
async function ask(url, options) {
  let why = "";
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** tries));
    try {
      const response = await fetch(url, options);
      if (response.status < 500 && response.status !== 429) return response;
      why = `${url}: status ${response.status}`;
    } catch (error) {
      why = `${url}: ${/** @type {Error} */ (error).message}`;
    }
  }
  throw new Unreachable(why);
}

/** The log at an address. */
export class Remote extends FileSource {
  /** @param {string} base ends in "/" */
  constructor(base) {
    super(async (path) => {
      const response = await ask(base + path, path === "checkpoint" ? { cache: "no-store" } : {});
      if (response.status === 404) return null;
      if (!response.ok) throw new Unreachable(`${base}${path}: status ${response.status}`);
      return readBody(response, LONGEST_BUNDLE);
    });
    this.base = base;
    this.isRemote = true;
  }

  /**
   * The service's answer to a read of spec/http.md. A server of files alone has no such answers.
   * @param {string} path such as `v1/commitments?most=1`
   * @returns {Promise<any>} null if it does not exist
   * @throws {Unreachable}
   */
  async api(path) {
    const response = await ask(this.base + path, { headers: { Accept: "application/json" } });
    const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
    if (!response.ok || !isJson) return null;
    return JSON.parse(new TextDecoder().decode(await readBody(response, LONGEST_LIST)));
  }

  /**
   * A receipt's bytes, as they were sent.
   * @param {string} path
   * @returns {Promise<Uint8Array>}
   */
  async receipt(path) {
    const response = await ask(this.base + path);
    if (!response.ok) throw new Unreachable(`${path}: status ${response.status}`);
    return readBody(response, LONGEST_RECEIPT);
  }
}

/** A log in one file. It gets no new entries. */
export class Exported extends ExportSource {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    super(bytes);
    this.isRemote = false;
  }

  /**
   * @param {string} _path
   * @returns {Promise<any>}
   */
  async api(_path) {
    return null;
  }
}

/** @typedef {Remote | Exported} Log */
