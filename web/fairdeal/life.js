// The life of commitments: which entries are allowed at which place (spec/ledger.md, section 9).

import { Beacons } from "./beacon.js";
import { fromHex } from "./bytes.js";
import { contributionsOf, nonceOf, seenIn } from "./entry.js";
import { TOLERANCE, moment } from "./findings.js";
import { hasRoom } from "./layout.js";
import { shown } from "./refused.js";
import { judgeDeal, judgeMixing, judgeNamed, replayDeal } from "./round.js";
import { wrongSeed } from "./seed.js";
import { HmacKey } from "./sha256.js";

/**
 * @typedef {import("./entry.js").Entry} Entry
 * @typedef {import("./entry.js").Grammatical} Grammatical
 * @typedef {import("./entry.js").UnderCommitment} UnderCommitment
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./findings.js").FindingCode} FindingCode
 * @typedef {import("./round.js").Dealt} Dealt
 * @typedef {import("./round.js").Locked} Locked
 * @typedef {import("./signatures.js").Checks} Checks
 */

/**
 * The state of a commitment.
 * @typedef {object} Course
 * @property {Commit} commit
 * @property {number} index of the commit
 * @property {boolean} used whether a round was locked, dealt or voided
 * @property {number} next one more than the last nonce dealt or voided
 * @property {number} rounds how many rounds were dealt or voided
 * @property {Locked | null} locked the open round
 * @property {"revealed" | "voided" | null} ended
 * @property {Dealt[]} deals the deals that wait for the seed
 */

/**
 * The result of judging one entry.
 * @typedef {object} Judged
 * @property {Finding[]} findings some may be at the index of an earlier deal
 * @property {boolean} effect
 * @property {Course | null} course of its commitment, if it has effect
 * @property {Dealt | null} dealt of a deal with effect
 * @property {Locked | null} answered the lock that a deal or a void with effect answers
 * @property {Finding | null} onlyByRoot a `split-view` that counts only if the log's files agree
 * @property {Finding | null} onlyMissed a `late-reveal` of which only the reader's earlier audit says
 *   so
 */

/**
 * @typedef {object} LifeOptions
 * @property {import("./key.js").Key} log
 * @property {boolean} excerpt whether entries may be left out
 * @property {(size: number) => string | null} [rootAt] the root that the log had at a size, if
 *   known
 * @property {ReadonlyMap<string, number>} [missed] commitments that this reader found overdue
 *   before, with the time of their clock
 * @property {boolean} [noRoots] whether no root is known, not even from an earlier `seen` or anchor
 * @property {Beacons} [beacons] chains that met each commit before it is judged; none by default
 */

/** Judges the entries of a log, or of an excerpt, in their order. */
export class Life {
  /** @param {LifeOptions} options */
  constructor({ log, excerpt, rootAt, missed = new Map(), noRoots = false, beacons }) {
    this.log = log;
    this.beacons = beacons ?? new Beacons(null);
    this.excerpt = excerpt;
    this.noRoots = noRoots;
    this.missed = missed;
    this.rootAt = rootAt ?? (() => null);
    /** Every commitment that is known and judged. @type {Map<string, Course>} */
    this.courses = new Map();
    /** @type {Set<string>} */
    this.notJudged = new Set();
    /** The last commitment of each table. @type {Map<string, string>} */
    this.lastOf = new Map();
    /** In an excerpt: the `after` of each table's commits. @type {Map<string, Set<string>>} */
    this.afters = new Map();
    /**
     * In an excerpt: the first root of each size that a player saw, or that an anchor has.
     * @type {Map<number, string>}
     */
    this.firstSeen = new Map();
    /** @type {number | null} */
    this.time = null;
    /** The size of the last anchor that had effect. */
    this.anchored = 0;
    /**
     * With a policy: no entry from here on was written before this second, which these witnesses
     * signed.
     * @type {{second: number, names: string} | null}
     */
    this.floor = null;
  }

  /**
   * Judges one entry.
   * @param {Entry} read
   * @param {number} index
   * @param {Checks} checks of its signatures
   * @returns {Judged}
   */
  judge(read, index, checks) {
    /** @type {Judged} */
    const judged = {
      findings: [],
      effect: false,
      course: null,
      dealt: null,
      answered: null,
      onlyByRoot: null,
      onlyMissed: null,
    };
    const { entry, fault, foreign, commitment: c } = read;
    /** @param {FindingCode} code @param {string} says @param {string | null} [commitment] */
    const plain = (code, says, commitment = null) => {
      judged.findings.push({ code, index, commitment, nonce: null, says });
      return judged;
    };
    // Steps 1 to 3. An entry that is too long is not examined further, and has no commitment.
    if (fault !== null && (fault.code === "not-canonical" || c === null))
      return plain(fault.code, fault.says);
    // Steps 4 and 5.
    const known = c !== null && this.courses.has(c);
    if (c !== null && this.notJudged.has(c)) {
      const again = foreign || entry?.entry === "commit";
      return again
        ? plain("duplicate-commitment", "this commitment is already that of another protocol", c)
        : judged;
    }
    if (foreign && c !== null) {
      if (known) return plain("duplicate-commitment", "this commitment is already known", c);
      this.notJudged.add(c);
      return judged;
    }
    if (entry === null) return plain("invalid-entry", fault?.says ?? "", c);

    const nonce = nonceOf(entry);
    /** @param {FindingCode} code @param {string} says */
    const find = (code, says) => {
      judged.findings.push({ code, index, commitment: c, nonce, says });
    };
    const course = c === null ? null : (this.courses.get(c) ?? null);
    const stop = entry.entry === "anchor" ? this.stale(entry) : this.stops(entry, course, checks);
    if (stop !== null) {
      find(stop[0], stop[1]);
      return judged;
    }
    judged.effect = true;
    const outOfTurn = entry.entry === "anchor" ? null : this.turn(entry);
    if (outOfTurn !== null) find("out-of-turn", outOfTurn);
    this.judgeTime(entry, checks, find);
    this.judgeSeen(entry, index, find, judged);
    if (entry.entry === "anchor") this.anchored = entry.size;
    else {
      this.judgeSignatures(entry, checks, find);
      this.apply(entry, index, course, find, judged);
    }
    return judged;
  }

  /**
   * Step 6 of an anchor.
   * @param {import("./entry.js").Anchor} entry
   * @returns {[FindingCode, string] | null}
   */
  stale({ size }) {
    return size > this.anchored
      ? null
      : ["invalid-entry", `the anchor is of size ${size}, the one before it of ${this.anchored}`];
  }

  /**
   * Step 14.
   * @param {Grammatical} entry
   * @param {Checks} checks
   * @param {(code: FindingCode, says: string) => void} find
   */
  judgeTime({ time }, { cosigned }, find) {
    if (this.time !== null && time < this.time)
      find("time-runs-back", `at ${moment(time)}, after an entry at ${moment(this.time)}`);
    this.time = time;
    const since = cosigned?.times?.since ?? null;
    if (since !== null && since > (this.floor?.second ?? -Infinity))
      this.floor = { second: since, names: cosigned?.names ?? "" };
    if (this.floor === null || time + TOLERANCE >= 1000 * this.floor.second) return;
    const signed = `${moment(1000 * this.floor.second)} (${this.floor.names})`;
    find(
      "backdated",
      `at ${moment(time)}, and under your policy it was written after the witnesses had signed what stands before it, at ${signed}`,
    );
  }

  /**
   * Steps 7 to 12, and step 6 before them: the findings that end an entry's judging.
   * @param {UnderCommitment} entry
   * @param {Course | null} course
   * @param {Checks} checks
   * @returns {[FindingCode, string] | null}
   */
  stops(entry, course, checks) {
    const invalid = this.invalidHere(entry, course, checks);
    if (invalid !== null) return ["invalid-entry", invalid];
    if (entry.entry === "commit") {
      return course === null ? null : ["duplicate-commitment", "this commitment is already known"];
    }
    if (course === null) return ["no-commitment", "no commit of this commitment came before"];
    if (course.ended === "revealed") return ["after-reveal", "the commitment is already revealed"];
    if (course.ended === "voided") return ["after-void", "the commitment was voided as a whole"];
    const nonce = nonceOf(entry);
    if (entry.entry === "void" && nonce === null && course.used) {
      return [
        "void-after-use",
        "a round was already locked, dealt or voided: only the reveal ends this commitment",
      ];
    }
    const round = course.locked?.lock.nonce ?? null;
    if (
      round !== null &&
      !((entry.entry === "deal" || entry.entry === "void") && nonce === round)
    ) {
      const leftOut =
        this.excerpt && (entry.entry === "reveal" || (nonce !== null && nonce > round));
      if (!leftOut) return ["open-round", `round ${round} is locked, and neither dealt nor voided`];
    }
    const gap = nonce === null ? null : this.gap(nonce, course);
    if (gap !== null) return ["nonce-gap", gap];
    if (nonce !== null && nonce >= course.commit.rounds) {
      return [
        "too-many-rounds",
        `the commitment has ${course.commit.rounds} rounds, and this is number ${nonce} from 0`,
      ];
    }
    const wrong = entry.entry === "reveal" ? wrongSeed(entry.server_seed, entry.commitment) : null;
    return wrong === null ? null : ["seed-mismatch", wrong];
  }

  /**
   * Step 6: what makes a grammatical entry invalid at its place (the end of section 8.2).
   * @param {UnderCommitment} entry
   * @param {Course | null} course
   * @param {Checks} checks
   * @returns {string | null}
   */
  invalidHere(entry, course, checks) {
    if (entry.entry === "commit") {
      return entry.origin === this.log.name
        ? null
        : `the origin is ${shown(entry.origin)}, the log's is ${shown(this.log.name)}`;
    }
    const unsigned = checks.seen.indexOf(false);
    if (unsigned >= 0)
      return `the log did not sign what ${shown(contributionsOf(entry)[unsigned].from)} saw`;
    if (course === null) return null;
    const { commit } = course;
    if (entry.entry === "void") return this.wrongBlame(entry, course);
    if (entry.entry === "reveal") return null;
    if (entry.beacon !== undefined && commit.mixing !== "beacon")
      return `the commit promises "${commit.mixing}", and here is a beacon`;
    if (
      commit.layout === undefined ||
      (entry.entry === "deal" && entry.contributions === undefined)
    )
      return null;
    if (entry.seats === undefined) return "the commit has a layout, and here are no seats";
    if (!hasRoom(commit.layout, commit.draw, entry.seats.length))
      return `the layout has no room for ${entry.seats.length} seats`;
    return null;
  }

  /**
   * @param {import("./entry.js").VoidEntry} entry
   * @param {Course} course
   * @returns {string | null}
   */
  wrongBlame({ blame, nonce }, course) {
    if (blame === undefined || nonce === undefined) return null;
    const lock = course.locked?.lock.nonce === nonce ? course.locked.lock : null;
    // An excerpt may leave out the lock, and nobody is accused of that.
    if (this.excerpt && lock === null) return null;
    const labels = (lock?.contributions ?? []).map(({ from }) => from);
    return labels.includes(blame)
      ? null
      : `${shown(blame)} is blamed, and is not in the lock of this round`;
  }

  /**
   * Step 11: why a nonce is not the next one.
   * @param {number} nonce
   * @param {Course} course
   * @returns {string | null}
   */
  gap(nonce, course) {
    if (!this.excerpt)
      return nonce === course.next ? null : `the next round is ${course.next}, found ${nonce}`;
    return nonce < course.next ? `round ${course.next - 1} is done, found ${nonce}` : null;
  }

  /**
   * Row 9: why an entry is out of its table's turn.
   * @param {UnderCommitment} entry
   * @returns {string | null}
   */
  turn(entry) {
    if (entry.entry !== "commit") {
      const table = this.courses.get(entry.commitment)?.commit.table ?? "";
      const later =
        this.excerpt && entry.entry !== "reveal" && this.lastOf.get(table) !== entry.commitment;
      return later ? "its table has a later commitment" : null;
    }
    const last = this.lastOf.get(entry.table);
    if (this.excerpt) return this.turnInExcerpt(entry, last);
    if (entry.after !== last)
      return `"after" is ${entry.after ?? "absent"}, the table's last commitment is ${last ?? "absent"}`;
    const before = last === undefined ? undefined : this.courses.get(last);
    return before !== undefined && isOpen(before)
      ? "the table's last commitment is still open"
      : null;
  }

  /**
   * @param {Commit} commit
   * @param {string | undefined} last commitment shown of its table
   * @returns {string | null}
   */
  turnInExcerpt({ after, table }, last) {
    if (last === undefined) return null;
    if (after === undefined)
      return "it says that it is its table's first, and another one came before";
    if (this.afters.get(table)?.has(after))
      return 'another commitment of the table has the same "after"';
    const before = this.courses.get(after);
    return before?.commit.table === table && after !== last
      ? '"after" is not the last commitment of the table'
      : null;
  }

  /**
   * Row 11.
   * @param {Grammatical} entry
   * @param {number} index
   * @param {(code: FindingCode, says: string) => void} find
   * @param {Judged} judged
   */
  judgeSeen(entry, index, find, judged) {
    let larger = null;
    let other = null;
    for (const { from, size, root } of seenIn(entry)) {
      const whose = from === undefined ? "the anchor is of" : `${shown(from)} saw`;
      if (size > index)
        larger ??= `${whose} ${size} entries, and only ${index} came before this one`;
      else if (this.contradicts(size, root))
        other ??= `${whose} another log of ${size} entries, with root ${root}`;
    }
    if (larger !== null) find("split-view", larger);
    else if (other !== null) {
      find("split-view", other);
      judged.onlyByRoot = judged.findings[judged.findings.length - 1];
    }
  }

  /**
   * The signatures of players.
   * @param {UnderCommitment} entry
   * @param {Checks} checks
   * @param {(code: FindingCode, says: string) => void} find
   */
  judgeSignatures(entry, { signatures }, find) {
    const forged = signatures.indexOf(false);
    if (forged < 0) return;
    const { from } = contributionsOf(entry)[forged];
    find("contribution-signature", `the signature of ${shown(from)} does not verify`);
  }

  /**
   * @param {number} size that is not over the index of its entry
   * @param {string} root
   * @returns {boolean}
   */
  contradicts(size, root) {
    if (this.noRoots) return false;
    const proved = this.rootAt(size);
    if (proved !== null || !this.excerpt) return proved !== null && proved !== root;
    const first = this.firstSeen.get(size);
    if (first === undefined) this.firstSeen.set(size, root);
    return first !== undefined && first !== root;
  }

  /**
   * Step 16: the effect.
   * @param {UnderCommitment} entry
   * @param {number} index
   * @param {Course | null} before
   * @param {(code: FindingCode, says: string) => void} find
   * @param {Judged} judged
   */
  apply(entry, index, before, find, judged) {
    const course = entry.entry === "commit" ? this.commit(entry, index) : before;
    if (course === null) return;
    judged.course = course;
    if (entry.entry === "lock") {
      judgeMixing(course.commit, entry, find);
      const named = this.beacons.named(course.commit, entry);
      judgeNamed(named, find);
      course.used = true;
      course.locked = { lock: entry, index, named };
    } else if (entry.entry === "deal" || (entry.entry === "void" && entry.nonce !== undefined)) {
      const nonce = entry.nonce ?? 0;
      const locked = course.locked?.lock.nonce === nonce ? course.locked : null;
      if (entry.entry === "deal") {
        if (entry.contributions !== undefined) judgeMixing(course.commit, entry, find);
        judged.dealt = judgeDeal(course.commit, entry, index, locked, this, find);
        course.deals.push(judged.dealt);
      }
      judged.answered = locked;
      course.used = true;
      // In an excerpt, a lower round's lock is assumed to be answered by an entry that was left
      // out.
      course.locked = null;
      course.next = nonce + 1;
      course.rounds++;
    } else if (entry.entry === "void") {
      course.ended = "voided";
    } else if (entry.entry === "reveal") {
      this.reveal(entry, course, find, judged);
    }
  }

  /**
   * @param {Commit} commit
   * @param {number} index
   * @returns {Course}
   */
  commit(commit, index) {
    /** @type {Course} */
    const course = {
      commit,
      index,
      used: false,
      next: 0,
      rounds: 0,
      locked: null,
      ended: null,
      deals: [],
    };
    this.courses.set(commit.commitment, course);
    this.lastOf.set(commit.table, commit.commitment);
    if (this.excerpt && commit.after !== undefined) {
      const afters = this.afters.get(commit.table) ?? new Set();
      this.afters.set(commit.table, afters.add(commit.after));
    }
    return course;
  }

  /**
   * @param {import("./entry.js").Reveal} entry
   * @param {Course} course
   * @param {(code: FindingCode, says: string) => void} find
   * @param {Judged} judged
   */
  reveal({ server_seed, time, commitment }, course, find, judged) {
    const seed = new HmacKey(fromHex(server_seed));
    for (const round of course.deals) {
      const why = replayDeal(course.commit, seed, round);
      if (why === null) continue;
      judged.findings.push({
        code: "result-mismatch",
        index: round.index,
        commitment,
        nonce: round.deal.nonce,
        says: why,
      });
    }
    const missed = this.missed.get(commitment);
    if (time > course.commit.reveal_by)
      find("late-reveal", `due ${moment(course.commit.reveal_by)}, came ${moment(time)}`);
    else if (missed !== undefined && missed > course.commit.reveal_by + TOLERANCE) {
      find("late-reveal", `it says ${time}, and by your clock it was still missing at ${missed}`);
      judged.onlyMissed = judged.findings[judged.findings.length - 1];
    }
    course.ended = "revealed";
    // Also in an excerpt: the answer was left out.
    course.locked = null;
    course.deals = [];
  }
}

/**
 * Whether a commitment is not used up, not revealed and not voided as a whole.
 * @param {Course} course
 * @returns {boolean}
 */
export function isOpen({ ended, rounds, commit }) {
  return ended === null && rounds < commit.rounds;
}
