//! The totals of all rows, and the rows that are not valid.

use crate::out::{BAD, FAINT, GOOD, Out, STRONG, plain};
use fairdeal_schemes::answer::{Collect, InvalidRow, JudgedRow, Totals};
use fairdeal_schemes::dialect::RowVerdict;

/// How many invalid rows are printed; further ones are counted.
const PRINTED: usize = 1_000;

/// The invalid rows: the first ones whole.
#[derive(Debug, Default)]
pub(super) struct Invalid {
    pub(super) rows: Vec<InvalidRow>,
    /// The further ones.
    more: Totals,
}

impl Collect for Invalid {
    fn row(&mut self, row: &JudgedRow<'_>) {
        let JudgedRow { number, line, checked, .. } = row;
        let verdict = checked.verdict;
        if verdict == RowVerdict::Valid {
            return;
        }
        if self.rows.len() >= PRINTED {
            return self.more.row(row);
        }
        let says = checked.says.to_string();
        self.rows.push(InvalidRow { number: *number, line: *line, verdict, says });
    }
}

/// How a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Whole,
    /// The file breaks off after its last row.
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
    out.line(format_args!("{STRONG}{name}{STRONG:#}  {style}{says}{style:#}"));
    for InvalidRow { number, line, verdict, says } in &invalid.rows {
        let says = plain(says);
        out.line(format_args!("  row {number}, line {line}: {BAD}{verdict}{BAD:#}: {says}"));
    }
    if invalid.more.rows() > 0 {
        let more = &invalid.more;
        out.line(format_args!(
            "{FAINT}  and {} more: {}{FAINT:#}",
            grouped(more.rows()),
            by_verdict(more)
        ));
    }
    out.field("rows", grouped(totals.rows()));
    let not_shown = match totals.not_opened() {
        0 => String::new(),
        _ if totals.has_no_rule() => {
            "; no commitment was checked, as the sources of this scheme give no rule for it"
                .to_owned()
        }
        some => format!(", of which {} showed no commitment", grouped(some)),
    };
    out.field("valid", format_args!("{}{not_shown}", grouped(totals.valid())));
    let kinds =
        if totals.invalid() > 0 { format!(": {}", by_verdict(totals)) } else { String::new() };
    out.field("invalid", format_args!("{}{kinds}", grouped(totals.invalid())));
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
