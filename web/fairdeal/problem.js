// What a service answers in the place of an answer (RFC 9457; spec/http.md, section 10).

/**
 * The members of a problem that programs use.
 * @typedef {object} ProblemMembers
 * @property {number} status of HTTP; 0 if no answer came
 * @property {string} code a stable name, such as `nonce-gap`; `unreachable` if no answer came
 * @property {string} detail what was expected and what came
 * @property {TableState} [table] where the table stands, if the request did not fit there
 * @property {string[]} [from] the players whom it is about
 * @property {{code: string, says: string, index?: number}[]} [findings] the rules of the log that forbid it
 * @property {number[]} [in_play] the rounds in play, where they are why
 * @property {number} [index] of the entry that is committed, where only its publication failed
 */

/**
 * Where a table stands.
 * @typedef {object} TableState
 * @property {string} table
 * @property {Standing} commitment its last one
 */

/**
 * A commitment, as it stands.
 * @typedef {object} Standing
 * @property {string} commitment
 * @property {number} index
 * @property {string} table
 * @property {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided"} state
 * @property {number} next the next round; while one is locked, that one
 * @property {number} [locked]
 * @property {number} rounds
 * @property {number} reveal_by
 * @property {string} [after]
 * @property {string} mixing
 * @property {number} draw
 * @property {boolean} sealed
 * @property {boolean} signed
 * @property {boolean} overdue
 * @property {number[]} in_play
 */

/** A request that was refused, or that nobody answered. */
export class Problem extends Error {
  /**
   * @param {ProblemMembers} members
   * @param {ErrorOptions} [options]
   */
  constructor(members, options) {
    super(members.status === 0 ? members.detail : `${members.status} ${members.code}: ${members.detail}`, options);
    this.name = "Problem";
    this.status = members.status;
    this.code = members.code;
    this.detail = members.detail;
    this.table = members.table;
    this.from = members.from ?? [];
    this.findings = members.findings ?? [];
    this.inPlay = members.in_play ?? [];
    this.index = members.index;
  }

  /** Whether the same request may be answered a little later. */
  get passing() {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

/**
 * The problem that an answer is.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function problemOf(response) {
  const { status } = response;
  const text = await response.text().catch(() => "");
  try {
    const { code, detail, ...rest } = JSON.parse(text);
    if (typeof code === "string" && typeof detail === "string") return new Problem({ ...rest, status, code, detail });
  } catch {
    // What stands between us and the service, a proxy say, answers as it likes.
  }
  return new Problem({ status, code: `http-${status}`, detail: text.slice(0, 200) || response.statusText || "no text" });
}
