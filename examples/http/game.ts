// One hand with Node, without packages. Two players give hashes first, so that nobody chooses a
// seed after seeing another one.
// Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… node game.ts RECEIPT   (Node 22.18
// or newer; README.md for an older one)

import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";

type Contribution = { from: string; seed: string; blind: string };
type Answer = { commitment: string; cards?: string; receipt: object };

const { FAIRDEAL_URL: url, FAIRDEAL_TOKEN: token } = process.env;
const game = randomBytes(8).toString("hex");
// The log's verifier key. Players know it from elsewhere, not from the service, which could
// tell each of them another one. It is NAME+ID+BASE64, with the key itself after a byte 0x01.
const [origin, , ...base64] = process.env.FAIRDEAL_KEY!.split("+");
const logKey = Buffer.from(base64.join("+"), "base64").subarray(1);

// One step of the game. Its idempotency key makes a retry safe: nothing is done twice.
async function post(step: string, path: string, body: object): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": `${game} ${step}`,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${step}: ${answer.status}: ${said.detail}`);
  return said;
}

// The hash of a contribution (spec/ledger.md, section 8.3). Numbers are big-endian.
function hashOf(commitment: string, nonce: number, { from, seed, blind }: Contribution): string {
  const hex = (text: string) => Buffer.from(text, "hex");
  const number = (value: number, bytes: number) => hex(value.toString(16).padStart(2 * bytes, "0"));
  const text = (value: string) =>
    Buffer.concat([number(Buffer.byteLength(value), 2), Buffer.from(value)]);
  const parts = [
    text(origin),
    logKey,
    hex(commitment),
    number(nonce, 8),
    text(from),
    hex(blind),
    Buffer.of(1),
    text(seed),
  ];
  return createHash("sha256")
    .update("fairdeal/v1/contribution\0")
    .update(Buffer.concat(parts))
    .digest("hex");
}

// The dealer promises a secret seed. After that, only the players' seeds are undecided.
const { commitment } = await post("commit", "/v1/commitments", {
  table: "http/node",
  mixing: "hashes",
  draw: 5,
});
const at = `/v1/commitments/${commitment}`;

// Each player makes a seed and a blind, and gives only the hash of both.
const random = () => randomBytes(32).toString("hex");
const players = ["alice", "bob"].map((from) => ({ from, seed: random(), blind: random() }));
const hashes = players.map((player) => ({
  from: player.from,
  hash: hashOf(commitment, 0, player),
}));
await post("lock", `${at}/locks`, { nonce: 0, contributions: hashes });

// The lock is in the log. Now the players open their hashes, and the cards follow.
console.log((await post("deal", `${at}/deals`, { nonce: 0, contributions: players })).cards);

// After the game the seed becomes public: anyone can deal the hand again from the receipt.
await post("reveal", `${at}/reveal`, { nonce: 1, next: false });
writeFileSync(process.argv[2], await (await fetch(`${url}${at}/rounds/0/receipt`)).text());
