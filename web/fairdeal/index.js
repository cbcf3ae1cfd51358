// fairdeal: proves that a shuffle was fair.
//
// Written from the specification alone (spec/ in the project), and without any dependency, but for
// signatures of beacons. It runs unchanged in browsers and in Node.

export { auditExport, auditLog } from "./audit.js";
export { readChain } from "./beacon.js";
export { Client, client } from "./client.js";
export { contribution, toGive, toOpen } from "./contribute.js";
export { readList, readListOf } from "./deck.js";
export { checkRound, checkRows, dialects } from "./dialects/index.js";
export { isSupported as verifiesSignatures } from "./ed25519.js";
export { addressForm, entrant, entrantLink, readEntrantLink } from "./entrant.js";
export { cardsOf } from "./hands.js";
export { PolicyFault, countedTwice, readPolicy } from "./policy.js";
export { Problem } from "./problem.js";
export { verifyRaffle } from "./raffle.js";
export { readRaffle } from "./raffle-document.js";
export { promiseRaffle } from "./raffle-promise.js";
export { FairdealError, Refused } from "./refused.js";
export { replay } from "./replay.js";
export { verifyReceipt, verifyReceipts } from "./verify.js";

/**
 * @typedef {import("./audit.js").AuditOptions} AuditOptions
 * @typedef {import("./audit.js").AuditVerdict} AuditVerdict
 * @typedef {import("./beacon.js").Chain} Chain
 * @typedef {import("./client.js").ClientOptions} ClientOptions
 * @typedef {import("./client.js").CommitmentAnswer} CommitmentAnswer
 * @typedef {import("./client.js").EntryAnswer} EntryAnswer
 * @typedef {import("./client.js").OpeningRequest} OpeningRequest
 * @typedef {import("./client.js").Receipt} Receipt
 * @typedef {import("./client.js").RoundAnswer} RoundAnswer
 * @typedef {import("./client.js").Standing} Standing
 * @typedef {import("./client.js").Terms} Terms
 * @typedef {import("./contribute.js").ContributionInput} ContributionInput
 * @typedef {import("./contribution.js").Clear} Clear
 * @typedef {import("./contribution.js").Seen} Seen
 * @typedef {import("./deck.js").ListDeck} ListDeck
 * @typedef {import("./entrant.js").Entrant} Entrant
 * @typedef {import("./events.js").LogEvent} LogEvent
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./hands.js").Card} Card
 * @typedef {import("./hands.js").Hands} Hands
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./policy.js").Policy} Policy
 * @typedef {import("./proving.js").Witnesses} Witnesses
 * @typedef {import("./raffle.js").RaffleOptions} RaffleOptions
 * @typedef {import("./raffle.js").RaffleVerdict} RaffleVerdict
 * @typedef {import("./raffle-document.js").Raffle} Raffle
 * @typedef {import("./raffle-document.js").RaffleRules} RaffleRules
 * @typedef {import("./raffle-promise.js").PromisedRaffle} PromisedRaffle
 * @typedef {import("./replay.js").ReplayInput} ReplayInput
 * @typedef {import("./replay.js").Replayed} Replayed
 * @typedef {import("./report.js").Reported} Reported
 * @typedef {import("./source.js").ReadFile} ReadFile
 * @typedef {import("./findings.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("./verdict.js").Verdict} Verdict
 * @typedef {import("./verify.js").ReceiptOptions} ReceiptOptions
 * @typedef {import("./verify.js").Verdicts} Verdicts
 * @typedef {import("./verify.js").VerifyOptions} VerifyOptions
 * @typedef {import("./witnessed.js").Witnessed} Witnessed
 */
