//! A line of a report: a label and its text.

use std::borrow::Cow;

/// A labelled line.
#[derive(Clone, Debug)]
pub struct Line {
    /// At most eleven characters; empty if the line continues the one above.
    pub label: &'static str,
    /// One line, of any length.
    pub text: Cow<'static, str>,
}

impl Line {
    /// A line with a label.
    pub fn new(label: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { label, text: text.into() }
    }

    /// A line that continues the one above.
    pub fn more(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new("", text)
    }
}
