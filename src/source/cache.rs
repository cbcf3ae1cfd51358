//! What never changes of a log, kept on disk: full tiles and full bundles, and nothing else.
//!
//! A file is kept behind the SHA-256 of its log, its path and its bytes, and counts as absent where that does not fit.
//! So a damaged cache costs a second reading and nothing more. It cannot tell a log's file from one that a faulty
//! mirror sent once: whoever finds a log at fault reads it again after [`CacheState::distrust`], and only then says so.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::files::{Files, ReadError, Wanted, read_at_most};
use crate::log::TilePath;

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
}

impl CacheState {
    /// How many files came from the disk.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.0.served.load(Ordering::Relaxed)
    }

    /// From now on every file is read from the log itself, and replaces what is kept. Whether that is new.
    #[must_use]
    pub fn distrust(&self) -> bool {
        !self.0.distrusted.swap(true, Ordering::Relaxed)
    }

    /// Why nothing more is kept, where that is so: the disk is full, or the folder may not be written.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        self.0.warning.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
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

    /// What is kept under this path, if it is what was put there.
    fn kept(&self, path: &str, at_most: u64) -> Option<Vec<u8>> {
        if self.state.distrusted.load(Ordering::Relaxed) {
            return None;
        }
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
        self.state.served.fetch_add(1, Ordering::Relaxed);
        Some(bytes)
    }

    fn keep(&self, path: &str, bytes: &[u8]) {
        let mut warning = self.state.warning.lock().unwrap_or_else(PoisonError::into_inner);
        if warning.is_none()
            && let Err(error) = self.write(path, bytes)
        {
            let folder = self.folder.display();
            *warning =
                Some(format!("{folder}: the cache can't be written, so nothing more is kept: {error}"));
        }
    }

    /// Beside it first, so that nobody reads half of it. Not synced: after a crash the checksum tells.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.folder.join(path);
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
        })
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
            return Ok(bytes);
        }
        let bytes = self.files.read(path, at_most)?;
        self.keep(path, &bytes);
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
                return Ok(bytes);
            }
            // A source answers for each file; one that does not is read file by file.
            let bytes = read.next().unwrap_or_else(|| self.files.read(&one.path, one.at_most))?;
            if is_immutable(&one.path) {
                self.keep(&one.path, &bytes);
            }
            Ok(bytes)
        };
        kept.into_iter().zip(wanted).map(or_read).collect()
    }

    fn has_tiles(&self) -> bool {
        self.files.has_tiles()
    }
}

/// A full tile or bundle: of a log that keeps its promise it never changes.
fn is_immutable(path: &str) -> bool {
    TilePath::parse(path).is_ok_and(|path| path == path.full())
}

/// A folder that is its owner's alone: what somebody audits is nobody else's business.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        created => created,
    }
}
