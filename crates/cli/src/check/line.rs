//! A line of a report: a label and its text.

use std::borrow::Cow;

/// A labelled line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// At most eleven characters; empty if the line continues the one above.
    pub(super) label: &'static str,
    /// One line, of any length.
    pub(super) text: Cow<'static, str>,
}

impl Line {
    pub(super) fn new(label: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { label, text: text.into() }
    }

    pub(super) fn more(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new("", text)
    }
}
