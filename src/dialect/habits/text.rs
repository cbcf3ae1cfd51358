//! The counts as people read them: only what there is, and then what to look at.

use std::fmt;

use super::report::{Clients, Commitments, Gaps, HabitsReport, Seeds, Tally};
use super::statistics::Group;
use crate::dialect::line::{Line, first_rows};

/// Rows that are named beside a count.
const NAMED: usize = 3;

/// Adjusted p-values under which a test is named.
const NAMED_P: f64 = 0.01;

impl HabitsReport {
    /// The section as labelled lines, not wrapped. A label that is empty continues the line above. What is nought is left
    /// out. Client seeds are as they were given, control characters spelled out.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::new("rows", self.rows.to_string())];
        if let Some(commitments) = self.commitments.as_ref().filter(|commitments| commitments.count > 0) {
            used(commitments, &mut lines);
        }
        gaps("nonces", "nonces", "commitment", self.nonce_gaps.as_ref(), &mut lines);
        gaps("games", "games", "run of games", self.game_gaps.as_ref(), &mut lines);
        let twice = &self.given_twice;
        if twice.count > 0 {
            let rows: Vec<u64> = twice.examples.iter().map(|again| again.row).collect();
            lines.push(Line::new(
                "twice",
                format!(
                    "rows that give a round that another row gives: {}, {} with the same result, {} with another{}",
                    twice.count,
                    twice.same_result,
                    twice.other_result,
                    first_rows(&rows, twice.count, NAMED)
                ),
            ));
        }
        if let Some(clients) = &self.clients {
            brought(clients, &mut lines);
        }
        let exchanged = self.exchanged.as_ref();
        let counts = [
            ("unrevealed", self.never_revealed.as_ref(), "commitments whose server seed no row has"),
            ("uncommitted", Some(&self.without_commitment), "rows without a commitment"),
            ("used again", self.seeds_used_again.as_ref(), "server seeds with more than one round"),
            (
                "exchanged",
                exchanged.map(|one| &one.seeds_under_two_commitments),
                "server seeds beside more than one commitment",
            ),
            (
                "exchanged",
                exchanged.map(|one| &one.commitments_with_two_seeds),
                "commitments beside more than one server seed",
            ),
        ];
        for (label, tally, what) in counts {
            tallied(label, tally, what, &mut lines);
        }
        seeds(&self.seeds, &mut lines);
        for group in self.statistics.iter().flat_map(|statistics| &statistics.groups) {
            lines.push(Line::new("statistics", tested(group)));
        }
        for note in &self.notes {
            lines.push(Line::new("look at", note.says.clone()));
        }
        lines
    }
}

impl fmt::Display for HabitsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

fn used(commitments: &Commitments, lines: &mut Vec<Line>) {
    let bands = commitments.by_rounds.iter().filter(|band| band.commitments > 0).map(|band| match band.to {
        Some(to) if to == band.from => format!("{} with {to} round", band.commitments),
        Some(to) => format!("{} with {} to {to}", band.commitments, band.from),
        None => format!("{} with {} or more", band.commitments, band.from),
    });
    lines.push(Line::new(
        "commitments",
        format!(
            "{}: {}; the longest has {} (row {})",
            commitments.count,
            bands.collect::<Vec<_>>().join(", "),
            commitments.longest,
            commitments.longest_row
        ),
    ));
    let only = &commitments.only_nonce_0;
    if only.count > 0 {
        lines.push(Line::more(format!(
            "{} never pass nonce 0, {:.1} %{}",
            only.count,
            commitments.only_nonce_0_share * 100.0,
            first_rows(&only.rows, only.count, NAMED)
        )));
    }
}

fn gaps(label: &'static str, what: &str, place: &str, gaps: Option<&Gaps>, lines: &mut Vec<Line>) {
    let Some(gaps) = gaps.filter(|gaps| gaps.missing > 0) else { return };
    let examples = gaps.examples.iter().take(NAMED).map(|gap| {
        if gap.from == gap.to {
            format!("{} (before row {})", gap.from, gap.row)
        } else {
            format!("{} to {} (before row {})", gap.from, gap.to, gap.row)
        }
    });
    let places = if gaps.places == 1 { "place" } else { "places" };
    lines.push(Line::new(
        label,
        format!(
            "{what} missing within a {place}: {}, in {} {places}: {}",
            gaps.missing,
            gaps.places,
            examples.collect::<Vec<_>>().join(", ")
        ),
    ));
}

fn brought(clients: &Clients, lines: &mut Vec<Line>) {
    let Some(commonest) = &clients.commonest else { return };
    let text: String = commonest.text.chars().flat_map(char::escape_debug).collect();
    let text = if text.is_empty() { String::new() } else { format!(" \"{text}\"") };
    lines.push(Line::new(
        "clients",
        format!(
            "different client seeds: {}; the commonest{text} (row {}) is that of {:.1} % of the rows, {}",
            clients.distinct,
            commonest.row,
            commonest.share * 100.0,
            commonest.rows
        ),
    ));
    tallied("", clients.changed_under_a_commitment.as_ref(), "commitments under which it changed", lines);
}

fn tallied(label: &'static str, tally: Option<&Tally>, what: &str, lines: &mut Vec<Line>) {
    if let Some(tally) = tally.filter(|tally| tally.count > 0) {
        lines.push(Line::new(
            label,
            format!("{what}: {}{}", tally.count, first_rows(&tally.rows, tally.count, NAMED)),
        ));
    }
}

fn seeds(seeds: &Seeds, lines: &mut Vec<Line>) {
    tallied("seeds", Some(&seeds.unusual_length), "rows with a server seed of unusual length", lines);
    tallied("seeds", Some(&seeds.short), "rows with a server seed under 16 characters", lines);
    tallied(
        "seeds",
        Some(&seeds.few_characters),
        "rows with a server seed of at most four different characters",
        lines,
    );
    tallied("seeds", Some(&seeds.digits_only), "rows with a server seed of decimal digits alone", lines);
}

fn tested(group: &Group) -> String {
    let report = &group.report;
    let cards = group.draw.map_or_else(String::new, |draw| format!(", the first {draw} cards"));
    let (of, rounds, tests) = (&group.of, report.decks, report.tests.len());
    let rare = report.tests.iter().filter(|test| test.p_adjusted < NAMED_P);
    let rare: Vec<String> = rare.map(|test| format!("{} p {:.1e}", test.name, test.p_adjusted)).collect();
    if rare.is_empty() {
        let least = report.tests.iter().map(|test| test.p_adjusted).fold(1.0, f64::min);
        format!("{of}{cards}: {rounds} rounds, {tests} tests, none stands out (least adjusted p {least:.2})")
    } else {
        format!("{of}{cards}: {rounds} rounds, {tests} tests, standing out: {}", rare.join(", "))
    }
}
