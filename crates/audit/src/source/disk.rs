//! Files that this machine keeps about a log: private folders, and files that are written whole or
//! not at all.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// A file name for `text`: the first half of its SHA-256, in hex.
pub(super) fn name_of(text: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(text).into();
    hex::encode(digest.split_at(16).0)
}

/// Creates a folder that only its owner can read: which logs somebody audits is nobody else's
/// business.
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

/// Writes a temporary file, then renames it to `place`: nobody reads half of it. On an error
/// `place` is as it was.
pub(super) fn write_whole(
    place: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let written = File::create(temporary).and_then(|mut file| write(&mut file));
    written.and_then(|()| fs::rename(temporary, place)).inspect_err(|_| {
        // If this fails too, there is nothing more to do.
        let _ = fs::remove_file(temporary);
    })
}
