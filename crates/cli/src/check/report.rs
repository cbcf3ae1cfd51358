//! The text under the verdicts: what would make rows verify, what they show together, and what no
//! row shows.

use super::line::Line;
use super::{habits, limits as words};
use crate::out::{FAINT, LABEL, Out, STRONG, plain, width, wrapped};
use fairdeal_schemes::answer::Looked;
use fairdeal_schemes::dialect::{Dialect, Limits};

/// A line is broken where the text is easily read, also on a terminal that is very wide.
const WIDEST: usize = 120;

/// Prints what the rows show, apart from their verdicts.
pub(super) fn print(looked: &Looked, out: &mut Out) {
    if looked.would_verify.failing > 0 {
        title("What would make them verify", out);
        for line in looked.would_verify.to_string().lines() {
            for (at, part) in (0_u32..).zip(wrapped(&plain(line), columns().saturating_sub(4))) {
                let dash = if at == 0 { "-" } else { " " };
                say!(out, "  {dash} {part}");
            }
        }
    }
    title("What these rows show together", out);
    lines(&habits::lines(&looked.rows_show), out);
    out.line("");
    out.line(what_no_row_shows(looked.cannot_show.dialect));
}

/// Points to what no row of a scheme shows, which is the same for every file.
pub(super) fn what_no_row_shows(dialect: &str) -> String {
    format!("{FAINT}What no row of this scheme shows: fairdeal check {dialect} --limits{FAINT:#}")
}

/// Prints only the limits of a dialect.
pub(super) fn limits(dialect: &Dialect, out: &mut Out) {
    let limits = Limits::of(dialect);
    out.show(&limits, |out| lines(&words::lines(&limits), out));
}

fn columns() -> usize {
    width().min(WIDEST)
}

fn title(title: &str, out: &mut Out) {
    out.line("");
    say!(out, "{STRONG}{title}{STRONG:#}");
}

fn lines(lines: &[Line], out: &mut Out) {
    for line in lines {
        out.fields(line.label, wrapped(&plain(&line.text), columns().saturating_sub(LABEL)));
    }
}
