//! A log as one file (spec/ledger.md, section 10.5): a line, the checkpoint, and every entry in
//! order.
//!
//! It is a stream: written and read from start to end, one bundle at a time. It has no hash tiles,
//! because they follow from the entries; so its audit does not show whether the log publishes the
//! right ones.

mod write;

use std::fmt;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

use super::count;
use super::files::{Files, ReadError};
use super::tiles::LONGEST_CHECKPOINT;
use fairdeal::log::{Level, SignedCheckpoint, TilePath};

pub use self::write::{ExportError, Exported, entries, export};

/// The first line.
const HEADER: &str = "fairdeal/export/v1\n";
/// The number of bytes before the first entry without the checkpoint: those of the first line and
/// of the checkpoint's length.
pub(super) const ENTRIES_AFTER_NOTE: u64 = 19 + 4;
/// The bytes that are read at once: enough that the cost of a system call does not matter.
const CHUNK: usize = 1 << 18;

/// An exported log, read from start to end.
#[derive(Debug)]
pub struct Export {
    name: String,
    note: Vec<u8>,
    size: u64,
    rest: Mutex<Rest>,
}

/// The part of the file that was not returned yet.
struct Rest {
    stream: Box<dyn Read + Send>,
    /// Bytes read ahead; those before `start` were returned.
    buffer: Vec<u8>,
    start: usize,
    /// The offset in the file of `start`.
    at: u64,
    /// The index of the next bundle.
    next: u64,
}

impl Export {
    /// Whether these bytes begin as an export does.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(HEADER.as_bytes())
    }

    /// Reads the first line and the checkpoint of an export. `name` is the source's name.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`] if it is not an export, or cut off.
    pub fn open(
        name: impl Into<String>,
        stream: impl Read + Send + 'static,
    ) -> Result<Self, ReadError> {
        let mut rest =
            Rest { stream: Box::new(stream), buffer: Vec::new(), start: 0, at: 0, next: 0 };
        if !rest.reach(HEADER.len())? || !Self::begins(rest.ahead()) {
            return unreadable(
                "expected an exported log: its first line is not fairdeal/export/v1",
            );
        }
        rest.take(HEADER.len(), String::new)?;
        let note = rest.note()?;
        // A note that is not a checkpoint promises no entries (spec/audit.md, section 13.2).
        let signed =
            std::str::from_utf8(&note).ok().and_then(|text| SignedCheckpoint::parse(text).ok());
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
        let Some(bundle) = TilePath::parse(path).ok().filter(|path| path.level() == Level::Entries)
        else {
            return unreadable(format!("an exported log holds entries only, and no {path}"));
        };
        // The lock's holder never panics half way through a change, so a poisoned lock is harmless.
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
    /// The bytes read ahead.
    fn ahead(&self) -> &[u8] {
        self.buffer.get(self.start..).expect("`start` is in the buffer")
    }

    /// Reads until `length` bytes are ahead; false if the stream ends before.
    fn reach(&mut self, length: usize) -> Result<bool, ReadError> {
        let missing = length.saturating_sub(self.ahead().len());
        if missing == 0 {
            return Ok(true);
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let more = count(missing.max(CHUNK));
        let read = (&mut self.stream).take(more).read_to_end(&mut self.buffer);
        read.map_err(|error| ReadError::Unreadable(format!("from byte {}: {error}", self.ends())))?;
        Ok(self.buffer.len() >= length)
    }

    /// The offset in the file of the first byte that was not read yet.
    fn ends(&self) -> u64 {
        self.at.saturating_add(count(self.ahead().len()))
    }

    /// Reads until `length` bytes are ahead, or fails because the file ends inside `what`.
    fn expect(&mut self, length: usize, what: impl FnOnce() -> String) -> Result<(), ReadError> {
        if self.reach(length)? {
            return Ok(());
        }
        unreadable(format!("cut off: it ends at byte {}, inside {}", self.ends(), what()))
    }

    fn take(&mut self, length: usize, what: impl FnOnce() -> String) -> Result<Vec<u8>, ReadError> {
        self.expect(length, what)?;
        let taken = self.ahead().get(..length).expect("so many bytes are ahead").to_vec();
        self.start = self.start.saturating_add(length);
        self.at = self.at.saturating_add(count(length));
        Ok(taken)
    }

    /// The checkpoint, behind four bytes of length.
    fn note(&mut self) -> Result<Vec<u8>, ReadError> {
        let what = || "the checkpoint".to_owned();
        let length = self.take(4, what)?.try_into().expect("four bytes were taken");
        let length = u32::from_be_bytes(length);
        if u64::from(length) > LONGEST_CHECKPOINT {
            return unreadable(format!(
                "expected a checkpoint of at most {LONGEST_CHECKPOINT} bytes, found {length}"
            ));
        }
        self.take(usize::try_from(length).expect("at most a million"), what)
    }

    /// The next bundle's bytes: the same as in the bundle's own file.
    fn bundle(&mut self, path: TilePath, size: u64) -> Result<Vec<u8>, ReadError> {
        let first = path.index().saturating_mul(256);
        let mut length: usize = 0;
        for entry in 0..path.width() {
            let what = || format!("entry {} of {size}", first.saturating_add(u64::from(entry)));
            let start = length.saturating_add(2);
            self.expect(start, what)?;
            let prefix = self.ahead().get(length..).and_then(|rest| rest.first_chunk());
            let prefix = *prefix.expect("two bytes are ahead");
            length = start.saturating_add(usize::from(u16::from_be_bytes(prefix)));
            self.expect(length, what)?;
        }
        if first.saturating_add(u64::from(path.width())) >= size
            && self.reach(length.saturating_add(1))?
        {
            let end = self.at.saturating_add(count(length));
            return Self::goes_on(size, end);
        }
        let bundle = self.take(length, || "a bundle".to_owned())?;
        self.next = self.next.saturating_add(1);
        Ok(bundle)
    }

    /// Fails if bytes are left.
    fn end(&mut self, size: u64) -> Result<(), ReadError> {
        if self.reach(1)? { Self::goes_on(size, self.at) } else { Ok(()) }
    }

    fn goes_on<T>(size: u64, at: u64) -> Result<T, ReadError> {
        unreadable(format!("expected its end after {size} entries, at byte {at}, and it goes on"))
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rest")
            .field("at", &self.at)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
