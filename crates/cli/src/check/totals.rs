//! The totals of a file's rows, and the rows that are not valid.

use crate::out::{BAD, FAINT, GOOD, Out, STRONG, plain};
use fairdeal_schemes::answer::{Collect, JudgedRow, Totals};
use fairdeal_schemes::dialect::RowVerdict;

/// Rows that are not valid, of which each is printed; the others are counted.
const PRINTED: usize = 1_000;

/// The rows that are not valid: the first of them as lines.
#[derive(Debug, Default)]
pub(super) struct Invalid {
    lines: Vec<String>,
    /// The others.
    more: Totals,
}

impl Collect for Invalid {
    fn row(&mut self, row: &JudgedRow<'_>) {
        let JudgedRow { number, line, checked, .. } = row;
        let verdict = checked.verdict;
        if verdict == RowVerdict::Valid {
            return;
        }
        if self.lines.len() >= PRINTED {
            return self.more.row(row);
        }
        let says = plain(&checked.says);
        self.lines.push(format!("  row {number}, line {line}: {BAD}{verdict}{BAD:#}: {says}"));
    }
}

/// The end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Whole,
    /// The bytes after its last row can't be read.
    Broken,
    /// No row can be read.
    Unread,
}

pub(super) fn print(name: &str, totals: &Totals, invalid: &Invalid, ended: Ended, out: &mut Out) {
    let name = plain(name);
    let (style, says) = match ended {
        Ended::Broken => (BAD, "breaks off"),
        Ended::Unread => (BAD, "can't be checked"),
        Ended::Whole if totals.invalid() > 0 => (BAD, "does not hold"),
        Ended::Whole => (GOOD, "holds"),
    };
    say!(out, "{STRONG}{name}{STRONG:#}  {style}{says}{style:#}");
    invalid.lines.iter().for_each(|line| out.line(line));
    if invalid.more.rows() > 0 {
        let more = &invalid.more;
        say!(out, "{FAINT}  and {} more: {}{FAINT:#}", grouped(more.rows()), by_verdict(more));
    }
    out.field("rows", grouped(totals.rows()));
    let not_shown = match totals.not_shown() {
        0 => String::new(),
        some => format!(", of which {} showed no commitment", grouped(some)),
    };
    field!(out, "valid", "{}{not_shown}", grouped(totals.valid()));
    let kinds =
        if totals.invalid() > 0 { format!(": {}", by_verdict(totals)) } else { String::new() };
    field!(out, "invalid", "{}{kinds}", grouped(totals.invalid()));
}

/// `12 result-mismatch, 1 unreadable`.
fn by_verdict(totals: &Totals) -> String {
    let wrong = RowVerdict::ALL.into_iter().filter(|verdict| *verdict != RowVerdict::Valid);
    let counted =
        wrong.map(|verdict| (totals.of(verdict), verdict)).filter(|(count, _)| *count > 0);
    counted
        .map(|(count, verdict)| format!("{} {verdict}", grouped(count)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}
