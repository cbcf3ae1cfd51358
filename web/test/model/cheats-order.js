// Cheats with the order of entries: more, fewer, or later than the rules allow.

import { toGive } from "../../fairdeal/index.js";
import { HASHES, roundOf } from "./table.js";

/** @type {Record<string, import("./cheats.js").Cheat>} */
export const OF_ORDER = {
  "second lock": {
    rows: ["Sign another lock around the same hash", "hashed"],
    found: ["open-round"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      const first = table.locked.index;
      await table.lockAgain();
      table.log.hidden.add(first);
      await game.send({ deal: await table.log.round(table.commitment, table.nonce) });
    },
  },
  "rounds in the wrong order": {
    rows: ["Skip a round, or deal one twice"],
    found: ["open-round"],
    terms: { rounds: 3 },
    async play(game, table) {
      if (!(await table.reach("opened")) || table.nonce > 1) return false;
      const { commitment, nonce, log, index } = table;
      const entry = { commitment, ...(await table.bobsLock(nonce + 1)) };
      const next = await log.receipt([index, log.push(entry)]);
      await game.send({ lock: next });
      await table.play();
      table.stage = "spoiled";
      await game.faithfully(() => game.send({ lock: next }));
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
  "void of a dealt round": {
    rows: ["Claim a misdeal after seeing the cards"],
    found: ["nonce-gap"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      const { nonce, locked, dealt } = table;
      const entry = { entry: "void", nonce, reason: "misdeal" };
      await table.showEntry(entry, game.random.chance(2) ? [locked.index] : [locked.index, dealt]);
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
      await table.lockAgain();
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
      await table.showEntry({ entry: "void", reason: "closed" }, [table.locked.index, table.dealt]);
      table.stage = "spoiled";
    },
  },
  "lock after the reveal": {
    rows: ["Deal under no commitment"],
    found: ["after-reveal"],
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      await table.close();
      await table.showEntry(await table.bobsLock(), [table.log.size - 1]);
    },
  },
  "one round too many": {
    rows: ["Deal under no commitment"],
    found: ["too-many-rounds"],
    terms: { rounds: 1 },
    async play(game, table) {
      if (!(await table.reach("dealt"))) return false;
      // Another cheat may need more rounds.
      await table.showEntry(await table.bobsLock(table.terms.rounds));
    },
  },
  "commitment used twice": {
    rows: ["Deal under no commitment"],
    found: ["duplicate-commitment"],
    async play(game, table) {
      if (!(await table.reach("open"))) return false;
      const after = table.commitment;
      await table.showEntry({ ...table.terms, after, reveal_by: table.log.now + 100_000 });
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
};
