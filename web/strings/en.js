// English. Every language has the same keys; a test checks that.

import { check } from "./en-check.js";
import { explore } from "./en-explore.js";

export const strings = {
  "page.title": "{page} · fairdeal",
  "page.skip": "Go to the content",
  "page.offline": "Everything happens in this browser. No file, key or seed leaves it.",
  "page.broken": "A part of this page could not be loaded. Load the page again.",
  "nav.label": "Pages",
  "nav.verify": "Verify",
  "nav.check": "Check",
  "nav.watch": "Watch",
  "nav.explore": "Explore",
  "nav.play": "Play",
  "look.language": "Language",
  "look.theme": "Theme",
  "look.auto": "As the system",
  "look.light": "Light",
  "look.dark": "Dark",
  "look.suits": "Suits",
  "look.two": "Two colours",
  "look.four": "Four colours",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  remove: "Remove {name}",
  "and-more": "and {n} more",

  "suit.c": "clubs",
  "suit.d": "diamonds",
  "suit.h": "hearts",
  "suit.s": "spades",
  "rank.T": "10",
  "rank.J": "jack",
  "rank.Q": "queen",
  "rank.K": "king",
  "rank.A": "ace",
  "card.name": "{rank} of {suit}",
  "card.joker": "joker {n}",
  "card.hidden": "a card that is face down",
  "card.differs": "differs",

  "drop.title": "Was the shuffle fair?",
  "drop.lead":
    "Drop one or more receipts here. You can also drop the log's key and your own files.",
  "drop.anywhere": "Drop it anywhere on this page.",
  "drop.choose": "Choose files",
  "drop.paste": "Paste text",
  "drop.paste-label": "Receipt, key or link",
  "drop.paste-use": "Check this text",
  "drop.pasted": "pasted.json",
  "drop.linked": "linked.json",
  "drop.too-large": "This file has more than 64 MB.",
  "drop.unreadable": "This file could not be read.",
  "drop.example": "Try an example",
  "drop.byhand": "Type seeds by hand",
  "drop.another": "Check something else",
  "drop.given": "Your files",
  "drop.now": "Release the file to check it.",

  "kind.receipt": "receipt",
  "kind.unknown": "cannot be read",
  "kind.key": "key",
  "kind.since": "saved view",
  "kind.mine": "my contribution",
  "kind.list": "list",

  "key.label": "The log's key",
  "key.hint":
    "Take the key from a place where everybody sees the same key: the operator's own site, a notice board, a newspaper. Do not take it from the receipt.",
  "key.placeholder": "cards.example/log+b5c97633+Aepk…",
  "key.use": "Use this key",
  "key.from": "Where is this key from?",
  "key.from-hint": "In your words, for later.",
  "key.keep": "Keep it in this browser",
  "key.forget": "Forget this key",
  "key.wanted":
    "This receipt says that it is from the log {origin}. Only the key of that log can prove this.",
  "key.is": "Checked with the key",
  "key.typed": "You gave this key just now.",
  "key.file": "This key came with the file {name}, which you gave.",
  "key.kept": "You kept this key on {when}.",
  "key.kept-from": "You kept this key on {when}. It is from: {from}",
  "key.example": "This key belongs to the example. It proves nothing about a real operator.",
  "key.link":
    "This key came in the same link as the receipt. The person who made the link chose both. Compare the key with the one on the operator's own site.",

  "brought.title": "My contribution",
  "brought.lead": "All of this is optional. With it the verdict shows more, but only to you.",
  "brought.label": "My name at the table",
  "brought.seed": "My seed",
  "brought.seat": "The seat whose cards an opening must show",
  "brought.players": "Keys that players gave me",
  "brought.players-hint": "One per line: name=64 hexadecimal digits.",
  "brought.drop":
    "You can drop more files on this page: a contribution that you kept, a view of the log that you saved, or the list that was dealt.",
  "brought.use": "Check again with this",

  "hand.title": "Seeds by hand",
  "hand.lead":
    "Type the seeds that the operator and the players made public. This page computes the cards.",
  "hand.server": "The operator's seed, after the game",
  "hand.server-hint": "64 hexadecimal digits",
  "hand.promise": "The promise from before the game",
  "hand.promise-hint": "Optional: 64 hexadecimal digits, the SHA-256 of the seed",
  "hand.players": "The players' seeds",
  "hand.players-hint": "One per line: name=seed",
  "hand.round": "Round",
  "hand.deck": "Deck or list",
  "hand.list": "a list of names",
  "hand.items": "The list",
  "hand.items-hint": "One item per line.",
  "hand.draw": "How many items are dealt",
  "hand.draw-hint": "Empty: all",
  "hand.method": "Method",
  "hand.shuffle": "shuffle",
  "hand.cycle": "cycle: nobody draws themselves",
  "hand.expect": "The cards that I saw",
  "hand.expect-hint": "Optional, such as Qh Td 3c",
  "hand.go": "Deal again",
  "hand.example": "Fill in an example",
  "hand.line": "Line {n}: expected name=seed, found {line}",

  "v.word.holds": "It holds",
  "v.word.signed": "Signed",
  "v.word.fails": "It does not hold",
  "v.word.unreadable": "It could not be checked",
  "v.word.pending": "Not checked yet",
  "v.working": "Checking …",
  "v.replayed":
    "The cards are right: they follow from the promised seed and the seeds that the players brought.",
  "v.items":
    "The result is right: it follows from the promised seed and the seeds that the players brought.",
  "v.operator-only": "The result follows from the promised seed. No player brought a seed.",
  "v.yours": "Your seed was mixed in, and the result follows from all the seeds.",
  "v.opened":
    "These are the cards that were sealed before the game. The secret seed is not public yet.",
  "v.beacon": "Nothing is wrong so far, but nobody has checked the public random number.",
  "v.unrevealed": "The cards cannot be checked yet: the seed is secret until the reveal.",
  "v.locked": "Nothing is wrong so far. The seeds are fixed, and nothing has been dealt yet.",
  "v.voided": "No cards were dealt: this was cancelled.",
  "v.promise": "A promise is in the log. This file shows no round under it.",
  "v.foreign":
    "The log has this, but its promise is of another protocol, which this page does not judge.",
  "v.several": "All {n} receipts hold, and they do not contradict each other.",
  "v.several-signed":
    "All {n} receipts are signed, and they do not contradict each other. Some of their cards cannot be checked yet.",
  "v.several-bad": "Not all of these {n} receipts hold.",
  "v.together": "These receipts contradict each other. The operator signed both.",
  "v.unreadable": "This file cannot be checked, because it cannot be read as a receipt.",
  "v.unreadable-some": "Some of these {n} files cannot be read. They were not checked.",
  "v.refused": "Nothing was checked: a file or value that was given with the receipt is wrong.",
  "v.no-signatures": "This browser cannot verify the log's signature. A newer browser can.",
  "v.unlinked":
    "Your saved view and this receipt have different sizes. Only the log can show that they fit together.",
  "v.link-broken": "This link is damaged: no receipt can be read from it.",
  "v.which-key": "Which key does the log have? Without the key nothing can be proved.",
  "v.hand": "These seeds give these cards. Compare them with what you were dealt.",
  "v.hand-items": "These seeds give this order. Compare it with what you were shown.",
  "v.hand-right": "The cards are the ones that these seeds give.",
  "v.hand-wrong": "These seeds give other cards than you saw.",
  "v.hand-promise": "This seed is the promised one. It gives these cards.",
  "v.hand-broken": "This seed is not the promised one.",
  "v.continues": "This log continues the view of {n} entries that you saved.",

  "card.title": "The cards, in the order of the deal",
  "card.title-items": "The result, in order",
  "card.sealed": "The cards are sealed. {n} were fixed; none is shown in this file.",
  "card.digest": "The result is long: the log has only its digest.",
  "card.seats": "Who has which card",
  "card.expected": "The seeds give",
  "card.came": "The receipt has",
  "card.saw": "You saw",
  "card.first": "At card {t}: expected {expected}, found {came}.",
  "card.nothing": "nothing",
  "card.count.one": "{n} card",
  "card.count.other": "{n} cards",
  "card.more": "Show all {n}",
  "seat.of": "{seat}",
  "seat.street": "Board {n}",
  "seat.burnt": "Burnt",
  "seat.card": "card {n}",

  "who.title": "Who brought which seed",
  "who.mine": "mine",
  "who.hidden": "not opened yet",
  "who.tied": "tied to the promise",
  "who.untied": "not tied to the promise",
  "who.hashed": "hashed first",
  "who.saw": "had seen the log of {n} entries",
  "who.signed": "signed by key {key}",
  "who.operator": "The operator",
  "who.operator-seed": "secret until the reveal",
  "who.nobody": "No player brought a seed.",

  "fact.table": "Table",
  "fact.round": "Round",
  "fact.time": "Dealt",
  "fact.promise": "Promise",
  "fact.log": "Log",
  "fact.log-size": "{origin}, {n} entries",

  "steps.wrong": "What is wrong",
  "steps.shown": "What is shown",
  "steps.missing": "What is not shown",
  "steps.state.wrong": "Wrong",
  "steps.state.shown": "Shown",
  "steps.state.missing": "Not shown",
  "steps.how": "How it could be shown",
  "steps.same": "Check the same in a shell",
  "steps.says": "Expected and found",
  "steps.entry": "Entry {index} of the log: {kind}",
  "steps.checkpoint": "The signed checkpoint",
  "steps.open": "Open a line to see how it could be shown.",
  "steps.none": "Nothing.",
  "steps.hash": "SHA-256 of the seed, without this program",

  "shown.logged": "The log has it: the key signed a log that has these entries.",
  "shown.replayed": "The result follows from the seeds. Dealing again gives exactly the same.",
  "shown.opened": "The cards shown are the sealed cards.",
  "shown.committed-first": "Every seed was tied to the promise after the promise was published.",
  "shown.yours": "Your seed was mixed in, exactly as you gave it.",
  "shown.authentic": "Every seed is yours, or signed by its player's key.",
  "shown.witnessed": "Others saw the same log.",
  "shown.given": "These seeds give this result. Dealing again gives exactly the same.",
  "shown.promise": "The SHA-256 of the seed is the promise.",

  "missing.logged": "That the log has it.",
  "missing.judged": "Whether the promise was kept: it is of another protocol.",
  "missing.replayed": "That the seeds give this result.",
  "missing.opened": "That the cards shown are the sealed cards.",
  "missing.committed-first":
    "That every seed was tied to the promise after the promise was published.",
  "missing.yours": "That your seed was mixed in.",
  "missing.authentic": "Whose seeds these are. The operator may have invented players.",
  "missing.seats": "That the seats were fixed before the operator could know the cards.",
  "missing.beacon": "That the public random number is the beacon's.",
  "missing.no-collusion": "That the operator and the players did not choose the result together.",
  "missing.witnessed": "That others saw the same log.",
  "missing.complete":
    "That no round is missing between the rounds in the log, such as a round that was dealt again. An audit shows this. Nothing shows rounds that were never written to the log.",
  "missing.promise": "That this seed was promised before the game.",

  "how.logged":
    "A browser that verifies Ed25519 (Chromium 137, Firefox 130, Safari 17, or newer), or a receipt and the log's key.",
  "how.judged": "A program that knows this protocol.",
  "how.replayed":
    "The operator's secret seed. It is due on {when}. Ask for the receipt again then.",
  "how.replayed-no-deal": "A deal. Ask for the receipt again when the round is over.",
  "how.replayed-beacon":
    "The public random number, checked with its beacon. Ask the beacon for this round.",
  "how.replayed-wrong": "Nothing: the dealt cards are not the cards that the seeds give.",
  "how.opened": "An opening whose cards belong to the logged seal.",
  "how.committed-first":
    "Players who give the hash of their seed first, or who name a view of the log that they saw after the promise.",
  "how.yours": "The round that has your seed. Compare the name, the seed and the round.",
  "how.authentic":
    "Keys that you got from the players themselves, and seeds that they signed with them.",
  "how.seats": "A round with hashed seeds, one of them yours or of a player whom you know.",
  "how.beacon": "The signature of the beacon's round, from the beacon itself.",
  "how.no-collusion":
    "A round in which a seed was hashed first: your seed, or a seed signed by a player whom you know.",
  "how.witnessed": "Views of the log that other people saved. Compare yours with theirs.",
  "how.complete": "An audit of the whole log. Anybody can do it.",
  "how.promise": "The promise, if you had it before the game. Type it above.",

  "more.title": "Next",
  "more.watch": "Watch this shuffle",
  "more.share": "Make a link",
  "more.save": "Save the file",
  "more.link":
    "The link holds the whole receipt. It is read in the browser, and not sent to anybody.",
  "more.too-long":
    "This receipt is too long for a link: the link would have {n} characters, and many programs cut links at {most}. Send the file instead.",
  "more.key-apart": "The key is not in the link: the reader should take it from another place.",

  "file.holds": "holds",
  "file.signed": "signed",
  "file.fails": "does not hold",
  "file.unreadable": "cannot be read",
  "file.together": "All together",
  "empty.how-title": "What a receipt shows",
  "empty.how-1": "Before the game, the operator publishes a promise: the hash of a secret seed.",
  "empty.how-2": "Every player brings a seed. The cards follow from all seeds together.",
  "empty.how-3":
    "Afterwards the operator reveals the secret seed. Anybody can deal again and compare.",

  "element.label": "A receipt, checked in this browser",
  "element.steps": "What is shown, and what is not",
  "element.page": "Check it on a separate page",
  "element.origin":
    "The receipt is on {host}. It must be on the host of this page, or of elements.js.",
  "element.status": "The receipt could not be fetched: status {status}.",
  "element.large": "The receipt has more than 4 MB.",

  "watch.title": "Watch a shuffle",
  "watch.example":
    "An example: two players and an operator. Every move follows from their three seeds.",
  "watch.of-receipt":
    "Table {table}, round {round}. Every move follows from the seeds in the receipt. Whether the log's key signed it is checked on the page Verify.",
  "watch.by-hand": "Every move follows from the seeds that you typed.",
  "watch.about-names": "A draw of names. The seed is new each time, made in this browser.",
  "watch.about-cycle":
    "A cycle: everybody draws somebody else. The seed is new each time, made in this browser.",
  "watch.some-names": "Ada Ben Chloe Dov Emil Fay Gus Hana Ida Jon",
  "watch.loose": "Not settled yet",
  "watch.settled": "Settled",
  "watch.stage": "The deck: {n} of {all} are settled. The last ones: {names}.",
  "watch.stage-keys": "The deck. Space plays, the arrows step.",
  "watch.play": "Play",
  "watch.pause": "Pause",
  "watch.step": "One step",
  "watch.back": "One step back",
  "watch.start": "To the start",
  "watch.end": "To the end",
  "watch.speed": "Speed",
  "watch.position": "Step",
  "watch.keys": "Keys: space plays and pauses, the arrows step, Home and End jump.",
  "watch.word": "Word drawn",
  "watch.range": "Places to choose from",
  "watch.product": "Product",
  "watch.place": "Place",
  "watch.rest": "Remainder",
  "watch.limit": "Refused under",
  "watch.decision": "Decision",
  "watch.accepted": "accepted",
  "watch.refused": "refused",
  "watch.bar-places": "All words, shared among {range} places. The needle is the word.",
  "watch.bar-rest":
    "The remainder within the place. Hatched: the {limit} words of 4,294,967,296 that would be unfair (drawn wider than they are).",
  "watch.bar-bytes":
    "The remainder within the place. Hatched: the {limit} of {words} remainders that would be unfair.",
  "watch.bytes": "Show refused words",
  "watch.about-bytes":
    "The same rule with bytes instead of 32-bit words, so that you see refusals. No deal is made like this: with 32 bits, one word in many millions is refused.",
  "watch.no-word-yet": "No word is drawn yet.",
  "watch.no-word": "One place is left, so no word is drawn.",
  "watch.s-start":
    "{n} items are in their first order. Every choice takes one word from a stream that all seeds make together.",
  "watch.s-swap":
    "Step {k}: the word gives place {j} of {range}. {chosen} and {other} change places, and {chosen} is settled as number {t}.",
  "watch.s-stays":
    "Step {k}: the word gives place {j} of {range}, the last one. {chosen} stays, and is settled as number {t}.",
  "watch.s-draws":
    "Step {k}: the word gives place {j} of {range}. {chosen} and {other} change places: {owner} draws {chosen}.",
  "watch.s-refused":
    "Step {k}: this word is refused, because some places would get one word more than others. The next word decides.",
  "watch.s-only": "Step {k}: only {chosen} is left. It is settled as number {t}.",
  "watch.s-only-two":
    "Step {k}: {chosen} and {other} are left, and must change places. Both are settled.",
  "watch.s-end": "All {n} are dealt.",
  "watch.other": "Watch another shuffle",
  "watch.other-lead":
    "Drop a receipt whose seed is revealed, or a list of names, one per line. Or type seeds.",
  "watch.receipt": "Choose a receipt or a list",
  "watch.names": "A draw of names",
  "watch.cycle": "Secret gifts: a cycle",
  "watch.go": "Watch this",
  "watch.no-seeds":
    "This receipt's secret seed is not public yet, or a public random number is mixed in. There is nothing to watch.",
  "watch.too-many": "This deal has {n} items. More than {most} cannot be watched.",

  "lab.title": "What goes wrong elsewhere",
  "lab.lead":
    "Each shuffle runs {rate} times a second. A square is one card at one place. No colour means as often as it should be, blue too rarely, red too often.",
  "lab.choose": "A wrong shuffle",
  "lab.run": "Run both",
  "lab.stop": "Stop",
  "lab.right": "The right one: Fisher–Yates without bias",
  "lab.count": "{n} shuffles each",
  "lab.nothing": "Nothing was counted yet.",
  "lab.even": "{n} shuffles look even: {away} standard deviations from even.",
  "lab.uneven": "{n} shuffles are not even: {away} standard deviations from even.",
  "lab.furthest": "Furthest off: {item} at place {place}, {ratio} times as often as it should be.",
  "lab.axes": "Down: the card's place in the new deck. Across: its place in the deal.",
  "lab.half": "half as often",
  "lab.due": "as it should be",
  "lab.twice": "twice as often",
  "lab.shell":
    "The same in a shell: fairdeal lab. Some faults cannot be seen here, such as too few seeds; fairdeal lab seed-16 shows them.",
  "lab.swap-any.title": "Swap with any place",
  "lab.swap-any.says":
    "Each place in turn is swapped with any of all n places. There are n^n paths, and they cannot be shared evenly among n! orders. This is the most common fault.",
  "lab.compare-tim.title": "Sort at random",
  "lab.compare-tim.says":
    "sort(() => Math.random() - 0.5). A sort expects consistent answers; with random answers, the order depends on how the sort works inside.",
  "lab.compare-insertion.title": "Insertion sort at random",
  "lab.compare-insertion.says":
    "Some browsers did this for short lists. Each card moves one place on average, so most cards stay near their first place.",
  "lab.modulo-8.title": "A byte, modulo the range",
  "lab.modulo-8.says":
    "256 is not a multiple of 52. The first places get one byte more than the others, a quarter too much.",
  "lab.random-swaps.title": "Swap two at random, n times",
  "lab.random-swaps.says": "One card in seven is never moved; only one in 52 should stay.",
  "lab.never-self.title": "Swap with any other place",
  "lab.never-self.says":
    "Every swap changes an even order into an odd one. After 52 swaps, half of all orders cannot occur.",
  "lab.sattolo.title": "“Less than” instead of “at most”",
  "lab.sattolo.says":
    "With one wrong sign in the code, no card ever stays at its place. This is right for gifts, and wrong for cards.",
  "lab.last-stays.title": "The loop begins one too late",
  "lab.last-stays.says": "The last card of the deck is never moved, and is always dealt first.",
  "lab.xor-swap.title": "Swap by XOR",
  "lab.xor-swap.says":
    "A place swapped with itself becomes the first card. Cards disappear, and the first card appears several times.",
  "lab.riffle-5.title": "Five riffles by hand",
  "lab.riffle-5.says":
    "Cut the deck and riffle the two halves together, five times. The old order is still visible.",
  "lab.riffle-7.title": "Seven riffles by hand",
  "lab.riffle-7.says":
    "After seven riffles, 52 cards begin to look shuffled. A long count still shows the difference.",

  "finding.not-canonical.title": "An entry is not written in the one form that is allowed.",
  "finding.not-canonical.means":
    "Every entry has exactly one spelling, so that nobody can hide a second meaning in it. This entry is ignored.",
  "finding.invalid-entry.title": "An entry of the log cannot be understood.",
  "finding.invalid-entry.means":
    "It breaks the grammar of the log, so nothing that it claims can be checked.",
  "finding.no-commitment.title": "Something was done under a promise that nobody had made.",
  "finding.no-commitment.means":
    "A deal proves something only if its secret was fixed first. The promise that must come before it is missing here.",
  "finding.duplicate-commitment.title": "The same promise was published twice.",
  "finding.duplicate-commitment.means":
    "Anybody who has seen the first promise revealed knows the cards of the second.",
  "finding.after-reveal.title": "Something was done after the secret was out.",
  "finding.after-reveal.means":
    "Once the secret is public, anybody can compute every card in advance.",
  "finding.after-void.title": "Something was done under a promise that had been withdrawn.",
  "finding.after-void.means": "Nothing may happen any more under a promise that was declared void.",
  "finding.void-after-use.title": "A promise was withdrawn after it had been used.",
  "finding.void-after-use.means":
    "A promise that was used must be revealed. Withdrawing it would hide the proof of what was dealt.",
  "finding.open-round.title": "A round was left open while something else happened.",
  "finding.open-round.means":
    "After the seeds are locked, the deal or a void must follow. Otherwise the operator could wait and choose.",
  "finding.nonce-gap.title": "A round is missing, repeated or out of order.",
  "finding.nonce-gap.means":
    "Rounds are numbered without gaps. A round that comes twice may be a deal that was tried again.",
  "finding.too-many-rounds.title": "More rounds were dealt than had been promised.",
  "finding.too-many-rounds.means": "The promise says for how many rounds it is good.",
  "finding.seed-mismatch.title": "The secret that was revealed is not the one that was promised.",
  "finding.seed-mismatch.means": "So nothing shows that any deal under this promise was fair.",
  "finding.out-of-turn.title": "A promise was made before its turn.",
  "finding.out-of-turn.means":
    "A table has one open promise at a time, so that the operator cannot hold several promises and choose among them.",
  "finding.time-runs-back.title": "An entry says that it is older than the one before it.",
  "finding.time-runs-back.means":
    "The order of the log is certain. The operator writes the times, and here they contradict the order.",
  "finding.split-view.title": "A player was shown another log.",
  "finding.split-view.means":
    "A player kept a signed view of the log that is not part of this log. That view is proof of two logs.",
  "finding.contribution-signature.title": "A player's signature does not fit what was recorded.",
  "finding.contribution-signature.means":
    "The recorded contribution is not the one that the player's key signed: it was changed, moved, or never signed.",
  "finding.weak-mixing.title": "The players' part in the shuffle was weaker than promised.",
  "finding.weak-mixing.means":
    "The promise says how seeds are mixed in. This round was dealt with less than that.",
  "finding.beacon-round.title": "The wrong public random number was used.",
  "finding.beacon-round.means":
    "The rule says which round of the beacon must be used. An operator who picks another round can choose the cards.",
  "finding.beacon-signature.title": "The public random number is not shown to be genuine.",
  "finding.beacon-signature.means":
    "A beacon signs its numbers. Here the signature is missing or wrong.",
  "finding.lock-mismatch.title": "The deal does not fit the lock before it.",
  "finding.lock-mismatch.means":
    "The players' seeds were fixed in a lock. This deal names another lock or none, or opens a seed that was not in the lock.",
  "finding.unopened-hash.title": "A player's hidden seed was left out or changed.",
  "finding.unopened-hash.means":
    "A player fixed a hidden seed before the deal. The deal does not open it, or opens another seed.",
  "finding.result-mismatch.title": "The cards are not the ones that the seeds give.",
  "finding.result-mismatch.means":
    "The computation is exact. Any difference means that the cards were not dealt by the rule.",
  "finding.late-reveal.title": "The secret was revealed after its deadline.",
  "finding.late-reveal.means": "Until then nobody could check the deals.",
  "finding.overdue.title": "A secret that should be out is still missing.",
  "finding.overdue.means":
    "Ask the operator for it. A secret that is never revealed may be one that would prove a wrong deal.",
  "finding.time-ahead.title": "The log is ahead of time.",
  "finding.time-ahead.means": "By this clock, an entry is from the future.",
  "finding.tree-mismatch.title": "This is not in the signed log.",
  "finding.tree-mismatch.means":
    "The content of this file and the signed log contradict each other. Ask for the receipt again, to rule out a damaged copy.",
  "finding.bad-signature.title": "The log's key did not sign this.",
  "finding.bad-signature.means":
    "So nobody is responsible for it. Also check that the key is the right one.",
  "finding.other-key.title":
    "Same name, other key: the key {theirs} signed this, yours is {yours}.",
  "finding.other-key.means":
    "The key is a log's identity, whatever its name. Either this is from another operator, or the operator has a new key. Take the operator's key from their own page or from other players, not from the person who gave you this file.",
  "finding.inconsistent.title": "There are two logs, or one was rewritten.",
  "finding.inconsistent.means":
    "Both are signed, and only one can be true. Keep both files: together they are proof.",
  "finding.contribution-mismatch.title": "The round did not mix what the player brought.",
  "finding.contribution-mismatch.means":
    "It was dealt with another seed, hash, view or key than the player kept.",
  "finding.placed-mismatch.title": "A card was shown for the wrong seat.",
  "finding.placed-mismatch.means":
    "The promise fixes which card goes to which seat. This card belongs to another seat or to nobody, or it was burnt.",
  "finding.invalid-receipt.title": "This file is not a receipt.",
  "finding.invalid-receipt.means":
    "It does not have the form of a receipt or an opening, so nothing could be checked with it. Ask for the file again.",

  ...check,
  ...explore,
};
