//! The report after the verdicts: what would make rows verify, and what they show together.

use crate::out::{FAINT, LABEL, Out, STRONG, plain, width, wrapped};
use fairdeal_schemes::answer::{Line, Looked, habits_lines, limits_lines};
use fairdeal_schemes::dialect::{Dialect, Limits};

/// The longest line, on a terminal that is wider.
const WIDEST: usize = 120;

/// Prints the report.
pub(super) fn print(looked: &Looked, out: &mut Out) {
    if looked.would_verify.failing > 0 {
        title("What would make them verify", out);
        for line in looked.would_verify.to_string().lines() {
            for (at, part) in (0_u32..).zip(wrapped(&plain(line), columns().saturating_sub(4))) {
                let dash = if at == 0 { "-" } else { " " };
                out.line(format_args!("  {dash} {part}"));
            }
        }
    }
    title("What these rows show together", out);
    lines(&habits_lines(&looked.rows_show), out);
    out.line("");
    out.line(what_no_row_shows(looked.cannot_show.dialect));
}

/// Points to `--limits`.
pub(super) fn what_no_row_shows(dialect: &str) -> String {
    format!("{FAINT}What no row of this scheme shows: fairdeal check {dialect} --limits{FAINT:#}")
}

/// Prints what no round of a dialect can show.
pub(super) fn limits(dialect: &Dialect, out: &mut Out) {
    let limits = Limits::of(dialect);
    out.show(&limits, |out| lines(&limits_lines(&limits), out));
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
