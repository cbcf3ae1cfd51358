// Each way to cheat of spec/threat-model.md that a round or a view of the log can show.
//
//   rows     the rows of the threat model, by the beginning of their first cell
//   found    what the player's files show of it: one of these codes
//   unseen   why they may show nothing, by the threat model
//   isApart  whether only the log's service can compare it with the rounds of other tables
//   terms    that the table needs
//   play     does it; false if the game did not get so far
//
// A cheat that chooses the cards when it knows the seeds searches with `table.search`.

import { toHex, utf8 } from "../../fairdeal/bytes.js";
import { toGive, toOpen } from "../../fairdeal/index.js";
import { sha256 } from "../../fairdeal/sha256.js";
import { ModelTable } from "../model-log.js";
import { roundOf } from "./table.js";

export const LAYOUT = { layout: { hand: 2 }, draw: 6 };
const HASHES = { mixing: "hashes" };

const swap = (order) => {
  [order[0], order[1]] = [order[1], order[0]];
  return order;
};
const twice = (order) => {
  order[1] = order[0];
  return order;
};

/** Another lock around the opened hash, with a player of the dealer's, and its deal. */
async function lockAgain(table, log = table.log) {
  const { others, answer } = table;
  const [kept] = table.locked.contributions.filter(({ from }) => from === "alice");
  const seed = table.search((each) => [...table.openings, { from: "house", seed: each }]);
  const house = await table.other("house", { seed });
  const given = [kept, toGive(house), ...others.map(toGive)];
  const lock = await table.lock(given, { nonce: table.nonce, ...table.seats, ...room(table), log });
  if (table.game.random.chance(2)) await table.game.send({ lock });
  await table.deal([answer, toOpen(house), ...others.map(toOpen)], { log });
  table.stage = "dealt";
}

/** Seats with room for the player whom the dealer invents. */
const room = ({ terms }) =>
  terms.layout === undefined ? {} : { seats: ["bob", "alice", "house"] };

/** The log goes on at another table, and the player sees it. */
const goOn = async (game, name) =>
  game.send({ promise: await new ModelTable(game.log, name).commit() });

/** Signs an entry of the present round that the rules do not allow, and shows it. */
async function show(table, entry, indices) {
  const { commitment, index, game, log } = table;
  const at = log.push({ commitment, ...entry });
  await game.send({ receipt: await log.receipt([...new Set([index, ...(indices ?? []), at])]) });
  return at;
}

const lockOf = async (table, from, nonce = table.nonce) => ({
  entry: "lock",
  nonce,
  contributions: [strip(toGive(await table.other(from, { nonce })))],
  ...table.seats,
});
const strip = ({ log, commitment, nonce, ...each }) => each;

/** @type {Record<string, {rows: string[], found: string[], unseen?: string, isApart?: boolean, terms?: object, play:
 *   (game: import("./game.js").Game, table: import("./table.js").Table) => Promise<any>}>} */
export const CHEATS = {
  "second lock": {
    rows: ["Sign another lock around the same hash", "hashed"],
    found: ["open-round"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      const first = table.locked.index;
      await lockAgain(table);
      table.log.hidden.add(first);
      await game.send({ deal: await table.log.round(table.commitment, table.nonce) });
    },
  },
  "lock in a fork": {
    rows: ["Sign another lock around the same hash", "Show the last honest player another view"],
    found: ["inconsistent"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      // Some players have seen the log as it is after the commit.
      const goesOn = game.random.chance(2);
      const fork = game.forkAt(goesOn ? table.locked.index : table.index + 1);
      await lockAgain(table, fork);
      if (goesOn) game.goOnIn(fork);
      else table.stage = "spoiled";
      await game.send({ deal: await fork.round(table.commitment, table.nonce) });
    },
  },
  "another view": {
    rows: ["Show two views of the log", "Sign another view of the log"],
    found: ["inconsistent"],
    isApart: true,
    async play(game, table) {
      if (!(await table.reach("locked")) || game.log.size < 2) return false;
      const fork = game.forkAt(table.locked.index);
      const other = game.tables[1];
      [other.log, other.stage] = [fork, "over"];
      const before = other.commitment;
      await other.promise({ after: undefined, reveal_by: fork.now + 500_000 });
      if (game.random.chance(2)) for (let i = 0; i < game.random.below(6); i++) await other.ask();
      [other.log, other.stage, other.commitment] = [game.log, "spoiled", before];
      if (game.random.chance(2)) game.log.served = fork;
    },
  },
  "lock in another view": {
    rows: ["Show two views of the log", "Show the last honest player another view"],
    found: ["inconsistent", "split-view"],
    unseen: "two views of different sizes show nothing without a proof; the kit does not open",
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("open")) || table.given !== undefined) return false;
      await game.faithfully(async () => {
        await goOn(game, "a");
        await table.ask();
      });
      const { index, given } = table;
      if (given?.seen === undefined || given.seen.size <= index + 1) return false;
      table.log = game.forkAt(index + 1);
      await new ModelTable(table.log, "b").commit();
      const all = [given, toGive(await table.other("bob"))];
      const lock = await table.lock(all, { nonce: table.nonce, ...table.seats });
      game.holds.secret.add(roundOf(table));
      table.stage = "spoiled";
      await game.faithfully(async () => {
        // Then nothing shows what the log was when the player saw it.
        if (game.random.chance(2)) delete lock.seen;
        game.down = game.random.chance(2);
        await game.send({ lock });
      });
    },
  },
  "promise in another view": {
    rows: ["Show two views of the log", "Sign another view of the log"],
    found: ["inconsistent"],
    unseen: "two views of different sizes show nothing without a proof",
    isApart: true,
    async play(game, table) {
      if (!(await table.reach("given")) || table.given.seen === undefined) return false;
      const { size } = table.given.seen;
      for (const name of "ab") await new ModelTable(game.log, name).commit();
      await game.faithfully(() => goOn(game, "c"));
      const fork = game.forkAt(size - 1);
      // As large as a view that the kit kept, or of a size that only the log's tiles compare.
      const more = game.random.below(3);
      let promise;
      for (const name of "def".slice(0, 1 + more))
        promise = await new ModelTable(fork, name).commit();
      await game.faithfully(() => {
        game.down = more === 0;
        return game.send({ promise });
      });
      const isServed = game.hasService && game.log.served === game.log;
      game.holds.must(
        (more > 0 && !isServed) || game.holds.caught.size > 0,
        "views are not compared",
      );
    },
  },
  "rounds in the wrong order": {
    rows: ["Skip a round, or deal one twice"],
    found: ["open-round"],
    terms: { rounds: 3 },
    async play(game, table) {
      if (!(await table.reach("opened")) || table.nonce > 1) return false;
      const { commitment, nonce, log, index } = table;
      const entry = { commitment, ...(await lockOf(table, "bob", nonce + 1)) };
      const next = await log.receipt([index, log.push(entry)]);
      await game.send({ lock: next });
      await game.faithfully(() => table.play());
      table.stage = "spoiled";
      await game.faithfully(() => game.send({ lock: next }));
    },
  },
  "other cards": {
    rows: [
      "Write cards that do not follow from the seeds",
      "Deal under the operator's commitments",
    ],
    found: ["result-mismatch"],
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      game.chosen.add(roundOf(table));
      await table.play({ arrange: swap });
      await table.close();
    },
  },
  "impossible cards": {
    rows: ["Write cards that no order of the deck has", "Open one item at two places"],
    found: ["result-mismatch"],
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      game.chosen.add(roundOf(table));
      await table.play({ arrange: twice });
      if (table.terms.sealed) await table.show([0, 1]);
      await table.close();
    },
  },
  "hash opened with another seed": {
    rows: ["hashed and signed", "Under mixing `hashes`: choose a seed until the deal suits"],
    found: ["unopened-hash"],
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      const [mine] = table.openings;
      const [bob] = table.others;
      const seed = table.search((each) => [mine, { from: "bob", seed: each }]);
      await table.play({ openings: [mine, { ...toOpen(bob), seed }] });
    },
  },
  "lock ignored": {
    rows: ["Ignore a lock"],
    found: ["lock-mismatch"],
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      const { commitment, nonce, index, locked, answer } = table;
      const at = (each) => [
        { from: "alice", seed: answer.seed },
        { from: "house", seed: each },
      ];
      const contributions = at(table.search(at));
      const result = table.resultOf(contributions);
      const deal = { entry: "deal", commitment, nonce, contributions, ...room(table), result };
      table.dealt = table.log.push(deal);
      table.stage = "dealt";
      await game.send({ deal: await table.log.receipt([index, locked.index, table.dealt]) });
    },
  },
  "another server seed": {
    rows: ["Swap the commitment once the seeds are known", "Reveal another seed"],
    found: ["seed-mismatch"],
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      game.chosen.add(roundOf(table));
      for (let i = 0; i === 0 || table.orderOf(table.openings)[0] >= 13; i++)
        table.serverSeed = sha256(utf8(`other ${i}`));
      await table.play();
      await table.close();
    },
  },
  "seed in the clear": {
    rows: ["Mix less than was promised"],
    found: ["weak-mixing"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const bob = await table.other("bob", { clear: true });
      await table.fix({ others: [bob], breaks: true });
      table.stage = "spoiled";
    },
  },
  "another hash under alice's label": {
    rows: ["hashed", "Take somebody else's label"],
    found: ["contribution-mismatch"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const bob = await table.other("bob");
      const seed = table.search((each) => [bob, { from: "alice", seed: each }]);
      const forged = await table.other("alice", { seed });
      await table.fix({ given: toGive(forged), others: [bob], breaks: true });
      await table.play({ openings: [toOpen(forged), toOpen(bob)] });
      await table.close();
    },
  },
  "seen exchanged": {
    rows: ["Attach a `seen` to a seed, or exchange it"],
    found: ["contribution-signature", "contribution-mismatch"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const { seen, ...given } = table.given;
      const other = await table.other("x", { seen: await table.log.checkpoint() });
      const changed = seen === undefined ? { ...given, seen: other.seen } : given;
      await table.fix({ given: changed, breaks: true });
      table.stage = "spoiled";
    },
  },
  "contribution moved to the next round": {
    rows: ["Void rounds until the nonce suits", "Sign for another round"],
    found: ["contribution-signature"],
    terms: { rounds: 3 },
    async play(game, table) {
      if (!(await table.reach("given")) || table.nonce > 1) return false;
      const { commitment, nonce, given } = table;
      table.log.push({ entry: "void", commitment, nonce, reason: "again" });
      table.start(nonce + 1);
      await table.fix({ given, breaks: true });
      table.stage = "spoiled";
    },
  },
  "contribution moved to another table": {
    rows: ["Deal at the table whose commitment suits"],
    found: ["contribution-signature"],
    async play(game, table) {
      const other = game.tables[1];
      if (!(await table.reach("given")) || !(await other.reach("open"))) return false;
      await other.fix({ given: table.given, breaks: true });
      other.stage = "spoiled";
    },
  },
  "left out": {
    rows: ["Leave a player out"],
    found: [],
    unseen: "to be left out of a lock is no rule broken: nobody else knew the seed",
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const bob = await table.other("bob");
      const seed = table.search((each) => [bob, { from: "house", seed: each }]);
      const house = await table.other("house", { seed });
      await table.fix({ given: null, others: [bob, house], ...room(table) });
      table.stage = "locked";
      const { log, commitment, nonce } = table;
      await table.deal([bob, house].map(toOpen));
      table.stage = "dealt";
      await game.send({ deal: await log.round(commitment, nonce) });
      await table.close();
    },
  },
  "a seed that the page gave": {
    rows: ["Invent a player", "Take a player's seed in the clear", "Make players' seeds"],
    found: [],
    unseen: "invisible: the verdict names no-collusion as not shown",
    async play(game, table) {
      if (!(await table.reach("open")) || table.given !== undefined) return false;
      const seed = "lucky";
      for (let i = 0; i < 10 && table.given === undefined; i++) await table.ask({ seed });
      if (table.given === undefined) return false;
      game.disclosed.add(roundOf(table));
      const { seen } = table.given;
      const alice = { from: "alice", seed, ...(seen === undefined ? {} : { seen }) };
      const bob = await table.other("bob", {
        seed: table.search((each) => [alice, { from: "bob", seed: each }]),
      });
      await table.fix({ others: [bob] });
    },
  },
  "two promises at once": {
    rows: ["Hold several commitments for one table"],
    found: ["out-of-turn"],
    unseen: "found by an audit; in receipts only if they show both commitments in use",
    async play(game, table) {
      if (!(await table.reach("open"))) return false;
      await table.promise(game.random.chance(2) ? { after: undefined } : {});
    },
  },
  "other seats": {
    rows: ["Write `seats` in an order that suits"],
    found: [],
    unseen: "a hashed lock fixes the seats while nobody knows the cards; the kit does not open",
    terms: LAYOUT,
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      await table.fix({ seats: ["alice", "bob"], breaks: true });
    },
  },
  "seats without a player": {
    rows: ["Write bytes that two readers read differently"],
    found: ["invalid-entry"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      await table.fix({ seats: ["alice"], breaks: true });
      table.stage = "spoiled";
    },
  },
  "a lock that is not canonical": {
    rows: ["Write bytes that two readers read differently"],
    found: ["not-canonical"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      await table.fix();
      const { log, locked } = table;
      const text = new TextDecoder().decode(log.entries[locked.index]);
      const other = log.fork(locked.index);
      other.append(utf8(text.replace(":", ": ")));
      // Nobody was shown the canonical one, unless it has arrived.
      game.views.push(other);
      game.goOnIn(other);
      table.stage = "spoiled";
      await game.send({ lock: await other.receipt([table.index, other.size - 1]) });
    },
  },
  "void of a dealt round": {
    rows: ["Claim a misdeal after seeing the cards"],
    found: ["nonce-gap"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      const { nonce, locked, dealt } = table;
      const entry = { entry: "void", nonce, reason: "misdeal" };
      await show(table, entry, game.random.chance(2) ? [locked.index] : [locked.index, dealt]);
    },
  },
  "round dealt twice": {
    rows: ["Skip a round, or deal one twice"],
    found: ["nonce-gap", "open-round"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      const { log, commitment, nonce } = table;
      for (const index of [table.locked.index, table.dealt]) log.hidden.add(index);
      await lockAgain(table);
      await game.send({ deal: await log.round(commitment, nonce) });
    },
  },
  "round skipped": {
    rows: ["Skip a round, or deal one twice"],
    found: [],
    unseen: "nonce-gap is found by an audit; with one receipt alone it is invisible",
    terms: { rounds: 3 },
    async play(game, table) {
      if (!(await table.reach("open")) || table.nonce > 1) return false;
      table.start(table.nonce + 1);
      await table.ask();
      await table.fix();
    },
  },
  "lock unanswered": {
    rows: ["Leave the lock unanswered"],
    found: [],
    unseen: "open-round is found by an audit; the receipts show a lock without a deal",
    terms: { rounds: 3 },
    async play(game, table) {
      if (!(await table.reach("locked")) || table.nonce > 1) return false;
      table.start(table.nonce + 1);
      await table.ask();
      await table.fix();
    },
  },
  "lock voided": {
    rows: ["Void the round after the lock", "See all openings", "hashed and signed"],
    found: [],
    unseen: "a void is allowed, and an audit counts it",
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      await table.giveUp("bob");
    },
  },
  "lock shown after the end": {
    rows: ["Void the round after the lock"],
    found: [],
    unseen: "a void is allowed, and an audit counts it; the kit does not open",
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const { commitment, nonce, given, log } = table;
      const all = [given, toGive(await table.other("bob"))];
      const lock = await table.lock(all, { nonce, ...table.seats });
      game.holds.secret.add(roundOf(table));
      log.push({ entry: "void", commitment, nonce, reason: "not opened", blame: "alice" });
      table.stage = "over";
      const end = log.push({ entry: "reveal", commitment, server_seed: table.seedHex });
      await game.faithfully(async () => {
        await game.send(await log.receipt([table.index, end]));
        await game.send({ lock });
      });
    },
  },
  "used commitment voided": {
    rows: ["Bury a used seed by a void"],
    found: ["void-after-use"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      await show(table, { entry: "void", reason: "closed" }, [table.locked.index, table.dealt]);
      table.stage = "spoiled";
    },
  },
  "lock after the reveal": {
    rows: ["Deal under no commitment"],
    found: ["after-reveal"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      await table.close();
      await show(table, await lockOf(table, "bob"), [table.log.size - 1]);
    },
  },
  "one round too many": {
    rows: ["Deal under no commitment"],
    found: ["too-many-rounds"],
    terms: { rounds: 1 },
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      await show(table, await lockOf(table, "bob", 1));
    },
  },
  "commitment used twice": {
    rows: ["Deal under no commitment"],
    found: ["duplicate-commitment"],
    async play(game, table) {
      if (!(await table.reach("open"))) return false;
      const after = table.commitment;
      await show(table, { ...table.terms, after, reveal_by: table.log.now + 100_000 });
    },
  },
  "another protocol": {
    rows: ["Deal under another protocol's name"],
    found: [],
    unseen: "what such rounds were is invisible: the verdict does not show judged",
    async play(game, table) {
      if (!(await table.reach("over"))) return false;
      await table.promise({ protocol: "fairdeal/v9" });
      game.chosen.add(roundOf(table));
      await table.ask();
      await table.fix();
      table.stage = "spoiled";
    },
  },
  "never revealed": {
    rows: ["Never reveal"],
    found: [],
    unseen: "overdue is found by an audit; it forces nobody to reveal",
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      table.stage = "spoiled";
      game.log.now += 1_000_000;
      await game.timer();
    },
  },
  "revealed late": {
    rows: ["Reveal late"],
    found: ["late-reveal"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      game.log.now += 1_000_000;
      await game.timer();
      await table.close();
    },
  },
  "time that runs back": {
    rows: ["Invent times"],
    found: ["time-runs-back"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      await table.fix({ time: 1_759_999_999_999, breaks: true });
    },
  },
  "a head that never was": {
    rows: ["Name a checkpoint that never existed", "Bring a `seen` that the log did not sign"],
    found: ["split-view"],
    async play(game, table) {
      if (!(await table.reach("given"))) return false;
      const { log } = table;
      const size = game.random.chance(2) ? log.size + 7 : 1 + game.random.below(log.size);
      const seen = await log.note(size, sha256(utf8("no tree")));
      await table.fix({ others: [await table.other("bob", { seen })], breaks: true });
    },
  },
  "deal under another key": {
    rows: ["Deal the round in another log", "Run another log under another key"],
    found: [],
    unseen: "none: a receipt is judged under the player's key",
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      const { stage, locked, index, log, answer, others } = table;
      const other = game.stranger.fork();
      for (const bytes of log.entries.slice(0, index + 1)) other.append(bytes);
      const [kept] = locked.contributions.filter(({ from }) => from === "alice");
      await table.lock([kept, ...others.map(toGive)], { nonce: table.nonce, log: other });
      const deal = await table.deal([answer, ...others.map(toOpen)], { log: other });
      Object.assign(table, { stage, locked });
      await game.send({ deal });
    },
  },
  "another's card": {
    rows: ["Show you a better or worse card as yours", "Show another player's card as their own"],
    found: [],
    unseen: "placed-mismatch accuses the writer: the kit does not take the card for the player's",
    terms: { sealed: true, ...LAYOUT },
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      await table.show([0, 2]);
    },
  },
  "commit, lock or deal left out": {
    rows: ["Leave the commit or the lock out of a receipt"],
    found: [],
    unseen: "invalid-receipt accuses the writer: such a file shows nothing",
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      const all = [table.index, table.locked.index, table.dealt];
      all.splice(game.random.below(2), 1);
      await game.send({ deal: await table.log.receipt(all) });
    },
  },
};
