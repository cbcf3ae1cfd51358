// Problems: a service's error answers (RFC 9457; spec/http.md, section 10).

/**
 * The members of a problem that programs use.
 * @typedef {object} ProblemMembers
 * @property {number} status of HTTP; 0 if no answer came
 * @property {string} code a stable name, such as `nonce-gap`; `unreachable` if no answer came
 * @property {string} detail what was expected and what was received
 * @property {TableState} [table] the table's state, if the request did not fit it
 * @property {string[]} [from] the players whom the problem is about
 * @property {{code: string, says: string, index?: number}[]} [findings] the rules of the log that
 * forbid it
 * @property {number[]} [in_play] the rounds in play, if they are the reason
 * @property {number} [index] of the entry that is committed, if only its publication failed
 */

/**
 * The state of a table.
 * @typedef {object} TableState
 * @property {string} table
 * @property {Standing} commitment its last commitment
 */

/**
 * The present state of a commitment.
 * @typedef {object} Standing
 * @property {string} commitment
 * @property {number} index
 * @property {string} table
 * @property {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided"} state
 * @property {number} next the next round, or the locked round if there is one
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

/** A request that was refused or not answered. */
export class Problem extends Error {
  /**
   * @param {ProblemMembers} members
   * @param {ErrorOptions} [options]
   */
  constructor(members, options) {
    super(
      members.status === 0
        ? members.detail
        : `${members.status} ${members.code}: ${members.detail}`,
      options,
    );
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
 * The problem in an answer.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function problemOf(response) {
  const { status } = response;
  const text = await response.text().catch(() => "");
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
