//! A cheating dealer's attempts, as a table.

use super::forge::{
    after_another, dealt_in_round, edited_log, hash_again, rewritten, set, signed_again,
    signed_log, stuck, under_a_better_seed, with_entries,
};
use super::stage::Stage;
use crate::exit::Failure;
use crate::{cards, files};
use fairdeal::deal::Nonce;
use fairdeal::record::Code;

/// One way to cheat.
pub(super) struct Attempt {
    /// Its name.
    pub(super) name: &'static str,
    /// The dealer's cheat, in a sentence or two.
    pub(super) tale: &'static str,
    /// The person who notices, and how.
    pub(super) noticed: &'static str,
    /// Makes the forged files.
    pub(super) forge: fn(&Stage) -> Result<(), Failure>,
    /// The command line that checks them.
    pub(super) check: fn(&Stage) -> Vec<String>,
    /// The finding that must be among those of the check.
    pub(super) finding: Code,
}

/// All attempts, in the demo's order.
pub(super) const ALL: &[Attempt] = &[
    Attempt {
        name: "changed card",
        tale: "Bob gets an ace that was never dealt, and the whole log is signed again.",
        noticed: "The seeds are out: anybody deals again and compares.",
        forge: change_card,
        check: |stage| stage.line("verify /cheats/changed-card.json --key /log.key"),
        finding: Code::ResultMismatch,
    },
    Attempt {
        name: "swapped commitment",
        tale: "Knowing both players' seeds, the dealer tries secret seeds until one suits Bob, and swaps the promise.",
        noticed: "The promise in the receipt is not the one that the log was signed over.",
        forge: swap_commitment,
        check: |stage| stage.line("verify /cheats/swapped-commitment.json --key /log.key"),
        finding: Code::TreeMismatch,
    },
    Attempt {
        name: "edited entry",
        tale: "In the log itself, Bob's seed is replaced after the deal.",
        noticed: "One changed byte changes the root of the tree.",
        forge: edit_entry,
        check: |stage| {
            stage.line("checkpoint /cheats/edited-log --key /log.key --since /saved.note")
        },
        finding: Code::TreeMismatch,
    },
    Attempt {
        name: "forked log",
        tale: "Bob is shown another log, with the swapped promise. Every signature in it is right.",
        noticed: "Alice saved a view of the log, and the two can't both be true.",
        forge: fork_log,
        check: |stage| {
            stage.line("checkpoint /cheats/forked-log --key /log.key --since /saved.note")
        },
        finding: Code::Inconsistent,
    },
    Attempt {
        name: "skipped round",
        tale: "Round 0 is never logged; round 1 is, as if nothing had been. A receipt of it would hold.",
        noticed: "An audit of the whole log counts the rounds.",
        forge: skip_round,
        check: |stage| stage.line("audit /cheats/skipped-round --key /log.key"),
        finding: Code::NonceGap,
    },
    Attempt {
        name: "held-back commitment",
        tale: "The dealer has two promises open at one table, and deals under the one that suits Bob. A receipt of it would hold.",
        noticed: "An audit finds the second promise, made while the first was open.",
        forge: hold_back,
        check: |stage| stage.line("audit /cheats/held-back-commitment --key /log.key"),
        finding: Code::OutOfTurn,
    },
];

fn change_card(stage: &Stage) -> Result<(), Failure> {
    let aces = ["As", "Ah", "Ad", "Ac"];
    let dealt = cards::each(&stage.cards);
    // If all four aces were dealt, bob gets a king.
    let wanted = aces.into_iter().find(|ace| !dealt.iter().any(|card| card == ace)).unwrap_or("Ks");
    let mut cards = stage.cards.clone();
    // Bob's first card is the sixth.
    cards.replace_range(10..12, wanted);
    let entries = rewritten(stage, |kind, entry| {
        if kind == "deal" {
            set(entry, "/result/cards", cards.as_str());
        }
    })?;
    let receipt = signed_again(stage, entries)?;
    files::save(&stage.path("cheats/changed-card.json"), &receipt.to_text())
}

fn swap_commitment(stage: &Stage) -> Result<(), Failure> {
    let receipt = with_entries(stage, under_a_better_seed(stage)?);
    files::save(&stage.path("cheats/swapped-commitment.json"), &receipt.to_text())
}

fn edit_entry(stage: &Stage) -> Result<(), Failure> {
    let entries = rewritten(stage, |kind, entry| {
        if kind == "deal" {
            set(entry, "/opened/1/seed", "bob's lucky number");
        }
    })?;
    edited_log(stage, &entries, &stage.path("cheats/edited-log"))
}

fn fork_log(stage: &Stage) -> Result<(), Failure> {
    signed_log(stage, &under_a_better_seed(stage)?, &stage.path("cheats/forked-log"))
}

fn hold_back(stage: &Stage) -> Result<(), Failure> {
    let mut entries = rewritten(stage, |_, _| {})?;
    entries.truncate(1); // the first promise, which is kept back
    let first = stage.commitment.to_text();
    entries.extend(after_another(&under_a_better_seed(stage)?, &first)?);
    signed_log(stage, &entries, &stage.path("cheats/held-back-commitment"))
}

fn skip_round(stage: &Stage) -> Result<(), Failure> {
    let cards = dealt_in_round(stage, 1)?;
    let (first, second) = (stage.commitment, Nonce::new(1).map_err(stuck)?);
    let entries = rewritten(stage, |kind, entry| match kind {
        "lock" => {
            hash_again(stage, entry, first, second);
            set(entry, "/nonce", 1);
        }
        "deal" => {
            set(entry, "/result/cards", cards.as_str());
            set(entry, "/nonce", 1);
        }
        _ => {}
    })?;
    signed_log(stage, &entries, &stage.path("cheats/skipped-round"))
}
