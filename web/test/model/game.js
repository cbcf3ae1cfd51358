// One game: a dealer with its tables, a carrier, and a player whose kit is the real one.

import { player } from "../../fairdeal/player.js";
import { BASE, ModelLog } from "../model-log.js";
import { Carrier } from "./carrier.js";
import { CHEATS } from "./cheats.js";
import { Holds } from "./holds.js";
import { Random, pinPlatform } from "./random.js";
import { Storage } from "./storage.js";
import { LAYOUT, Table, roundOf } from "./table.js";

pinPlatform(0n);

/** The operator, somebody else under the operator's name, and bob. */
const { signing } = await ModelLog.make();
export const key = signing.vkey;
const { signing: strange } = await ModelLog.make();
const bobsKey = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);

/** How wrong the player's clock is, in milliseconds. */
const SKEWS = [0, 0, 0, -299_000, 299_000, 301_000, -3_600_000, 30 * 86_400_000];

/** What the world does besides the dealer: honest moves, and those of the network and the page. */
export const WORLD = {
  step: (game) => game.random.pick(game.tables).step(),
  "late message": (game) => game.carrier.late(),
  "old message": (game) => game.carrier.again(),
  "damaged message": (game) => game.carrier.damage(),
  "an extension line": (game) => game.carrier.extended(),
  "another's contribution under alice's label": (game) =>
    game.random.pick(game.tables).takeAnother(),
  "contribution changed on its way": (game) => game.random.pick(game.tables).takeChanged(),
  "message of a stranger": (game) => game.carrier.stranger(),
  "no service": (game) => void (game.down = true),
  "service again": (game) => void (game.down = game.stale = false),
  "old state of the log": (game) => void (game.stale = game.log.size > 1),
  reload: (game) => game.reload(),
  "another tab": (game) => game.turn(),
  "another label": (game) => game.carol(),
  "page closes in the middle": (game) => void (game.storage.closesAfter = game.random.below(12)),
  "full storage": (game) => game.fail({ full: true }),
  "space again": (game) => void (game.storage.full = false),
  "write that fails": (game) => game.fail({ failsAfter: game.random.below(6) }),
  "player's clock": (game) => {
    game.skew = game.random.pick(SKEWS);
    game.wasAhead ||= game.skew > 300_000;
  },
  "dealer's clock": (game) => game.jump(game.random.below(100_000)),
  timer: (game) => game.timer(),
};
const WEIGHTS = {
  step: 14,
  "late message": 3,
  reload: 2,
  timer: 2,
  "service again": 2,
  "space again": 2,
};
const WORLD_NAMES = Object.keys(WORLD).flatMap((name) => Array(WEIGHTS[name] ?? 1).fill(name));

/**
 * The plan of a game: its terms, and its moves. Each move has a seed of its own, so that the others
 * stay the same when one is left out. One game of three is honest; the next seeds go through all
 * cheats.
 * @param {bigint} seed
 */
export function planOf(seed) {
  const random = new Random(seed);
  const names = Object.keys(CHEATS);
  const turn = Number(seed % BigInt(3 * names.length));
  const cheats = turn < names.length ? [] : [names[turn % names.length]];
  if (cheats.length > 0 && random.chance(4)) cheats.push(random.pick(names));
  const terms = {
    rounds: 1 + random.below(3),
    mixing: random.chance(8) ? "seeds" : "hashes",
    sealed: random.chance(3),
    ...(random.chance(3) ? { signed: true } : {}),
    ...(random.chance(2) ? LAYOUT : {}),
  };
  for (const name of cheats) Object.assign(terms, CHEATS[name].terms);
  const moves = Array.from({ length: 6 + random.below(20) }, () => random.pick(WORLD_NAMES));
  for (const cheat of cheats) moves.splice(random.below(moves.length), 0, cheat);
  if (!random.chance(5)) moves.push("settle");
  return {
    seed,
    terms,
    hasService: !random.chance(6),
    moves: moves.map((name) => ({ name, seed: random.next() })),
  };
}

export class Game {
  constructor({ seed, terms, hasService, moves }) {
    pinPlatform(seed);
    this.random = new Random(seed);
    this.moves = moves;
    this.hasService = hasService;
    this.bobsKey = bobsKey;
    this.key = key;
    this.log = new ModelLog(signing);
    this.stranger = new ModelLog(strange);
    /** The log, and its forks. */
    this.views = [this.log];
    /** Promised server seeds, by commitment. */
    this.seeds = new Map();
    /** What alice's kit gave and opened, by round, as far as it arrived. */
    this.given = new Map();
    this.answers = new Map();
    /** The contributions that alice's kit made, by round. */
    this.made = new Map();
    /** Rounds with a lock that has exactly alice's contribution. @type {Set<string>} */
    this.locked = new Set();
    /** Rounds with a deal that mixed alice's seed. @type {Set<string>} */
    this.mixed = new Set();
    /** Rounds whose cards the dealer chose when it knew their seeds. @type {Set<string>} */
    this.chosen = new Set();
    /** Rounds whose seed the page gave. @type {Set<string>} */
    this.disclosed = new Set();
    /** The order of each deal. @type {Map<string, Uint32Array>} */
    this.orders = new Map();
    /** Commitments of which alice knows that they are over. @type {Set<string>} */
    this.ended = new Set();
    /** All messages that alice got and could keep. @type {Set<string>} */
    this.brought = new Set();
    /** What was done, in order. @type {string[]} */
    this.done = [];
    /** The cheats that were done. @type {string[]} */
    this.cheats = [];
    /** Alice's other tab. */
    this.other = null;
    this.skew = 0;
    this.wasAhead = false;
    this.settled = false;
    /** Whether a message came that alice could not keep. */
    this.lost = false;
    this.down = this.stale = false;
    this.tables = [new Table(this, "one", terms), new Table(this, "two", terms)];
    this.carrier = new Carrier(this);
    this.storage = new Storage();
    this.holds = new Holds(this);
    /** The timers of alice's pages, which the moves run. @type {Map<string, () => Promise<void>>} */
    this.timers = new Map();
    this.pages = 0;
  }

  /** Plays all moves; throws what does not hold. */
  async play() {
    this.alice = await this.seat();
    for (const { name, seed } of this.moves) {
      this.random = new Random(seed);
      this.note(name);
      const did = await (name === "settle" ? this.settle() : this.move(name));
      if (did === false) this.done[this.done.lastIndexOf(name)] += " (not possible)";
      else if (CHEATS[name] !== undefined) this.cheats.push(name);
      await this.holds.after();
    }
    this.alice.close();
    this.other?.close();
    return this.holds.end();
  }

  /** @param {string} name */
  move(name) {
    if (CHEATS[name] === undefined) return WORLD[name](this);
    // Where a cheat says nothing else, it is at the first table.
    this.holds.isHonest = false;
    return CHEATS[name].play(this, this.tables[0]);
  }

  note(name) {
    this.done.push(name);
  }

  /** The player goes on in the other tab, which has seen nothing of what this one did since. */
  async turn() {
    if (!this.canWrite) return false;
    [this.alice, this.other] = [this.other ?? (await this.seat()), this.alice];
  }

  /** Writes fail, where the player has one page: no page knows what another one cannot write. */
  fail(how) {
    if (this.other !== null) return false;
    Object.assign(this.storage, how);
  }

  /** Whether all that the player was told is written, and more can be. */
  get canWrite() {
    const { full, failsAfter, closesAfter } = this.storage;
    const isSound = !full && Math.min(failsAfter, closesAfter) === Infinity;
    return isSound && this.alice.book.unkept.size === 0;
  }

  /** A new page over the same storage. */
  async reload() {
    this.holds.forget();
    this.alice.close();
    this.other?.close();
    this.other = null;
    this.storage = this.storage.again();
    this.timers.clear();
    this.alice = await this.seat();
    this.holds.told(this.alice.state);
    await this.holds.after();
  }

  /** Somebody else at the player's browser sees messages under another label, and never plays. */
  async carol() {
    const { carrier, storage, random } = this;
    if (!this.canWrite) return false;
    const carol = await this.call(() => this.seat(storage, "carol"));
    if (carol === null) return;
    for (let i = 0; i < 4 && carrier.sent.length > 0 && this.storage === storage; i++)
      await this.bring(random.pick(carrier.sent), carol);
    carol.close();
  }

  async seat(storage = this.storage, from = "alice") {
    const page = this.pages++;
    const seat = await player({
      log: this.hasService ? BASE : null,
      fetch: (url) => this.fetch(url),
      key: signing.vkey,
      from,
      storage,
      clock: () => this.log.now + this.skew,
    });
    seat.addEventListener("verdict", ({ detail }) => this.holds.told(detail));
    // The moves run the timers, also those that it set when it began.
    seat.close();
    const isOurs = storage === this.storage && from === "alice";
    seat.timers.wake = (name, _, run) => void (isOurs && this.timers.set(`${page} ${name}`, run));
    await seat.resume();
    return seat;
  }

  /** The log's service, as the player reaches it. */
  async fetch(url) {
    if (this.down) return new Response("{}", { status: 403 });
    if (!this.stale) return this.log.fetch(url);
    const old = this.log.fork(Math.ceil(this.log.size / 2));
    return old.fetch(url);
  }

  /** A call of the kit; null if it refuses, or the storage failed. */
  async call(run) {
    this.storage.begin();
    try {
      return await run();
    } catch (error) {
      if (!["Refused", "Problem", "StorageFailed"].includes(error.name)) throw error;
      return null;
    }
  }

  /** Asks alice for a contribution. */
  async ask(input) {
    if (!this.carrier.arrives()) return;
    const given = await this.call(() => this.alice.contribute(input));
    await this.holds.after();
    if (given === null) return;
    this.holds.hides(given);
    this.made.set(roundOf(input), given);
    if (this.carrier.arrives()) this.given.set(roundOf(input), given);
  }

  send(message) {
    return this.carrier.send(message);
  }

  /** Brings a message to alice, and her answer to the dealer; or to another seat. */
  async bring(text, seat = this.alice) {
    const reply = await this.call(() => seat.receive(text));
    if (reply !== null) this.holds.opens(reply, text);
    this.lost ||= this.storage.failed && seat === this.alice;
    if (!this.storage.failed && seat === this.alice) this.brought.add(text);
    if (!this.storage.failed && this.carrier.sent.includes(text)) this.holds.ends(text);
    await this.holds.after();
    if (reply !== null && this.carrier.arrives()) this.answers.set(roundOf(reply), reply);
  }

  /** Runs the kit's timers. */
  async timer() {
    if (this.timers.size === 0) return false;
    const due = [...this.timers.values()];
    this.timers.clear();
    for (const run of due) await this.call(run);
  }

  /** An honest dealer's clock does not jump over what is due. */
  jump(ms) {
    const due = this.tables
      .filter(({ stage }) => stage !== "over")
      .map(({ commitment, log }) => dueOf(log, commitment) - 300_000);
    this.log.now = Math.max(this.log.now, Math.min(this.log.now + ms, ...due));
  }

  /** What the dealer sends now arrives, and can be kept. */
  async faithfully(run) {
    const { carrier, storage } = this;
    carrier.faithful = true;
    this.down = this.stale = false;
    storage.closesAfter = storage.failsAfter = Infinity;
    storage.full = false;
    await run();
    carrier.faithful = this.settled;
  }

  /** All that is on the way arrives, each table ends what it began, and the log answers. */
  async settle() {
    this.settled = true;
    return this.faithfully(async () => {
      while ((await this.carrier.late()) !== false);
      for (const table of this.tables) {
        for (let i = 0; i < 20 && !["over", "spoiled"].includes(table.stage); i++)
          await table.step();
      }
      await this.timer();
    });
  }

  /** Another view of the log from a size on; the log goes on in it, or only alice is shown it. */
  forkAt(size) {
    const fork = this.log.fork(size);
    this.views.push(fork);
    return fork;
  }

  /** From now on the operator's log is this view. */
  goOnIn(view) {
    this.log = view;
    for (const table of this.tables) table.log = view;
  }
}

function dueOf(log, commitment) {
  const entries = log.entries.map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  const commit = entries.find((each) => each.entry === "commit" && each.commitment === commitment);
  return commit?.reveal_by ?? Infinity;
}
