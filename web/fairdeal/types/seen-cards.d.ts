/**
 * @typedef {import("./book.js").PlacedCard} PlacedCard
 * @typedef {import("./book.js").Stage} Stage
 */
/**
 * The stage of a round.
 * @param {import("./verdict.js").Judgement} judgement
 * @returns {Stage}
 */
export function stageOf({ course, dealt, locked, receipt }: import("./verdict.js").Judgement): Stage;
/**
 * The cards that a verdict makes known, by their places.
 * @param {import("./verdict.js").Verdict} verdict
 * @param {readonly PlacedCard[]} known before
 * @returns {PlacedCard[]}
 */
export function cardsIn({ cards, indices, opened, placed }: import("./verdict.js").Verdict, known: readonly PlacedCard[]): PlacedCard[];
export type PlacedCard = import("./book.js").PlacedCard;
export type Stage = import("./book.js").Stage;
