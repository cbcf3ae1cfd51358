//! A line of a report: a label and what belongs to it, to be laid out by whoever prints it.

use std::borrow::Cow;
use std::fmt;

/// A labelled line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// At most eleven characters; empty where the line continues the one above.
    pub label: &'static str,
    /// One line, of any length.
    pub text: Cow<'static, str>,
}

impl Line {
    pub(super) fn new(label: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { label, text: text.into() }
    }

    pub(super) fn more(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new("", text)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12}{}", self.label, self.text)
    }
}

/// The first of so many rows, `most` at most, to stand behind their count: ` (rows 4, 7, …)`.
pub(super) fn first_rows(rows: &[u64], count: u64, most: usize) -> String {
    let shown: Vec<String> = rows.iter().take(most).map(u64::to_string).collect();
    let more = u64::try_from(shown.len()).is_ok_and(|shown| shown < count);
    let word = if shown.len() == 1 && !more { "row" } else { "rows" };
    if shown.is_empty() {
        return String::new();
    }
    format!(" ({word} {}{})", shown.join(", "), if more { ", …" } else { "" })
}
