// What the calls for raffles take and give.

import {
  type Entrant,
  type Policy,
  type PromisedRaffle,
  type Raffle,
  type RaffleVerdict,
  entrant,
  entrantLink,
  promiseRaffle,
  readEntrantLink,
  readRaffle,
  verifyRaffle,
} from "fairdeal";

export async function judge(document: Uint8Array, list: Uint8Array, key: string, policy: Policy) {
  const { rules, beacon, policy: theirs }: Raffle = readRaffle(document);
  const prizes: string[] | undefined = rules.prizes;
  const verdict: RaffleVerdict = await verifyRaffle(document, list, {
    key,
    policy,
    kept: [document],
  });
  const out: number | undefined = verdict.beacon?.out;
  const place: number | undefined = verdict.line?.place;
  if (verdict.not_shown.includes("kept-before-beacon")) return null;
  // @ts-expect-error: a policy in a document is not one that the reader chose.
  await verifyRaffle(document, list, { key, policy: theirs });
  // @ts-expect-error: a raffle is one round.
  verdict.nonce;
  // @ts-expect-error
  await verifyRaffle(document, "a list", { key });
  return [prizes, beacon.round, out, place, verdict.drawn?.map(({ line }) => line)];
}

export function line(secret: Uint8Array, page: string): string {
  const own: Entrant = entrant(secret, "anna@example.org");
  return readEntrantLink(entrantLink(page, own)).line;
}

export async function promise(list: Uint8Array, second: number): Promise<string> {
  const promised: PromisedRaffle = await promiseRaffle(list, { winners: 3 }, second);
  // @ts-expect-error: a raffle has winners.
  await promiseRaffle(list, {}, second);
  return promised.document + promised.key;
}
