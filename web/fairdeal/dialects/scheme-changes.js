// Other choices that a scheme may have made: the key's form, the number in a message, the mapping
// of words to values, the walk through the deck, and the deck's order.

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./changes.js").Change} Change */
/** @typedef {import("./numbers.js").Counts} Counts */
/** @typedef {import("./numbers.js").Mapping} Mapping */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {string} code
 * @param {string} says
 * @param {Scheme} scheme
 * @returns {Change}
 */
function schemeChange(code, says, scheme) {
  return { code, says, touches: "result", isDear: true, verifies: (guess) => guess.isValidUnder(scheme) };
}

/** @type {[Scheme["seed"], string][]} */
const FORMS = [
  ["text", "as its text, not decoded"],
  ["decoded", "decoded, not as its text"],
  ["lower", "as its text in lower case"],
  ["upper", "as its text in upper case"],
];

/** @type {[Counts, (from: number) => string][]} */
const COUNTS = [
  ["digests", (from) => `counts digests from ${from}, and the eight words of each are used one after the other`],
  ["draws", (from) => `counts draws upwards from ${from}, and each draw has a digest of its own`],
  ["positions", (from) => `is the position that is settled${from === 0 ? "" : ` plus ${from}`}, counted down`],
];

/** @type {[Mapping, string][]} */
const MAPPINGS = [
  ["multiply", "floor(word × range / 2^32), and none is refused"],
  ["modulo-2^32", "word mod range, and is refused from the largest multiple under 2^32 on"],
  ["modulo-2^32-1", "word mod range, and is refused from the largest multiple under 2^32 - 1 on"],
  ["modulo", "word mod range, and none is refused"],
];

/** @type {[Walk, string][]} */
const WALKS = [
  ["forward", "the deck is shuffled from the first position up"],
  ["backward", "the deck is shuffled from the last position down"],
  ["remove", "each number takes a card out and the later ones close the gap"],
  ["fill", "each number takes a card out and the last one fills the gap"],
  ["replace", "each number names a card of a full deck, with repeats"],
];

/** @param {Dialect} dialect @returns {Change[]} */
function formChanges({ scheme }) {
  return FORMS.filter(([form]) => form !== scheme.seed).map(([form, says]) =>
    schemeChange(`key-${form}`, `the server seed enters the HMAC ${says}`, { ...scheme, seed: form }),
  );
}

/** @param {Dialect} dialect @returns {Change[]} */
function walkChanges({ scheme }) {
  const { numbers, walk } = scheme;
  if (numbers === undefined || walk === undefined) return [];
  /** @type {Change[]} */
  const changes = [];
  for (const [counts, says] of COUNTS) {
    const from = counts === numbers.counts ? 1 : 0;
    const changed = { ...scheme, numbers: { ...numbers, counts, from } };
    changes.push(schemeChange(`cursor-${counts}-from-${from}`, `the cursor ${says(from)}`, changed));
  }
  for (const [mapping, says] of MAPPINGS) {
    if (mapping !== numbers.mapping) {
      changes.push(schemeChange(`mapping-${mapping}`, `a word becomes ${says}`, { ...scheme, numbers: { ...numbers, mapping } }));
    }
  }
  if (walk !== "replace") {
    changes.push({
      code: "cards-from-end",
      says: "the cards are dealt from the other end of the shuffled deck",
      touches: "result",
      isDear: true,
      verifies: (guess) => guess.isValidFromEnd(),
    });
  }
  for (const [other, says] of WALKS) {
    if (other !== walk) changes.push(schemeChange(`walk-${other}`, says, { ...scheme, walk: other }));
  }
  return changes;
}

/**
 * All orders of four suits.
 * @param {string} left
 * @returns {string[]}
 */
function permutations(left) {
  if (left === "") return [""];
  return [...left].flatMap((suit) => permutations(left.replace(suit, "")).map((rest) => suit + rest));
}

/** @param {Dialect} dialect @returns {Change[]} */
function deckChanges({ scheme }) {
  const own = scheme.deck;
  if (own === undefined || scheme.walk === undefined) return [];
  /** @type {Change[]} */
  const changes = [];
  for (const suits of permutations("cdhs")) {
    for (const inner of /** @type {const} */ (["suit", "rank"])) {
      for (const ace of /** @type {const} */ (["low", "high"])) {
        if (suits === own.suits && inner === own.inner && ace === own.ace) continue;
        // The inner part changes from each card to the next: a deck by rank has the four suits of
        // each rank together.
        const by = inner === "suit" ? "rank" : "suit";
        const [ranks, letters] = [ace === "low" ? "A to K" : "2 to A", suits.toUpperCase()];
        const order = by === "rank" ? `rank ${ranks}, in each the suits ${letters}` : `suit ${letters}, in each the ranks ${ranks}`;
        changes.push({
          code: `deck-${suits}-by-${by}-ace-${ace}`,
          says: `a fresh deck is ordered by ${order}`,
          touches: "result",
          verifies: (guess) => guess.isValidOnDeck({ suits, inner, ace }),
        });
      }
    }
  }
  return changes;
}

/** @param {Dialect} dialect @returns {Change[]} */
function roleChanges({ scheme, kind, name }) {
  if (kind !== "multiplier" || name === "duel-crash") return [];
  const role = scheme.role === "key" ? "message" : "key";
  return [
    schemeChange(
      "roles-exchanged",
      "server seed and client seed are exchanged in the HMAC, as key and as message",
      { ...scheme, role },
    ),
  ];
}

/** @param {Dialect} dialect @returns {Change[]} */
function counterChanges({ scheme, kind }) {
  if (kind !== "multiplier" || scheme.numbers === undefined) return [];
  const numbers = { ...scheme.numbers, from: 1 };
  return [schemeChange("cursor-digests-from-1", `the cursor ${COUNTS[0][1](1)}`, { ...scheme, numbers })];
}

/** @param {Dialect} dialect @param {readonly Dialect[]} all @returns {Change[]} */
function dialectChanges(dialect, all) {
  return all
    .filter((other) => other !== dialect && other.kind === dialect.kind)
    .map((other) => ({
      code: `dialect-${other.name}`,
      says: `the round is of the dialect ${other.name}`,
      touches: /** @type {const} */ ("both"),
      isDear: true,
      verifies: (guess) => guess.isValidAs(other),
    }));
}

/** @param {Dialect} dialect @returns {Change[]} */
function methodChanges(dialect) {
  if (dialect.name !== "fairdeal/v1") return [];
  return (/** @type {const} */ (["shuffle", "cycle"])).map((method) => ({
    code: `method-${method}`,
    says: `the method is ${method}`,
    touches: /** @type {const} */ ("result"),
    verifies(guess) {
      const { deal } = guess.round;
      return deal === null || deal.method === method ? null : guess.isValidWith({ deal: { ...deal, method } });
    },
  }));
}

/**
 * The changes of a dialect's scheme: first those that are likelier than a change of the row, then
 * the others.
 * @param {Dialect} dialect
 * @param {readonly Dialect[]} all
 * @returns {{before: Change[], after: Change[]}}
 */
export function schemeChanges(dialect, all) {
  const forms = dialect.name === "fairdeal/v1" ? [] : formChanges(dialect);
  return {
    before: [...dialectChanges(dialect, all), ...methodChanges(dialect), ...forms, ...counterChanges(dialect), ...roleChanges(dialect), ...walkChanges(dialect)],
    after: deckChanges(dialect),
  };
}
