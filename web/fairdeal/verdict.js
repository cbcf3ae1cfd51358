// The verdict on one receipt or opening (spec/receipt.md, sections 11.3 to 11.5).

import { Beacons } from "./beacon.js";
import { fromHex, toHex } from "./bytes.js";
import { signedCheckpoint } from "./checkpoint.js";
import { openCosigned } from "./cosignature.js";
import { contributionsOf, nonceOf } from "./entry.js";
import { accused } from "./findings.js";
import { keyText } from "./key.js";
import { Life } from "./life.js";
import { continues, includes, leafHash } from "./merkle.js";
import { Comparison, roundName } from "./mine.js";
import { judgePossible, judgeSeals, misplaced, openedCards, placesOf } from "./opening.js";
import { readReceipt } from "./receipt.js";
import { Refused } from "./refused.js";
import { loggedResult, replayedOrder } from "./round.js";
import { Verifier } from "./signatures.js";
import { Coverage } from "./witnessed.js";

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./receipt.js").Receipt} Receipt
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./opening.js").Placed} Placed
 * @typedef {import("./round.js").Dealt} Dealt
 */

/**
 * What a person should think of a round (section 11.4). It is absent if there is no state.
 * @typedef {"caught" | "fair" | "unproved"} State
 */

/**
 * A contribution in a verdict.
 * @typedef {object} JudgedContribution
 * @property {string} from
 * @property {string} [seed]
 * @property {string} [hash]
 * @property {{size: number, root: string}} [seen]
 * @property {string} [key]
 * @property {boolean} committed_first
 */

/**
 * The tokens of section 11.4.
 * @typedef {"logged" | "replayed" | "opened" | "committed-first" | "yours" | "authentic"
 *   | "witnessed" | "timed" | "locked-before-beacon"} Shown
 * @typedef {"logged" | "judged" | "replayed" | "opened" | "committed-first" | "yours" | "authentic"
 *   | "seats" | "beacon" | "no-collusion" | "witnessed" | "timed" | "locked-before-beacon"
 *   | "complete"} NotShown
 */

/**
 * The verdict of section 11.5. `spec/schema/verify.json` describes it.
 * @typedef {object} Verdict
 * @property {boolean} holds whether nothing was found, and every signature could be verified
 * @property {State} [state]
 * @property {Shown[]} shown
 * @property {NotShown[]} not_shown begins with `logged` if and only if this platform cannot verify
 *   the signatures; `error` gives the reason
 * @property {string[]} committed_first
 * @property {ReceiptFinding[]} findings
 * @property {string} [commitment]
 * @property {number} [nonce]
 * @property {JudgedContribution[]} [contributions]
 * @property {string} [cards]
 * @property {number[]} [indices]
 * @property {string} [digest]
 * @property {string} [seal]
 * @property {Placed[]} [placed]
 * @property {string} [policy] the hash of the policy, if one was given
 * @property {import("./witnessed.js").Witnessed} [witnessed] which witnesses had seen the round's
 *   entries, if any had
 * @property {number} [before_beacon] how many seconds before the beacon's round was out witnesses had
 *   seen the lock, if `locked-before-beacon` is shown
 * @property {{t: number, item: number, card?: string, seat?: string}[]} [opened]
 * @property {string} [table]
 * @property {number} [time]
 * @property {{code: "unavailable", says: string}} [error]
 */

/** One file under a key, judged step by step. */
export class Judgement {
  /**
   * @param {import("./key.js").Key} key
   * @param {Json | Refused} file or why it is an `invalid-receipt`
   * @param {import("./policy.js").Policy | null} [policy]
   * @param {Beacons} [beacons]
   */
  constructor(key, file, policy = null, beacons = new Beacons()) {
    this.key = key;
    this.policy = policy;
    this.beacons = beacons;
    /** @type {import("./findings.js").Found[]} */
    this.findings = [];
    /** The code and index of each finding that has an index. @type {Set<string>} */
    this.found = new Set();
    /** Null if the file is an `invalid-receipt`. @type {Receipt | null} */
    this.receipt = null;
    try {
      if (file instanceof Refused) throw file;
      this.receipt = readReceipt(file);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const code = /** @type {ReceiptFinding["code"]} */ (error.code);
      this.find(code, undefined, error.message);
    }
    /** @type {import("./checkpoint.js").Checkpoint | null} */
    this.checkpoint = null;
    /**
     * Whether the key signed the checkpoint, and all entries are under it; null if this platform
     * cannot verify that.
     * @type {boolean | null}
     */
    this.logged = false;
    /** Whether the key signed the checkpoint, which then is a head of the log. */
    this.isHead = false;
    this.unknown = false;
    /** The sizes whose consistency is proved. @type {Map<number, string>} */
    this.proved = new Map();
    /** @type {import("./signatures.js").Checks[]} */
    this.checks = [];
    /** @type {import("./life.js").Course | null} */
    this.course = null;
    /** @type {Dealt | null} */
    this.dealt = null;
    /** @type {import("./round.js").Locked | null} */
    this.locked = null;
    /** The void that had effect. @type {import("./entry.js").VoidEntry | null} */
    this.givenUp = null;
    /** The index of the reveal that had effect. @type {number | null} */
    this.revealed = null;
    /** The sizes that witnesses signed. @type {Coverage | null} */
    this.coverage = null;
    /** Whether the cards of an opening belong to the seal. */
    this.opened = false;
    /**
     * What the last verdict says of each of the reader's contributions.
     * @type {{from: string, outcome: import("./mine.js").Outcome}[]}
     */
    this.compared = [];
  }

  /**
   * An entry has each code at most once.
   * @param {ReceiptFinding["code"]} code
   * @param {number | undefined} index
   * @param {string} says
   */
  find(code, index, says) {
    const name = `${code} ${index}`;
    if (index !== undefined && this.found.has(name)) return;
    this.found.add(name);
    this.findings.push(index === undefined ? { code, says } : { code, index, says });
  }

  /** Steps 2 to 5, without the seat. */
  async judge() {
    const { receipt } = this;
    if (receipt === null) return;
    const { policy, key, beacons } = this;
    const opened = await openCosigned(receipt.checkpoint, key, policy);
    const { checkpoint, bad, signed } = opened;
    this.checkpoint = checkpoint;
    if (bad !== null) this.find("bad-signature", undefined, bad);
    this.isHead =
      bad === null ? signed === true : (await signedCheckpoint(receipt.checkpoint, key)) !== null;
    this.proofs(receipt);
    const holds = this.findings.length === 0;
    this.logged = holds ? signed : false;
    const verifier = new Verifier(key, false, policy, beacons);
    this.checks = await Promise.all(receipt.entries.map(({ read }) => verifier.check(read)));
    this.unknown = signed === null || this.checks.some(({ unknown }) => unknown);
    if (policy !== null && this.logged === true) this.coverage = new Coverage(policy);
    if (checkpoint !== null) this.coverage?.add(checkpoint.size, opened.cosigned);
    this.life(receipt);
    this.cards(receipt);
  }

  /**
   * Whether the key signed what the findings are about: the checkpoint, and all entries and sizes
   * under it.
   */
  get isSigned() {
    return this.isHead && !this.findings.some(({ code }) => code === "tree-mismatch");
  }

  /** @param {Receipt} receipt */
  proofs({ entries, seen }) {
    if (this.checkpoint === null) return;
    const { size, root } = this.checkpoint;
    const top = fromHex(root);
    for (const each of seen) {
      if (continues(each.size, fromHex(each.root), size, top, each.proof))
        this.proved.set(each.size, each.root);
      else
        this.find(
          "tree-mismatch",
          undefined,
          `"seen" of size ${each.size}: its proof does not lead to the checkpoint`,
        );
    }
    for (const { index, bytes, proof } of entries) {
      if (includes(index, size, leafHash(bytes), proof, top)) continue;
      this.find("tree-mismatch", index, "the entry's proof does not lead to the checkpoint");
    }
  }

  /**
   * Step 4.
   * @param {Receipt} receipt
   */
  life({ entries }) {
    const rootAt = (/** @type {number} */ size) => this.proved.get(size) ?? null;
    const life = new Life({ log: this.key, excerpt: true, rootAt, beacons: this.beacons });
    entries.forEach(({ index, read }, i) => {
      const judged = life.judge(read, index, this.checks[i]);
      for (const { code, index: at, says } of judged.findings)
        this.find(code, at ?? undefined, says);
      this.course = judged.course ?? this.course;
      this.dealt = judged.dealt ?? this.dealt;
      const { entry } = read;
      if (!judged.effect || entry === null) return;
      if (entry.entry === "lock") this.locked = judged.course?.locked ?? null;
      if (entry.entry === "void") this.givenUp = entry;
      if (entry.entry === "reveal") this.revealed = index;
      if (entry.entry === "anchor" && this.proved.get(entry.size) === entry.root)
        this.coverage?.add(entry.size, this.checks[i].cosigned);
    });
  }

  /**
   * Step 5.
   * @param {Receipt} receipt
   */
  cards({ opening }) {
    const { course, dealt } = this;
    if (
      opening === null ||
      course === null ||
      dealt === null ||
      dealt.deal.result.seal === undefined
    )
      return;
    const wrong = judgeSeals(dealt.deal, opening);
    const pairs = new Map(opening.opened.map(({ t, item }) => [t, item]));
    const why = wrong ?? judgePossible(course.commit, opening.cardSeals.length / 32, pairs);
    if (why === null) this.opened = true;
    else this.find(wrong === null ? "result-mismatch" : "opening-mismatch", dealt.index, why);
  }

  /** Whether a void of the round had effect. */
  get voided() {
    return this.givenUp?.nonce !== undefined;
  }

  /** The round: the nonce of its entries, if the commit has effect. @returns {number | null} */
  get nonce() {
    if (this.course === null || this.receipt === null) return null;
    const nonces = this.receipt.entries.flatMap(({ read: { entry } }) =>
      entry === null ? [] : [nonceOf(entry)],
    );
    return nonces.find((nonce) => nonce !== null) ?? null;
  }

  /** The commitment of the first entry. @returns {string | null} */
  get commitment() {
    return this.receipt?.entries[0].read.commitment ?? null;
  }

  /** The name that each contribution to this file's round has. @returns {string} */
  get roundName() {
    const { key, commitment, nonce } = this;
    return roundName({ log: keyText(key), commitment, nonce });
  }

  /** The round's lock and its index, as one text. @returns {string | null} */
  get lock() {
    const { locked, receipt } = this;
    const entry = receipt?.entries.find(({ index }) => index === locked?.index);
    return entry === undefined ? null : `${entry.index} ${toHex(leafHash(entry.bytes))}`;
  }

  /**
   * The lock that a reader kept with this file: before the deal, it shows what the lock was while
   * the reader's seed was secret (section 11.8).
   * @returns {string | null}
   */
  get openLock() {
    return this.logged === true && this.dealt === null && !this.voided ? this.lock : null;
  }

  /** @returns {import("./mine.js").Round} */
  round() {
    const index = this.locked?.index ?? this.dealt?.index ?? null;
    const source = this.locked?.lock ?? this.dealt?.deal ?? null;
    const at = this.receipt?.entries.findIndex((each) => each.index === index) ?? -1;
    return {
      lock: this.locked?.lock ?? null,
      deal: this.dealt?.deal ?? null,
      voided: this.voided,
      index: source === null || contributionsOf(source).length === 0 ? null : index,
      contributions: source === null ? [] : contributionsOf(source),
      opened: this.dealt?.opened ?? new Map(),
      signed: at < 0 ? [] : this.checks[at].signatures,
    };
  }

  /**
   * The policy, and which witnesses had seen the round's entries (section 11.11).
   * @returns {Pick<Verdict, "policy" | "witnessed">}
   */
  witnessed() {
    const { policy, coverage } = this;
    if (policy === null) return {};
    const witnessed = coverage?.seen({
      lock: this.locked?.index ?? null,
      deal: this.dealt?.index ?? null,
      reveal: this.revealed,
    });
    return { policy: policy.hash, ...(witnessed === undefined ? {} : { witnessed }) };
  }

  /**
   * The contributions whose makers knew the commitment.
   * @param {import("./mine.js").Round} round
   * @returns {boolean[]}
   */
  committedFirst({ contributions, opened, index }) {
    const { course } = this;
    if (this.logged !== true || course === null) return contributions.map(() => false);
    return contributions.map(
      ({ from, hash, seen }) =>
        (hash !== undefined && opened.has(from)) ||
        (seen !== undefined &&
          index !== null &&
          seen.size > course.index &&
          seen.size <= index &&
          this.proved.get(seen.size) === seen.root),
    );
  }

  /**
   * Steps 6 and 7: the verdict.
   * @param {readonly Kept[]} mine a contribution that names another round is not compared
   * @param {ReadonlyMap<string, string>} players
   * @param {string | undefined} seat
   * @param {object} [more]
   * @param {readonly (string | null)[]} [more.locks] the `openLock` of each file that the reader kept
   * @param {readonly Kept[]} [more.claimed] contributions to this round in evidence that the reader
   *   did not keep
   * @param {boolean} [more.gave] whether the reader gave a contribution, though perhaps none to be
   *   compared
   * @returns {Verdict}
   */
  verdict(mine, players, seat, { locks = [], claimed = [], gave = mine.length > 0 } = {}) {
    const { receipt, course, dealt } = this;
    if (receipt === null) {
      /** @type {NotShown[]} */
      const not_shown = ["replayed", "no-collusion", "witnessed", "complete"];
      return {
        holds: false,
        shown: [],
        not_shown,
        committed_first: [],
        findings: accused(this.findings, false),
        ...this.witnessed(),
      };
    }
    const round = this.round();
    const places = placesOf(this);
    const replayed = dealt !== null && replayedOrder(dealt) !== null;
    const found = [...this.findings];
    const other = seat === undefined ? null : misplaced(this, seat, places);
    if (other !== null) found.push(other);
    const name = this.roundName;
    const compared = new Comparison(
      round,
      mine.filter((own) => own.log === undefined || roundName(own) === name),
      claimed,
      players,
    );
    this.compared = mine.map((own) => ({
      from: own.from,
      outcome: compared.outcomes.get(own) ?? "other-round",
    }));
    if (compared.mismatch !== null) {
      const at = round.index === null ? {} : { index: round.index };
      found.push({ code: "contribution-mismatch", ...at, ...compared.mismatch });
    }
    const first = this.committedFirst(round);
    const some = round.contributions.length > 0;
    const { lock } = this;
    const before = this.coverage?.beforeBeacon(this.locked) ?? null;
    const independent =
      this.logged === true &&
      (before !== null ||
        (course?.commit.mixing === "hashes" &&
          compared.protected &&
          lock !== null &&
          locks.includes(lock)));
    const beacon = round.lock?.beacon !== undefined || round.deal?.beacon !== undefined;
    const isOpening = receipt.opening !== null;
    /** @type {Partial<Record<Shown, boolean>>} */
    const tokens = {
      logged: this.logged === true,
      replayed,
      opened: this.opened,
      "committed-first": some && first.every(Boolean),
      yours: compared.yours,
      authentic: compared.authentic,
      witnessed: this.coverage?.hasAll(receipt.entries) ?? false,
      timed: dealt !== null && (this.coverage?.shows(dealt.index, dealt.deal.time) ?? false),
      "locked-before-beacon": before !== null,
    };
    /** @type {[NotShown, boolean][]} */
    const missing = [
      ["logged", this.logged === null],
      ["judged", receipt.entries[0].read.foreign],
      ["replayed", !replayed],
      ["opened", isOpening && !this.opened],
      ["committed-first", some && !tokens["committed-first"]],
      ["yours", gave && !tokens.yours],
      ["authentic", some && !tokens.authentic],
      ["seats", places !== undefined && !independent],
      ["beacon", beacon && (dealt?.signed ?? null) === null],
      ["no-collusion", !(independent && replayed)],
      ["witnessed", !tokens.witnessed],
      ["timed", this.policy !== null && dealt !== null && !tokens.timed],
      ["locked-before-beacon", round.lock?.beacon !== undefined && before === null],
      ["complete", true],
    ];
    const { commitment, nonce } = this;
    const commit = receipt.entries[0].read.entry;
    const opening = this.opened && course !== null ? receipt.opening : null;
    const findings = accused(found, this.isSigned);
    const holds = findings.length === 0 && !this.unknown;
    /** @type {State | undefined} */
    const state = findings.some(({ accuses }) => accuses === "operator")
      ? "caught"
      : !holds || !tokens.logged || !replayed
        ? undefined
        : (before !== null && (tokens.yours || !gave)) ||
            (tokens.yours && independent && compared.protectedByReader)
          ? "fair"
          : "unproved";
    return {
      holds,
      ...(state === undefined ? {} : { state }),
      shown: /** @type {Shown[]} */ (Object.keys(tokens)).filter((token) => tokens[token]),
      not_shown: missing.filter(([, is]) => is).map(([token]) => token),
      committed_first: round.contributions.filter((_, i) => first[i]).map(({ from }) => from),
      findings,
      ...(commitment === null ? {} : { commitment }),
      ...(nonce === null ? {} : { nonce }),
      ...(some
        ? {
            contributions: round.contributions.map((each, i) => told(each, round.opened, first[i])),
          }
        : {}),
      ...(dealt === null ? {} : loggedResult(dealt, course?.commit)),
      ...(places === undefined ? {} : { placed: places }),
      ...this.witnessed(),
      ...(before === null ? {} : { before_beacon: before }),
      ...(opening === null || course === null
        ? {}
        : { opened: openedCards(course.commit, opening.opened, places) }),
      ...(commit?.entry === "commit" ? { table: commit.table } : {}),
      ...(dealt === null ? {} : { time: dealt.deal.time }),
      ...(this.unknown ? { error: NO_ED25519 } : {}),
    };
  }
}

/** @type {{code: "unavailable", says: string}} */
const NO_ED25519 = {
  code: "unavailable",
  says: "this platform cannot verify Ed25519 signatures: nothing shows that the log holds this",
};

/**
 * @param {import("./contribution.js").Contribution} each
 * @param {ReadonlyMap<string, string>} opened
 * @param {boolean} committed_first
 * @returns {JudgedContribution}
 */
function told({ from, seed, hash, seen, key }, opened, committed_first) {
  const known = seed ?? opened.get(from);
  return {
    from,
    ...(known === undefined ? {} : { seed: known }),
    ...(hash === undefined ? {} : { hash }),
    ...(seen === undefined ? {} : { seen: { size: seen.size, root: seen.root } }),
    ...(key === undefined ? {} : { key }),
    committed_first,
  };
}
