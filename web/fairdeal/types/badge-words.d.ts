/**
 * The badge's word for something.
 * @param {string} name
 * @param {string} language such as `de-AT`
 * @returns {string}
 */
export function badgeWord(name: string, language: string): string;
/**
 * A state, in a sentence.
 * @param {import("./player.js").SeatState} state
 * @param {string} language
 * @returns {string}
 */
export function sentenceOf({ state, stage, findings }: import("./player.js").SeatState, language: string): string;
export type Language = "en" | "de";
