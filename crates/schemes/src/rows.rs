//! Rounds of other operators as rows, read as a stream (spec/dialects.md, rows).
//!
//! A file is a JSON array of objects; an object with such an array; JSON lines, or one object; or a
//! table with a header. A bad row spoils only itself: an element that is no object, a line
//! that is no JSON. If the file's own syntax breaks off, the rows before are given out, then the
//! fault.
//!
//! Rows are cut out of the stream in batches and read later, so that several threads can read one
//! batch. Memory: some batches, or the longest row, which is bounded.

mod batch;
mod csv;
mod frame;
mod header;
mod json;
mod names;
mod scan;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

pub use batch::{Batch, Row};
pub use names::{MapError, Names};
pub use value::{Value, text_value};

use crate::dialect::Column;
use batch::{Cut, Layout};
use fairdeal_audit::source::count;
use frame::{Framer, Step};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// The most bytes of a row, and of what an object has before or after its rows.
const LONGEST: usize = 16 << 20;

/// Rows whose names are looked at for a message.
const FIRST: usize = 64;

const TEXT_IN_BUFFER: &str = "the text is in the buffer";

/// A file of rows, read from beginning to end.
pub struct Rows<R> {
    stream: R,
    names: Arc<Names>,
    framer: Framer,
    chunk: usize,
    /// Bytes that were read and not given out.
    buffer: Vec<u8>,
    ended: bool,
    /// The length of the buffer's beginning that is UTF-8.
    text: usize,
    /// A name for the bytes after that, which are no UTF-8.
    no_text: Option<&'static str>,
    read: u64,
    /// Rows that were given out.
    given: u64,
    /// The line that the buffer begins in, from 1.
    line: u64,
    /// The names of the first rows, and which columns they are.
    found: Vec<(String, Option<Column>)>,
    /// The fault to return after the rows before it.
    fault: Option<RowsError>,
    done: bool,
}

/// Why there are no more rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The system can't read it.
    #[error("{0}")]
    Io(io::Error),
    /// The file is empty.
    #[error("expected rows, found none: the file is empty")]
    Empty,
    /// Its syntax breaks off.
    #[error("line {line}, after {}: {says}", counted(*rows))]
    BreaksOff {
        /// The line, from 1.
        line: u64,
        /// The number of rows before it.
        rows: u64,
        /// A sentence: what was expected and what was found.
        says: String,
    },
    /// A row, or the part before or after the rows, is too long.
    #[error(
        "line {line}, after {}: expected at most {LONGEST} bytes before what begins here ends, found more",
        counted(*rows)
    )]
    TooLong {
        /// The line where it begins, from 1.
        line: u64,
        /// The number of rows before it.
        rows: u64,
    },
    /// A column was mapped to a missing name.
    #[error("{column} is mapped to {name:?}, and there is no such name; there are {}", list(there))]
    NoSuchName {
        /// The column.
        column: Column,
        /// The name that it was mapped to.
        name: String,
        /// The names that are there.
        there: Vec<String>,
    },
}

/// The number of lines that end in these bytes.
fn lines(bytes: &[u8]) -> u64 {
    count(memchr::memchr_iter(b'\n', bytes).count())
}

fn counted(rows: u64) -> String {
    format!("{rows} row{}", if rows == 1 { "" } else { "s" })
}

/// Names as a message lists them, a screen of them at most.
fn list(names: &[String]) -> String {
    let shown: Vec<String> =
        names.iter().take(40).map(|name| format!("{:.60}", format!("{name:?}"))).collect();
    let more = names.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

impl<R: Read> Rows<R> {
    /// Begins to read. Nothing is read before the first batch.
    #[must_use]
    pub fn new(stream: R, names: Names) -> Self {
        Self::in_chunks(stream, names, CHUNK)
    }

    /// As [`Rows::new`], reading so many bytes at once. This changes the length of batches and
    /// nothing else.
    #[must_use]
    pub fn in_chunks(stream: R, names: Names, chunk: usize) -> Self {
        Self {
            stream,
            names: Arc::new(names),
            framer: Framer::new(),
            chunk: chunk.max(1),
            buffer: Vec::new(),
            ended: false,
            text: 0,
            no_text: None,
            read: 0,
            given: 0,
            line: 1,
            found: Vec::new(),
            fault: None,
            done: false,
        }
    }

    /// The number of bytes that were read so far.
    #[must_use]
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// The dialect that the file states, as far as it was read.
    #[must_use]
    pub fn dialect(&self) -> Option<&str> {
        self.framer.dialect.as_deref()
    }

    /// The names in the header or in the first objects, and which column each is. Empty before the
    /// first batch.
    #[must_use]
    pub fn names(&self) -> &[(String, Option<Column>)] {
        &self.found
    }

    /// The next rows; `None` at the end. Time: some passes over their bytes.
    ///
    /// # Errors
    /// [`RowsError`], once; after it comes `None`.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, RowsError> {
        loop {
            if self.fault.is_some() || self.done {
                self.done = true;
                return self.fault.take().map_or(Ok(None), Err);
            }
            self.fill();
            let (cuts, at) = self.cut();
            self.end_of_text(at);
            if self.fault.is_none() && self.buffer.len().saturating_sub(at) > LONGEST {
                self.fault = Some(RowsError::TooLong { line: self.line, rows: self.given });
            }
            if cuts.is_empty() {
                drop(self.buffer.drain(..at.min(self.buffer.len())));
                self.text = self.text.saturating_sub(at);
                continue;
            }
            let rest = self.buffer.split_off(at);
            let bytes = std::mem::replace(&mut self.buffer, rest);
            self.text = self.text.saturating_sub(at);
            let layout = match self.framer.header() {
                Some(header) => Layout::Csv(Arc::clone(header)),
                None => Layout::Json(Arc::clone(&self.names)),
            };
            let first = self.given.saturating_sub(count(cuts.len()));
            let batch = Batch::new(bytes, cuts, first, layout);
            if self.found.is_empty() {
                self.found = self.names_of(&batch);
            }
            if first == 0
                && let Some(error) = self.missing(&batch)
            {
                self.done = true;
                return Err(error);
            }
            return Ok(Some(batch));
        }
    }

    /// Reads a chunk, or as much again as is in the buffer.
    fn fill(&mut self) {
        if self.ended {
            return;
        }
        let before = self.buffer.len();
        let wanted = before.saturating_mul(2).max(self.chunk).saturating_sub(before);
        // A buffer that grows while it is read takes up to twice as much, and is copied each time.
        self.buffer.reserve_exact(wanted);
        let wanted = count(wanted);
        match self.stream.by_ref().take(wanted).read_to_end(&mut self.buffer) {
            Ok(read) => self.ended = count(read) < wanted,
            Err(error) => self.fault = Some(RowsError::Io(error)),
        }
        let read = self.buffer.len().saturating_sub(before);
        self.read = self.read.saturating_add(count(read));
        self.check_text();
    }

    /// Finds how far the buffer is UTF-8. No row is cut after that.
    fn check_text(&mut self) {
        let unchecked = self.buffer.get(self.text..).expect(TEXT_IN_BUFFER);
        let Err(error) = std::str::from_utf8(unchecked) else {
            self.text = self.buffer.len();
            return;
        };
        self.text += error.valid_up_to();
        let rest = self.buffer.get(self.text..).expect(TEXT_IN_BUFFER);
        let is_start = count(rest.len()) == self.read;
        let (mark, half) = match rest {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => (is_start, false),
            [0xff | 0xfe] => (false, is_start),
            _ => (false, error.error_len().is_none()),
        };
        // The next bytes may complete a character.
        if !half || self.ended {
            self.no_text = Some(if mark { "UTF-16" } else { "other bytes" });
        }
    }

    /// Says where the text ended, after all rows before were cut; `at` is the end of the last one.
    fn end_of_text(&mut self, at: usize) {
        if let Some(found) = self.no_text.take().filter(|_| self.fault.is_none()) {
            let rest = self.buffer.get(at..self.text).expect(TEXT_IN_BUFFER);
            let says = format!("expected UTF-8, found {found}");
            let line = self.line.saturating_add(lines(rest));
            self.fault = Some(RowsError::BreaksOff { line, rows: self.given, says });
        }
    }

    /// The complete rows, and the position after them.
    fn cut(&mut self) -> (Vec<Cut>, usize) {
        let (mut cuts, mut at) = (Vec::new(), 0);
        let ended = self.ended && self.no_text.is_none();
        loop {
            let Self { framer, buffer, names, line, given, text, .. } = self;
            let buffer = buffer.get(..*text).expect(TEXT_IN_BUFFER);
            let lines = |from: usize, to: usize| lines(buffer.get(from..to).expect(scan::IN_BYTES));
            let fault = match framer.step(buffer, at, ended, names) {
                Step::Row { start, end, next, fault } => {
                    *line += lines(at, start);
                    if end.saturating_sub(start) > LONGEST {
                        self.fault = Some(RowsError::TooLong { line: *line, rows: *given });
                        return (cuts, start);
                    }
                    cuts.push(Cut { start, end, line: *line, fault });
                    *line += lines(start, next);
                    *given += 1;
                    at = next;
                    continue;
                }
                Step::Skip(next) => {
                    *line += lines(at, next);
                    at = next;
                    continue;
                }
                Step::More => None,
                Step::End => {
                    self.done = true;
                    None
                }
                Step::Stop(place, says) => {
                    let line = *line + lines(at, place);
                    Some(RowsError::BreaksOff { line, rows: *given, says })
                }
                Step::TooLong(place) => {
                    Some(RowsError::TooLong { line: *line + lines(at, place), rows: *given })
                }
                Step::Refuse(error) => Some(error),
            };
            self.fault = fault.or_else(|| self.fault.take());
            return (cuts, at);
        }
    }

    fn names_of(&self, first: &Batch) -> Vec<(String, Option<Column>)> {
        if let Some(header) = self.framer.header() {
            return header.names().collect();
        }
        let target = |name: &str| self.names.target(name).map(|target| target.column);
        first.names(FIRST).into_iter().map(|name| (name.clone(), target(&name))).collect()
    }

    /// The first mapped name that no row of the first batch has. A header checks its own names.
    fn missing(&self, first: &Batch) -> Option<RowsError> {
        self.names.mapped().next()?;
        let there = first.names(usize::MAX);
        let missing = |(_, name): &(Column, &str)| !there.is_empty() && !there.contains(*name);
        let (column, name) = self.names.mapped().find(missing)?;
        Some(RowsError::NoSuchName {
            column,
            name: name.to_owned(),
            there: there.into_iter().collect(),
        })
    }
}

impl<R> fmt::Debug for Rows<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("read", &self.read)
            .field("rows", &self.given)
            .finish_non_exhaustive()
    }
}
