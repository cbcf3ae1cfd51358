//! The files of a vault key, also while another key takes its place.
//!
//! ```text
//! vault.key        the key
//! vault.key.new    the next key: it seals the seeds once the state's fingerprint says so
//! vault.key.old    the last key, about to be erased
//! ```

use std::fs;
use std::io::{ErrorKind, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::LedgerError;
use crate::setup::folder::{private_file, read_secret, said};
use crate::setup::keys::Vault;
use crate::store::{Head, State, sync_folder};

fn key(private: &Path) -> PathBuf {
    private.join("vault.key")
}

pub(crate) fn new_key(private: &Path) -> PathBuf {
    private.join("vault.key.new")
}

fn old_key(private: &Path) -> PathBuf {
    private.join("vault.key.old")
}

/// Whether another key is about to take this one's place.
pub(crate) fn is_under_way(private: &Path) -> bool {
    new_key(private).symlink_metadata().is_ok()
}

/// Reads a key's file. `None` if it is not there.
fn read_file(path: &Path) -> Result<Option<Vault>, LedgerError> {
    if let Err(error) = path.symlink_metadata()
        && error.kind() == ErrorKind::NotFound
    {
        return Ok(None);
    }
    let parsed = Vault::parse(&read_secret(path)?);
    let wrong = |says: &dyn ToString| LedgerError::NotALedger {
        path: path.to_owned(),
        says: says.to_string(),
    };
    parsed.map(Some).map_err(|error| wrong(&error))
}

/// The key under which the state's seeds are sealed; if neither file has it, the one that is not
/// new.
pub(crate) async fn read(private: &Path, state: &dyn State) -> Result<Vault, LedgerError> {
    if is_under_way(private) {
        let head = state.read().await?.head().await?;
        if let Some(new) = next(private, &head) {
            return Ok(new);
        }
    }
    let path = key(private);
    let missing = || said(&path, &ErrorKind::NotFound.into());
    read_file(&path)?.ok_or_else(missing)
}

/// The next key, if the state's seeds are sealed under it already. One that was not written to its
/// end is none.
fn next(private: &Path, head: &Head) -> Option<Vault> {
    read_file(&new_key(private)).ok().flatten().filter(|new| new.fingerprint() == head.vault)
}

/// Whether the next key opens the state's seeds and this one does not: a change from a command to a
/// file was interrupted.
pub(crate) async fn is_needed(
    private: &Path,
    state: &dyn State,
    vault: &Vault,
) -> Result<bool, LedgerError> {
    if !is_under_way(private) {
        return Ok(false);
    }
    let head = state.read().await?.head().await?;
    Ok(vault.fingerprint() != head.vault && next(private, &head).is_some())
}

/// Whether a change of keys was interrupted after the seeds were encrypted again.
pub(crate) fn is_unfinished(private: &Path, head: &Head) -> bool {
    next(private, head).is_some() || old_key(private).symlink_metadata().is_ok()
}

/// Makes the next key. No seed is sealed under one that may be there from before.
pub(crate) fn stage(private: &Path) -> Result<Vault, LedgerError> {
    erase(&new_key(private))?;
    let vault = Vault::generate()?;
    private_file(&new_key(private), &vault.to_secret_text())?;
    sync_folder(private)?;
    Ok(vault)
}

/// Gives the next key its name, or, if the key is elsewhere now, leaves none; and erases the old
/// one.
pub(crate) fn settle(private: &Path, head: &Head, is_elsewhere: bool) -> Result<(), LedgerError> {
    if is_elsewhere {
        erase(&new_key(private))?;
        erase(&key(private))?;
    } else if next(private, head).is_some() {
        // Between these two the next key is found under its own name.
        match fs::rename(key(private), old_key(private)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(said(&key(private), &error));
            }
            _ => {}
        }
        fs::rename(new_key(private), key(private))
            .map_err(|error| said(&new_key(private), &error))?;
        sync_folder(private)?;
    }
    if !is_elsewhere
        && read_file(&key(private))?.is_none_or(|kept| kept.fingerprint() != head.vault)
    {
        let says = format!(
            "expected the vault key {}, found another or none; nothing was erased",
            head.vault
        );
        return Err(LedgerError::NotALedger { path: key(private), says });
    }
    erase(&old_key(private))?;
    Ok(sync_folder(private)?)
}

/// Overwrites a file and removes it. What the disk keeps of its old blocks is out of reach.
fn erase(path: &Path) -> Result<(), LedgerError> {
    let mut file = match fs::OpenOptions::new().write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(said(path, &error)),
    };
    let overwritten = file.metadata().and_then(|found| {
        let length = usize::try_from(found.len()).unwrap_or(usize::MAX).min(4096);
        file.rewind()?;
        file.write_all(&vec![0; length])?;
        file.sync_all()
    });
    overwritten.and_then(|()| fs::remove_file(path)).map_err(|error| said(path, &error))
}

#[cfg(test)]
mod tests {
    use super::{Vault, key, new_key, old_key, private_file, settle};
    use crate::store::Head;
    use fairdeal::log::Frontier;

    /// Two that settle at once: the other has renamed what this one wants to rename.
    #[test]
    fn no_key_is_erased_before_the_right_one_stands_in_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let private = dir.path();
        let (vault, other) = (Vault::generate().unwrap(), Vault::generate().unwrap());
        let head = Head {
            key: String::new(),
            vault: vault.fingerprint(),
            frontier: Frontier::new(),
            note: String::new(),
            time: None,
            key_time: 0,
            kept: 0,
            clock: None,
            closed: None,
        };
        private_file(&old_key(private), &vault.to_secret_text()).unwrap();
        let error = settle(private, &head, false).unwrap_err();
        assert!(error.to_string().contains("nothing was erased"), "{error}");
        private_file(&key(private), &other.to_secret_text()).unwrap();
        settle(private, &head, false).unwrap_err();
        assert!(old_key(private).exists());
        // As it should be.
        std::fs::remove_file(old_key(private)).unwrap();
        private_file(&new_key(private), &vault.to_secret_text()).unwrap();
        settle(private, &head, false).unwrap();
        assert!(!old_key(private).exists() && !new_key(private).exists());
        assert!(
            std::fs::read_to_string(key(private)).unwrap().starts_with(&*vault.to_secret_text())
        );
    }
}
