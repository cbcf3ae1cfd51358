// What must hold after each step of a game and at its end.

import { documentsIn } from "../../fairdeal/documents.js";
import { evidenceFiles, verifyEvidence } from "../../fairdeal/evidence.js";
import { verifyReceipts } from "../../fairdeal/index.js";
import { roundOf } from "./table.js";

/** Something that must hold does not. */
export class Broken extends Error {}

const textOf = ({ code, index, says }) => JSON.stringify([code, index, says]);

/** The codes and places of what a verdict finds against the operator. */
export function accusing({ findings, receipts }) {
  return [...findings, ...receipts.flatMap((each) => each.findings ?? [])]
    .filter(({ accuses }) => accuses === "operator")
    .map(({ code, index }) => `${code} ${index ?? ""}`);
}

export class Holds {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.dishonest = false;
    /** What the player was ever told as caught. @type {Map<string, object>} */
    this.caught = new Map();
    /** The lock under which each round was opened. @type {Map<string, string>} */
    this.opened = new Map();
    /** Rounds that must not be opened. @type {Set<string>} */
    this.unopened = new Set();
    /** What was told wrongly. @type {string[]} */
    this.wrong = [];
    /** Files against which a verifier must find. @type {string[]} */
    this.files = [];
  }

  must(is, says) {
    if (!is) throw new Broken(says);
  }

  /** Each state that the kit tells, also in the middle of a call. */
  told({ state, findings, commitment, nonce }) {
    const { game, wrong, caught } = this;
    if (!this.dishonest && (state === "caught" || findings.length > 0))
      wrong.push(`an honest dealer is accused: ${findings.map(({ says }) => says).join("; ")}`);
    if ((state === "caught") !== findings.length > 0) wrong.push(`${state} with findings`);
    for (const each of findings) caught.set(textOf(each), each);
    if (state !== "fair") return;
    const round = roundOf({ commitment, nonce });
    if (!game.mixed.has(round)) wrong.push("fair, and the player's seed is not in the deal");
    if (game.chosen.has(round)) wrong.push("fair, and the dealer chose the cards");
    if (game.disclosed.has(round)) wrong.push("fair, and the page gave the seed");
  }

  /** After each call of the kit. */
  async after() {
    const { game, wrong, caught } = this;
    if (game.storage.closed) return game.reload();
    const { alice } = game;
    this.told(alice.state);
    this.must(wrong.length === 0, wrong[0]);
    const now = new Set(alice.state.findings.map(textOf));
    const forgotten = [...caught.keys()].find((each) => !now.has(each));
    this.must(forgotten === undefined, `forgotten: ${forgotten}`);
    if (caught.size > this.shown) await this.show();
  }

  /** The number of findings that a file was made for. */
  shown = 0;

  /** The player's file shows everything that was caught. */
  async show() {
    const { game, caught } = this;
    const file = await game.alice.export({ all: game.random.chance(2) });
    const found = accusing(await verifyEvidence(file, { key: game.key }));
    // Where the log was forked, the entry that is judged depends on the order of the files.
    for (const { code, index, says } of caught.values())
      this.must(
        found.includes(`${code} ${index ?? ""}`) || found.includes("inconsistent "),
        `the exported file does not show ${code} ${index}: ${says} / ${found}`,
      );
    this.shown = caught.size;
    this.files.push(file);
  }

  /** What is given before the lock hides the seed. */
  secret(given) {
    this.must(given.hash !== undefined, "a contribution without a hash");
    this.must(given.seed === undefined && given.blind === undefined, "a seed is given away");
  }

  /** An opening is for one lock with the player's hash, which the message showed. */
  opens({ commitment, nonce, seed }, text) {
    const round = roundOf({ commitment, nonce });
    this.must(!this.unopened.has(round), "a seed is opened under other seats");
    const hash = this.game.hashes.get(round);
    const locks = documentsIn(text, () => null)
      .flatMap(({ file }) => (file.receipt ?? file).entries ?? [])
      .map(({ entry }) => entry)
      .filter((entry) => {
        const lock = JSON.parse(entry);
        return lock.entry === "lock" && roundOf(lock) === round && entry.includes(hash);
      });
    this.must(locks.length > 0, "a seed is opened without a lock");
    const first = this.opened.get(round) ?? locks[0];
    this.must(locks.includes(first), "a seed is opened under two locks");
    this.must(!this.game.ended.has(commitment), "a seed is opened when the server seed is public");
    this.opened.set(round, first);
    this.must(seed.length > 0, "an opening without a seed");
  }

  /** What the game's files show, by code. */
  async end() {
    const { game } = this;
    if (this.shown > 0) await this.show();
    const all = await game.alice.export({ all: true });
    const { mine } = await evidenceFiles(all).catch(() => ({ mine: [] }));
    const judge = async (texts) => {
      const files = [...texts].flatMap((text) => {
        try {
          return documentsIn(text, () => null).map(({ text }) => text);
        } catch {
          return [];
        }
      });
      const once = [...new Set(files)].map((file, i) => ({ name: `${i}`, file }));
      return once.length === 0
        ? []
        : accusing(await verifyReceipts(once, { key: game.key, mine }));
    };
    const kit = [...this.caught.values()].map(({ code }) => code);
    const files = await judge(game.brought);
    this.must(this.dishonest || files.length === 0, `honest files accuse: ${files[0]}`);
    const codes = (found) => [...new Set(found.map((each) => each.split(" ")[0]))];
    return { kit: codes(kit), files: codes(files), sent: codes(await judge(game.carrier.sent)) };
  }
}
