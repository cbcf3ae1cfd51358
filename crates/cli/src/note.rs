//! Saved checkpoints.

use std::path::Path;

use super::exit::Failure;
use super::files;
use super::out::count;
use fairdeal::deal::Digest;
use fairdeal::log::{Checkpoint, SignedCheckpoint, VerifierKey};
use fairdeal::record::entry::{Int, LogSignature, SeenCheckpoint};

/// Reads a saved checkpoint and verifies it.
/// Exit 3 if the file cannot be read, is no checkpoint, or the key did not sign it: its bytes were
/// changed since it was published, or it is of another log, and it says nothing about this one.
pub(super) fn read_saved(
    option: &str,
    path: &Path,
    key: &VerifierKey,
) -> Result<SignedCheckpoint, Failure> {
    let (_, note) = read_any(option, path)?;
    verified(&note, key).map_err(|error| not_saved(option, path, &error))?;
    Ok(note)
}

fn not_saved(option: &str, path: &Path, error: &str) -> Failure {
    let name = files::name(path);
    unavailable!("{option} {name}: expected a checkpoint of this log, as it was published: {error}")
        .hint(
            "Save it as bytes, for example with curl -o: an editor or a mail program may change it.",
        )
}

/// Reads a saved checkpoint, whoever signed it, and its text. `option` is where it was given.
/// Exit 3 if the file cannot be read, or is no checkpoint.
pub(super) fn read_any(option: &str, path: &Path) -> Result<(String, SignedCheckpoint), Failure> {
    let text = files::read_text(path)?;
    match SignedCheckpoint::parse(&text) {
        Ok(note) => Ok((text, note)),
        Err(_) if text.contains('\r') => {
            Err(not_saved(option, path, "its line ends were changed to CRLF"))
        }
        Err(error) => Err(not_saved(option, path, &error.to_string())),
    }
}

/// Checks that the key signed it, and that it has no extension lines: checkpoints of these logs
/// have none.
pub(super) fn verified(note: &SignedCheckpoint, key: &VerifierKey) -> Result<Checkpoint, String> {
    let checkpoint = note.verify(key).map_err(|error| error.to_string())?;
    match checkpoint.extensions() {
        [] => Ok(checkpoint.clone()),
        more => {
            Err(format!("a checkpoint of this log has no extension lines, found {}", more.len()))
        }
    }
}

/// The words for a saved view that the log continues (spec/audit.md, section 13.6).
pub(super) fn part_of_this_log(size: u64) -> String {
    format!("a saved view of {} is part of this log", count(size, "entry", "entries"))
}

/// A saved checkpoint as a contribution holds it: size, root, and the log's own signature.
pub(super) fn as_seen(
    saved: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<SeenCheckpoint, String> {
    let checkpoint = saved.unverified();
    let size = Int::new(checkpoint.size()).filter(|size| size.value() > 0);
    let size = size.ok_or_else(|| {
        format!("expected a checkpoint of 1 to {} entries, found {}", Int::MAX, checkpoint.size())
    })?;
    let by_the_log = saved
        .note()
        .signatures()
        .iter()
        .find(|one| one.name() == key.name() && one.id() == key.id());
    let signature = by_the_log.and_then(|one| Some((one.id(), one.bytes().try_into().ok()?)));
    let (id, signature): (_, &[u8; 64]) =
        signature.ok_or("expected a signature by the log's key")?;
    Ok(SeenCheckpoint {
        root: Digest::from_bytes(*checkpoint.root().as_bytes()),
        signature: LogSignature::new(id.to_bytes(), signature),
        size,
    })
}
