//! What stands under the verdicts: what would make rows verify, what they show together, and what no row shows.

use super::judge::{Collect, Judged};
use super::line::Line;
use super::{habits, limits as words};
use crate::cli::out::{FAINT, LABEL, Out, STRONG, plain, width, wrapped};
use crate::dialect::{Diagnoses, Dialect, Failures, Habits, HabitsReport, Limits};

/// A line is broken where the text is easily read, also on a terminal that is very wide.
const WIDEST: usize = 120;

/// Looks at rows as they are judged.
#[derive(Debug)]
pub(super) struct Looking {
    failures: Failures,
    habits: Habits,
}

/// What it came to.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) would_verify: Diagnoses,
    pub(super) rows_show: HabitsReport,
    pub(super) cannot_show: Limits,
}

impl Looking {
    pub(super) fn new(dialect: &'static Dialect, statistics: bool) -> Self {
        let habits = Habits::new(dialect);
        let habits = if statistics { habits.with_statistics() } else { habits };
        Self { failures: Failures::new(dialect), habits }
    }

    /// `checker` is that of the rows: what it has walked of a chain need not be walked again.
    pub(super) fn finish(self, checker: &crate::dialect::Checker) -> Looked {
        let cannot_show = Limits::of(checker.dialect());
        Looked { would_verify: self.failures.finish(checker), rows_show: self.habits.finish(), cannot_show }
    }
}

impl Collect for Looking {
    fn row(&mut self, row: &Judged<'_>) {
        if let Some(round) = &row.round {
            self.failures.push(row.number, round, row.checked.verdict);
            self.habits.add(row.number, round, row.checked.verdict);
        }
    }
}

impl Looked {
    /// Whether something would make rows verify.
    pub(super) fn has_hints(&self) -> bool {
        !self.would_verify.diagnoses.is_empty()
    }

    pub(super) fn print(&self, out: &mut Out) {
        if self.would_verify.failing > 0 {
            title("What would make them verify", out);
            for line in self.would_verify.to_string().lines() {
                for (at, part) in (0_u32..).zip(wrapped(&plain(line), columns().saturating_sub(4))) {
                    let dash = if at == 0 { "-" } else { " " };
                    out.line(format_args!("  {dash} {part}"));
                }
            }
        }
        title("What these rows show together", out);
        lines(&habits::lines(&self.rows_show), out);
        out.line("");
        out.line(what_no_row_shows(self.cannot_show.dialect));
    }
}

/// Points to what no row of a scheme shows, which is the same for every file.
pub(super) fn what_no_row_shows(dialect: &str) -> String {
    format!("{FAINT}What no row of this scheme shows: fairdeal check {dialect} --limits{FAINT:#}")
}

/// What a dialect cannot show, by itself.
pub(super) fn limits(dialect: &Dialect, out: &mut Out) {
    let limits = Limits::of(dialect);
    out.show(&limits, |out| lines(&words::lines(&limits), out));
}

fn columns() -> usize {
    width().min(WIDEST)
}

fn title(title: &str, out: &mut Out) {
    out.line("");
    out.line(format_args!("{STRONG}{title}{STRONG:#}"));
}

fn lines(lines: &[Line], out: &mut Out) {
    for line in lines {
        out.fields(line.label, wrapped(&plain(&line.text), columns().saturating_sub(LABEL)));
    }
}
