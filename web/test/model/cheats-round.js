// Cheats with the contributions, the lock and the cards of one round.

import { utf8 } from "../../fairdeal/bytes.js";
import { toGive, toOpen } from "../../fairdeal/index.js";
import { sha256 } from "../../fairdeal/sha256.js";
import { HASHES, LAYOUT, roundOf } from "./table.js";

const swap = (order) => {
  [order[0], order[1]] = [order[1], order[0]];
  return order;
};
const twice = (order) => {
  order[1] = order[0];
  return order;
};

/** @type {Record<string, import("./cheats.js").Cheat>} */
export const OF_ROUNDS = {
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
      const deal = { entry: "deal", commitment, nonce, contributions, ...table.room, result };
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
    found: [],
    unseen: "nothing is gained: nobody else knew the player's seed, and the kit does not open",
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
      await table.fix({ given: null, others: [bob, house], ...table.room });
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
  "another's card": {
    rows: ["Show you a better or worse card as yours", "Show another player's card as their own"],
    found: [],
    unseen: "placed-mismatch accuses the writer: the kit does not take the card for the player's",
    terms: { sealed: true, ...LAYOUT },
    async play(game, table) {
      if (!(await table.reach("dealt")) || table.mixed === undefined) return false;
      await game.faithfully(() => table.show([0, 2]));
      const { cards, places, state } = game.alice;
      const has = (some) => some.some(({ t, item }) => t % 2 === 0 && item !== undefined);
      game.holds.must(!has(cards), "another's card is the player's");
      const isShown = state.state !== "caught" && roundOf(state) === roundOf(table);
      game.holds.must(!isShown || has(places), "another's card is not seen");
    },
  },
};
