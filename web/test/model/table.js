// A table of the dealer: the honest course of its rounds, one step after the other. The messages go
// through the carrier, so a step may have to be repeated.

import { fromHex, toBase64 } from "../../fairdeal/bytes.js";
import { signedMessage } from "../../fairdeal/contribution.js";
import { deal, resultOf } from "../../fairdeal/deal.js";
import { contribution, toGive, toOpen } from "../../fairdeal/index.js";
import { HmacKey } from "../../fairdeal/sha256.js";
import { ModelTable } from "../model-log.js";

/** How often a player is asked before the dealer goes on without the answer. */
const PATIENCE = 2;

/** Terms of a table whose cards have places, and of one with hashed seeds. */
export const LAYOUT = { layout: { hand: 2 }, draw: 6 };
export const HASHES = { mixing: "hashes" };

/** Whether a lock's contribution is exactly what was given. */
export const isSame = (each, given) =>
  ["from", "hash", "seen", "key", "signature"].every(
    (name) => JSON.stringify(each[name]) === JSON.stringify(given?.[name]),
  );

export const roundOf = ({ commitment, nonce }) => `${commitment} ${nonce}`;

export class Table extends ModelTable {
  /** @param {import("./game.js").Game} game @param {string} name */
  constructor(game, name, terms) {
    super(game.log, name, terms);
    this.game = game;
    /** @type {"over" | "open" | "locked" | "dealt" | "spoiled"} after a cheat it may be spoiled */
    this.stage = "over";
    this.nonce = 0;
    this.tried = 0;
  }

  /** What alice brought to the present round. */
  get given() {
    return this.game.given.get(roundOf(this));
  }

  /** Her opening of it. */
  get answer() {
    return this.game.answers.get(roundOf(this));
  }

  /** Whether alice's contribution, as it arrived, is in the present lock. */
  get hasAlice() {
    return this.locked?.contributions.some((each) => isSame(each, this.given)) ?? false;
  }

  /** The seats of the present round, where the cards have places. */
  get seats() {
    return this.terms.layout === undefined ? {} : { seats: ["bob", "alice"] };
  }

  /** The same with room for a player whom the dealer invents. */
  get room() {
    return this.terms.layout === undefined ? {} : { seats: ["bob", "alice", "house"] };
  }

  get receiptOfLock() {
    return this.log.receipt([this.index, this.locked.index]);
  }

  /** Whether the table is where a cheat needs it. */
  is(stage) {
    if (stage === "given") return this.stage === "open" && this.given !== undefined;
    if (stage === "opened")
      return this.stage === "locked" && this.hasAlice && this.answer !== undefined;
    if (stage === "dealt") return this.stage === "dealt" && this.hasAlice;
    return this.stage === stage;
  }

  /** Plays honestly until the table is at a stage; false if the carrier did not let it happen. */
  async reach(stage) {
    for (let i = 0; i < 25 && !this.is(stage); i++) await this.step();
    return this.is(stage);
  }

  async step() {
    const { stage, game } = this;
    if (stage === "over") return this.promise();
    if (stage === "open") {
      if (this.given === undefined && this.tried++ < PATIENCE) return this.ask();
      return game.random.chance(30) ? this.close() : this.fix();
    }
    if (stage === "locked") {
      if (this.hasAlice && this.answer === undefined && this.tried++ < PATIENCE)
        return game.send({ lock: await this.receiptOfLock });
      const silent = this.hasAlice && this.answer === undefined ? "alice" : "bob";
      return silent === "alice" || game.random.chance(12) ? this.giveUp(silent) : this.play();
    }
    if (stage === "dealt") {
      if (this.nonce + 1 < this.terms.rounds && game.random.chance(2)) return this.nextRound();
      return this.close();
    }
  }

  async promise(more = {}) {
    const after = this.commitment === undefined ? {} : { after: this.commitment };
    const receipt = await this.commit({ ...after, ...more });
    this.game.seeds.set(this.commitment, { seed: this.serverSeed, terms: this.terms });
    this.locked = undefined;
    this.start(0);
    await this.game.send({ next: { receipt } });
  }

  start(nonce) {
    Object.assign(this, { nonce, stage: "open", tried: 0 });
  }

  nextRound() {
    this.start(this.nonce + 1);
    return this.ask();
  }

  async ask(more = {}) {
    const { commitment, nonce, seats } = this;
    const promise = await this.log.receipt([this.index]);
    await this.game.ask({
      commitment,
      nonce,
      ...seats,
      ...(this.game.random.chance(2) ? { promise } : {}),
      ...more,
    });
  }

  /** A player whom the dealer invents, or bob: their seed is known to the dealer. */
  other(from, { nonce = this.nonce, seed, ...more } = {}) {
    const { commitment, log, game } = this;
    const key = log.signing.vkey;
    return contribution({ from, commitment, nonce, key, seed, sign: game.bobsKey, ...more });
  }

  /** Locks the round with all that is there. */
  async fix({ given = this.given ?? null, others, breaks = false, ...more } = {}) {
    // Under a lock that breaks a rule, or is not what was agreed, nobody opens.
    if (breaks) this.game.holds.secret.add(roundOf(this));
    this.others = others ?? [await this.other("bob")];
    const all = [...(given === null ? [] : [given]), ...this.others.map(toGive)];
    const receipt = await this.lock(all, { nonce: this.nonce, ...this.seats, ...more });
    Object.assign(this, { stage: "locked", tried: 0 });
    await this.game.send({ lock: receipt });
  }

  /** The dealer takes what somebody else, perhaps with alice's key, gave under her label. */
  async takeAnother() {
    if (!(await this.reach("given"))) return false;
    const { alice, bobsKey, random } = this.game;
    const other = await this.other("alice", { sign: random.pick([alice.pair, bobsKey]) });
    await this.fix({ given: null, others: [other, await this.other("bob")] });
  }

  /** Alice's contribution is changed on its way, and breaks no rule: it is locked, and never opened. */
  async takeChanged() {
    if (!(await this.reach("given"))) return false;
    const { game, log, given, commitment, nonce, terms } = this;
    const { seen, ...unseen } = given;
    const { key, signature, ...unsigned } = given;
    const other = await this.other("x", { seen: await log.checkpoint() });
    const message = signedMessage(log.key, commitment, nonce, given);
    const signed = await crypto.subtle.sign("Ed25519", game.bobsKey.privateKey, message);
    const changed = game.random.pick([
      { ...given, seen: other.seen },
      { ...given, key: other.key, signature: toBase64(new Uint8Array(signed)) },
      ...(seen === undefined ? [] : [unseen]),
      ...(terms.signed ? [] : [unsigned]),
    ]);
    game.given.set(roundOf(this), changed);
    await this.fix();
  }

  /** The locked round, and whether exactly alice's contribution is in its lock. */
  get lockedRound() {
    const { commitment, locked, game } = this;
    const round = roundOf({ commitment, nonce: locked.nonce });
    return { round, has: locked.contributions.some((each) => isSame(each, game.made.get(round))) };
  }

  async lock(given, more) {
    const receipt = await super.lock(given, more);
    const { round, has } = this.lockedRound;
    if (has) this.game.locked.add(round);
    return receipt;
  }

  /** Deals, and remembers what was dealt. */
  async deal(openings, more) {
    const { game } = this;
    const { round, has } = this.lockedRound;
    if (has) game.mixed.add(round);
    const receipt = await super.deal(openings, more);
    game.orders.set(round, this.order);
    return receipt;
  }

  get openings() {
    return [...(this.answer === undefined ? [] : [this.answer]), ...this.others.map(toOpen)];
  }

  async play({ openings = this.openings, ...more } = {}) {
    const receipt = await this.deal(openings, more);
    this.stage = "dealt";
    await this.game.send({ deal: receipt });
    if (this.terms.sealed) await this.show();
  }

  /** Opens alice's cards. */
  async show(places = [1, 3]) {
    for (const t of places) await this.game.send(await this.opening([t]));
  }

  /** Voids the locked round. */
  async giveUp(blame) {
    const { commitment, nonce, game } = this;
    this.log.push({ entry: "void", commitment, nonce, reason: "not opened", blame });
    await game.send(await this.log.round(commitment, nonce));
    game.note("void-after-lock");
    if (nonce + 1 < this.terms.rounds) this.start(nonce + 1);
    else await this.close();
  }

  /** Locks the round again around the opened hash, with a player of the dealer's, and deals. */
  async lockAgain(log = this.log) {
    const { others, answer, game, nonce } = this;
    const [kept] = this.locked.contributions.filter(({ from }) => from === "alice");
    const seed = this.search((each) => [...this.openings, { from: "house", seed: each }]);
    const house = await this.other("house", { seed });
    const given = [kept, toGive(house), ...others.map(toGive)];
    const lock = await this.lock(given, { nonce, ...this.room, log });
    if (game.random.chance(2)) await game.send({ lock });
    await this.deal([answer, toOpen(house), ...others.map(toOpen)], { log });
    this.stage = "dealt";
  }

  /** A lock with bob alone. */
  async bobsLock(nonce = this.nonce) {
    const { log, commitment, nonce: _, ...given } = toGive(await this.other("bob", { nonce }));
    return { entry: "lock", nonce, contributions: [given], ...this.seats };
  }

  /** Signs an entry that the rules do not allow here, and shows it. */
  async showEntry(entry, indices = []) {
    const { commitment, index, game, log } = this;
    const at = log.push({ commitment, ...entry });
    await game.send({ receipt: await log.receipt([...new Set([index, ...indices, at])]) });
  }

  /** Ends the commitment: by its seed, or by a void if it was never used. */
  async close(more = {}) {
    const { commitment, nonce, game } = this;
    const isUsed = this.stage !== "open" || nonce > 0;
    const end = this.log.push(
      isUsed
        ? { entry: "reveal", commitment, server_seed: this.seedHex, ...more }
        : { entry: "void", commitment, reason: "the table closes" },
    );
    if (!isUsed) game.note("void-unused");
    this.stage = "over";
    // Some ask for the commitment alone, which shows its end without its rounds.
    if (game.random.chance(2)) await game.send(await this.log.receipt([this.index, end]));
    for (let n = 0; n <= nonce; n++) await game.send(await this.log.round(commitment, n));
  }

  get seedHex() {
    return Buffer.from(this.serverSeed).toString("hex");
  }

  /** The order that seeds give: the dealer can compute it as soon as it knows them. */
  orderOf(contributions, serverSeed = this.serverSeed) {
    return deal(new HmacKey(serverSeed), this.terms, { nonce: this.nonce, contributions });
  }

  /** The result that seeds give. */
  resultOf(contributions) {
    const mixed = { nonce: this.nonce, contributions };
    const hmac = new HmacKey(this.serverSeed);
    return resultOf(
      hmac,
      fromHex(this.commitment),
      this.terms,
      mixed,
      deal(hmac, this.terms, mixed),
    );
  }

  /**
   * Searches among the dealer's own seeds for one whose first card suits, and notes that the cards
   * of this round were chosen.
   * @param {(seed: string) => {from: string, seed: string}[]} seeds those of the round
   */
  search(seeds) {
    this.game.chosen.add(roundOf(this));
    for (let i = 0; ; i++) {
      const seed = `house ${i}`;
      if (this.orderOf(seeds(seed))[0] < 13) return seed;
    }
  }
}
