//! Habits that rows show together, as labelled lines: the counts that are not zero, then what to
//! look at.

use super::line::Line;
use crate::out::count;
use fairdeal_schemes::dialect::HabitsReport;
use fairdeal_schemes::dialect::diagnose::first_rows;
use fairdeal_schemes::dialect::habits::{Clients, Commitments, Gaps, ResultGroup, Seeds, Tally};

/// Rows that are named next to a count.
const NAMED: usize = 3;

/// Adjusted p-values under which a test is named.
const NAMED_P: f64 = 0.01;

/// The section, not wrapped. A label that is empty continues the line above. Zero counts are left
/// out. Client seeds are shown as given, with control characters spelled out.
pub(super) fn lines(report: &HabitsReport) -> Vec<Line> {
    let mut lines = vec![Line::new("rows", report.rows.to_string())];
    if let Some(commitments) =
        report.commitments.as_ref().filter(|commitments| commitments.count > 0)
    {
        used(commitments, &mut lines);
    }
    gaps("nonces", "nonces", "commitment", report.nonce_gaps.as_ref(), &mut lines);
    gaps("games", "games", "run of games", report.game_gaps.as_ref(), &mut lines);
    let twice = &report.given_twice;
    if twice.count > 0 {
        let rows: Vec<u64> = twice.examples.iter().map(|again| again.row).collect();
        lines.push(Line::new(
            "twice",
            format!(
                "duplicate rounds: {}, {} with the same result, {} with another{}",
                twice.count,
                twice.same_result,
                twice.other_result,
                first_rows(&rows, twice.count, NAMED)
            ),
        ));
    }
    if let Some(clients) = &report.clients {
        brought(clients, &mut lines);
    }
    let exchanged = report.exchanged.as_ref();
    let counts = [
        ("unrevealed", report.never_revealed.as_ref(), "commitments whose server seed no row has"),
        ("uncommitted", Some(&report.without_commitment), "rows without a commitment"),
        ("used again", report.seeds_used_again.as_ref(), "server seeds with more than one round"),
        (
            "exchanged",
            exchanged.map(|one| &one.seeds_under_two_commitments),
            "server seeds with more than one commitment",
        ),
        (
            "exchanged",
            exchanged.map(|one| &one.commitments_with_two_seeds),
            "commitments with more than one server seed",
        ),
    ];
    for (label, tally, what) in counts {
        tallied(label, tally, what, &mut lines);
    }
    seeds(&report.seeds, &mut lines);
    for group in report.statistics.iter().flat_map(|statistics| &statistics.groups) {
        lines.push(Line::new("statistics", tested(group)));
    }
    for note in &report.notes {
        lines.push(Line::new("look at", note.says.clone()));
    }
    lines
}

fn used(commitments: &Commitments, lines: &mut Vec<Line>) {
    let bands = commitments.by_rounds.iter().filter(|band| band.commitments > 0).map(|band| {
        match band.to {
            Some(to) if to == band.from => format!("{} with {to} round", band.commitments),
            Some(to) => format!("{} with {} to {to}", band.commitments, band.from),
            None => format!("{} with {} or more", band.commitments, band.from),
        }
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
    lines.push(Line::new(
        label,
        format!(
            "{what} missing within a {place}: {}, in {}: {}",
            gaps.missing,
            count(gaps.places, "place", "places"),
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
    tallied(
        "",
        clients.changed_under_a_commitment.as_ref(),
        "commitments under which it changed",
        lines,
    );
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
    tallied(
        "seeds",
        Some(&seeds.unusual_length),
        "rows with a server seed of unusual length",
        lines,
    );
    tallied("seeds", Some(&seeds.short), "rows with a server seed under 16 characters", lines);
    tallied(
        "seeds",
        Some(&seeds.few_characters),
        "rows with a server seed of at most four different characters",
        lines,
    );
    tallied(
        "seeds",
        Some(&seeds.digits_only),
        "rows with a server seed of decimal digits alone",
        lines,
    );
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
    use fairdeal_schemes::dialect::{Column, Habits, Round, RowVerdict, find};
    use fairdeal_schemes::rows::Value;

    #[test]
    fn lines_say_what_was_counted_and_nothing_of_what_was_not() {
        let mut habits = Habits::new(find("stake-video-poker").expect("known"));
        let rows = [("a", "lucky\u{1b}[31m", "0"), ("a", "lucky\u{1b}[31m", "2"), ("b", "x", "0")];
        for (row, (seed, client, nonce)) in (1..).zip(rows) {
            let mut round = Round::default();
            for (column, text) in
                [(Column::ServerSeed, seed), (Column::ClientSeed, client), (Column::Nonce, nonce)]
            {
                Value::Text(text.into()).put(column, &mut round).expect("a column");
            }
            habits.add(row, &round, RowVerdict::Valid);
        }
        let lines = lines(&habits.finish());
        let text: Vec<String> =
            lines.iter().map(|line| format!("{} {}", line.label, line.text)).collect();
        let text = text.join("\n");
        assert!(
            text.contains("2: 1 with 1 round, 1 with 2 to 9; the longest has 2 (row 1)"),
            "{text}"
        );
        assert!(
            text.contains("nonces missing within a commitment: 1, in 1 place: 1 (before row 2)"),
            "{text}"
        );
        assert!(
            ["\u{1b}", "unrevealed", "twice", "statistics"]
                .iter()
                .all(|other| !text.contains(other)),
            "{text}"
        );
        assert!(lines.iter().all(|line| line.label.len() < 12 && !line.text.contains('\n')));
    }
}
