//! Which log a command is to read: a folder, a URL, an exported file, or `-` for one on stdin; with a cache or without.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};

use super::exit::Failure;
use super::files;
use super::out::plain;
use crate::log::{Checkpoint, VerifierKey};
use crate::source::{Cache, CacheState, Export, Files, Http, HttpLimits, LogFolder};

/// What could be better, and is no error.
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// A log as a command line names it.
#[derive(Debug)]
pub(super) struct Log {
    /// As it was typed.
    name: String,
    cache: Option<Kept>,
}

/// What is kept of it.
#[derive(Debug)]
struct Kept {
    dir: PathBuf,
    /// The key that it is read under: another one's log is another log.
    key: String,
    state: CacheState,
}

impl Log {
    /// A log, and where to keep what never changes of it.
    ///
    /// # Errors
    /// Exit 2 where something is to be kept of a log that is on this machine anyway.
    pub(super) fn new(name: &str, cache: Option<&Path>, key: Option<&VerifierKey>) -> Result<Self, Failure> {
        if name.is_empty() {
            return Err(Failure::usage("expected a log, found an empty name"));
        }
        if cache.is_some() && !is_url(name) {
            return Err(Failure::usage(format!("--cache: expected a log behind a URL, found {name}")));
        }
        let cache = cache.map(|dir| Kept {
            dir: dir.to_owned(),
            key: key.map(VerifierKey::to_text).unwrap_or_default(),
            state: CacheState::default(),
        });
        Ok(Self { name: name.to_owned(), cache })
    }

    /// Whether it is read live, behind a URL.
    pub(super) fn is_live(&self) -> bool {
        is_url(&self.name)
    }

    /// As it was typed, but for stdin.
    pub(super) fn name(&self) -> &str {
        if self.name == "-" { "stdin" } else { &self.name }
    }

    /// The log's files.
    ///
    /// # Errors
    /// Exit 2 where it is no URL of a log, 3 where there is nothing to read.
    pub(super) fn open(&self) -> Result<Box<dyn Files>, Failure> {
        let files = self.files()?;
        let Some(kept) = &self.cache else { return Ok(files) };
        let log = format!("{}\n{}", files.name(), kept.key);
        Ok(Box::new(Cache::new(files, &kept.dir, &log).with_state(&kept.state)))
    }

    fn files(&self) -> Result<Box<dyn Files>, Failure> {
        if is_url(&self.name) {
            let http = Http::new(&self.name, HttpLimits::default());
            return Ok(Box::new(http.map_err(|error| Failure::usage(error.to_string()))?));
        }
        let no_export = |error| Failure::unavailable(format!("{}: {error}", self.name()));
        if self.name == "-" {
            return Ok(Box::new(Export::open(self.name(), io::stdin()).map_err(no_export)?));
        }
        let path = Path::new(&self.name);
        let unreadable =
            |error: io::Error| Failure::unavailable(format!("{}: {}", self.name, files::reason(&error)));
        if fs::metadata(path).map_err(unreadable)?.is_dir() {
            return Ok(Box::new(LogFolder::open(path)));
        }
        let file = File::open(path).map_err(unreadable)?;
        Ok(Box::new(Export::open(self.name(), file).map_err(no_export)?))
    }

    /// Whether some of what was read came from the cache. From then on nothing does: what is found in a log is found in
    /// the log itself, so that no file that was kept accuses anybody.
    pub(super) fn distrust(&self) -> bool {
        let Some(Kept { state, .. }) = self.cache.as_ref().filter(|kept| kept.state.served() > 0) else {
            return false;
        };
        state.distrust()
    }

    /// The folder of the cache, where there is one.
    pub(super) fn cache(&self) -> Option<&Path> {
        self.cache.as_ref().map(|kept| kept.dir.as_path())
    }

    /// Compares some of what is kept with what is published now, under this checkpoint: of each kind the last file, and
    /// one that the root decides on, so that over time every one has its turn.
    pub(super) fn compare_again(&self, checkpoint: &Checkpoint) {
        if let Some(kept) = &self.cache {
            let pick = checkpoint.root().as_bytes().first_chunk().copied().map_or(0, u64::from_be_bytes);
            kept.state.compare_again(checkpoint.size(), pick);
        }
    }

    /// After what [`distrust`](Self::distrust) began: whether the log's own files fit its tree. Then they take the place of
    /// what was kept and is otherwise; if they do not, what was kept stays. Either is said.
    pub(super) fn settle(&self, fits: bool) {
        let Some(kept) = &self.cache else { return };
        let files = kept.state.settle(fits);
        if let Some(first) = files.first() {
            let more = files.len().saturating_sub(1);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            warn(&if fits {
                format!(
                    "{first}{more}: what was kept does not fit the log's tree; what is published does, and is kept now"
                )
            } else {
                format!(
                    "{first}{more}: published with other bytes than were kept; the cache keeps what it had"
                )
            });
        }
    }

    /// Says on stderr what could be better.
    pub(super) fn warn(&self) {
        if let Some(says) = self.cache.as_ref().and_then(|kept| kept.state.warning()) {
            warn(&says);
        }
    }
}

/// A line on stderr. Where that can't be written, it is not missed.
pub(super) fn warn(says: &str) {
    let line = format!("{WARNING}warning:{WARNING:#} {}\n", plain(says));
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}

/// What is meant as a URL, even where it is none that a log can have.
fn is_url(name: &str) -> bool {
    name.contains("://")
}
