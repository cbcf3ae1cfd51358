// A whole receipt under the test's own key: names as hostile as the grammar allows, and a valid
// signature.

import { createHash, generateKeyPairSync, sign } from "node:crypto";

import { toBase64, toHex, utf8, concat } from "../../fairdeal/bytes.js";
import { replay } from "../../fairdeal/index.js";
import { canonical } from "../../fairdeal/jcs.js";
import { leafHash, nodeHash } from "../../fairdeal/merkle.js";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const hash = (...parts) =>
  new Uint8Array(
    createHash("sha256")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest(),
  );

/** A hand of hold'em at a table of three. */
export const HOLDEM = {
  table: "Gold 7",
  draw: 14,
  layout: { board: [3, 1, 1], burn: true, hand: 2 },
  seats: ["alice", "bob", "carl"],
  contributions: ["alice", "bob", "carl"].map((from) => ({ from, seed: `${from}'s seed` })),
};

/**
 * @param {object} round
 * @param {string} [round.table]
 * @param {{from: string, seed: string}[]} [round.contributions]
 * @param {string} [round.list] the text of a list that is dealt
 * @param {number} [round.draw]
 * @param {(result: object) => object} [round.cheat] changes the result
 * @param {string} [round.origin]
 * @param {boolean} [round.revealed] whether the log has the reveal
 * @param {object} [round.layout] the cards of each seat
 * @param {string[]} [round.seats]
 * @returns {{receipt: string, key: string, dealt: object}}
 */
export function forge({
  table = "t",
  contributions = [{ from: "alice", seed: "lucky" }],
  list,
  draw,
  cheat = (result) => result,
  origin = "test.example/log",
  revealed = true,
  layout,
  seats,
}) {
  const items = list?.trimEnd().split("\n").length;
  const deck =
    list === undefined ? "standard-52" : { count: items, sha256: toHex(hash(utf8(list))) };
  const dealt = replay({ serverSeed: SEED, nonce: 0, contributions, deck: items ?? deck, draw });
  const { commitment, cards, indices } = dealt;
  const time = 1760000001000;
  const entries = [
    {
      entry: "commit",
      protocol: "fairdeal/v1",
      origin,
      commitment,
      deck,
      draw: draw ?? items ?? 52,
      ...(layout === undefined ? {} : { layout }),
      method: "shuffle",
      mixing: "seeds",
      reveal_by: time + 86_400_000,
      rounds: 10,
      sealed: false,
      table,
      time,
    },
    {
      entry: "deal",
      commitment,
      contributions,
      nonce: 0,
      result: cheat(cards === undefined ? { indices } : { cards }),
      ...(seats === undefined ? {} : { seats }),
      time: time + 1000,
    },
    { entry: "reveal", commitment, server_seed: SEED, time: time + 2000 },
  ]
    .slice(0, revealed ? 3 : 2)
    .map(canonical);
  const [a, b, c] = entries.map((entry) => leafHash(utf8(entry)));
  const proofs = revealed ? [[b, c], [a, c], [nodeHash(a, b)]] : [[b], [a]];
  const root = revealed ? nodeHash(nodeHash(a, b), c) : nodeHash(a, b);
  const text = `${origin}\n${entries.length}\n${toBase64(root)}\n`;
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = new Uint8Array(publicKey.export({ type: "spki", format: "der" }).subarray(-32));
  const id = hash(utf8(`${origin}\n`), [1], raw).subarray(0, 4);
  const signature = toBase64(concat(id, sign(null, utf8(text), privateKey)));
  const receipt = JSON.stringify({
    format: "fairdeal/receipt/v1",
    entries: entries.map((entry, index) => ({ index, entry, proof: proofs[index].map(toBase64) })),
    checkpoint: `${text}\n— ${origin} ${signature}\n`,
  });
  return { receipt, key: `${origin}+${toHex(id)}+${toBase64(concat([1], raw))}`, dealt };
}
