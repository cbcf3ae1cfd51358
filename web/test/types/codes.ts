// The texts of which the specification has a list, and errors that a program can tell apart.

import type { LogEvent, ReceiptFinding, Verdict } from "fairdeal";
import { FairdealError, Problem } from "fairdeal";
import { NoAnswer, NobodyLeft } from "fairdeal/dealer.js";
import type { ServiceCode } from "./node_modules/fairdeal/types/problem.js";
import type * as listed from "./listed.js";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const findings: Same<ReceiptFinding["code"], listed.Finding> = true;
export const shown: Same<Verdict["shown"][number], listed.Shown> = true;
/** A platform without Ed25519 cannot show `logged`. */
type NotShown = Exclude<Verdict["not_shown"][number], "logged">;
export const notShown: Same<NotShown, listed.NotShown> = true;
export const codes: Same<ServiceCode, listed.Service> = true;

export function told(error: unknown, event: LogEvent["event"], verdict: Verdict) {
  // @ts-expect-error: it is "replayed".
  verdict.shown.includes("replaid");
  if (event === "reveal" || event === "of-a-newer-service") return "an entry";
  if (error instanceof Problem && error.code === "of-a-newer-service") return error.detail;
  if (error instanceof NobodyLeft) {
    const why: NoAnswer | undefined = error.reasons.alice;
    // @ts-expect-error: it is "late".
    if (why?.code === "timeout") return "";
    return why?.code === "late" ? "slow" : why?.code === "failed" ? why.cause : "";
  }
  const code: string = error instanceof FairdealError ? error.code : "";
  return code;
}
