// The texts of a seat's badge, in two languages: one short sentence for each state and each
// finding.

/** @typedef {"en" | "de"} Language */

/**
 * The words of each state (spec/receipt.md, section 11.4; spec/raffle.md, section 38), here and on
 * every page.
 */
export const STATES = {
  en: {
    caught: "Caught: {what}",
    fair: "Fair, and your seed was in it",
    "fair-beacon": "Fair: a beacon decided that nobody could know",
    unproved:
      "The cards follow from the seeds, but nothing here shows that the operator did not choose them",
    "fair-raffle": "Fair: drawn by a number that nobody knew when the list was closed",
    "unproved-raffle":
      "The winners follow from the list and the number, but nothing here shows that the list was closed before the number was out",
  },
  de: {
    caught: "Ertappt: {what}",
    fair: "Fair, und Ihr Seed war dabei",
    "fair-beacon": "Fair: entschieden hat ein Beacon, den niemand vorher kennen konnte",
    unproved:
      "Die Karten folgen aus den Seeds, aber nichts hier zeigt, dass der Betreiber sie nicht ausgesucht hat",
    "fair-raffle":
      "Fair: gezogen mit einer Zahl, die niemand kannte, als die Liste geschlossen wurde",
    "unproved-raffle":
      "Die Gewinner folgen aus der Liste und der Zahl, aber nichts hier zeigt, dass die Liste vor der Zahl geschlossen war",
  },
};

/** @type {Record<Language, Record<string, string>>} */
const WORDS = {
  en: {
    idle: "No round yet.",
    promised: "The dealer has promised a seed. You can bring yours.",
    given: "Your hash is given, and your seed is secret.",
    locked: "The hashes are locked in the log.",
    opened: "The lock holds. Your seed is opened, and nobody can change it.",
    dealt: "The cards are dealt. The reveal will show that they follow from all seeds.",
    revealed: "The seed is revealed.",
    voided: "This round was cancelled. The log says why.",
    unsure: "Nobody can tell at present.",
    evidence: "Save the evidence",
    record: "Save the record",
    label: "Fair deal",
    caught: "The dealer broke a rule of the log.",
    "result-mismatch": "A card is not the one that was dealt.",
    "out-of-turn": "The dealer holds several promises, and can choose among them.",
    inconsistent: "The dealer shows you another log than before.",
    "split-view": "The dealer showed somebody another log.",
    overdue:
      "By this device's clock the reveal was missing when it was due. Only an audit shows it to others.",
    "late-reveal": "The dealer revealed its seed too late.",
    "seed-mismatch": "The revealed seed is not the promised one.",
    "unopened-hash": "The deal mixed other seeds than those that were locked.",
    "lock-mismatch": "The deal does not fit its lock.",
    "contribution-signature": "A signature in the round is forged.",
    "weak-mixing": "The round mixed less than the dealer promised.",
    "placed-mismatch": "A card went to another seat than agreed.",
    seats: "The seats are not those that were agreed. Your seed stayed secret.",
    "late-lock": "This lock came when the seed was revealed already. Your seed stayed secret.",
    storage: "This browser's storage failed: it keeps nothing new, or has lost something.",
    key: "This page names another key for the log than the one that this browser keeps.",
    "no-key": "This page names no valid key for the log.",
    absent: "This round does not have your hash. Your seed stayed secret.",
    "not-yours": "You brought nothing to this round.",
    "not-replayed": "Nothing shows that the cards follow from the seed.",
    "opening-mismatch": "This card does not fit its seal. Ask for it again.",
    unlinked: "Nothing shows yet that this is the log that you saw before.",
    silent: "The log does not answer.",
    policy: "The policy of witnesses that you chose is not for this log.",
    uncovered: "Your witnesses have not signed the lock yet. Your seed is secret until they have.",
    "opened-uncovered": "Your seed was opened before your witnesses had seen the lock.",
  },
  de: {
    idle: "Noch keine Runde.",
    promised: "Der Geber hat einen Seed versprochen. Nun sind Sie dran.",
    given: "Ihr Hash ist abgegeben, Ihr Seed geheim.",
    locked: "Die Hashes stehen fest im Log.",
    opened: "Die Sperre hält. Ihr Seed ist offen, niemand kann ihn ändern.",
    dealt: "Die Karten sind gegeben. Die Enthüllung zeigt, ob sie aus allen Seeds folgen.",
    revealed: "Der Seed ist enthüllt.",
    voided: "Diese Runde wurde abgebrochen. Das Log sagt, warum.",
    unsure: "Das kann gerade niemand sagen.",
    evidence: "Beweis sichern",
    record: "Protokoll sichern",
    label: "Fair gegeben",
    caught: "Der Geber hat eine Regel des Logs gebrochen.",
    "result-mismatch": "Eine Karte ist nicht die gegebene.",
    "out-of-turn": "Der Geber hält mehrere Versprechen bereit und kann wählen.",
    inconsistent: "Der Geber zeigt Ihnen ein anderes Log als zuvor.",
    "split-view": "Der Geber hat jemandem ein anderes Log gezeigt.",
    overdue:
      "Nach der Uhr dieses Geräts fehlte die Enthüllung, als sie fällig war. Anderen zeigt das nur eine Prüfung.",
    "late-reveal": "Der Geber hat seinen Seed zu spät enthüllt.",
    "seed-mismatch": "Der enthüllte Seed ist nicht der versprochene.",
    "unopened-hash": "Gemischt wurden andere Seeds als die festgelegten.",
    "lock-mismatch": "Die Karten gehören nicht zur Sperre.",
    "contribution-signature": "Eine Unterschrift der Runde ist gefälscht.",
    "weak-mixing": "Gemischt wurde weniger, als der Geber versprach.",
    "placed-mismatch": "Eine Karte ging an einen anderen Platz als abgemacht.",
    seats: "Die Plätze sind nicht die abgemachten. Ihr Seed blieb geheim.",
    "late-lock": "Diese Sperre kam, als der Seed schon enthüllt war. Ihr Seed blieb geheim.",
    storage: "Dieser Browser verwahrt nichts Neues, oder er hat etwas verloren.",
    key: "Diese Seite nennt für das Log einen anderen Schlüssel als den, den dieser Browser verwahrt.",
    "no-key": "Diese Seite nennt keinen gültigen Schlüssel für das Log.",
    absent: "Ihr Hash ist nicht in dieser Runde. Ihr Seed blieb geheim.",
    "not-yours": "Sie haben zu dieser Runde nichts beigetragen.",
    "not-replayed": "Nichts zeigt, dass die Karten aus dem Seed folgen.",
    "opening-mismatch": "Diese Karte passt nicht zu ihrem Siegel. Fragen Sie noch einmal danach.",
    unlinked: "Noch zeigt nichts, dass das das Log ist, das Sie schon kannten.",
    silent: "Das Log antwortet nicht.",
    policy: "Die Liste Ihrer Zeugen gilt nicht für dieses Log.",
    uncovered:
      "Ihre Zeugen haben die Sperre noch nicht unterschrieben. So lange bleibt Ihr Seed geheim.",
    "opened-uncovered": "Ihr Seed wurde geöffnet, bevor Ihre Zeugen die Sperre gesehen hatten.",
  },
};

/**
 * @param {string} language such as `de-AT`
 * @returns {Language}
 */
function languageOf(language) {
  return language.startsWith("de") ? "de" : "en";
}

/**
 * The badge's word for something.
 * @param {string} name
 * @param {string} language such as `de-AT`
 * @param {string} [otherwise] the name of the word for what has none
 * @returns {string}
 */
export function badgeWord(name, language, otherwise = "caught") {
  const words = WORDS[languageOf(language)];
  return Object.hasOwn(words, name) ? words[name] : words[otherwise];
}

/**
 * A state, in a sentence.
 * @param {import("./player.js").SeatState} state
 * @param {string} language
 * @returns {string}
 */
export function sentenceOf({ state, stage, findings, claims }, language) {
  const states = STATES[languageOf(language)];
  // The player is told the first finding. The export has the others.
  if (state === "caught")
    return states.caught.replace("{what}", badgeWord(findings[0]?.code ?? "caught", language));
  if (state === "fair" || state === "unproved") return states[state];
  if (state === "unsure") return badgeWord(claims[0]?.code ?? "unsure", language, "unsure");
  return badgeWord(stage, language);
}
