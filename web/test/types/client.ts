// What a strict program may write, and what it must not.

import { client } from "fairdeal";

const log = client("https://cards.example/log");

export async function lists() {
  const { commitments, next } = await log.commitments({ from: 7 });
  // @ts-expect-error: a list does not have the rounds in play.
  commitments[0]?.in_play.length;
  const { in_play } = await log.commitment("c");
  const { commitment } = await log.table("main");
  const rounds = await log.rounds("c", { from: 0 });
  const { tables, next: after } = await log.tables({ after: "main", most: 10 });
  const { openings, next: place } = await log.openings("c", { after: "0/12" });
  const { next_reveal = 0, damaged_files } = await log.ready();
  const { printed_at = "", key } = await log.log();
  const numbers: number[] = [
    next ?? 0,
    rounds.next ?? 0,
    ...in_play,
    ...commitment.in_play,
    next_reveal,
    damaged_files,
    openings[0]?.first.at ?? 0,
  ];
  const texts: (string | undefined)[] = [after, place, tables[0]?.commitment, key, printed_at];
  return [numbers, texts];
}

export async function rounds() {
  const { state, players, opened } = await log.round("c", 0);
  const dealt: boolean = state === "dealt";
  const [first] = (await log.rounds("c")).rounds;
  const seed: string | undefined = players[0]?.seed ?? first?.players[0]?.seed;
  const { entries, checkpoint } = await log.receipt("c", 0);
  return [dealt, seed, opened?.[0]?.item, entries[0]?.proof, checkpoint];
}

export async function requests() {
  await log.deal("c", { open: [0, 9], force: true });
  await log.open("c", 0, { street: "flop", public: true });
  await log.open("c", 0, { street: 2 });
  await log.open("c", 0, { seat: "alice" });
  await log.open("c", 0, { t: [0, 1] });
  await log.open("c", 0, { seat: "alice", t: [9], force: true });
  // @ts-expect-error: which cards?
  await log.open("c", 0, {});
  // @ts-expect-error: which cards?
  await log.open("c", 0, { public: true });
  // @ts-expect-error: it is "river".
  await log.open("c", 0, { street: "rivr" });
}

export function internals() {
  // @ts-expect-error: a request is sent by a call's own method.
  void log.post;
  // @ts-expect-error
  void log.send;
  // @ts-expect-error
  void log.once;
  // @ts-expect-error
  void log.request;
}
