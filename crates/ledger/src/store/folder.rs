//! Published files in a folder, for any static file server.
//!
//! Files are written aside, in `.new/`, and then renamed: nobody sees half of one, also if the
//! process is killed. Nothing waits for the disk: after a power cut a file may be lost, old or
//! torn, unless [`Tiles::sync`] came after it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt as _;

use super::StoreFuture;
use super::error::{Fault, StoreError, fault_of};
use super::tiles::{NewFile, Step, Tiles};

/// The folder of files that have no name yet.
const ASIDE: &str = ".new";

/// A folder of published files.
#[derive(Clone, Debug)]
pub struct TileFolder {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// Stays open: the kernel tells whoever syncs it of the writes that have failed since it was
    /// opened.
    #[cfg(target_os = "linux")]
    folder: File,
    /// Tells the files that this process writes aside from each other.
    written: AtomicU64,
}

impl TileFolder {
    /// Opens an existing folder.
    ///
    /// # Errors
    /// [`StoreError`] where there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let found = fs::metadata(path).map_err(|e| said(path, &e))?;
        if !found.is_dir() {
            return Err(StoreError::new(
                Fault::Denied,
                path.display().to_string(),
                "it is not a folder",
            ));
        }
        let inner = Inner {
            path: path.to_owned(),
            #[cfg(target_os = "linux")]
            folder: File::open(path).map_err(|e| said(path, &e))?,
            written: AtomicU64::new(0),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Runs blocking work on another thread.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let inner = Arc::clone(&self.inner);
        async move {
            let path = inner.path.display().to_string();
            let done = tokio::task::spawn_blocking(move || work(&inner)).await;
            done.map_err(|e| StoreError::new(Fault::Unknown, path, e.to_string()))?
        }
        .boxed()
    }
}

fn said(path: &Path, error: &io::Error) -> StoreError {
    StoreError::new(fault_of(error), path.display().to_string(), error.to_string())
}

impl Inner {
    fn at(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    /// Writes a file aside, and returns its path.
    fn aside(&self, bytes: &[u8], sync: bool) -> Result<PathBuf, StoreError> {
        let folder = self.at(ASIDE);
        let nth = self.written.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{nth}", std::process::id()));
        // A file of that name may be left by a process that was killed, and be the same file as a
        // published one: it is removed, never written to.
        let open = || match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                fs::remove_file(&path)?;
                OpenOptions::new().write(true).create_new(true).open(&path)
            }
            opened => opened,
        };
        let opened = match open() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(&folder).map_err(|e| said(&folder, &e))?;
                open()
            }
            opened => opened,
        };
        let write = |mut file: File| {
            file.write_all(bytes)?;
            if sync { file.sync_all() } else { Ok(()) }
        };
        match opened.and_then(write) {
            Ok(()) => Ok(path),
            Err(error) => {
                let _removed = fs::remove_file(&path);
                Err(said(&path, &error))
            }
        }
    }

    /// Gives a file that was written aside its name, by `rename`, and makes the folder if it is not
    /// there yet. A file that gets no name is removed.
    fn name(
        &self,
        aside: &Path,
        path: &Path,
        rename: impl Fn(&Path, &Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let named = match rename(aside, path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(path.parent().unwrap_or(&self.path))
                    .and_then(|()| rename(aside, path))
            }
            named => named,
        };
        if named.is_err() {
            let _removed = fs::remove_file(aside);
        }
        named
    }

    /// The checkpoint must be this one. A folder cannot replace it on that condition, so the caller
    /// holds a lease.
    fn check_checkpoint(&self, expected: &[u8]) -> Result<(), StoreError> {
        let path = self.at("checkpoint");
        match read_file(&path) {
            Ok(found) if found == expected => Ok(()),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(said(&path, &error)),
            _ => {
                let says =
                    "it is not the checkpoint that was to be replaced: another publisher was first";
                Err(StoreError::new(Fault::Raced, path.display().to_string(), says))
            }
        }
    }

    /// Creates files. If a name is taken, compares the bytes, and returns the name if they differ.
    fn create(&self, files: &[NewFile]) -> Result<Option<String>, StoreError> {
        for (name, bytes) in files {
            let (aside, path) = (self.aside(bytes, false)?, self.at(name));
            match self.name(&aside, &path, rename_new) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    if read_file(&path).map_err(|e| said(&path, &e))? != *bytes {
                        return Ok(Some(name.clone()));
                    }
                }
                named => named.map_err(|e| said(&path, &e))?,
            }
        }
        Ok(None)
    }

    fn replace(&self, name: &str, bytes: &[u8], sync: bool) -> Result<(), StoreError> {
        let (aside, path) = (self.aside(bytes, sync)?, self.at(name));
        self.name(&aside, &path, |from, to| fs::rename(from, to)).map_err(|e| said(&path, &e))?;
        if sync { sync_folder(path.parent().unwrap_or(&self.path)) } else { Ok(()) }
    }

    /// Waits until every file below the folder is on the disk, with its names: the whole file
    /// system is synced.
    #[cfg(target_os = "linux")]
    fn sync(&self) -> Result<(), StoreError> {
        use std::os::unix::fs::MetadataExt as _;
        let of = |found: fs::Metadata| (found.dev(), found.ino());
        let now = fs::metadata(&self.path).map(of).map_err(|e| said(&self.path, &e))?;
        if self.folder.metadata().map(of).map_err(|e| said(&self.path, &e))? != now {
            let says = "it is another folder than when the ledger was opened";
            return Err(StoreError::new(Fault::Disk, self.path.display().to_string(), says));
        }
        rustix::fs::syncfs(&self.folder).map_err(|e| said(&self.path, &e.into()))
    }

    /// Waits until every file below the folder is on the disk, with its names, one after the other.
    #[cfg(not(target_os = "linux"))]
    fn sync(&self) -> Result<(), StoreError> {
        let mut files = BTreeMap::new();
        self.list("tile", &mut files)?;
        let mut folders = std::collections::BTreeSet::from([self.path.clone()]);
        for path in files.keys().map(|name| self.at(name)).chain([self.at("checkpoint")]) {
            File::open(&path).and_then(|file| file.sync_all()).map_err(|e| said(&path, &e))?;
            let above = path.ancestors().skip(1).take_while(|above| above.starts_with(&self.path));
            folders.extend(above.map(Path::to_owned));
        }
        folders.iter().try_for_each(|folder| sync_folder(folder))
    }

    /// Adds the files below a folder. `name` is its own.
    fn list(&self, name: &str, found: &mut BTreeMap<String, u64>) -> Result<(), StoreError> {
        let folder = self.at(name);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|e| said(&folder, &e))?,
        };
        for entry in entries {
            let entry = entry.map_err(|e| said(&folder, &e))?;
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            let metadata = match entry.metadata() {
                // Another process has removed it since.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                found => found.map_err(|e| said(&entry.path(), &e))?,
            };
            if metadata.is_dir() {
                self.list(&name, found)?;
            } else {
                found.insert(name, metadata.len());
            }
        }
        Ok(())
    }
}

/// Renames a file, unless the new name is taken.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Not every file system knows this flag.
            Err(Errno::INVAL | Errno::NOSYS) => {}
            renamed => return Ok(renamed?),
        }
    }
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}

/// Waits until a folder's names are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|e| said(folder, &e))
}

/// Removes a folder with all that is in it, if it is there.
fn remove_folder(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(said(path, &error)),
        _ => Ok(()),
    }
}

/// Reads a regular file: a pipe or a device in its place would have no end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        fs::read(path)
    } else {
        let says = "expected a file, found a folder, a pipe or a device";
        Err(io::Error::new(ErrorKind::InvalidInput, says))
    }
}

impl Tiles for TileFolder {
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        let name = path.to_owned();
        self.run(move |inner| match read_file(&inner.at(&name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(said(&inner.at(&name), &error)),
        })
    }

    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>> {
        self.run(move |inner| inner.create(&files))
    }

    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>> {
        self.run(move |inner| {
            inner.check_checkpoint(&checkpoint.from)?;
            let differs = inner.create(&files)?;
            if differs.is_none() {
                inner.replace("checkpoint", &checkpoint.to, false)?;
            }
            Ok(differs)
        })
    }

    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        let name = path.to_owned();
        self.run(move |inner| inner.replace(&name, &bytes, true))
    }

    fn list<'a>(&'a self, folder: &'a str) -> StoreFuture<'a, BTreeMap<String, u64>> {
        let folder = folder.to_owned();
        self.run(move |inner| {
            let mut found = BTreeMap::new();
            inner.list(&folder, &mut found)?;
            Ok(found)
        })
    }

    fn sync(&self) -> StoreFuture<'_, ()> {
        self.run(Inner::sync)
    }

    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()> {
        self.run(move |inner| {
            full.iter().try_for_each(|path| remove_folder(&inner.at(&format!("{path}.p"))))
        })
    }

    fn tidy(&self) -> StoreFuture<'_, ()> {
        self.run(|inner| {
            let mut left = BTreeMap::new();
            inner.list(ASIDE, &mut left)?;
            left.keys()
                .map(|name| inner.at(name))
                .try_for_each(|path| fs::remove_file(&path).map_err(|e| said(&path, &e)))
        })
    }
}
