// The package's types of the service's requests and answers are those of openapi.json.

import type * as client from "./node_modules/fairdeal/types/client.js";
import type * as api from "./openapi.js";

/** A type without its names. An open union of texts is a text. */
type Plain<T> = [T] extends [string | undefined]
  ? [string] extends [T]
    ? string | Extract<T, undefined>
    : T
  : T extends object
    ? { [K in keyof T]: Plain<T[K]> }
    : T;
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Same<A, B> = Is<Plain<A>, Plain<B>>;

export const same: {
  readonly [Name in keyof Answers]: Answers[Name];
} = {
  commitment: true,
  commitments: true,
  deal: true,
  done: true,
  entry: true,
  events: true,
  lock: true,
  log: true,
  opening: true,
  openings: true,
  ready: true,
  receipt: true,
  receipts: true,
  reveal: true,
  round: true,
  rounds: true,
  standing: true,
  table: true,
  tables: true,
  terms: true,
  void: true,
};

/** In a dealt card's place null can be, which the schema only says in words. */
type WithNull<T> = { [K in keyof T]: K extends "hands" ? client.Hands : T[K] };
type Rounds = {
  [K in keyof api.RoundsAnswer]: K extends "rounds"
    ? WithNull<api.RoundTold>[]
    : api.RoundsAnswer[K];
};
/** A newer service may know other rules. */
type Entry = {
  [K in keyof api.EntryAnswer]: K extends "findings" ? client.BrokenRule[] : api.EntryAnswer[K];
};

type Answers = {
  commitment: Same<client.CommitmentAnswer, api.CommitmentAnswer>;
  commitments: Same<client.CommitmentsAnswer, api.CommitmentsAnswer>;
  deal: Same<Omit<client.DealRequest, "contributions">, Omit<api.DealRequest, "contributions">>;
  done: Same<client.DoneAnswer, api.DoneAnswer>;
  entry: Same<client.EntryAnswer, WithNull<Entry>>;
  events: Same<client.EventsAnswer, api.EventsAnswer>;
  lock: Same<Omit<client.LockRequest, "contributions">, Omit<api.LockRequest, "contributions">>;
  log: Same<client.LogAnswer, api.LogAnswer>;
  opening: Same<client.Opening, api.Opening>;
  openings: Same<client.OpeningsAnswer, api.OpeningsAnswer>;
  ready: Same<client.ReadyAnswer, api.ReadyAnswer>;
  receipt: Same<client.Receipt, api.Receipt>;
  receipts: Same<client.ReceiptsAnswer, api.ReceiptsAnswer>;
  reveal: Same<client.RevealRequest, api.RevealRequest>;
  round: Same<client.RoundAnswer, WithNull<api.RoundAnswer>>;
  rounds: Same<client.RoundsAnswer, Rounds>;
  standing: Same<client.Standing, api.Standing>;
  table: Same<client.TableState, api.TableState>;
  tables: Same<client.TablesPage, api.TablesPage>;
  terms: Same<Omit<client.Terms, "deck">, Omit<api.CommitmentRequest, "deck">>;
  void: Same<client.VoidRequest, api.VoidRequest>;
};
