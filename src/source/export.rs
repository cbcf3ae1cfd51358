//! A log as one file (spec/ledger.md, section 10.5): a line, the checkpoint, and every entry in order.
//!
//! Made to be streamed: it is written and read from the front to the end, a bundle at a time. It holds no hash tiles,
//! since they follow from the entries; an audit of it cannot say whether the log publishes the right ones.

mod write;

use std::fmt;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

use super::files::{Files, ReadError};
use crate::log::{Level, SignedCheckpoint, TilePath};

pub use self::write::{ExportError, Exported, entries, export};

/// What such a file starts with.
const HEADER: &str = "fairdeal/export/v1\n";
/// The longest note that there is (section 10.3).
const LONGEST_NOTE: u32 = 1_000_000;
/// How much is read at once: enough that a system call costs nothing beside its bytes.
const CHUNK: usize = 1 << 18;

/// An exported log, read from the front to the end.
#[derive(Debug)]
pub struct Export {
    name: String,
    note: Vec<u8>,
    size: u64,
    rest: Mutex<Rest>,
}

/// What was not given out yet.
struct Rest {
    stream: Box<dyn Read + Send>,
    /// Read ahead; what is before `start` was given out.
    buffer: Vec<u8>,
    start: usize,
    /// The byte of the file that `start` is.
    at: u64,
    /// The bundle that comes next.
    next: u64,
}

impl Export {
    /// Reads the head of an export: what it is, and its checkpoint. `name` is what to call it.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`] where it is none, or breaks off.
    pub fn open(name: impl Into<String>, stream: impl Read + Send + 'static) -> Result<Self, ReadError> {
        let mut rest = Rest { stream: Box::new(stream), buffer: Vec::new(), start: 0, at: 0, next: 0 };
        if !rest.reach(HEADER.len())? || !rest.ahead().starts_with(HEADER.as_bytes()) {
            return unreadable("expected an exported log: its first line is not fairdeal/export/v1");
        }
        rest.take(HEADER.len(), String::new)?;
        let what = || "the checkpoint".to_owned();
        let length = rest.take(4, what)?;
        let length = length.first_chunk().map_or(u32::MAX, |length| u32::from_be_bytes(*length));
        if length > LONGEST_NOTE {
            return unreadable(format!(
                "expected a checkpoint of at most {LONGEST_NOTE} bytes, found {length}"
            ));
        }
        let note = rest.take(usize::try_from(length).unwrap_or(usize::MAX), what)?;
        // What is no checkpoint promises no entries (spec/audit.md, section 13.2).
        let signed = std::str::from_utf8(&note).ok().and_then(|text| SignedCheckpoint::parse(text).ok());
        let size = signed.map_or(0, |signed| signed.unverified().size());
        if size == 0 {
            rest.end(size)?;
        }
        Ok(Self { name: name.into(), note, size, rest: Mutex::new(rest) })
    }
}

fn unreadable<T>(says: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Unreadable(says.into()))
}

impl Files for Export {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let bounded = |bytes: Vec<u8>| match u64::try_from(bytes.len()) {
            Ok(length) if length <= at_most => Ok(bytes),
            _ => Err(ReadError::TooLong { at_most }),
        };
        if path == "checkpoint" {
            return bounded(self.note.clone());
        }
        let Some(bundle) = TilePath::parse(path).ok().filter(|path| path.level() == Level::Entries) else {
            return unreadable(format!("an exported log holds entries only, and no {path}"));
        };
        // Whoever panicked with it did so outside: what was given out and what was not is always in step.
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let next = TilePath::at_size(Level::Entries, rest.next, self.size);
        match next {
            Ok(next) if next == bundle => bounded(rest.bundle(next, self.size)?),
            Ok(next) => unreadable(format!(
                "an exported log is read in order, each bundle once: the next is {}",
                next.to_text()
            )),
            Err(_) => unreadable(format!(
                "an exported log is read in order, each bundle once: all {} entries were",
                self.size
            )),
        }
    }

    fn has_tiles(&self) -> bool {
        false
    }
}

impl Rest {
    /// Everything that was read ahead.
    fn ahead(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Reads on until so many bytes are ahead, or the stream ends before.
    fn reach(&mut self, length: usize) -> Result<bool, ReadError> {
        let missing = length.saturating_sub(self.ahead().len());
        if missing == 0 {
            return Ok(true);
        }
        self.buffer.drain(..self.start.min(self.buffer.len()));
        self.start = 0;
        let more = u64::try_from(missing.max(CHUNK)).unwrap_or(u64::MAX);
        let read = (&mut self.stream).take(more).read_to_end(&mut self.buffer);
        read.map_err(|error| ReadError::Unreadable(format!("from byte {}: {error}", self.ends())))?;
        Ok(self.buffer.len() >= length)
    }

    /// The byte of the file that was not read yet.
    fn ends(&self) -> u64 {
        self.at.saturating_add(u64::try_from(self.ahead().len()).unwrap_or(u64::MAX))
    }

    /// So many bytes ahead, or that the file ends inside `what`.
    fn expect(&mut self, length: usize, what: impl FnOnce() -> String) -> Result<(), ReadError> {
        if self.reach(length)? {
            return Ok(());
        }
        unreadable(format!("cut off: it ends at byte {}, inside {}", self.ends(), what()))
    }

    fn take(&mut self, length: usize, what: impl FnOnce() -> String) -> Result<Vec<u8>, ReadError> {
        self.expect(length, what)?;
        let bytes = self.ahead().get(..length).unwrap_or_default().to_vec();
        self.start = self.start.saturating_add(length);
        self.at = self.at.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        Ok(bytes)
    }

    /// The next bundle's bytes: those of a bundle are the same here as in its own file.
    fn bundle(&mut self, path: TilePath, size: u64) -> Result<Vec<u8>, ReadError> {
        let first = path.index().saturating_mul(256);
        let mut length: usize = 0;
        for entry in 0..path.width() {
            let what = || format!("entry {} of {size}", first.saturating_add(u64::from(entry)));
            let start = length.saturating_add(2);
            self.expect(start, what)?;
            let prefix = self.ahead().get(length..).and_then(|rest| rest.first_chunk());
            length =
                start.saturating_add(prefix.map_or(0, |prefix| usize::from(u16::from_be_bytes(*prefix))));
            self.expect(length, what)?;
        }
        if first.saturating_add(u64::from(path.width())) >= size && self.reach(length.saturating_add(1))? {
            let end = self.at.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
            return Self::goes_on(size, end);
        }
        let bytes = self.take(length, || "a bundle".to_owned())?;
        self.next = self.next.saturating_add(1);
        Ok(bytes)
    }

    /// Nothing may be left.
    fn end(&mut self, size: u64) -> Result<(), ReadError> {
        if self.reach(1)? { Self::goes_on(size, self.at) } else { Ok(()) }
    }

    fn goes_on<T>(size: u64, at: u64) -> Result<T, ReadError> {
        unreadable(format!("expected its end after {size} entries, at byte {at}, and it goes on"))
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rest").field("at", &self.at).field("next", &self.next).finish_non_exhaustive()
    }
}
