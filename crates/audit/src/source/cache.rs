//! Keeps a log's full tiles and full bundles on disk. They never change; nothing else is kept.
//!
//! Each file starts with a SHA-256 over its log, path and bytes. A file whose checksum is wrong
//! counts as absent, so a damaged cache costs a second read and nothing more. The cache cannot tell
//! the log's file from one that a faulty mirror sent once. So before an auditor reports a fault,
//! they read the log again after [`CacheState::distrust`]. A file that is published with other
//! bytes replaces the kept one only if it fits the log's tree ([`CacheState::settle`]). To notice
//! such a change at all, every audit reads some kept files again ([`CacheState::compare_again`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};

use super::count;
use super::disk::{name_of, private_folder, write_whole};
use super::files::{Files, ReadError, Wanted, read_at_most};
use fairdeal::log::{Level, TilePath};

/// A log's files, some of them read from a folder on this machine.
#[derive(Debug)]
pub struct Cache {
    files: Box<dyn Files>,
    /// The folder of this log alone.
    folder: PathBuf,
    /// The log's identity; every checksum covers it.
    log: String,
    state: Arc<State>,
}

/// A cache's counters and limits.
#[derive(Clone, Debug, Default)]
pub struct CacheState(Arc<State>);

/// Shared by the [`Cache`], whose readers run on several threads, and its [`CacheState`].
#[derive(Debug, Default)]
struct State {
    /// Set by the auditor, never reset: no kept file is served any more.
    distrusted: AtomicBool,
    /// Files that came from the disk. Readers add to it.
    served: AtomicU64,
    /// The first write that failed; nothing is written after it.
    warning: Mutex<Option<String>>,
    /// Files written, for the names of temporary files. Readers add to it.
    written: AtomicU64,
    /// Kept files to read from the log too, and compare.
    again: Mutex<BTreeSet<String>>,
    /// The compared files that differ, and how.
    changed: Mutex<BTreeMap<String, &'static str>>,
    /// Files published with other bytes than the kept ones, by path: where the new file waits, and
    /// where it would go.
    waiting: Mutex<BTreeMap<String, (PathBuf, PathBuf)>>,
}

/// No value is ever half changed, so a poisoned lock is harmless.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CacheState {
    /// The number of files that came from the disk.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.0.served.load(Ordering::Relaxed)
    }

    /// From now on, every file is read from the log itself. Returns whether that is new.
    #[must_use]
    pub fn distrust(&self) -> bool {
        !self.0.distrusted.swap(true, Ordering::Relaxed)
    }

    /// Why nothing more is kept, if so: the disk is full, or the folder is not writable.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        lock(&self.0.warning).clone()
    }

    /// From now on, some kept tiles and bundles are read from the log too, and compared: the last
    /// one of each level, one more bundle and one more tile of the lowest level, which `pick`
    /// chooses.
    pub fn compare_again(&self, size: u64, pick: u64) {
        let levels = [Level::Entries].into_iter().chain((0..=Level::MAX).map(Level::Hashes));
        for (level, full) in levels.map(|level| (level, full_tiles(level, size))) {
            let picked = pick
                .checked_rem(full)
                .filter(|_| matches!(level, Level::Entries | Level::Hashes(0)));
            for index in full.checked_sub(1).into_iter().chain(picked) {
                if let Ok(path) = TilePath::at_size(level, index, size) {
                    lock(&self.0.again).insert(path.to_text());
                }
            }
        }
    }

    /// Ends what [`distrust`](Self::distrust) began. Files that were published with other bytes
    /// replace the kept ones if `fits`, that is if they fit the log's tree; else they are dropped.
    /// Returns their paths.
    #[must_use]
    pub fn settle(&self, fits: bool) -> Vec<String> {
        let waiting = std::mem::take(&mut *lock(&self.0.waiting));
        for (beside, place) in waiting.values() {
            // If this fails, the cache is as it was, and the next audit finds the same again.
            let _ = if fits { fs::rename(beside, place) } else { fs::remove_file(beside) };
        }
        waiting.into_keys().collect()
    }
}

/// The number of full tiles on a level in a log of this size.
fn full_tiles(level: Level, size: u64) -> u64 {
    let height = match level {
        Level::Entries => 8,
        Level::Hashes(level) => u32::from(level).saturating_add(1).saturating_mul(8),
    };
    size.checked_shr(height).unwrap_or(0)
}

/// The length of the checksum in front of each kept file.
const CHECKSUM: usize = 32;

impl Cache {
    /// Keeps the immutable files of a log below `dir`, in a folder that only this log has.
    ///
    /// `log` tells two logs apart: where it is read from, and under which key.
    #[must_use]
    pub fn new(files: Box<dyn Files>, dir: &Path, log: &str) -> Self {
        Self { files, folder: dir.join(name_of(log)), log: log.to_owned(), state: Arc::default() }
    }

    /// Its state, shared with the cache.
    #[must_use]
    pub fn state(&self) -> CacheState {
        CacheState(Arc::clone(&self.state))
    }

    /// The cache with the state of another one: for a log that is opened again.
    #[must_use]
    pub fn with_state(self, state: &CacheState) -> Self {
        Self { state: Arc::clone(&state.0), ..self }
    }

    fn checksum(&self, path: &str, bytes: &[u8]) -> [u8; CHECKSUM] {
        let mut hash = Sha256::new();
        // A path holds no newline, so no two of log, path and bytes are hashed alike.
        hash.update(Sha256::digest(&self.log));
        hash.update(path);
        hash.update("\n");
        hash.update(bytes);
        hash.finalize().into()
    }

    /// The kept bytes, unless the cache is distrusted.
    fn kept(&self, path: &str, at_most: u64) -> Option<Vec<u8>> {
        let bytes =
            self.on_disk(path, at_most).filter(|_| !self.state.distrusted.load(Ordering::Relaxed));
        self.state.served.fetch_add(u64::from(bytes.is_some()), Ordering::Relaxed);
        bytes
    }

    /// Reads a kept file from the log too, if it is one to compare.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`]: a file that cannot be read says nothing about the log.
    fn compare(&self, path: &str, at_most: u64, kept: &[u8]) -> Result<(), ReadError> {
        if !lock(&self.state.again).contains(path) {
            return Ok(());
        }
        let says = match self.files.read(path, at_most) {
            Ok(published) if published == kept => return Ok(()),
            Ok(_) => "it is published with other bytes than were kept of it",
            Err(ReadError::Missing) => "it was kept, and is missing now",
            Err(ReadError::TooLong { .. }) => "it was kept, and is published longer than it may be",
            Err(error) => return Err(error),
        };
        lock(&self.state.changed).insert(path.to_owned(), says);
        Ok(())
    }

    /// The kept bytes, if their checksum is right.
    fn on_disk(&self, path: &str, at_most: u64) -> Option<Vec<u8>> {
        let bound = at_most.saturating_add(count(CHECKSUM));
        // Any error here means: read it from the log.
        let file = File::open(self.folder.join(path)).ok()?;
        let length = file.metadata().ok()?.len().min(bound);
        let mut bytes = read_at_most(file, bound, length).ok()?;
        let (checksum, content) = bytes.split_at_checked(CHECKSUM)?;
        if checksum != self.checksum(path, content) {
            return None;
        }
        bytes.drain(..CHECKSUM);
        Some(bytes)
    }

    fn keep(&self, path: &str, bytes: &[u8], at_most: u64) {
        // Only the whole audit shows which of two versions fits.
        let other = self
            .on_disk(path, at_most)
            .filter(|kept| kept != bytes)
            .map(|_| format!("{path}.other"));
        let mut warning = lock(&self.state.warning);
        if warning.is_some() {
            return;
        }
        if let Err(error) = self.write(path, other.as_deref().unwrap_or(path), bytes) {
            let folder = self.folder.display();
            *warning = Some(format!(
                "{folder}: the cache can't be written, so nothing more is kept: {error}"
            ));
        }
    }

    /// Writes the file of `path` under the name `to`. Not synced: after a crash the checksum tells.
    fn write(&self, path: &str, to: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.folder.join(to);
        private_folder(place.parent().unwrap_or(&self.folder))?;
        let number = self.state.written.fetch_add(1, Ordering::Relaxed);
        let temporary = self.folder.join(format!("new-{}-{number}", std::process::id()));
        write_whole(&place, &temporary, |file| {
            file.write_all(&self.checksum(path, bytes))?;
            file.write_all(bytes)
        })?;
        if to != path {
            lock(&self.state.waiting).insert(path.to_owned(), (place, self.folder.join(path)));
        }
        Ok(())
    }
}

impl Files for Cache {
    fn name(&self) -> String {
        self.files.name()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        if !is_immutable(path) {
            return self.files.read(path, at_most);
        }
        if let Some(bytes) = self.kept(path, at_most) {
            self.compare(path, at_most, &bytes)?;
            return Ok(bytes);
        }
        let bytes = self.files.read(path, at_most)?;
        self.keep(path, &bytes, at_most);
        Ok(bytes)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        let kept: Vec<Option<Vec<u8>>> = wanted
            .iter()
            .map(|one| is_immutable(&one.path).then(|| self.kept(&one.path, one.at_most)).flatten())
            .collect();
        let missing = wanted.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let missing: Vec<Wanted> = missing.map(|(one, _)| one.clone()).collect();
        let mut read = self.files.read_all(&missing).into_iter();
        let or_read = |(kept, one): (Option<Vec<u8>>, &Wanted)| {
            if let Some(bytes) = kept {
                self.compare(&one.path, one.at_most, &bytes)?;
                return Ok(bytes);
            }
            // `read_all` should answer for each file; if it does not, ask for this one.
            let bytes = read.next().unwrap_or_else(|| self.files.read(&one.path, one.at_most))?;
            if is_immutable(&one.path) {
                self.keep(&one.path, &bytes, one.at_most);
            }
            Ok(bytes)
        };
        kept.into_iter().zip(wanted).map(or_read).collect()
    }

    fn has_tiles(&self) -> bool {
        self.files.has_tiles()
    }

    /// Empty once the cache is distrusted: then the log's own files are judged.
    fn changed(&self) -> Vec<String> {
        if self.state.distrusted.load(Ordering::Relaxed) {
            return Vec::new();
        }
        lock(&self.state.changed).iter().map(|(path, says)| format!("{path}: {says}")).collect()
    }
}

/// A full tile or bundle. An honest log never changes it.
fn is_immutable(path: &str) -> bool {
    TilePath::parse(path).is_ok_and(|path| path == path.full())
}
