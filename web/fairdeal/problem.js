// A service's answers: their bodies, and problems, which are its error answers (RFC 9457;
// spec/http.md, section 10).

import { FairdealError } from "./refused.js";

/** The maximum number of bytes of a problem. */
const LONGEST_PROBLEM = 2 ** 20;

/**
 * The codes of the service's problems (spec/http.md, section 10). With 503 come also others, which
 * spec/cli.md lists. The client's own are `unreachable`, and `http-` with a status.
 * @typedef {"bad-request" | "invalid" | "secret" | "unauthorized" | "forbidden" | "no-such-path"
 *   | "no-such-tile" | "no-such-list" | "no-raffle" | "unknown-chain" | "unknown-beacon" | "not-out"
 *   | "awaits-beacon" | "unknown-commitment" | "unknown-table" | "unknown-round" | "unknown-card"
 *   | "method-not-allowed" | "request-timeout" | "too-late" | "round-in-play" | "not-one-seat"
 *   | "overdue" | "not-sealed" | "body-too-large" | "unsupported-media-type" | "key-reused"
 *   | "too-many-requests" | "overloaded" | "too-many-streams" | "too-many-connections" | "too-slow"
 *   | "publishing-behind" | "unwitnessed" | "witnesses-contradict" | "not-published" | "unsettled"} ServiceCode
 * @typedef {import("./findings.js").FindingCode} FindingCode
 * @typedef {import("./service.js").Open<ServiceCode | FindingCode | "unreachable">} ProblemCode
 */

/**
 * The members of a problem that programs use.
 * @typedef {object} ProblemMembers
 * @property {number} status of HTTP; 0 if no answer came
 * @property {ProblemCode} code a stable name, such as `nonce-gap`; `unreachable` if no answer came
 *   that can be read
 * @property {string} detail what was expected and what was received
 * @property {TableState} [table] the table's state, if the request did not fit it
 * @property {string[]} [from] the players whom the problem is about
 * @property {import("./service.js").BrokenRule[]} [findings] the rules of the log that forbid it
 * @property {number[]} [in_play] the rounds in play, if they are the reason
 * @property {number} [index] of the entry that is committed, if only its publication failed
 */

/**
 * @typedef {import("./service.js").Standing} Standing
 * @typedef {import("./service.js").TableState} TableState
 */

/** A request that was refused or not answered. */
export class Problem extends FairdealError {
  name = "Problem";
  /** @type {ProblemCode} */
  code;

  /**
   * @param {ProblemMembers} members
   * @param {ErrorOptions} [options]
   */
  constructor(members, options) {
    const { status, code, detail } = members;
    // The service's detail may begin with the code, or with a member's name, which is said once.
    const says = `${code}: ${detail}`.replace(/(?<![\w-])([\w-]+: )\1+/g, "$1");
    super(code, status === 0 ? detail : `${status} ${says}`, options);
    this.code = code;
    /** Of HTTP; 0 if no answer came. */
    this.status = status;
    this.detail = detail;
    this.table = members.table;
    // A service may write anything.
    this.from = listOf(members.from);
    this.findings = listOf(members.findings);
    this.inPlay = listOf(members.in_play);
    this.index = members.index;
  }

  /** Whether the same request may be answered a little later. */
  get passing() {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

/** @template T @param {T[] | undefined} value @returns {T[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);

/**
 * The problem in an answer.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function problemOf(response) {
  const { status } = response;
  const text = await readBody(response, LONGEST_PROBLEM).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );
  try {
    const { code, detail, ...rest } = JSON.parse(text);
    if (typeof code === "string" && typeof detail === "string")
      return new Problem({ ...rest, status, code, detail });
  } catch {
    // A proxy in front of the service may give any answer.
  }
  return new Problem({
    status,
    code: `http-${status}`,
    detail: text.slice(0, 200) || response.statusText || "no text",
  });
}

/**
 * The body of an answer, up to a number of bytes: a service that never ends an answer must not fill
 * the memory.
 * @param {Response} response
 * @param {number} largest
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 * @throws {RangeError} if it has more bytes
 */
export async function readBody(response, largest) {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(2 ** 14);
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return bytes.slice(0, length);
    const end = length + value.length;
    if (end > largest) {
      // Not awaited: a connection may never end either.
      void reader?.cancel().catch(() => undefined);
      throw new RangeError(`expected at most ${largest} bytes, found more`);
    }
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, end));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(value, length);
    length = end;
  }
}
