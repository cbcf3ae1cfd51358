// What may be a mistake in the list of a new raffle, and the lines that a reader may mean.

/**
 * @typedef {{kind: "one" | "heading" | "alike" | "counted" | "marked" | "total" | "tab" | "address" | "public", lines: string[]}}
 *   Doubt what may be a mistake, with some of its lines
 */

/** Words that head a column of entrants, perhaps with a year. */
const HEADING =
  /^(?:20\d\d )?(names?|e-?mail|mail|address|tickets?|number|no\.?|nr\.?|id|entrants?|members?|participants?|vorname|nachname|adresse|los|lose|nummer|teilnehmer|mitglied|mitglieder)(?: 20\d\d)?$/i;
/** Words that begin the line under a column. */
const TOTAL = /^(total|sum|summe|gesamt|anzahl)\b/iu;
/** What a text program puts before each line. */
const MARKED = /^(\d+[.)]|[-–—•*·])\s+\S/u;
/** One address of e-mail, and nothing else. */
const ADDRESS = /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]+$/u;
/** An address anywhere in a line. */
const WITH_ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/u;
/** The most doubtful lines that are named. */
const MOST_DOUBTS = 8;
/** The most lines that are offered for a text that is not in the list. */
const MOST_ALIKE = 12;
/** The fewest characters of such a text. */
const LEAST = 3;

/**
 * The lines that a reader may mean, whatever their case, their blanks, the order of their words and the
 * signs over their letters: first the same words, then one wrong letter, then a part of a line.
 * @param {string} text
 * @param {readonly string[]} lines
 * @returns {{alike: string[], isMore: boolean}} different ones, at most {@link MOST_ALIKE}; whether there are more
 */
export function linesLike(text, lines) {
  const wanted = folded(text);
  if (wanted.length < LEAST) return { alike: [], isMore: false };
  const words = inOrder(wanted);
  /** @type {Set<string>[]} */
  const found = [new Set(), new Set(), new Set()];
  for (const line of lines) {
    const form = folded(line);
    const own = inOrder(form);
    const rank = own === words ? 0 : isOneOff(own, words) ? 1 : form.includes(wanted) ? 2 : -1;
    if (rank >= 0 && found[rank].size <= MOST_ALIKE) found[rank].add(line);
    if (found[0].size > MOST_ALIKE) break;
  }
  const all = found.flatMap((each) => [...each]);
  return { alike: all.slice(0, MOST_ALIKE), isMore: all.length > MOST_ALIKE };
}

/**
 * Whether one letter is missing, wrong or too many, or two are in the other order.
 * @param {string} a
 * @param {string} b
 */
function isOneOff(a, b) {
  // Another digit is another ticket.
  if (Math.abs(a.length - b.length) > 1 || /\p{N}/u.test(b)) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const rest = a.slice(i + 1);
  return (
    rest === b.slice(i + 1) ||
    rest === b.slice(i) ||
    a.slice(i) === b.slice(i + 1) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2))
  );
}

/**
 * A text in one form of its letters, in small ones, without invisible characters and runs of blanks.
 * @param {string} text
 */
const evened = (text) =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();

/** The same without the signs over letters. @param {string} text */
const folded = (text) =>
  evened(text)
    .replaceAll(/[äöü]/g, (letter) => `${{ ä: "a", ö: "o", ü: "u" }[letter]}e`)
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .trim();

/**
 * The words of a name in one order, without commas. Where a line has digits, the order counts: row 3, seat 12
 * is not row 12, seat 3.
 * @param {string} text
 */
const inOrder = (text) =>
  /\p{N}/u.test(text)
    ? text
    : text
        .split(/[ ,;]+/)
        .filter((word) => word !== "")
        .sort()
        .join(" ");

/**
 * The entrants with several tickets, those with the most first.
 * @param {readonly string[]} lines
 * @returns {[string, number][]} at most {@link MOST_DOUBTS}
 */
export function severalOf(lines) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const several = [...counts].filter(([, n]) => n > 1).sort(([, a], [, b]) => b - a);
  return several.slice(0, MOST_DOUBTS);
}

/**
 * Finds possible mistakes in a list.
 * @param {readonly string[]} given
 * @param {boolean} isHashed whether each line should be an address that gets a link
 * @returns {Doubt[]}
 */
export function doubtsOf(given, isHashed) {
  const [heading] = given[0].split(/[,;\t]/, 1);
  const last = given[given.length - 1];
  const marked = given.filter((line) => MARKED.test(line));
  const counted = given.filter((line) => countedIn(line) !== null);
  const others = given.filter((line) => !ADDRESS.test(line));
  const isMost = 2 * others.length < given.length;
  const wrong = others.filter((line) => isMost || line.includes("@"));
  /** @type {Doubt[]} */
  const all = [
    { kind: "one", lines: given.length === 1 && /[,;]/.test(given[0]) ? [given[0]] : [] },
    { kind: "heading", lines: HEADING.test(heading.trim()) ? [given[0]] : [] },
    { kind: "alike", lines: alikeIn(given) },
    { kind: "counted", lines: counted },
    { kind: "marked", lines: 2 * marked.length > given.length ? marked.slice(0, 1) : [] },
    { kind: "total", lines: given.length > 1 && TOTAL.test(last) ? [last] : [] },
    {
      kind: "tab",
      lines: given.filter((line) => line.includes("\t") && countedIn(line) === null),
    },
    { kind: "address", lines: isHashed ? wrong : [] },
    { kind: "public", lines: isHashed ? [] : given.filter((line) => WITH_ADDRESS.test(line)) },
  ];
  return all
    .filter(({ lines }) => lines.length > 0)
    .map(({ kind, lines }) => ({ kind, lines: lines.slice(0, MOST_DOUBTS) }));
}

/**
 * The lines that differ only in letter case, white space, commas and the order of their words.
 * @param {readonly string[]} given
 */
function alikeIn(given) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  /** @type {Set<string>} */
  const alike = new Set();
  for (const line of given) {
    const form = inOrder(evened(line).trim());
    const first = seen.get(form);
    if (first === undefined) seen.set(form, line);
    else if (first !== line) alike.add(first).add(line);
  }
  return [...alike];
}

/**
 * The entrant in a line with a number of tickets, and the number: "Anna x3", "Anna (3)", "Anna; 3", a tab
 * and 3, "3 x Anna". A line may have thousands of blanks: no pattern here goes over them twice.
 * @param {string} line without blanks at its ends
 * @returns {{line: string, n: number} | null}
 */
function countedIn(line) {
  const [before, first] = /^(\d{1,3})\s*[x×]\s/iu.exec(line) ?? [];
  if (before !== undefined)
    return Number(first) === 0
      ? null
      : { line: line.slice(before.length).trim(), n: Number(first) };
  const isClosed = line.endsWith(")");
  const [word = ""] = /(?<=\d)\s?(tickets?|lose?)$/iu.exec(line.slice(-9)) ?? [];
  const text = isClosed ? line.slice(0, -1).trimEnd() : line.slice(0, line.length - word.length);
  const [digits = ""] = /\d{1,3}$/.exec(text.slice(-3)) ?? [];
  const rest = text.slice(0, text.length - digits.length);
  const n = Number(digits);
  if (n === 0 || /\d$/.test(rest.slice(-1))) return null;
  const named = rest.trimEnd();
  const sign = named.slice(-1);
  const name = named.slice(0, -1).trimEnd();
  const isApart = name.length < named.length - 1;
  const signs = word === "" ? /[,;]/ : /[,;:–—-]/;
  const isCount = isClosed ? sign === "(" : signs.test(sign) || (isApart && /[x×*]/i.test(sign));
  if (isCount) return name === "" ? null : { line: name, n };
  const isTab = !isClosed && rest.slice(named.length).includes("\t");
  return isTab && named !== "" ? { line: named, n } : null;
}

/**
 * Writes each line with a number of tickets so often.
 * @param {string} names one on a line
 * @returns {string}
 */
export const repeated = (names) =>
  names
    .split(/\r?\n/)
    .flatMap((line) => {
      const found = countedIn(line.trim());
      return found === null ? [line] : Array(found.n).fill(found.line);
    })
    .join("\n");
