//! What never changes of a log, kept on disk: full tiles and full bundles, and nothing else.
//!
//! A file is kept behind the SHA-256 of its log, its path and its bytes, and counts as absent where that does not fit.
//! So a damaged cache costs a second reading and nothing more. It cannot tell a log's file from one that a faulty
//! mirror sent once: whoever finds a log at fault reads it again after [`CacheState::distrust`], and only then says so.
//! What is published otherwise than it was kept takes its place only where [`CacheState::settle`] says that it fits the
//! log's tree. So that a change is noticed at all, some files are read again each time ([`CacheState::compare_again`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};

use super::files::{Files, ReadError, Wanted, read_at_most};
use crate::log::{Level, TilePath};

/// A log's files, some of them out of a folder on this machine.
#[derive(Debug)]
pub struct Cache {
    files: Box<dyn Files>,
    /// The log's own folder: no two logs share one.
    folder: PathBuf,
    /// What the folder is for, which every checksum covers.
    log: String,
    state: Arc<State>,
}

/// What a cache did, and what it may do.
#[derive(Clone, Debug, Default)]
pub struct CacheState(Arc<State>);

#[derive(Debug, Default)]
struct State {
    distrusted: AtomicBool,
    served: AtomicU64,
    /// Nothing more is written after the first time that it did not work.
    warning: Mutex<Option<String>>,
    written: AtomicU64,
    /// Files that are read from the log too, and compared.
    again: Mutex<BTreeSet<String>>,
    /// What came of that, where they differ.
    changed: Mutex<BTreeMap<String, &'static str>>,
    /// What was published in the place of what is kept: its path, where it waits, and where it would be kept.
    waiting: Mutex<BTreeMap<String, (PathBuf, PathBuf)>>,
}

/// None of these is ever half changed, so a thread that panicked has spoilt nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CacheState {
    /// How many files came from the disk.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.0.served.load(Ordering::Relaxed)
    }

    /// From now on every file is read from the log itself. Whether that is new.
    #[must_use]
    pub fn distrust(&self) -> bool {
        !self.0.distrusted.swap(true, Ordering::Relaxed)
    }

    /// Why nothing more is kept, where that is so: the disk is full, or the folder may not be written.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        lock(&self.0.warning).clone()
    }

    /// From now on some of a log's full tiles and bundles are read from the log also where they are kept: of each level
    /// the last one, and two that `pick` decides on.
    pub fn compare_again(&self, size: u64, pick: u64) {
        let levels = [Level::Entries].into_iter().chain((0..=Level::MAX).map(Level::Hashes));
        for (level, full) in levels.map(|level| (level, full_tiles(level, size))) {
            let picked =
                pick.checked_rem(full).filter(|_| matches!(level, Level::Entries | Level::Hashes(0)));
            for index in full.checked_sub(1).into_iter().chain(picked) {
                if let Ok(path) = TilePath::at_size(level, index, size) {
                    lock(&self.0.again).insert(path.to_text());
                }
            }
        }
    }

    /// Ends what [`distrust`](Self::distrust) began: what was published in the place of what is kept is kept from now on
    /// where it fits the log's tree, and else let go. Returns which files these were.
    #[must_use]
    pub fn settle(&self, fits: bool) -> Vec<String> {
        let waiting = std::mem::take(&mut *lock(&self.0.waiting));
        for (beside, place) in waiting.values() {
            // Where this fails, the cache is as it was, and the next audit finds the same again.
            let _ = if fits { fs::rename(beside, place) } else { fs::remove_file(beside) };
        }
        waiting.into_keys().collect()
    }
}

/// How many full tiles a log of this size has at a level.
fn full_tiles(level: Level, size: u64) -> u64 {
    let height = match level {
        Level::Entries => 8,
        Level::Hashes(level) => u32::from(level).saturating_add(1).saturating_mul(8),
    };
    size.checked_shr(height).unwrap_or_default()
}

/// SHA-256 of what is kept, in front of it.
const CHECKSUM: usize = 32;

impl Cache {
    /// Keeps the immutable files of a log below `dir`, in a folder that only this log has.
    ///
    /// `log` is whatever tells two logs apart: where it is read from and the key that it is read under.
    #[must_use]
    pub fn new(files: Box<dyn Files>, dir: &Path, log: &str) -> Self {
        let name = hex::encode(Sha256::digest(log));
        let folder = dir.join(name.get(..32).unwrap_or(&name));
        Self { files, folder, log: log.to_owned(), state: Arc::default() }
    }

    /// What it does from here on; one and the same for as long as the cache is used.
    #[must_use]
    pub fn state(&self) -> CacheState {
        CacheState(Arc::clone(&self.state))
    }

    /// The same cache over a log that is opened again.
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

    /// What may be given out of what is kept.
    fn kept(&self, path: &str, at_most: u64) -> Option<Vec<u8>> {
        let bytes = self.on_disk(path, at_most).filter(|_| !self.state.distrusted.load(Ordering::Relaxed));
        self.state.served.fetch_add(u64::from(bytes.is_some()), Ordering::Relaxed);
        bytes
    }

    /// Reads what is kept from the log too, where that is asked for.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`]: that the log can't be read says nothing about it.
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

    /// What is kept under this path, if it is what was put there.
    fn on_disk(&self, path: &str, at_most: u64) -> Option<Vec<u8>> {
        let bound = at_most.saturating_add(u64::try_from(CHECKSUM).unwrap_or(u64::MAX));
        // Whatever is wrong with it, the log has it too.
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
        // Which of two fits is known when all is read.
        let other = self.on_disk(path, at_most).filter(|kept| kept != bytes).map(|_| format!("{path}.other"));
        let mut warning = lock(&self.state.warning);
        if warning.is_some() {
            return;
        }
        if let Err(error) = self.write(path, other.as_deref().unwrap_or(path), bytes) {
            let folder = self.folder.display();
            *warning =
                Some(format!("{folder}: the cache can't be written, so nothing more is kept: {error}"));
        }
    }

    /// Beside it first, so that nobody reads half of it. Not synced: after a crash the checksum tells. What is not yet to
    /// take the place of `path` is put under another name, `to`.
    fn write(&self, path: &str, to: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.folder.join(to);
        private_folder(place.parent().unwrap_or(&self.folder))?;
        let number = self.state.written.fetch_add(1, Ordering::Relaxed);
        let beside = self.folder.join(format!("new-{}-{number}", std::process::id()));
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(&self.checksum(path, bytes))?;
            file.write_all(bytes)
        });
        written.and_then(|()| fs::rename(&beside, &place)).inspect_err(|_| {
            // If even this fails there is nothing more to do.
            let _ = fs::remove_file(&beside);
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
            // A source answers for each file; one that does not is read file by file.
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

    /// Nothing where the log's own files are judged, and not what is kept.
    fn changed(&self) -> Vec<String> {
        if self.state.distrusted.load(Ordering::Relaxed) {
            return Vec::new();
        }
        lock(&self.state.changed).iter().map(|(path, says)| format!("{path}: {says}")).collect()
    }
}

/// A full tile or bundle: of a log that keeps its promise it never changes.
fn is_immutable(path: &str) -> bool {
    TilePath::parse(path).is_ok_and(|path| path == path.full())
}

/// A folder that is its owner's alone: what somebody audits is nobody else's business.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        created => created,
    }
}
