//! The demo's texts, for somebody who knows nothing about this.

use std::path::Path;

use serde_json::Value;

use super::Outcome;
use super::cheats::Attempt;
use super::stage::PLAYERS;
use crate::cards;
use crate::out::{BAD, FAINT, GOOD, Out, STRONG, finding_lines, shown, width, wrapped};
use crate::verify::explain;
use fairdeal::deal::Commitment;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::LoggedContribution;

/// Columns left free beside an attempt's text.
const INDENT: usize = 4;

fn people(out: &mut Out, tell: impl FnOnce(&mut Out)) {
    if !out.json() {
        tell(out);
    }
}

fn step(number: u32, says: &str, out: &mut Out) {
    out.line(format_args!("{STRONG}{number}{STRONG:#}  {says}"));
}

fn detail(label: &str, value: impl std::fmt::Display, out: &mut Out) {
    out.line(format_args!("   {FAINT}{label:<9}{FAINT:#} {value}"));
}

pub(super) fn title(out: &mut Out) {
    people(out, |out| {
        out.line(format_args!(
            "{STRONG}A game between Alice, Bob and a dealer whom nobody has to trust{STRONG:#}"
        ));
        out.line("");
    });
}

pub(super) fn opened(key: &VerifierKey, out: &mut Out) {
    people(out, |out| {
        step(1, "The dealer opens a log that anyone can copy, and publishes its key.", out);
        detail("key", key.to_text(), out);
    });
}

pub(super) fn committed(commitment: Commitment, out: &mut Out) {
    people(out, |out| {
        step(2, "The dealer picks a secret seed, and logs its hash: a promise.", out);
        detail("promise", commitment, out);
    });
}

pub(super) fn chosen(players: &[LoggedContribution], out: &mut Out) {
    people(out, |out| {
        step(3, "Alice and Bob save a view of the log, and only then choose their seeds.", out);
        for player in players {
            let seed = player.seed.as_ref().map_or("", |seed| seed.as_str());
            detail(player.from.as_str(), seed, out);
        }
    });
}

pub(super) fn dealt(text: &str, out: &mut Out) {
    people(out, |out| {
        step(4, "The cards follow from all three seeds: nobody chose them alone.", out);
        let (first, second) = text.split_at(text.len() / 2);
        for (player, hand) in PLAYERS.into_iter().zip([first, second]) {
            detail(player, cards::lines(hand, 80).concat(), out);
        }
    });
}

pub(super) fn revealed(seed: &str, out: &mut Out) {
    people(out, |out| {
        step(5, "After the game the dealer makes the secret seed public.", out);
        detail("seed", seed, out);
    });
}

pub(super) fn verified(verdict: &Value, holds: bool, out: &mut Out) {
    people(out, |out| {
        step(6, "Alice checks the receipt, offline, with the key and her saved view.", out);
        let end = if holds {
            format!("{GOOD}holds{GOOD:#}")
        } else {
            format!("{BAD}does not hold{BAD:#}")
        };
        detail("receipt", end, out);
        for name in ["shown", "not_shown"] {
            let mut label = name.replace('_', " ");
            for token in tokens(verdict, name) {
                let says = explain(token, name == "shown");
                detail(&label, format_args!("{token:<15} {FAINT}{says}{FAINT:#}"), out);
                label.clear();
            }
        }
    });
}

pub(super) fn audited(verdict: &Value, holds: bool, out: &mut Out) {
    people(out, |out| {
        step(7, "An auditor judges the whole log: every entry, every tile, every round.", out);
        let end = if holds {
            format!("{GOOD}holds{GOOD:#}")
        } else {
            format!("{BAD}does not hold{BAD:#}")
        };
        let count = |name: &str| verdict[name].as_u64().expect("an audit counts it");
        let (size, deals) = (count("size"), count("deals"));
        detail(
            "audit",
            format_args!("{end}: {size} entries, {deals} deal replayed, nothing skipped"),
            out,
        );
        out.line("");
    });
}

fn tokens<'a>(verdict: &'a Value, name: &str) -> Vec<&'a str> {
    let all = verdict[name].as_array().expect("a verdict has both lists");
    all.iter().filter_map(Value::as_str).collect()
}

pub(super) fn cheating(out: &mut Out) {
    people(out, |out| {
        out.line(format_args!(
            "{STRONG}Now the dealer cheats, with the log's own signing key in hand{STRONG:#}"
        ));
        out.line("");
    });
}

pub(super) fn attempt(attempt: &Attempt, outcome: &Outcome, out: &mut Out) {
    people(out, |out| {
        let columns = width().saturating_sub(INDENT);
        let mark = if outcome.caught {
            format!("{GOOD}caught{GOOD:#}")
        } else {
            format!("{BAD}NOT CAUGHT{BAD:#}")
        };
        out.line(format_args!("{STRONG}{}{STRONG:#}  {mark}", attempt.name));
        for line in wrapped(attempt.tale, columns) {
            out.line(format_args!("   {line}"));
        }
        for line in wrapped(attempt.noticed, columns) {
            out.line(format_args!("   {line}"));
        }
        let Outcome { code, says, .. } = outcome;
        for line in finding_lines(code, &format!(": {says}"), columns) {
            out.line(format_args!("   {line}"));
        }
        out.line("");
    });
}

pub(super) fn end(caught: usize, tried: usize, dir: &Path, next: &[(&str, String)], out: &mut Out) {
    people(out, |out| {
        let style = if caught == tried { GOOD } else { BAD };
        out.line(format_args!(
            "{style}{caught} of {tried} attempts caught.{style:#} All the files are in {}. Try:",
            shown(dir)
        ));
        for (what, command) in next {
            out.line("");
            out.line(format_args!("{FAINT}# {what}{FAINT:#}"));
            out.line(command);
        }
    });
}
