//! A command's stdout: collected, then written at once. Colours on a terminal only.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::exit::{Exit, Failure};
use fairdeal::record::Code;
use fairdeal::record::finding::Class;
use fairdeal::spelled::{legible, quoted, spelled};

/// [`Out::line`] of a formatted text.
macro_rules! say {
    ($out:expr, $($text:tt)+) => { $out.line(format_args!($($text)+)) };
}

/// [`Out::field`] of a formatted value.
macro_rules! field {
    ($out:expr, $label:expr, $($text:tt)+) => { $out.field($label, format_args!($($text)+)) };
}

/// [`Out::more`] of a formatted text.
macro_rules! more {
    ($out:expr, $($text:tt)+) => { $out.more(format_args!($($text)+)) };
}

/// The style of what holds.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The style of what does not hold.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The style of what holds and proves little.
pub(super) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
/// The style of what to read first.
pub(super) const STRONG: Style = Style::new().bold();
/// The style of explanations.
pub(super) const FAINT: Style = Style::new().dimmed();

/// The width of the labels' column.
pub(super) const LABEL: usize = 12;

/// Output that is not written yet.
#[derive(Debug)]
pub(super) struct Out {
    json: bool,
    exit: Exit,
    text: String,
    /// Whether stdout got anything.
    answered: bool,
    /// A change that is made and cannot be undone.
    done: Option<String>,
}

impl Out {
    pub(super) fn new(json: bool) -> Self {
        Self { json, exit: Exit::Holds, text: String::new(), answered: false, done: None }
    }

    /// Whether `--json` was given.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// The exit code so far.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// The collected text.
    pub(super) fn collected(&self) -> &str {
        &self.text
    }

    /// Sets exit code 1: it was checked and does not hold.
    pub(super) fn does_not_hold(&mut self) {
        self.exit = Exit::DoesNotHold;
    }

    /// Sets exit code 3: some of it could not be checked.
    pub(super) fn could_not_be_checked(&mut self) {
        self.exit = Exit::Unavailable;
    }

    /// Notes what is done, for who cannot be given the answer: nobody may take it for undone, and
    /// do it again.
    pub(super) fn did(&mut self, what: impl Into<String>) {
        self.done = Some(what.into());
    }

    /// Prints the answer, as one JSON object or as text.
    pub(super) fn show(&mut self, answer: &impl Serialize, people: impl FnOnce(&mut Self)) {
        if self.json {
            let json = serde_json::to_string(answer).expect("a plain struct with text for keys");
            self.line(legible(json));
        } else {
            people(self);
        }
    }

    /// One line.
    pub(super) fn line(&mut self, line: impl fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A label and its value.
    pub(super) fn field(&mut self, label: &str, value: impl fmt::Display) {
        self.line(format_args!("{FAINT}{label:<LABEL$}{FAINT:#}{value}"));
    }

    /// A label and its lines, if there are any.
    pub(super) fn fields(
        &mut self,
        label: &str,
        lines: impl IntoIterator<Item = impl fmt::Display>,
    ) {
        let mut label = label;
        for line in lines {
            self.field(label, line);
            label = "";
        }
    }

    /// A label and a longer text. Wrapped on a terminal only: elsewhere it is one line, for
    /// searching.
    pub(super) fn long_field(&mut self, label: &str, text: &str) {
        self.fields(label, wrapped(text, columns_beside(LABEL)));
    }

    /// A line that continues the field above.
    pub(super) fn more(&mut self, value: impl fmt::Display) {
        self.line(format_args!("{:LABEL$}{value}", ""));
    }

    /// A finding: its code, then what follows. Wrapped on a terminal only: elsewhere it is one
    /// line, for searching.
    pub(super) fn finding(&mut self, code: &str, follows: &str) {
        let mut indent = 2;
        for line in finding_lines(code, follows, columns_beside(4)) {
            self.line(format_args!("{:indent$}{line}", ""));
            indent = 4;
        }
    }

    /// Text as it is.
    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes the collected text.
    /// [`Failure`] if it cannot be written. A closed pipe is no error.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        self.answered |= !text.is_empty();
        let mut stdout = anstream::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let failure = unavailable!("stdout: can't be written: {error}");
                Err(match &self.done {
                    Some(done) => {
                        failure.hint(format!("It is done all the same: {done}.")).code("not-told")
                    }
                    None => failure,
                })
            }
            _ => Ok(()),
        }
    }

    /// Writes a failure in place of an answer, where the answer would have been JSON.
    pub(super) fn fail(&mut self, failure: &Failure) -> Result<(), Failure> {
        if self.json && !self.answered && self.text.is_empty() {
            self.line(failure.to_json());
        }
        self.flush()
    }
}

/// `1 entry`, `2 entries`.
pub(super) fn count(number: impl TryInto<u64>, one: &str, more: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Text from outside. Characters that move the cursor, colour the screen, or hide or turn other
/// text are spelled out.
pub(super) fn plain(text: &str) -> String {
    spelled(text)
}

/// A word from outside in a printed command: quoted for a shell if needed, then like [`plain`].
pub(super) fn pasted(word: &(impl AsRef<OsStr> + ?Sized)) -> String {
    plain(&quoted(&word.as_ref().to_string_lossy()))
}

/// A path from outside, like [`plain`].
pub(super) fn shown(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// Breaks a text between words into lines of at most so many columns. A longer word gets its own
/// line.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A finding in lines of at most so many columns, its code in the colour of its class.
pub(super) fn finding_lines(code: &str, follows: &str, columns: usize) -> Vec<String> {
    let is_time = Code::parse(code).is_some_and(|code| code.class() == Class::Time);
    let style = if is_time { UNSURE } else { BAD };
    let mut lines = wrapped(&format!("{code}{follows}"), columns);
    let rest = lines[0].strip_prefix(code).expect("a code has no spaces, so it is not broken");
    lines[0] = format!("{style}{code}{style:#}{rest}");
    lines
}

/// The columns of the terminal, or 80.
pub(super) fn width() -> usize {
    terminal_width().unwrap_or(80)
}

/// The columns of the terminal less `taken`. Without a terminal a line has no limit.
pub(super) fn columns_beside(taken: usize) -> usize {
    terminal_width().map_or(usize::MAX, |columns| columns.saturating_sub(taken))
}

/// The columns of the terminal. `None` if stdout is no terminal.
pub(super) fn terminal_width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_none_is_lost() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 6), ["one", "two", "three"]);
        assert_eq!(wrapped("a-long-word b", 4), ["a-long-word", "b"]);
    }

    #[test]
    fn text_from_outside_cannot_move_the_cursor_or_turn_what_stands_beside_it() {
        assert_eq!(plain("a\nb\u{1b}[31m é\u{9b}"), "a\\nb\\u{1b}[31m é\\u{9b}");
        assert_eq!(plain("won 1\u{202e}0\u{200b}"), "won 1\\u{202e}0\\u{200b}");
    }
}
