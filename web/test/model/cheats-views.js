// Cheats with what the player is shown of the log, and with other logs.

import { utf8 } from "../../fairdeal/bytes.js";
import { toGive, toOpen } from "../../fairdeal/index.js";
import { sha256 } from "../../fairdeal/sha256.js";
import { ModelTable } from "../model-log.js";
import { HASHES, roundOf } from "./table.js";

/** The log goes on at another table, and the player sees it. */
const goOn = async (game, name) =>
  game.send({ promise: await new ModelTable(game.log, name).commit() });

/** @type {Record<string, import("./cheats.js").Cheat>} */
export const OF_VIEWS = {
  "lock in a fork": {
    rows: ["Sign another lock around the same hash", "Show the last honest player another view"],
    found: ["inconsistent"],
    terms: HASHES,
    async play(game, table) {
      if (!(await table.reach("opened"))) return false;
      // Some players have seen the log as it is after the commit.
      const goesOn = game.random.chance(2);
      const fork = game.forkAt(goesOn ? table.locked.index : table.index + 1);
      await table.lockAgain(fork);
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
    isApart: true,
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
