// What must hold after each step of a game and at its end.

import { contribution } from "../../fairdeal/contribute.js";
import { documentsIn } from "../../fairdeal/documents.js";
import { verifyEvidence } from "../../fairdeal/evidence.js";
import { verifyReceipts } from "../../fairdeal/index.js";
import { EXTENSION } from "./carrier.js";
import { isSame, roundOf } from "./table.js";

/** Something that must hold does not. */
export class Broken extends Error {}

const textOf = ({ code, index, says }) => JSON.stringify([code, index, says]);

/** What a verdict finds against the operator. */
const accusing = ({ findings, receipts }) =>
  [...findings, ...receipts.flatMap((each) => each.findings ?? [])].filter(
    ({ accuses }) => accuses === "operator",
  );

const codesOf = (findings) => [...new Set(findings.map(({ code }) => code))];

export class Holds {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.isHonest = true;
    /** What the player was ever told as caught. @type {Map<string, any>} */
    this.caught = new Map();
    /** The same after the last call in which every write was done. */
    this.kept = new Map();
    /** The lock under which each round was opened. @type {Map<string, string>} */
    this.opened = new Map();
    /** Rounds that must not be opened. @type {Set<string>} */
    this.secret = new Set();
    /** What was told wrongly, also in the middle of a call. @type {string[]} */
    this.wrong = [];
  }

  must(is, says) {
    if (!is) throw new Broken(says);
  }

  /** Each state that the kit tells. */
  told({ state, findings, cards, ...of }) {
    const { wrong, caught, isHonest, game } = this;
    const [first] = findings;
    if (isHonest && state === "caught") wrong.push(`an honest dealer is accused: ${first?.says}`);
    if ((state === "caught") !== findings.length > 0)
      wrong.push(`it is ${state} with ${findings.length} findings`);
    const now = new Set(findings.map(textOf));
    const forgotten = [...caught.keys()].find((each) => !now.has(each));
    if (forgotten !== undefined) wrong.push(`it is forgotten: ${forgotten}`);
    for (const each of findings) caught.set(textOf(each), each);
    if (state === "fair") wrong.push(...this.unfair(of));
    const order = game.orders.get(roundOf(of));
    const lie = cards.find(({ t, item }) => item !== undefined && item !== order?.[t]);
    if (isHonest && lie !== undefined) wrong.push(`card ${lie.t} was not dealt`);
  }

  /** Why a round cannot be fair. */
  unfair(of) {
    const { mixed, chosen, disclosed } = this.game;
    const round = roundOf(of);
    return [
      ...(mixed.has(round) ? [] : ["it is fair, and the player's seed is not in the deal"]),
      ...(chosen.has(round) ? ["it is fair, and the dealer chose the cards"] : []),
      ...(disclosed.has(round) ? ["it is fair, and the dealer knew the player's seed"] : []),
    ];
  }

  /** After each call of the kit. */
  async after() {
    const { game, wrong, caught } = this;
    this.must(wrong.length === 0, wrong[0]);
    if (game.storage.failed) {
      if (game.storage.closed || game.random.chance(2)) return game.reload();
      // Until the player loads it again, the page has a file that shows also what it cannot write.
      game.storage.begin();
      Object.assign(game.storage, { closesAfter: Infinity, failsAfter: Infinity });
      await this.show();
      if (game.storage.failed) return;
    }
    if (caught.size > this.kept.size) {
      await this.show(game.random.chance(2));
      await this.closes();
    }
    if (game.alice.book.unkept.size === 0) this.kept = new Map(caught);
  }

  /** What the page told when it could write nothing is gone with the page. */
  forget() {
    if (this.game.storage.failed || this.game.alice.book.unkept.size > 0)
      this.caught = new Map(this.kept);
  }

  /** A page that closed while it caught something has forgotten it, or has a file that shows it. */
  async closes() {
    const { game } = this;
    const { storage } = game;
    const seat = await game.seat(storage.cut(game.random.below(storage.writes.length + 1)));
    seat.close();
    if (seat.state.findings.length === 0) return;
    const verdict = await verifyEvidence(await seat.export(), { key: game.key, kept: true });
    this.must(accusing(verdict).length > 0, "a page that closed has a catch without a file");
  }

  /** The player's file: it shows everything that was caught, and nothing else. */
  async show(all = true) {
    const { caught, game } = this;
    const text = await game.alice.export({ all });
    if (JSON.parse(text).files.length === 0) {
      this.must(caught.size === 0, "a player with a catch has no file");
      return null;
    }
    const early = game.storage.contributions.find(
      ({ seed, ...of }) => !game.locked.has(roundOf(of)) && text.includes(seed),
    );
    this.must(early === undefined, "an unopened seed is exported");
    this.showsLocks(text);
    const options = { key: game.key, kept: true };
    const own = await verifyEvidence(text, options);
    const others = await verifyEvidence(text, { ...options, kept: false });
    const found = accusing(own);
    // More files can show at the same place another fault; and where the log was forked, the order
    // of the files decides which entry is judged.
    const shows = ({ index }) =>
      found.some((each) => each.index === index || each.code === "inconsistent");
    for (const each of caught.values())
      this.must(shows(each), `the exported file does not show ${each.code}: ${each.says}`);
    this.must(!this.isHonest || found.length === 0, `an honest dealer's file: ${found[0]?.says}`);
    const isShown = caught.size === 0 || accusing(others).length > 0;
    this.must(isShown, "the exported file shows others nothing");
    for (const { state, ...of } of own.receipts) {
      // A second lock is in the file, too: together with the first one it is caught.
      const [why] = state === "fair" && own.state !== "caught" ? this.unfair(of) : [];
      this.must(why === undefined, `the player's own file: ${why}`);
      const is = this.isHonest && of.shown.includes("replayed") && this.unfair(of).length === 0;
      const isHashed = game.tables[0].terms.mixing === "hashes";
      this.must(!is || !isHashed || state === "fair", "an honest round of the player is not fair");
    }
    for (const { state } of others.receipts)
      this.must(state !== "fair", "evidence of somebody else is fair");
    return { text };
  }

  /** With each seed that was opened, a file has the lock that was kept before the opening. */
  showsLocks(text) {
    const { files, mine } = JSON.parse(text);
    for (const each of mine) {
      const lock = this.opened.get(roundOf(each));
      const has = ({ file: { entries = [] } }) => entries.at(-1)?.entry === lock;
      this.must(lock === undefined || files.some(has), "a file is without the lock that was kept");
    }
  }

  /** What is given before the lock hides the seed. */
  hides(given) {
    this.must(given.hash !== undefined, "a contribution has no hash");
    this.must(given.seed === undefined && given.blind === undefined, "a seed is given away");
  }

  /** An opening is for one lock with exactly the player's contribution, which the message showed. */
  opens({ commitment, nonce }, text) {
    const { game, opened } = this;
    const round = roundOf({ commitment, nonce });
    this.must(!this.secret.has(round), "a seed is opened under other seats");
    this.must(!game.ended.has(commitment), "a seed is opened after the commitment's end");
    const made = game.made.get(round);
    const locks = entriesIn(text).filter((entry) => {
      const { entry: kind, contributions } = JSON.parse(entry);
      return kind === "lock" && contributions.some((each) => isSame(each, made));
    });
    this.must(locks.length > 0, "a seed is opened without its lock");
    this.must(!text.includes(EXTENSION), "a seed is opened under an extension line");
    const first = opened.get(round) ?? locks[0];
    this.must(locks.includes(first), "a seed is opened under two locks");
    opened.set(round, first);
  }

  /** A message that alice kept shows the end of a commitment. (A cheat may have had no effect.) */
  ends(text) {
    if (!this.isHonest) return;
    for (const entry of entriesIn(text)) {
      const { entry: kind, commitment, nonce } = JSON.parse(entry);
      if (kind === "reveal" || (kind === "void" && nonce === undefined))
        this.game.ended.add(commitment);
    }
  }

  /** At the end: what the kit caught, and what all files of the game show. */
  async end() {
    const { game } = this;
    const file = await this.show();
    const kit = codesOf([...this.caught.values()]);
    const brought = await this.judge(game.brought);
    if (this.isHonest) {
      this.must(brought.length === 0, `honest receipts accuse: ${brought[0]}`);
      await this.lie(file);
      this.alive();
    }
    const sent =
      this.isHonest || brought.length > 0 ? brought : await this.judge(game.carrier.sent);
    return { kit, brought, sent, file };
  }

  /** What messages show to a verifier with the player's contributions. */
  async judge(messages) {
    const { game } = this;
    const texts = [...messages].flatMap((text) =>
      filesIn(text).map((each) => JSON.stringify(each)),
    );
    const files = [...new Set(texts)].map((file, i) => ({ name: `${i}`, file }));
    if (files.length === 0) return [];
    const mine = game.storage.contributions;
    const verdict = await verifyReceipts(files, { key: game.key, mine });
    const fair = verdict.receipts.find(({ state }) => state === "fair");
    this.must(fair === undefined, "it is fair without the lock that the player kept");
    return codesOf(accusing(verdict));
  }

  /** A player who invents a contribution accuses nobody. */
  async lie(file) {
    if (file === null) return;
    const { key } = this.game;
    const { mine, ...rest } = JSON.parse(file.text);
    const invented = mine.map(({ from, commitment, nonce }) =>
      contribution({ from, commitment, nonce, key }),
    );
    const text = JSON.stringify({ ...rest, mine: await Promise.all(invented) });
    const [found] = accusing(await verifyEvidence(text, { key, kept: true }));
    this.must(found === undefined, `an invented contribution accuses: ${found?.says}`);
  }

  /** Where nothing stands in the way, an honest round ends as fair. */
  alive() {
    const { game } = this;
    const { state, stage, claims, ...of } = game.alice.state;
    if (!game.settled || !game.hasService || stage !== "revealed") return;
    // A clock that is far ahead finds the reveal overdue, and that is remembered.
    if (game.wasAhead && claims.some(({ code }) => code === "overdue")) return;
    if (game.tables[0].terms.mixing !== "hashes" || this.unfair(of).length > 0) return;
    this.must(state === "fair", `an honest round ends as ${state}: ${claims[0]?.says}`);
  }
}

/** The entries in the receipts of a message. */
function entriesIn(text) {
  const receipts = filesIn(text).map((file) => file.receipt ?? file);
  return receipts.flatMap(({ entries = [] }) => entries.map(({ entry }) => entry));
}

/** The files in a message; none if it is damaged. */
function filesIn(text) {
  try {
    return documentsIn(text, () => null).map(({ file }) => file);
  } catch {
    return [];
  }
}
