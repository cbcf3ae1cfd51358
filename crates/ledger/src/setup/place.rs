//! The place of a ledger's folder. A copy of the folder has another one, and must not sign: it may be
//! older than what was published.
//!
//! The file `private/place` names the machine, and the number and the birth of the folder
//! `private`. A folder that was renamed is the same; one that was copied or unpacked is not. The
//! device is not named: its number can change when the machine starts.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::error::LedgerError;
use crate::setup::folder::{private_file, said};

/// Checks that a folder is where it was; or notes where it is, if nothing notes that yet and it can be
/// written.
///
/// # Errors
/// [`LedgerError::Copied`].
pub(crate) fn check(private: &Path) -> Result<(), LedgerError> {
    let file = file(private);
    match fs::read_to_string(&file) {
        Ok(kept) if agree(&kept, &found(private)?) => Ok(()),
        Ok(_) => Err(LedgerError::Copied(private.parent().unwrap_or(private).to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A full disk must not keep anybody from dealing: the next process notes it.
            let _noted = keep(private);
            Ok(())
        }
        Err(error) => Err(said(&file, &error)),
    }
}

/// Notes where a folder is.
pub(crate) fn keep(private: &Path) -> Result<(), LedgerError> {
    let (file, aside) = (file(private), private.join("place.new"));
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(said(&aside, &error)),
        _ => {}
    }
    private_file(&aside, &found(private)?)?;
    fs::rename(&aside, &file).map_err(|error| said(&file, &error))
}

fn file(private: &Path) -> PathBuf {
    private.join("place")
}

/// A line for each thing that the system tells: its name and its value.
fn found(private: &Path) -> Result<String, LedgerError> {
    let folder = fs::metadata(private).map_err(|error| said(private, &error))?;
    let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let born = folder.created().ok().and_then(|born| born.duration_since(UNIX_EPOCH).ok());
    let born = born.map(|born| born.as_nanos().to_string());
    #[cfg(unix)]
    let number = Some(std::os::unix::fs::MetadataExt::ino(&folder).to_string());
    #[cfg(not(unix))]
    let number = None;
    let all = [("machine", Some(machine.trim().to_owned())), ("folder", number), ("born", born)];
    let known = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let known = known.filter(|(_, value)| !value.is_empty());
    let lines: Vec<String> = known.map(|(name, value)| format!("{name} {value}")).collect();
    Ok(lines.join("\n"))
}

/// Whether the machine, the folder's number and its birth are the same, as far as both texts have
/// them. In a container the machine may be unknown.
fn agree(kept: &str, found: &str) -> bool {
    let of = |text: &str, name: &str| {
        text.lines()
            .find_map(|line| line.split_once(' ').filter(|(of, _)| *of == name))
            .map(|(_, value)| value.to_owned())
    };
    ["machine", "folder", "born"].iter().all(|name| match (of(kept, name), of(found, name)) {
        (Some(kept), Some(found)) => kept == found,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_renamed_is_the_same_and_a_copy_is_not() {
        let home = tempfile::tempdir().expect("a folder");
        let (first, renamed, copy) =
            (home.path().join("first"), home.path().join("renamed"), home.path().join("copy"));
        fs::create_dir(&first).expect("made");
        check(&first).expect("noted");
        check(&first).expect("the same");
        fs::rename(&first, &renamed).expect("renamed");
        check(&renamed).expect("the same");
        fs::create_dir(&copy).expect("made");
        fs::copy(file(&renamed), file(&copy)).expect("copied");
        assert!(matches!(check(&copy), Err(LedgerError::Copied(_))));
        keep(&copy).expect("noted anew");
        check(&copy).expect("the same");
    }

    #[test]
    fn a_value_that_only_one_text_has_is_not_compared() {
        assert!(agree("machine a\nfolder 1\nborn 2\n", "folder 1\nborn 2\n"));
        assert!(agree("folder 1\n", "machine a\nfolder 1\nborn 2\n"));
        for other in ["machine b\nfolder 1\n", "machine a\nfolder 2\n"] {
            assert!(!agree("machine a\nfolder 1\n", other), "{other}");
        }
    }
}
