//! The demo's texts, for somebody who knows nothing about this.

use std::path::Path;

use serde_json::Value;

use super::Outcome;
use super::stage::PLAYERS;
use crate::cards;
use crate::exit::Failure;
use crate::out::{BAD, FAINT, GOOD, Out, STRONG, finding_lines, shown, width, wrapped};
use crate::verify::explain;
use fairdeal::deal::Commitment;
use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::Given;
use fairdeal::utc::moment;

/// Columns left free next to an attempt's text.
const INDENT: usize = 4;

/// The story, which people read and programs do not get.
pub(super) struct Tale {
    out: Out,
    is_told: bool,
}

impl Tale {
    /// With `--json` nothing is printed.
    pub(super) fn new(json: bool) -> Self {
        Self { out: Out::new(false), is_told: !json }
    }

    /// Prints what was added.
    pub(super) fn tell(&mut self) -> Result<(), Failure> {
        if self.is_told { self.out.flush() } else { Ok(()) }
    }

    pub(super) fn step(&mut self, number: u32, says: &str) {
        say!(self.out, "{STRONG}{number}{STRONG:#}  {says}");
    }

    pub(super) fn detail(&mut self, label: &str, value: impl std::fmt::Display) {
        say!(self.out, "   {FAINT}{label:<9}{FAINT:#} {value}");
    }

    pub(super) fn heading(&mut self, says: &str) {
        say!(self.out, "{STRONG}{says}{STRONG:#}\n");
    }

    pub(super) fn opened(&mut self, key: &VerifierKey) {
        self.step(1, "The dealer opens a log that anyone can copy, and publishes its key.");
        self.detail("key", key.to_text());
    }

    pub(super) fn committed(&mut self, commitment: Commitment) {
        self.step(2, "The dealer picks a secret seed, and logs its hash: a promise.");
        self.detail("promise", commitment);
    }

    pub(super) fn hashed(&mut self, players: &[Given]) {
        self.step(
            3,
            "Alice and Bob save a view of the log, choose seeds, and give hashes. These are logged.",
        );
        for player in players {
            self.detail(player.from.as_str(), player.hash.as_ref().expect("it is hashed"));
        }
    }

    pub(super) fn opened_seeds(&mut self, players: &[Given]) {
        self.step(
            4,
            "They keep the receipt of the lock, and give the seeds: nobody can choose another one now.",
        );
        for player in players {
            let seed = player.seed.as_ref().map_or("", |seed| seed.as_str());
            self.detail(player.from.as_str(), seed);
        }
    }

    pub(super) fn dealt(&mut self, text: &str) {
        self.step(5, "The cards follow from all three seeds: nobody chose them alone.");
        let (first, second) = text.split_at(text.len() / 2);
        for (player, hand) in PLAYERS.into_iter().zip([first, second]) {
            self.detail(player, cards::lines(hand, 80).concat());
        }
    }

    pub(super) fn revealed(&mut self, seed: &str) {
        self.step(6, "After the game the dealer makes the secret seed public.");
        self.detail("seed", seed);
    }

    pub(super) fn verified(&mut self, verdict: &Value, is_sound: bool) {
        self.step(
            7,
            "Alice checks the receipt, offline, with the key and the files that she kept.",
        );
        let fair = format!("{GOOD}fair{GOOD:#}, and her seed was in it");
        self.detail("receipt", if is_sound { fair } else { holds(false) });
        for name in ["shown", "not_shown"] {
            let mut label = name.replace('_', " ");
            let all = verdict[name].as_array().expect("a verdict has both lists");
            for token in all.iter().filter_map(Value::as_str) {
                let says = explain(token, name == "shown");
                self.detail(&label, format_args!("{token:<15} {FAINT}{says}{FAINT:#}"));
                label.clear();
            }
        }
    }

    pub(super) fn audited(&mut self, verdict: &Value, is_sound: bool) {
        self.step(8, "An auditor judges the whole log: every entry, every tile, every round.");
        let count = |name: &str| verdict[name].as_u64().expect("an audit counts it");
        let (end, size, deals) = (holds(is_sound), count("size"), count("deals"));
        let says = format!("{end}: {size} entries, {deals} deal replayed, nothing skipped\n");
        self.detail("audit", says);
    }

    /// What a verdict under a policy says of a game's times.
    pub(super) fn witnessed(&mut self, verdict: &Value, of: usize, is_sound: bool) {
        self.step(4, "Alice checks the receipt, offline, with the key and her policy.");
        self.detail("receipt", holds(is_sound));
        for kind in ["deal", "reveal"] {
            let seen = &verdict["witnessed"][kind];
            let count = seen["witnesses"].as_array().map_or(0, Vec::len);
            let by = seen["by"]
                .as_u64()
                .map_or_else(String::new, |by| format!(" by {}", moment(by.saturating_mul(1000))));
            self.detail(kind, format_args!("{count} of her {of} witnesses had seen it{by}"));
        }
        self.out.line("");
    }

    pub(super) fn attempt(&mut self, name: &str, tale: &str, noticed: &str, outcome: &Outcome) {
        let columns = width().saturating_sub(INDENT);
        let (style, mark) = if outcome.caught { (GOOD, "caught") } else { (BAD, "NOT CAUGHT") };
        say!(self.out, "{STRONG}{name}{STRONG:#}  {style}{mark}{style:#}");
        let Outcome { code, says, .. } = outcome;
        let found = finding_lines(code, &format!(": {says}"), columns);
        let told = [tale, noticed].map(|text| wrapped(text, columns)).concat();
        for line in told.into_iter().chain(found) {
            say!(self.out, "   {line}");
        }
        self.out.line("");
    }

    pub(super) fn end(&mut self, caught: usize, tried: usize, dir: &Path, next: &[(&str, String)]) {
        let (style, dir) = (if caught == tried { GOOD } else { BAD }, shown(dir));
        let says = format!("{style}{caught} of {tried} attempts caught.{style:#}");
        say!(self.out, "{says} All the files are in {dir}. Try:");
        for (what, command) in next {
            say!(self.out, "\n{FAINT}# {what}{FAINT:#}\n{command}");
        }
    }
}

fn holds(holds: bool) -> String {
    if holds { format!("{GOOD}holds{GOOD:#}") } else { format!("{BAD}does not hold{BAD:#}") }
}
