// What is between the dealer and the player: messages are lost, doubled, late, out of order, old,
// damaged, or of somebody who has no key.

import { fromHex, toHex } from "../../fairdeal/bytes.js";
import { cardSeal } from "../../fairdeal/seal.js";
import { ModelTable } from "../model-log.js";

/** A line in a checkpoint that bad-signature is found for, in a message. */
export const EXTENSION = "\\nmore\\n";

/** Ways to damage a message; each needs no key. */
const DAMAGES = {
  "a character": (text, random) => {
    const at = random.below(text.length);
    return text.slice(0, at) + random.pick([..."0aZ{ \\"]) + text.slice(at + 1);
  },
  "cut off": (text, random) => text.slice(0, random.below(text.length)),
  "an entry left out": (text, random) =>
    inReceipts(text, (receipt) => receipt.entries.splice(random.below(receipt.entries.length), 1)),
  "an extension line": (text) =>
    inReceipts(text, (receipt) => {
      receipt.checkpoint = receipt.checkpoint.replace("\n\n", "\nmore\n\n");
    }),
  "another's signature": (text) =>
    inReceipts(text, (receipt) => {
      receipt.checkpoint = receipt.checkpoint.replace(/ ([^ ]*)\n$/, (_, signature) => {
        const bytes = Buffer.from(signature, "base64");
        return ` ${bytes.fill(7, 4).toString("base64")}\n`;
      });
    }),
};

/** Ways to damage an opening. */
const CARD_DAMAGES = {
  "another card": (text, random) =>
    inOpenings(text, (opening) => (opening.opened[0].item = random.below(52))),
  "another card with its seal": (text, random) =>
    inOpenings(text, ({ opened: [card], card_seals, receipt }) => {
      card.item = random.below(52);
      const { commitment, nonce } = JSON.parse(receipt.entries.at(-1).entry);
      const salt = fromHex(card.salt);
      const seal = cardSeal(fromHex(commitment), nonce ?? 0, card.t, card.item, salt);
      card_seals[card.t] = toHex(seal);
    }),
};

function inOpenings(text, change) {
  const value = JSON.parse(text);
  if (value.card_seals !== undefined) change(value);
  return JSON.stringify(value);
}

function receiptsIn(value) {
  if (typeof value !== "object" || value === null) return [];
  const is = Array.isArray(value.entries) && typeof value.checkpoint === "string";
  return [...(is ? [value] : []), ...Object.values(value).flatMap(receiptsIn)];
}

function inReceipts(text, change) {
  const value = JSON.parse(text);
  receiptsIn(value).forEach(change);
  return JSON.stringify(value);
}

export class Carrier {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    /** Messages that are still on the way. @type {string[]} */
    this.mail = [];
    /** All that was ever sent. @type {string[]} */
    this.sent = [];
    this.faithful = false;
  }

  /** Sends a message to the player. */
  async send(message) {
    const { game, mail, sent } = this;
    const text = JSON.stringify(message);
    sent.push(text);
    const fate = this.faithful ? 9 : game.random.below(12);
    if (fate === 0) return;
    if (fate === 5) return this.extended(text);
    if (fate < 3) mail.push(text);
    if (fate === 1) return;
    if (fate === 3) await this.damage(text);
    if (fate === 4) await game.bring(text);
    await game.bring(text);
  }

  /** Whether a question or an answer arrives. */
  arrives() {
    return this.faithful || !this.game.random.chance(6);
  }

  /** Brings one of the messages on the way. */
  async late() {
    const { mail, game } = this;
    if (mail.length === 0) return false;
    await game.bring(...mail.splice(game.random.below(mail.length), 1));
  }

  /** Brings an old message again. */
  async again() {
    if (this.sent.length === 0) return false;
    await this.game.bring(this.game.random.pick(this.sent));
  }

  /** Brings a message whose checkpoints have an extension line, signed by the log's key. */
  async extended(text = this.game.random.pick(["{}", ...this.sent])) {
    const value = JSON.parse(text);
    for (const receipt of receiptsIn(value)) {
      const [, size, root] = receipt.checkpoint.split("\n");
      receipt.checkpoint = await this.game.log.note(size, Buffer.from(root, "base64"), "more\n");
    }
    await this.game.bring(JSON.stringify(value));
  }

  async damage(text = this.game.random.pick(["{}", ...this.sent])) {
    const { random } = this.game;
    const ways = text.includes('"card_seals"') && random.chance(2) ? CARD_DAMAGES : DAMAGES;
    await this.game.bring(random.pick(Object.values(ways))(text, random));
  }

  /** Brings a promise of somebody who has a key of their own, under the log's name. */
  async stranger() {
    const { game } = this;
    const table = new ModelTable(game.stranger.fork(), game.tables[0].terms.table);
    await game.bring(JSON.stringify({ promise: await table.commit() }));
  }
}
