//! Findings over many rows, as labelled lines. Counts of 0 are left out.

use super::line::Line;
use crate::dialect::HabitsReport;
use crate::dialect::diagnose::first_rows;
use crate::dialect::habits::{Gaps, ResultGroup, Tally};

/// The most rows that are named with a count.
const NAMED: usize = 3;

/// Adjusted p-values under which a test is named.
const NAMED_P: f64 = 0.01;

/// The lines, not wrapped.
#[must_use]
pub fn lines(report: &HabitsReport) -> Vec<Line> {
    let mut lines = vec![Line::new("rows", report.rows.to_string())];
    if report.rows_left_out > 0 {
        let rows = report.rows_left_out;
        lines.push(Line::new(
            "left out",
            format!("the last rows, for which there was no memory: {rows}"),
        ));
    }
    if let Some(commitments) = report.commitments.filter(|count| *count > 0) {
        lines.push(Line::new("commitments", commitments.to_string()));
    }
    let tallies = [
        (
            "nonce 0",
            report.only_nonce_0.as_ref(),
            "commitments that were used for nonce 0 and no more",
        ),
        ("reused", report.reused.as_ref(), "server seeds with more than one round"),
        ("doubled", Some(&report.doubled), "rows of the same round as an earlier row"),
        ("unrevealed", report.never_revealed.as_ref(), "commitments whose server seed no row has"),
    ];
    for (label, tally, what) in tallies {
        if let Some(Tally { count, rows }) = tally.filter(|tally| tally.count > 0) {
            lines.push(Line::new(
                label,
                format!("{what}: {count}{}", first_rows(rows, *count, NAMED)),
            ));
        }
    }
    if let Some(skipped) = report.skipped.as_ref().filter(|skipped| skipped.missing > 0) {
        let what = if report.commitments.is_some() { "nonces of a commitment" } else { "games" };
        lines.push(Line::new("skipped", missing(what, skipped)));
    }
    let groups = report.statistics.iter().flat_map(|statistics| &statistics.groups);
    lines.extend(groups.map(|group| Line::new("statistics", tested(group))));
    lines
}

fn missing(what: &str, skipped: &Gaps) -> String {
    let examples = skipped.examples.iter().take(NAMED).map(|gap| {
        if gap.from == gap.to {
            format!("{} (before row {})", gap.from, gap.row)
        } else {
            format!("{} to {} (before row {})", gap.from, gap.to, gap.row)
        }
    });
    let (examples, places) = (examples.collect::<Vec<_>>().join(", "), skipped.places);
    format!(
        "{what} that no row has: {}, in {places} {}: {examples}",
        skipped.missing,
        if places == 1 { "place" } else { "places" }
    )
}

fn tested(group: &ResultGroup) -> String {
    let report = &group.report;
    let cards = group.draw.map_or_else(String::new, |draw| format!(", the first {draw} cards"));
    let (of, rounds, tests) = (&group.of, report.decks, report.tests.len());
    let rare = report.tests.iter().filter(|test| test.p_adjusted < NAMED_P);
    let rare: Vec<String> =
        rare.map(|test| format!("{} p {:.1e}", test.name, test.p_adjusted)).collect();
    if rare.is_empty() {
        let least = report.tests.iter().map(|test| test.p_adjusted).fold(1.0, f64::min);
        format!(
            "{of}{cards}: {rounds} rounds, {tests} tests, none stands out (least adjusted p {least:.2})"
        )
    } else {
        format!("{of}{cards}: {rounds} rounds, {tests} tests, standing out: {}", rare.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Column, Habits, Round, RowVerdict, find};
    use crate::rows::Value;

    #[test]
    fn lines_say_what_was_counted_and_nothing_of_what_was_not() {
        let mut habits = Habits::new(find("stake-video-poker").expect("known"));
        for (row, (seed, nonce)) in (1..).zip([("a", "0"), ("a", "2"), ("b", "0")]) {
            let mut round = Round::default();
            for (column, text) in
                [(Column::ServerSeed, seed), (Column::ClientSeed, "lucky"), (Column::Nonce, nonce)]
            {
                Value::Text(text.into()).put(column, &mut round).expect("a column");
            }
            habits.add(row, &round, RowVerdict::Valid);
        }
        let lines = lines(&habits.finish());
        let text: Vec<String> =
            lines.iter().map(|line| format!("{}: {}", line.label, line.text)).collect();
        let expected = [
            "rows: 3",
            "commitments: 2",
            "nonce 0: commitments that were used for nonce 0 and no more: 1 (row 3)",
            "skipped: nonces of a commitment that no row has: 1, in 1 place: 1 (before row 2)",
        ];
        assert_eq!(text, expected);
        assert!(lines.iter().all(|line| line.label.len() < 12));
    }
}
