// The rows of spec/threat-model.md that are no cheat of `cheats.js`, by the beginning of their first
// cell.

/** What the carrier, the world and the checks of every game do. */
export const PLAYED = {
  "damaged message": [
    "Change a card, or any entry, after it was signed",
    "Show a forged receipt",
    "Show an opening with other cards",
    "Leave entries out of a receipt",
    "Forge a contradiction",
    "Change bytes of a log on the way",
    "Change the checkpoint's origin",
    "Cut a file off",
  ],
  "message of a stranger": ["Serve another verifier key", "Commit to seeds of their own"],
  "old state of the log": ["Roll the log back", "Replay an older state of the log"],
  "no service": ["Answer with another page"],
  "a message that is lost": [
    "Drop a player's opening",
    "Not open the hash",
    "Refuse to open, round after round",
    "Bring a hash too late",
  ],
  "contribution changed on its way": [
    "Attach a `seen` to a seed, or exchange it",
    "Change a player's contribution on its way",
  ],
  "an unused commitment voided": ["Void rounds, and commitments that are not used"],
  "all honest files together": ["Use their receipts together to accuse"],
  "an invented contribution": ["Claim afterwards to have brought another seed"],
};

/** What the model cannot play, and why. */
export const NOT_PLAYED = {
  "the kit hashes and signs every seed": [
    "clear",
    "clear, the player's own `seen` kept",
    "clear, signed",
    "Void commitment after commitment until one suits",
    "End the commitment, search for the next one",
    "Drop the round before it is written",
    "Under mixing `seeds`: choose a seed until the deal suits",
    "Hash two seeds for one round",
  ],
  "the kit makes a new random seed for each round": [
    "Search a server seed, or a checkpoint to be `seen`",
    "Use a seed that was disclosed in a voided round",
    "Bring somebody else's seed",
    "Sign for another round, or with a key of small order",
  ],
  "nothing in a player's files, or in the log, shows it": [
    "Stop dealing from a shoe",
    "Speak last, and choose",
    "Tell each other their cards",
    "Find out the last player's cards",
    "Choose their seeds together",
    "Play with all cards known",
    "Fill a table with players of their own",
    "Read seeds on the way",
    "Serve other rules",
  ],
  "only an audit of the whole log can show it": [
    "Withhold entries that the checkpoint covers",
    "Fill the lists of `blamed` and `weak_seeds`",
  ],
  "the dealer of the model has no table with a beacon": [
    "Claim any signature of a beacon",
    "Name a beacon's round",
    "Lock a round several times, to several rounds of the beacon",
    "Give a round up once its beacon",
  ],
  "it is about a program, a page or a backup, not about messages": [
    "Put characters into labels",
    "Serve a verifier that always says",
    "Write the rest of the page into a log's text",
    "With the database alone",
    "With the vault key too",
    "With the signing key: sign",
    "Put an old backup in the place",
    "With a player's files",
  ],
};

/** The first cells of the tables of attacks; the table of complaints has the same ones again. */
export function attacksIn(text) {
  const rows = [];
  let isAttacks = false;
  for (const line of text.split("\n")) {
    const [, cell] = /^\| (.*?) \|/.exec(line) ?? [];
    if (cell === undefined) isAttacks &&= line.startsWith("|");
    else if (["attack", "choice", "contributions"].includes(cell)) isAttacks = true;
    else if (isAttacks) rows.push(cell);
  }
  return rows;
}
