//! The audit of a log: every entry judged, every tile compared, the checkpoint held against both.

use std::path::Path;

use super::files::{Files, LogFolder, ReadError};
use super::observer::{AuditObserver, Progress};
use super::run::{Ended, Run, Stopped, about_the_log};
use super::tiles::Tiles;
use crate::audit::{AuditVerdict, SavedError, Signatures, Times};
use crate::log::{Checkpoint, SignedCheckpoint, VerifierKey};
use crate::record::{Code, Finding};

/// A log, its checkpoint read.
#[derive(Debug)]
pub struct LogSource {
    tiles: Tiles,
    /// What is no text is no note.
    note: Option<String>,
}

/// How a log is judged.
#[derive(Debug)]
pub struct AuditOptions<'a> {
    /// The operator's key, whose name is the log's origin.
    pub key: &'a VerifierKey,
    /// When it is judged.
    pub times: Times,
    /// Whether the signatures of contributions are verified.
    pub signatures: Signatures,
    /// Checkpoints that somebody saved: their names and texts. Each must be a prefix of the log.
    pub since: &'a [(String, String)],
    /// Whether its deals are counted too, which takes longer.
    pub statistics: bool,
    /// What [`Audited::state`] was another day, to go on from; empty to start anew. Where it is given, there is one again.
    pub state: Option<&'a str>,
}

impl<'a> AuditOptions<'a> {
    /// Under this key, as of the last entry's time, and nothing else.
    #[must_use]
    pub const fn under(key: &'a VerifierKey) -> Self {
        let times = Times { as_of: None, clock: None };
        let signatures = Signatures::Verified;
        Self { key, times, signatures, since: &[], statistics: false, state: None }
    }
}

/// An audit that was done.
#[derive(Debug)]
pub struct Audited {
    /// What it came to.
    pub verdict: AuditVerdict,
    /// What is known, to go on from with later entries; where that was asked for and the log's files agree.
    pub state: Option<String>,
    /// The names and sizes of the saved checkpoints that were shown to be of this log's own past.
    pub continued: Vec<(String, u64)>,
}

/// A log could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No log there, or one that breaks off while it is read.
    #[error("{name}: expected a log with a checkpoint: {says}")]
    Unreadable {
        /// What was to be read.
        name: String,
        /// Why it was not.
        says: String,
    },
    /// What was put aside is not of this log, or can't be read.
    #[error(transparent)]
    State(#[from] SavedError),
    /// What was put aside goes on with a log that publishes its tiles.
    #[error("an exported log is audited from its first entry on: it has no tiles to go on from")]
    StateWithoutTiles,
    /// Entries are judged from the first one on, or not at all.
    #[error("the log was not read from its first entry on")]
    NotFromTheStart,
    /// Whoever watched did not want to go on.
    #[error("{0}")]
    Stopped(String),
}

impl LogSource {
    /// Opens a log by its checkpoint. What is read after that is the log as it stood then, however much it grows.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where there is none.
    pub fn open(files: Box<dyn Files>) -> Result<Self, SourceError> {
        let tiles = Tiles::new(files);
        let note = match tiles.checkpoint() {
            Ok(bytes) => String::from_utf8(bytes).ok(),
            Err(ReadError::TooLong { .. }) => None,
            Err(error) => {
                let name = format!("{}/checkpoint", tiles.files().name());
                return Err(SourceError::Unreadable { name, says: error.to_string() });
            }
        };
        Ok(Self { tiles, note })
    }

    /// Opens a log's public folder, or that of a ledger.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where there is none, or no checkpoint in it.
    pub fn folder(dir: &Path) -> Result<Self, SourceError> {
        Self::open(Box::new(LogFolder::open(dir)))
    }

    /// What to call it.
    #[must_use]
    pub fn name(&self) -> String {
        self.tiles.files().name()
    }

    /// Its checkpoint as it stands there, unverified; none where it is no text.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Judges the log; `progress` is told how many entries are done, and of how many.
    ///
    /// Reading goes on ahead while what was read is judged, on the cores of the current rayon pool. Memory: the tables,
    /// the deals under commitments that are open, some 50 bytes for each commitment that has ended (it may not be made
    /// again) and 64 for each 256 entries; some bundles of entries beside. Without hash tiles 32 bytes for each entry.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where something could not be read; what the log withholds is a finding.
    /// [`SourceError::State`], [`SourceError::StateWithoutTiles`].
    pub fn audit(
        &mut self,
        options: &AuditOptions<'_>,
        progress: impl FnMut(u64, u64) + Send,
    ) -> Result<Audited, SourceError> {
        self.audit_watched(options, &mut Progress(progress))
    }

    /// The same, for one who wants to know more of it than how far it is. Rows are handed over after each stretch of 2,048
    /// entries and each 32,768 deals that are replayed, so that few are in memory.
    ///
    /// # Errors
    /// As [`audit`](Self::audit), and [`SourceError::Stopped`].
    pub fn audit_watched(
        &mut self,
        options: &AuditOptions<'_>,
        watch: &mut impl AuditObserver,
    ) -> Result<Audited, SourceError> {
        let key = options.key;
        let mut found = Vec::new();
        let promised = if let Some(note) = &self.note {
            head(note, key, &mut found)
        } else {
            found.push(about_the_log(Code::BadSignature, "the checkpoint is no text, or longer than a note"));
            None
        };
        let size = promised.as_ref().map_or(0, Checkpoint::size);
        let promised = promised.as_ref();
        if options.state.is_some() && !self.tiles.files().has_tiles() {
            return Err(SourceError::StateWithoutTiles);
        }
        let mut run = Run::new(&self.tiles, options, size, found)?;
        if let Some(keep) = watch.wanted() {
            run.keep_rows(keep);
        }
        let read = run.read_all(watch);
        read.map_err(|error| self.stopped(error))?;
        run.compare_rest(promised).map_err(|error| self.stopped(error))?;
        run.published_otherwise(self.tiles.files().changed());
        let mut continued = Vec::new();
        for (name, note) in options.since {
            let mut found = Vec::new();
            let old = head(note, key, &mut found);
            let is_part = run.older(name, old.as_ref(), found.pop()).map_err(|error| self.stopped(error))?;
            continued.extend(old.filter(|_| is_part).map(|old| (name.clone(), old.size())));
        }
        let Ended { audit, state } = run.end().map_err(|error| self.stopped(error))?;
        let (verdict, rows) = audit.finish_with_rows(options.times).ok_or(SourceError::NotFromTheStart)?;
        watch.rows(rows).map_err(SourceError::Stopped)?;
        Ok(Audited { verdict, state, continued })
    }

    fn stopped(&self, why: Stopped) -> SourceError {
        match why {
            Stopped::Unreadable(says) => SourceError::Unreadable { name: self.name(), says },
            Stopped::Watch(says) => SourceError::Stopped(says),
        }
    }
}

/// A checkpoint under the key; where it is not signed, or not as it must be, that is found and its claim still taken.
fn head(note: &str, key: &VerifierKey, found: &mut Vec<Finding>) -> Option<Checkpoint> {
    let signed = match SignedCheckpoint::parse(note) {
        Ok(signed) => signed,
        Err(error) => {
            found.push(about_the_log(Code::BadSignature, error.to_string()));
            return None;
        }
    };
    if let Err(error) = signed.verify(key) {
        found.push(about_the_log(Code::BadSignature, error.to_string()));
    } else if !signed.unverified().extensions().is_empty() {
        found.push(about_the_log(Code::BadSignature, "a checkpoint of this log has no extension lines"));
    }
    Some(signed.unverified().clone())
}
