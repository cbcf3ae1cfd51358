//! The events on disk, a line of JSON each, and how many of its bytes were posted: the queue of the
//! webhook. An event is here before the state that knows of it, so none is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::memory::replace;
use super::{MonitorError, MonitorEvent};

/// The longest journal in bytes: then it becomes `events.1.ndjson`, in the place of an older one.
const LONGEST: u64 = 8 << 20;

/// An event that waits to be posted.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) line: String,
    /// The offset of the next one.
    after: u64,
    turn: u64,
}

/// The journal of a monitor's folder.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    posted: PathBuf,
    file: File,
    length: u64,
    /// The offset of the next event to post.
    next: u64,
    /// How often a new file was begun.
    turns: u64,
    /// Events that were never posted since the journal was too long.
    pub(crate) lost: u64,
}

impl Journal {
    /// Opens it. A line that was cut by the end of the process is removed: its event is told again.
    pub(crate) fn open(dir: &Path) -> Result<Self, MonitorError> {
        let (path, posted) = (dir.join("events.ndjson"), dir.join("events.posted"));
        let failed = |error| MonitorError::of(&path, error);
        let mut options = OpenOptions::new();
        let mut file = options.create(true).append(true).read(true).open(&path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let length = u64::try_from(whole).unwrap_or(u64::MAX);
        if whole < bytes.len() {
            file.set_len(length).map_err(failed)?;
        }
        let next = fs::read_to_string(&posted).ok().and_then(|text| text.trim().parse().ok());
        let next = next.unwrap_or(0).min(length);
        Ok(Self { path, posted, file, length, next, turns: 0, lost: 0 })
    }

    /// Appends events, on disk when it returns.
    pub(crate) fn append(&mut self, events: &[&MonitorEvent]) -> Result<(), MonitorError> {
        if events.is_empty() {
            return Ok(());
        }
        if self.length > LONGEST {
            self.turn()?;
        }
        let lines: String = events.iter().map(|event| event.to_line() + "\n").collect();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line must not stand before the next one.
            let _ = self.file.set_len(self.length);
            return Err(MonitorError::of(&self.path, format!("can't be written: {error}")));
        }
        self.length += u64::try_from(lines.len()).unwrap_or_default();
        Ok(())
    }

    /// Begins a new file.
    fn turn(&mut self) -> Result<(), MonitorError> {
        self.lost += self.waiting();
        let failed = |error| MonitorError::of(&self.path, error);
        // First the offset: of an old one in a new file, events would be passed over.
        replace(&self.posted, &[b"0\n"])?;
        fs::rename(&self.path, self.path.with_extension("1.ndjson")).map_err(failed)?;
        let mut options = OpenOptions::new();
        self.file =
            options.create(true).append(true).read(true).open(&self.path).map_err(failed)?;
        (self.length, self.next) = (0, 0);
        self.turns += 1;
        Ok(())
    }

    /// The next event to post.
    pub(crate) fn next(&self) -> Option<Waiting> {
        self.at(self.next)
    }

    /// The event after this one.
    pub(crate) fn after(&self, one: &Waiting) -> Option<Waiting> {
        if one.turn == self.turns { self.at(one.after) } else { None }
    }

    fn at(&self, offset: u64) -> Option<Waiting> {
        if offset >= self.length {
            return None;
        }
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut line = String::new();
        let read = BufReader::new(file).read_line(&mut line).ok()?;
        let after = offset.saturating_add(u64::try_from(read).ok()?);
        Some(Waiting { line: line.trim_end().to_owned(), after, turn: self.turns })
    }

    /// An event was posted, or is given up. One of the file before changes nothing in this one.
    pub(crate) fn posted(&mut self, one: &Waiting) -> Result<(), MonitorError> {
        if one.turn == self.turns { self.set_next(one.after) } else { Ok(()) }
    }

    fn set_next(&mut self, next: u64) -> Result<(), MonitorError> {
        self.next = next;
        replace(&self.posted, &[format!("{next}\n").as_bytes()])
    }

    /// How many events wait to be posted.
    pub(crate) fn waiting(&self) -> u64 {
        let Ok(mut file) = File::open(&self.path) else { return 0 };
        if self.next >= self.length || file.seek(SeekFrom::Start(self.next)).is_err() {
            return 0;
        }
        u64::try_from(BufReader::new(file).lines().count()).unwrap_or(u64::MAX)
    }

    /// Without a webhook nothing waits: one that is given later begins with later events.
    pub(crate) fn pass_over(&mut self) -> Result<(), MonitorError> {
        if self.next == self.length { Ok(()) } else { self.set_next(self.length) }
    }
}
