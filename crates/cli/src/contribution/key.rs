//! A player's key file: an Ed25519 seed as 64 hex digits, private to its owner.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use zeroize::Zeroizing;

use super::random;
use crate::exit::Failure;
use crate::files;
use crate::out::plain;
use fairdeal::record::entry::PlayerSigner;

/// Reads the key in this file. A missing file is made.
/// Exit 2 if the file has no key, 3 if it cannot be read or made, or others can read it.
pub(super) fn read_or_make(path: &Path) -> Result<PlayerSigner, Failure> {
    if files::is_stdout(path) {
        return Err(Failure::usage("--sign -: expected a file, to keep the key in"));
    }
    match File::open(path) {
        Ok(file) => {
            is_private(path, &file)?;
            read(path)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(path),
        Err(error) => Err(unavailable!("{}: {}", path.display(), files::reason(&error))),
    }
}

fn read(path: &Path) -> Result<PlayerSigner, Failure> {
    let text = Zeroizing::new(files::read_text(path)?);
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let mut seed = Zeroizing::new([0; 32]);
    let digits = line.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    // The text may be a secret: it is not repeated.
    if !digits || hex::decode_to_slice(line, seed.as_mut()).is_err() {
        return Err(usage!(
            "{}: expected a key, 64 lowercase hex digits on a line",
            path.display()
        ));
    }
    Ok(PlayerSigner::from_seed(&seed))
}

fn make(path: &Path) -> Result<PlayerSigner, Failure> {
    let seed = Zeroizing::new(random()?);
    let line = Zeroizing::new(format!("{}\n", hex::encode(*seed)));
    files::save_private(path, &line, false)?;
    // On stderr, because stdout is the contribution. If it cannot be written, it is not missed.
    let path = plain(&path.display().to_string());
    let says = format!("{path}: made your new key; keep it secret\n");
    let _ = anstream::stderr().lock().write_all(says.as_bytes());
    Ok(PlayerSigner::from_seed(&seed))
}

#[cfg(unix)]
fn is_private(path: &Path, file: &File) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;

    let unreadable = |error: io::Error| unavailable!("{}: {error}", path.display());
    let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
    if mode | 0o700 == 0o700 {
        return Ok(());
    }
    let says = format!(
        "{}: expected a file that only its owner can read, found mode {mode:o}",
        path.display()
    );
    let hint = "If nobody has read it, chmod 600 it. Otherwise name a new file.";
    Err(Failure::unavailable(says).hint(hint))
}

#[cfg(not(unix))]
fn is_private(_path: &Path, _file: &File) -> Result<(), Failure> {
    Ok(())
}
