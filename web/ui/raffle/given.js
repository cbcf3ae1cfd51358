// Takes the files that a reader gives to the page of a raffle. A file that is of no use changes
// nothing, and a note says why.

import { keyOf, originOf } from "../keys.js";
import { count, t } from "../strings.js";
import { apart, el, plain, theirs } from "../text.js";
import { namesWinners } from "./identity.js";
import { isWhole } from "./whole.js";
import { numberFault, refusal } from "./words.js";

/**
 * @typedef {import("../drop.js").GivenFile} GivenFile
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../../workers/raffle.js").RaffleFile} RaffleFile
 */

/**
 * What the reader is told of a file.
 * @typedef {{name: string, sentence: string, detail?: string, says?: string}} Note
 */

/**
 * The page that takes the files.
 * @typedef {object} Taker
 * @property {(question: object) => Promise<any>} ask of the worker
 * @property {(file: string) => Promise<void>} open
 * @property {(bytes: Uint8Array) => Promise<void>} useList
 * @property {() => import("../inputs.js").GivenKey | null} theKey of the raffle's log
 * @property {object} state
 * @property {RaffleFacts | null} state.facts
 * @property {import("../../workers/raffle.js").ListFacts | null} state.list
 * @property {import("../../workers/raffle.js").RaffleAnswer | null} state.answer
 * @property {import("../inputs.js").GivenKey | null} state.key
 * @property {string | null} state.linked
 * @property {GivenFile | null} state.policy
 * @property {string[]} state.kept
 * @property {string | null} state.commitment of the page's link, or of the raffle that it brings
 * @property {string | null} state.logged the number of the last raffle that the log's key signed
 * @property {import("./stage.js").OtherRaffle | null} state.other
 * @property {Uint8Array | null} state.number
 * @property {string | null} state.confirmed the number that the reader says a message from before the draw has
 * @property {string | null} state.denied the number that the reader says it has not
 */

/** The others are compared with these. @type {RaffleFile[]} */
const FIRST = ["document", "page", "list"];

/**
 * Takes files of any kind. A later document of the same raffle replaces the first one.
 * @param {GivenFile[]} files
 * @param {boolean} isKept whether the reader kept them
 * @param {Taker} taker
 * @returns {Promise<Note[]>}
 */
export async function takeFiles(files, isKept, taker) {
  /** @type {RaffleFile[]} */
  const kinds = await taker.ask({ ask: "sort", files });
  const all = files.map((file, i) => ({ file, kind: kinds[i] }));
  const sorted = [
    ...FIRST.flatMap((first) => all.filter(({ kind }) => kind === first)),
    ...all.filter(({ kind }) => !FIRST.includes(kind)),
  ];
  /** @type {Note[]} */
  const notes = [];
  for (const { file, kind } of sorted) {
    const { name, problem } = file;
    try {
      const sentence =
        problem ?? (await (isKept ? takeKept : takeOne)(file, kind, taker, files.length));
      if (sentence !== null) notes.push({ name, sentence });
    } catch (error) {
      notes.push({ name, ...refusal(/** @type {Error} */ (error)) });
    }
  }
  if (taker.state.facts === null && notes.length === 0)
    notes.push({ name: files[0].name, sentence: t("raffle.file.more") });
  return notes;
}

const htmlWord = () => (isWhole() ? "raffle.file.html-whole" : "raffle.file.html");

/** @param {Uint8Array} bytes */
export const textOf = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/**
 * The document in a file that has one.
 * @param {GivenFile} file
 * @param {RaffleFile} kind
 * @param {Taker} taker
 * @returns {Promise<{document: string, key: string | null}>} `key`: of a page
 */
const documentIn = async ({ bytes }, kind, { ask }) =>
  kind === "page"
    ? ask({ ask: "brought", text: textOf(bytes) })
    : { document: textOf(bytes), key: null };

/**
 * Takes what the reader kept.
 * @param {GivenFile} file
 * @param {RaffleFile} kind
 * @param {Taker} taker
 * @returns {Promise<string | null>} what the reader is told
 */
async function takeKept(file, kind, taker) {
  if (kind === "links") return takeLinks(file.bytes, taker);
  if (kind === "message") return compareNumber(textOf(file.bytes), taker);
  if (kind !== "document" && kind !== "page")
    return t(kind === "html" ? htmlWord() : "raffle.file.no-promise");
  const { document, key } = await documentIn(file, kind, taker);
  /** @type {RaffleFacts} */
  const given = await taker.ask({ ask: "read", document });
  const { state } = taker;
  const isOther = given.number !== state.facts?.number;
  const signed = isOther ? await signedBy(document, given.origin, key, taker) : null;
  if (signed !== null) state.other = otherOf(given, signed === "sound");
  // Two promises of one commitment are compared by the rules of the log too.
  if (given.commitment === state.facts?.commitment) state.kept.push(document);
  return isOther && signed === null ? otherRaffle(given, state.facts) : null;
}

/**
 * Whether the key that the reader has for a log signed a document of it; or, where the page's own key is all
 * that there is, that of the page that brings the document.
 * @param {string} document
 * @param {string} origin
 * @param {string | null} brought the page's key
 * @param {Pick<Taker, "ask" | "theKey">} taker
 * @returns {Promise<"sound" | "signed" | null>}
 */
async function signedBy(document, origin, brought, { ask, theKey }) {
  const key = theKey();
  const isOfLog = key !== null && originOf(key.text) === origin;
  const own = keyOf(origin)?.key ?? (isOfLog && key.source.how !== "link" ? key.text : null);
  const keys = own !== null ? [own] : [brought, isOfLog ? key.text : null];
  return ask({ ask: "signed", document, keys: keys.filter((each) => each !== null) });
}

/**
 * By what people know a raffle. A void after the draw, or with an hour that cannot be, ends nothing.
 * @param {RaffleFacts} facts
 * @param {boolean} isSound whether nothing is wrong with its document
 * @returns {import("./stage.js").OtherRaffle}
 */
function otherOf({ number, rules, out, closed, void: time }, isSound) {
  const isInTime = time !== null && out !== null && time >= closed && time < 1000 * out;
  return {
    number,
    title: rules.title ?? null,
    out,
    void: isSound && isInTime ? time : null,
    isSeen: false,
  };
}

/**
 * Another raffle that the reader had, once the page shows this one.
 * @param {Pick<Taker["state"], "facts" | "logged" | "other">} before
 * @param {RaffleFacts} facts
 * @returns {import("./stage.js").OtherRaffle | null}
 */
export function otherAfter({ facts: before, logged, other }, facts) {
  if (before !== null && before.commitment !== facts.commitment) return null;
  // An organiser who closed the list twice has two raffles.
  if (before !== null && before.number !== facts.number && before.number === logged)
    return { ...otherOf(before, false), isSeen: true };
  return other?.number === facts.number ? null : other;
}

/**
 * @param {RaffleFacts} given
 * @param {RaffleFacts | null} facts of the page's raffle
 */
const otherRaffle = (given, facts) =>
  t("raffle.file.other-promise", { other: given.number, number: facts?.number ?? "" });

/**
 * @param {GivenFile} file
 * @param {RaffleFile} kind
 * @param {Taker} taker
 * @param {number} all how many files were given together
 * @returns {Promise<string | null>} what the reader is told
 */
async function takeOne(file, kind, taker, all) {
  const { ask, state, useList } = taker;
  const { bytes, name } = file;
  if (kind === "html") return t(htmlWord());
  if (kind === "empty" || kind === "binary") return t(`raffle.file.${kind}`);
  if (kind === "document") return openNewer(textOf(bytes), taker);
  if (kind === "page") {
    const { document, list, key } = await ask({ ask: "brought", text: textOf(bytes) });
    const before = state.facts;
    const told = await openNewer(document, taker);
    if (list !== null && state.list?.sha256 !== state.facts?.deck.sha256) await useList(list);
    // Whoever gave the page's link chose its key; and a key that signed the raffle stays.
    const isFixed =
      state.commitment !== null ? taker.theKey() !== null : state.logged === before?.number;
    if (!isFixed || before?.commitment !== state.facts?.commitment)
      state.linked = key ?? state.linked;
    return told;
  }
  if (kind === "list") {
    if (state.list?.isHashed === true && textOf(bytes).includes("@"))
      return t("raffle.file.addresses");
    await useList(bytes);
  }
  if (kind === "beacon") return takeNumber(bytes, taker);
  if (kind === "key") return takeKey(textOf(bytes).trim(), name, taker);
  if (kind === "links") return takeLinks(bytes, taker);
  if (kind === "message") return compareNumber(textOf(bytes), taker);
  if (kind === "policy") {
    // Among an organiser's files there may be its own witnesses.
    if (all > 1) return t("raffle.file.policy-alone");
    state.policy = file;
  }
  return null;
}

/**
 * Opens a document, unless the page has what it says. The same key must have signed a newer document of a
 * raffle that is signed: anybody can write another one of its commitment.
 * @param {string} text
 * @param {Pick<Taker, "ask" | "open" | "state" | "theKey">} taker
 * @returns {Promise<string | null>} what the reader is told
 */
export async function openNewer(text, { ask, open, state, theKey }) {
  /** @type {RaffleFacts} */
  const given = await ask({ ask: "read", document: text });
  const { facts, answer, commitment } = state;
  // Whoever gave the page's link promised that raffle.
  if (commitment !== null && given.commitment !== commitment) return otherRaffle(given, facts);
  if (facts === null || facts.number !== given.number || given.news > facts.news) {
    const isLogged = facts !== null && state.logged === facts.number;
    const keys = [theKey()?.text].filter((each) => each !== undefined);
    const isNewer = given.commitment === facts?.commitment && isLogged;
    if (isNewer && (await ask({ ask: "signed", document: text, keys })) === null)
      return t("raffle.file.not-signed");
    await open(text);
    return null;
  }
  if (answer?.verdict.state === "unproved") return t("raffle.file.had");
  return given.news < facts.news ? t("raffle.file.older") : null;
}

/**
 * @param {Uint8Array} bytes
 * @param {Pick<Taker, "ask" | "state">} taker
 * @returns {Promise<string | null>} what the reader is told
 */
export async function takeNumber(bytes, { ask, state }) {
  const { facts } = state;
  const found = facts === null ? null : await ask({ ask: "number", beacon: facts.beacon, bytes });
  const fault =
    found === null || facts === null
      ? null
      : numberFault(found, facts.beacon.round, textOf(bytes.subarray(0, 400)));
  if (fault === null) state.number = bytes;
  return fault;
}

/**
 * Compares the number in a message from before the draw.
 * @param {string} text
 * @param {Pick<Taker, "ask" | "state">} taker
 * @returns {Promise<string>} what the reader is told
 */
export async function compareNumber(text, { ask, state }) {
  if (state.facts === null) return t("raffle.compare-early");
  const { number } = state.facts;
  /** @type {ReturnType<typeof import("../../workers/raffle-number.js").compareNumbers>} */
  const found = await ask({ ask: "message", text, number });
  const { drawn = [] } = state.answer?.verdict ?? {};
  if (found.is === "same" && namesWinners(text, drawn, state.answer?.names ?? new Map()))
    return t("raffle.compare-late");
  // Two messages with two numbers decide nothing.
  if (found.is === "same") state.confirmed = number;
  if (found.is === "other") state.denied = number;
  return t(`raffle.compare-${found.is}`, { other: found.is === "other" ? found.number : "" });
}

/**
 * @param {string} text
 * @param {string} name
 * @param {Taker} taker
 */
function takeKey(text, name, { state }) {
  const origin = state.facts?.origin ?? originOf(text);
  if (originOf(text) !== origin)
    return t("raffle.file.other-key", {
      came: apart(originOf(text), 100),
      wanted: apart(origin, 100),
    });
  const kept = keyOf(origin);
  if (kept !== null) return kept.key === text ? null : t("raffle.file.kept-key");
  state.key = { text, source: { how: "file", name } };
  return null;
}

/** @param {Uint8Array} bytes @param {Taker} taker */
async function takeLinks(bytes, { ask, state }) {
  if (state.list === null) return t("raffle.file.links-early");
  const { links, found } = await ask({ ask: "links", bytes });
  return found === 0 ? t("raffle.file.links-none") : count("raffle.file.links", links, { found });
}

/**
 * @param {readonly Note[]} notes
 * @returns {HTMLElement[]}
 */
export const drawNotes = (notes) =>
  notes.map(({ name, sentence, detail, says }) =>
    el(
      "div",
      { class: "note" },
      el("p", {}, name === t("drop.pasted") ? null : [theirs(name, 100), ": "], sentence),
      detail === undefined ? null : el("p", {}, detail),
      says === undefined ? null : el("p", { class: "soft small" }, plain(says)),
    ),
  );
