// What a storage has, read as input from outside: another program, another version, or a damaged
// disk may have written it. What cannot be read is left out.

import { STAGES } from "./record.js";

/**
 * Reads a value; calls `damaged` if a part of it cannot be read.
 * @template T
 * @typedef {(value: any, damaged: () => void) => T} Reader
 */
/** @typedef {(value: any) => boolean} Is */

/** @type {Is} */
const isText = (value) => typeof value === "string";
/** @type {Is} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {Is} */
const isNonce = (value) => value === null || isCount(value);
/** @type {(each: Is) => Is} */
const isMaybe = (is) => (value) => value === undefined || is(value);
/** @type {(each: Is) => Is} */
const isList = (is) => (value) => Array.isArray(value) && value.every(is);
/** @type {(members: {[name: string]: Is}) => Is} */
const isWith = (members) => (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(members).every(([name, is]) => is(value[name]));

const id = { commitment: isText, nonce: isNonce };
const isId = isWith({ ...id, from: isMaybe(isText) });
const isRoot = (/** @type {any} */ value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isHash = (/** @type {any} */ value) => isText(value) && /^[A-Za-z0-9+/]{43}=$/.test(value);
const isSeen = isMaybe(isList(isWith({ size: isCount, root: isRoot, proof: isList(isHash) })));
const head = { size: isCount, root: isRoot, note: isText, seen: isSeen };
const isClaim = isWith({ code: isText, says: isText });
const finding = { code: isText, says: isText, accuses: isText, index: isMaybe(isCount) };
export const isCaught = isWith({
  ...finding,
  records: isList(isText),
  since: isList(isWith({ checkpoint: isText, seen: isSeen })),
});
const isCard = isWith({
  t: isCount,
  item: isMaybe(isCount),
  card: isMaybe(isText),
  seat: isMaybe(isText),
  street: isMaybe(isCount),
});
const isReceipt = isWith({
  checkpoint: isText,
  entries: isList(isWith({ index: isCount, entry: isText })),
  seen: isMaybe(Array.isArray),
});

/** @type {Is} */
function isFile(value) {
  if (!isWith({ name: isText, text: isText })(value)) return false;
  try {
    const file = JSON.parse(value.text);
    const isOpening = isWith({ card_seals: isList(isText), opened: Array.isArray });
    return (
      isWith({ format: isText })(file) &&
      isReceipt(file.receipt ?? file) &&
      (file.receipt === undefined || isOpening(file))
    );
  } catch {
    return false;
  }
}

/**
 * One value.
 * @type {<T>(is: Is, none: T) => Reader<T>}
 */
const one = (is, none) => (value, damaged) => {
  if (is(value)) return value;
  damaged();
  return none;
};

/**
 * A list without what cannot be read.
 * @type {(is: Is) => Reader<any[]>}
 */
const listOf = (is) => (value, damaged) => {
  const list = Array.isArray(value) ? value : [];
  const good = list.filter(is);
  if (list !== value || good.length < list.length) damaged();
  return good;
};

/**
 * An object, member by member.
 * @param {{[name: string]: Reader<any>}} members
 * @returns {Reader<any>}
 */
const withAll = (members) => (value, damaged) => {
  const is = isWith({})(value);
  if (!is) damaged();
  const all = Object.entries(members).map(([name, read]) => {
    const missing = () => (is && value[name] === undefined ? undefined : damaged());
    return [name, read(is ? value[name] : undefined, missing)];
  });
  return Object.fromEntries(all);
};

export const readCaught = listOf(isCaught);
export const readMissed = listOf(isWith({ commitment: isText, size: isCount, claim: isClaim }));
export const readPromises = listOf(isText);
export const readHead = one(isWith(head), undefined);
export const readNonce = one(isNonce, undefined);
export const readEnd = one((value) => ["revealed", "voided"].includes(value), undefined);
export const readSeat = withAll({
  recent: listOf(isId),
  waits: listOf(isId),
  current: one(
    isMaybe((value) => value === null || isId(value)),
    null,
  ),
  turns: one(isCount, 0),
});
export const readView = withAll({
  saved: one((value) => value === null || isWith(head)(value), null),
  heads: listOf(isWith({ ...head, ...id, from: isText })),
  version: one(isCount, 0),
});

const isOwn = isWith({
  from: isText,
  seed: isText,
  blind: isMaybe(isText),
  hash: isMaybe(isText),
  key: isMaybe(isText),
  signature: isMaybe(isText),
});
const parts = {
  files: listOf(isFile),
  findings: listOf(isWith(finding)),
  claims: listOf(isClaim),
  shown: listOf(isText),
  notShown: listOf(isText),
  cards: listOf(isCard),
  after: one(isMaybe(isText), undefined),
  kept: one(isMaybe(isOwn), undefined),
  // Under a lock that nobody knows, no other lock opens the seed.
  opened: one(isMaybe(isText), ""),
  seats: one(isMaybe(isList(isText)), undefined),
  turn: one(isMaybe(isCount), undefined),
  sizes: one(isMaybe(isList(isCount)), undefined),
  outcome: one(isMaybe(isText), undefined),
  state: one(isMaybe(isText), undefined),
  revealBy: one(isMaybe(Number.isFinite), undefined),
};

/** @type {Reader<import("./record.js").Record | undefined>} */
export function readRecord(value, damaged) {
  const isRecord = isWith({
    ...id,
    table: isText,
    stage: (stage) => STAGES.includes(stage),
  });
  if (!isRecord(value)) {
    damaged();
    return undefined;
  }
  const { commitment, nonce, table, stage } = value;
  const read = Object.entries(withAll(parts)(value, damaged));
  const known = Object.fromEntries(read.filter(([, each]) => each !== undefined));
  return /** @type {any} */ ({ commitment, nonce, table, stage, ...known });
}
