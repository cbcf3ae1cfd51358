//! `--since`: compares receipts with a saved view of the log.

use std::path::Path;

use crate::exit::Failure;
use crate::logs::Log;
use crate::view::{Fault, View};
use crate::{files, note};
use fairdeal::log::{Checkpoint, VerifierKey, verify_checkpoint};
use fairdeal::record::{Code, Finding};
use fairdeal_audit::answer::JudgedFile;

/// Adds `inconsistent` to the verdict of each file whose checkpoint is not of the saved view's log.
/// Returns the view's size if all files are of its log.
pub(super) fn hold_against(
    judged: &mut [JudgedFile],
    saved_at: &Path,
    log: Option<&str>,
    key: &VerifierKey,
) -> Result<Option<u64>, Failure> {
    let name = files::name(saved_at);
    let saved = note::read_saved("--since", saved_at, key)?;
    let saved = saved.unverified();
    if saved.size() == 0 {
        let says = format!(
            "--since {name}: expected a view with entries, found one of the empty log, which every log continues"
        );
        return Err(Failure::usage(says));
    }
    let mut log = match log {
        Some(name) => {
            let log = Log::new(name, None, None)?;
            Some(View::open(&log, key).map_err(|fault| fault.failure(name))?)
        }
        None => None,
    };
    let mut all = true;
    for file in judged {
        let JudgedFile::Judged(file) = file else {
            all = false;
            continue;
        };
        // An unsigned checkpoint has its own finding, and proves nothing about the log.
        let signed =
            file.document.as_ref().map(|file| verify_checkpoint(&file.receipt().checkpoint, key));
        let Some(Ok(shown)) = signed else {
            all = false;
            continue;
        };
        let found = match &mut log {
            _ if shown.size() == saved.size() => same_root(&shown, saved, &name),
            // An older copy of the log contradicts nobody.
            Some(log) if log.checkpoint().size() < shown.size().max(saved.size()) => {
                return Err(older_copy(&file.name, &shown, &name, saved, log.checkpoint().size()));
            }
            Some(log) => {
                match log.continues(saved, &name).and_then(|()| log.continues(&shown, &file.name)) {
                    Ok(()) => None,
                    Err(Fault::Found(finding)) => Some(finding),
                    Err(Fault::Ended(failure)) => return Err(failure),
                }
            }
            // A file that does not hold (exit 1) matters more than one that cannot be checked (exit
            // 3).
            None if !file.verdict.holds => {
                all = false;
                None
            }
            None => return Err(takes_the_log(&file.name, &shown, &name, saved)),
        };
        if let Some(finding) = found {
            file.verdict.add(finding);
            all = false;
        }
    }
    Ok(all.then_some(saved.size()))
}

fn same_root(shown: &Checkpoint, saved: &Checkpoint, name: &str) -> Option<Finding> {
    (shown.root() != saved.root()).then(|| {
        let says = format!(
            "at size {}, {name} has root {}, this receipt {}: both are signed by {}, this is a fork",
            saved.size(),
            saved.root().to_hex(),
            shown.root().to_hex(),
            saved.origin()
        );
        Finding::about_the_log(Code::Inconsistent, says)
    })
}

fn older_copy(file: &str, shown: &Checkpoint, name: &str, saved: &Checkpoint, log: u64) -> Failure {
    unavailable!("--log: it has {log} entries, {file} has {} and {name} has {}: an older copy of the log cannot join them",
        shown.size(),
        saved.size()).hint("Give a copy of the log that is as new as both.")
}

fn takes_the_log(file: &str, shown: &Checkpoint, name: &str, saved: &Checkpoint) -> Failure {
    unavailable!("{file}: its checkpoint has {} entries, {name} has {}: only the log shows whether one continues the other",
        shown.size(),
        saved.size()).hint("Give the log's folder or URL with --log.")
}
