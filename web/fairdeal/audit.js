// The audit of a whole log (spec/audit.md).

import { Beacons, CHAINS } from "./beacon.js";
import { equal, toHex, utf8 } from "./bytes.js";
import { openCheckpoint, refusalOf, signedCheckpoint } from "./checkpoint.js";
import { openCosigned } from "./cosignature.js";
import { nonceOf, readEntry } from "./entry.js";
import * as is from "./expected.js";
import { ExportSource } from "./export.js";
import { TOLERANCE, accusedOf, classOf, moment } from "./findings.js";
import { Found } from "./found.js";
import { givenKey } from "./key.js";
import { Life } from "./life.js";
import { Tree, leafHash } from "./merkle.js";
import { readNote } from "./note.js";
import { POLICY, policyFor } from "./policy.js";
import { Latest, Proving } from "./proving.js";
import { Refused, shown } from "./refused.js";
import { Report } from "./report.js";
import { Verifier } from "./signatures.js";
import { FileSource } from "./source.js";
import { FULL, levelsOf, tilePath } from "./tile.js";

/**
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./findings.js").FindingClass} FindingClass
 * @typedef {import("./findings.js").Accused} Accused
 * @typedef {import("./source.js").Source} Source
 */

/**
 * @typedef {object} AuditOptions
 * @property {string} key the verifier key, whose name is the log's origin
 * @property {import("./policy.js").Policy} [policy] the witnesses that you believe, as `readPolicy`
 *   gives it
 * @property {readonly import("./beacon.js").Chain[]} [chains] chains of beacons that you know beside
 *   quicknet, as `readChain` gives them
 * @property {number} [asOf] the time at which commitments are judged overdue; by default the time
 *   of the last entry. Give `Date.now()` for a log that is read live
 * @property {number} [clock] the reader's clock: `Date.now()`. No entry may be more than 5 minutes
 * ahead of it
 * @property {boolean} [skipSignatures] whether to leave out the signatures of players
 * @property {boolean} [skipBeacons] whether to leave out the rounds and signatures of beacons
 * @property {string | Uint8Array | readonly (string | Uint8Array)[]} [since] saved checkpoints
 * @property {readonly {commitment: string, clock: number}[]} [missed] commitments that your earlier
 *   audits found overdue by your own clock, with the earliest such clock: their reveals are late,
 *   whatever time they claim
 * @property {(progress: {entries: number, size: number}) => void} [onProgress] called some times a
 *   second
 */

/**
 * The verdict of section 15. `spec/schema/audit.json` describes it.
 * @typedef {object} AuditVerdict
 * @property {boolean} holds whether nothing was found
 * @property {number} size how many entries were read
 * @property {string} root of the tree over them
 * @property {number} commitments
 * @property {number} deals
 * @property {number} voids
 * @property {number} reveals
 * @property {number} not_judged commitments of other protocols
 * @property {number | null} last_time time of the last entry with effect
 * @property {number | null} as_of
 * @property {number | null} clock
 * @property {number | null} overdue_by_clock
 * @property {{beacons: number, commitments: number, signatures: number}} unverified
 * @property {(Finding & {class: FindingClass, accuses: Accused})[]} findings the first 1,000 of
 *   each code
 * @property {Record<string, number>} counts
 * @property {import("./report.js").Reported} reported
 * @property {import("./proving.js").Witnesses} [witnesses] what they show, if a policy was given
 */

/** So many milliseconds pass before a page may draw again. */
const PATIENCE = 40;

const MISSED = is.withAll("", { commitment: is.TEXT, clock: is.COUNT });
const OPTIONS = {
  key: is.TEXT,
  policy: POLICY,
  chains: CHAINS,
  asOf: is.COUNT,
  clock: is.COUNT,
  skipSignatures: is.FLAG,
  skipBeacons: is.FLAG,
  since: is.either(is.NOTE, is.listOf("these", is.NOTE)),
  missed: is.listOf("{commitment, clock}", MISSED),
  onProgress: is.FUNCTION,
};

/** One audit, from the checkpoint to the verdict. */
class Audit {
  /**
   * @param {Source} source
   * @param {AuditOptions} options
   */
  constructor(source, options) {
    this.source = source;
    this.options = options;
    this.key = givenKey(options.key);
    this.policy = policyFor(options.policy, this.key);
    this.found = new Found();
    /** `split-view` that counts only if the log has roots. @type {Finding[]} */
    this.byRoot = [];
    this.tree = new Tree();
    this.roots = new Map();
    const { skipSignatures = false, skipBeacons = false, chains } = options;
    this.beacons = new Beacons(skipBeacons ? null : chains);
    this.report = new Report(this.beacons);
    this.verifier = new Verifier(this.key, skipSignatures, this.policy, this.beacons);
    this.life = new Life({
      log: this.key,
      excerpt: false,
      beacons: this.beacons,
      missed: new Map(
        options.missed
          ?.filter(({ clock }) => clock <= (options.clock ?? Infinity) + TOLERANCE)
          .map(({ commitment, clock }) => [commitment, clock]),
      ),
      rootAt: (size) => this.rootAt(size),
    });
    /** The checkpoint of this log, signed or not. @type {import("./checkpoint.js").Checkpoint | null} */
    this.checkpoint = null;
    this.hasRoots = false;
    this.rootIsSigned = false;
    this.latest = new Latest();
    this.proving = this.policy === null ? null : new Proving(this.policy, this.latest);
    this.breath = Date.now();
  }

  /**
   * A finding that is about the files.
   * @param {Finding["code"]} code
   * @param {string} says
   */
  find(code, says) {
    this.found.add({ code, index: null, commitment: null, nonce: null, says });
  }

  /**
   * @param {number} size
   * @returns {string | null}
   */
  rootAt(size) {
    if (size > this.tree.size) return null;
    let root = this.roots.get(size);
    if (root === undefined) {
      if (this.roots.size >= 4096) this.roots.clear();
      root = toHex(this.tree.rootAt(size));
      this.roots.set(size, root);
    }
    return root;
  }

  /** @returns {Promise<AuditVerdict>} */
  async run() {
    const older = await Promise.all([this.options.since ?? []].flat().map((n) => this.older(n)));
    const bytes = await this.source.checkpoint();
    if (bytes === null)
      throw new Refused("unavailable", "the log has no checkpoint: there is nothing to judge");
    try {
      readNote(bytes);
    } catch (error) {
      throw new Refused(
        "unavailable",
        `checkpoint: ${refusalOf(error)}; it begins with ${shown(new TextDecoder().decode(bytes.subarray(0, 40)))}`,
      );
    }
    const opened = await openCosigned(bytes, this.key, this.policy);
    const { checkpoint, bad, signed, signers } = opened;
    if (signed === null) throw noEd25519();
    const foreign = checkpoint !== null && checkpoint.origin !== this.key.name && !signed;
    if (foreign) {
      const { name, id } = this.key;
      this.find(
        "bad-signature",
        `these files are another log's: ${shown(checkpoint.origin)}, signed by ${shown(signers)}; the key is ${shown(name)}+${id}`,
      );
      return this.verdict();
    }
    if (bad !== null) this.find("bad-signature", bad);
    this.checkpoint = checkpoint;
    this.rootIsSigned = (await signedCheckpoint(bytes, this.key)) !== null;
    await this.entries();
    await this.tiles();
    if (checkpoint !== null && this.tree.size === Number(this.promised)) {
      const root = toHex(this.tree.rootAt(this.tree.size));
      this.hasRoots = root === checkpoint.root;
      if (!this.hasRoots) {
        const says = `the entries give root ${root}, the checkpoint has ${checkpoint.root}`;
        this.find("tree-mismatch", says);
      }
    }
    if (this.hasRoots) {
      for (const finding of this.byRoot) this.found.add(finding);
      this.proving?.prove(this.tree.size, opened.cosigned);
    }
    for (const checkpoint of older) this.compare(checkpoint);
    return this.verdict();
  }

  /** The promised size. */
  get promised() {
    return this.checkpoint?.size ?? 0n;
  }

  /**
   * Reads and judges the entries, bundle by bundle. While one is judged, the next one is being
   * fetched.
   */
  async entries() {
    const last = this.promised / BigInt(FULL);
    const left = Number(this.promised % BigInt(FULL));
    /** @param {number} index */
    const ask = (index) => {
      const width = index < last ? FULL : left;
      if (index > last || width === 0) return null;
      const coming = this.source.bundle(index, width);
      // The promise is awaited later. This handler keeps a rejection before that from being
      // reported as unhandled.
      coming.catch(() => null);
      return coming;
    };
    let coming = ask(0);
    for (let index = 0; coming !== null; index++) {
      /** @type {Uint8Array[] | null} */
      let entries = null;
      let why = "is missing";
      try {
        entries = await coming;
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== "bundle") throw error;
        why = error.message;
      }
      if (entries === null)
        return this.find(
          "tree-mismatch",
          `${tilePath("entries", index, index < last ? FULL : left)}: ${why}`,
        );
      coming = ask(index + 1);
      await this.bundle(entries, index * FULL);
      await this.breathe(false);
    }
    await this.breathe(true);
  }

  /**
   * @param {Uint8Array[]} entries
   * @param {number} start the index of the first entry
   */
  async bundle(entries, start) {
    for (const bytes of entries) this.tree.push(leafHash(bytes));
    const read = entries.map(readEntry);
    // All signatures of a bundle are verified at once: WebCrypto works on other threads.
    const checks = await Promise.all(read.map((entry) => this.verifier.check(entry)));
    for (const [i, each] of read.entries()) {
      if (checks[i].unknown) throw noEd25519();
      this.judge(each, start + i, checks[i]);
      // The signature of a beacon takes milliseconds, and a bundle may have many.
      if (each.entry?.entry === "deal" && each.entry.beacon !== undefined)
        await this.breathe(false);
    }
  }

  /**
   * @param {import("./entry.js").Entry} read
   * @param {number} index
   * @param {import("./signatures.js").Checks} checks
   */
  judge(read, index, checks) {
    const judged = this.life.judge(read, index, checks);
    for (const finding of judged.findings) {
      if (finding === judged.onlyByRoot) this.byRoot.push(finding);
      // The reader's witnesses may show that it was in time.
      else if (finding !== judged.onlyMissed || this.proving === null) this.found.add(finding);
    }
    const { entry } = read;
    if (!judged.effect || entry === null) return;
    const { time } = entry;
    this.latest.take({ time, index, commitment: read.commitment, nonce: nonceOf(entry) });
    if (this.proving === null) this.latest.forget(index + 1);
    this.proving?.take(entry, index, judged, checks);
    this.report.count(entry, judged);
  }

  /**
   * Lets a page draw, and reports the progress of the audit.
   * @param {boolean} end
   */
  async breathe(end) {
    if (!end && Date.now() - this.breath < PATIENCE) return;
    this.options.onProgress?.({ entries: this.tree.size, size: Number(this.promised) });
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.breath = Date.now();
  }

  /** Compares every hash tile whose hashes all follow from the entries read. */
  async tiles() {
    if (this.source.tile === undefined) return;
    /** @type {[number, number, number][]} */
    const wanted = [];
    for (const { level, full, width } of levelsOf(this.promised)) {
      const hashes = Math.floor(this.tree.size / 256 ** level);
      const whole = Math.min(Math.floor(hashes / FULL), Number(full));
      for (let index = 0; index < whole; index++) wanted.push([level, index, FULL]);
      if (width > 0 && BigInt(whole) === full && hashes >= whole * FULL + width)
        wanted.push([level, whole, width]);
    }
    // Several at a time: otherwise a log behind a URL takes one round trip for each.
    for (let at = 0; at < wanted.length; at += 16) {
      const wrong = await Promise.all(
        wanted.slice(at, at + 16).map((tile) => this.wrongTile(...tile)),
      );
      for (const why of wrong) if (why !== null) this.find("tree-mismatch", why);
      await this.breathe(false);
    }
  }

  /**
   * @param {number} level
   * @param {number} index
   * @param {number} width
   * @returns {Promise<string | null>}
   */
  async wrongTile(level, index, width) {
    const path = tilePath(level, index, width);
    try {
      const hashes = (await this.source.tile?.(level, index, width)) ?? null;
      if (hashes === null) return `${path}: is missing`;
      const ours = this.tree.hashes(8 * level, FULL * index, FULL * index + width);
      return equal(hashes, ours) ? null : `${path}: has a hash that is not the tree's`;
    } catch (error) {
      if (error instanceof Refused && error.code === "tile") return `${path}: ${error.message}`;
      throw error;
    }
  }

  /**
   * Opens a checkpoint that somebody saved.
   * @param {string | Uint8Array} note
   * @returns {Promise<import("./checkpoint.js").Checkpoint>}
   */
  async older(note) {
    const { checkpoint, bad, signed } = await openCheckpoint(
      typeof note === "string" ? utf8(note) : note,
      this.key,
    );
    if (signed === null) throw noEd25519();
    // Its bytes were changed on the way to the reader's disk, or it is of another log.
    if (bad !== null || checkpoint === null)
      throw new Refused("unavailable", `a saved checkpoint cannot be used: ${bad}`);
    return checkpoint;
  }

  /** @param {import("./checkpoint.js").Checkpoint} saved */
  compare({ size, root }) {
    if (size > this.promised)
      return this.find(
        "rolled-back",
        `a saved checkpoint has ${size} entries, the log ${this.promised}`,
      );
    // Two roots of one size need no entries.
    const ours =
      this.checkpoint?.size === size
        ? this.checkpoint.root
        : this.hasRoots
          ? this.rootAt(Number(size))
          : root;
    if (ours !== root)
      this.find(
        "inconsistent",
        `at ${size} entries a saved checkpoint has root ${root}, the log ${ours}`,
      );
  }

  /**
   * @param {number | null} time
   * @returns {import("./life.js").Course[]}
   */
  overdue(time) {
    if (time === null) return [];
    return [...this.life.courses.values()].filter(
      ({ ended, commit }) => ended === null && time > commit.reveal_by,
    );
  }

  /**
   * The entries that are ahead of time, each with what says so.
   * @param {number | null} clock
   * @returns {Map<import("./proving.js").At, string>}
   */
  ahead(clock) {
    const all = new Map(this.hasRoots ? this.proving?.ahead : []);
    const last = this.latest.under(this.tree.size);
    if (clock !== null && last !== null && last.time > clock + TOLERANCE)
      all.set(last, `ahead of your clock (${moment(clock)})`);
    return all;
  }

  /** @returns {AuditVerdict} */
  verdict() {
    const { life, report, proving } = this;
    const clock = this.options.clock ?? null;
    const asOf = this.options.asOf ?? life.time;
    for (const { commit, index } of this.overdue(asOf)) {
      const says = `due ${moment(commit.reveal_by)}; at ${moment(asOf ?? 0)} there is neither the reveal nor a void of the whole commitment`;
      this.found.add({ code: "overdue", index, commitment: commit.commitment, nonce: null, says });
    }
    for (const [at, says] of this.ahead(clock)) {
      const { index, commitment, nonce, time } = at;
      const code = "time-ahead";
      this.found.add({ code, index, commitment, nonce, says: `at ${moment(time)}, ${says}` });
    }
    for (const { missed } of proving?.late(this.hasRoots) ?? [])
      if (missed !== null) this.found.add(missed);
    const { findings, counts } = this.found.end();
    // Newer entries exist, or the time is still to come.
    const mayBeRevealed =
      findings.some(({ code }) => code === "rolled-back") ||
      (clock !== null && asOf !== null && asOf > Math.max(clock, life.time ?? 0));
    const entriesAreSigned = this.hasRoots && this.rootIsSigned;
    return {
      holds: findings.length === 0,
      size: this.tree.size,
      root: toHex(this.tree.rootAt(this.tree.size)),
      commitments: report.commitments,
      deals: report.deals,
      voids: report.voids,
      reveals: report.reveals,
      not_judged: life.notJudged.size,
      last_time: life.time,
      as_of: asOf,
      clock,
      overdue_by_clock: clock === null ? null : this.overdue(clock).length,
      unverified: {
        beacons: report.unverified,
        commitments: life.notJudged.size,
        signatures: this.verifier.skip ? report.signatures : 0,
      },
      findings: findings.map(({ code, says, ...at }) => ({
        code,
        class: classOf(code),
        ...at,
        accuses: accusedOf(
          code,
          code === "inconsistent"
            ? this.rootIsSigned
            : entriesAreSigned && !(mayBeRevealed && code === "overdue"),
        ),
        says,
      })),
      counts,
      reported: report.end(life.courses),
      ...(proving === null ? {} : { witnesses: proving.end(this.tree.size, this.hasRoots) }),
    };
  }
}

/** @returns {Refused} */
function noEd25519() {
  return new Refused(
    "unavailable",
    "this platform cannot verify Ed25519 signatures: without them there is no verdict on a log",
  );
}

/**
 * Audits a whole log.
 * @param {import("./source.js").ReadFile} readFile reads a file of the log by its path: its bytes;
 *   null if the log does not have it; it throws if that is unknown, and then there is no verdict
 * @param {AuditOptions} options
 * @returns {Promise<AuditVerdict>}
 * @throws {Refused} if there is no verdict: `key`, or `unavailable`
 */
export async function auditLog(readFile, options) {
  const call = "auditLog(readFile, options)";
  is.expectFunction(call, "readFile", readFile);
  is.expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  return new Audit(new FileSource(readFile), options).run();
}

/**
 * Audits a log in one file, as `fairdeal export` writes it.
 * @param {Uint8Array} bytes the file
 * @param {AuditOptions} options
 * @returns {Promise<AuditVerdict>}
 * @throws {Refused} if there is no verdict: `key`, `export`, or `unavailable`
 */
export async function auditExport(bytes, options) {
  const call = "auditExport(bytes, options)";
  is.expectBytes(call, "bytes", bytes);
  is.expectOptions(call, 'options with "key"', options, OPTIONS, ["key"]);
  return new Audit(new ExportSource(bytes), options).run();
}
