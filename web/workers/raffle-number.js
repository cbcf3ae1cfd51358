// The raffle's number in a message (spec/raffle.md, section 38).

/** The most characters of a message that are read. */
const MOST = 20_000;
/** Characters that nobody sees: soft hyphens, and those without a width. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;
/**
 * Groups of four digits with hyphens between them: ten or more. A hyphen may end a line, and a program for
 * mail quotes the next one. A number in an address is left out: people do not read it.
 */
const RUN =
  /(?<![\p{L}\p{N}/=#?&%_.@])[0-9a-f]{4}(?:[-\u2010-\u2015\u2212][ \t]{0,2}(?:\r?\n[ \t>]{0,8})?[0-9a-f]{4}){9,}(?![\p{L}\p{N}])/gu;

/**
 * @param {string} text of a message
 * @returns {string[]} the different numbers in it, in groups of four digits; more than ten groups give each
 *   number that they may have
 */
export function numbersIn(text) {
  const read = [...text.slice(0, 2 * MOST)].slice(0, MOST).join("");
  const runs = read.toLowerCase().replaceAll(UNSEEN, "").match(RUN) ?? [];
  const all = runs.flatMap((run) => {
    const groups = run.match(/[0-9a-f]{4}/g) ?? [];
    return groups.slice(9).map((_, i) => groups.slice(i, i + 10).join("-"));
  });
  return [...new Set(all)];
}

/**
 * Compares a message with a raffle's number. If more than ten groups stand in one row, one of them is not the
 * number's, such as a year.
 * @param {string} text
 * @param {string} own number
 * @returns {{is: "same" | "none" | "several"} | {is: "other", number: string}}
 */
export function compareNumbers(text, own) {
  const all = numbersIn(text);
  if (all.length === 0) return { is: "none" };
  if (all.length === 1) return all[0] === own ? { is: "same" } : { is: "other", number: all[0] };
  return { is: "several" };
}
