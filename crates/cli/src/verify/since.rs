//! `--since`: joins receipts with a saved view of the log (spec/receipt.md, 11.9).

use std::path::Path;

use crate::exit::Failure;
use crate::logs::Log;
use crate::view::{Fault, View};
use crate::{files, note};
use fairdeal::log::{Checkpoint, SignedCheckpoint, VerifierKey, verify_checkpoint};
use fairdeal::record::Code;
use fairdeal::record::receipt::{SeenHead, Shown};
use fairdeal_audit::answer::{JudgedFile, JudgedFiles};

/// A checkpoint that the reader saved, and its file's name.
pub(super) struct SavedView {
    name: String,
    note: SignedCheckpoint,
}

impl SavedView {
    /// Exit 3 if it cannot be opened under the key, 2 for a view of the empty log.
    pub(super) fn read(path: &Path, key: &VerifierKey) -> Result<Self, Failure> {
        let name = files::name(path);
        let note = note::read_saved("--since", path, key)?;
        if note.unverified().size() == 0 {
            return Err(usage!(
                "--since {name}: expected a view with entries, found one of the empty log, which every log continues"
            ));
        }
        Ok(Self { name, note })
    }

    /// The head that is judged with the files.
    pub(super) fn head(&self) -> (String, SeenHead) {
        (self.name.clone(), SeenHead::of(self.note.to_text()))
    }

    pub(super) fn size(&self) -> u64 {
        self.checkpoint().size()
    }

    fn checkpoint(&self) -> &Checkpoint {
        self.note.unverified()
    }

    /// Adds `inconsistent` to the verdict of each file that the log shows to be of another tree
    /// than this view. Returns why files could not be joined with it. Exit 2 for what is no log.
    pub(super) fn join(
        &self,
        judged: &mut JudgedFiles,
        log: Option<&str>,
        key: &VerifierKey,
    ) -> Result<Vec<Failure>, Failure> {
        let mut log = match log {
            Some(name) => Some(
                View::open(&Log::new(name, None, None)?, key).map_err(|e| Some(proves_nothing(e))),
            ),
            None => None,
        };
        let mut failures = Vec::new();
        for file in &mut judged.files {
            let JudgedFile::Judged(file) = file else { continue };
            if !file.shows(Shown::Logged) {
                continue;
            }
            let is_joined = !file.takes_the_log_at(self.size());
            let receipt = file.document.as_ref().expect("it is logged").receipt();
            let shown = verify_checkpoint(&receipt.checkpoint, key).expect("it is logged");
            let proof = match &mut log {
                None if is_joined => continue,
                None => Err(Fault::Ended(self.takes_the_log(&file.name, &shown))),
                // It is told once.
                Some(Err(failure)) => {
                    failures.extend(failure.take());
                    if !is_joined {
                        file.set_apart();
                    }
                    continue;
                }
                Some(Ok(log)) => self.proof(log, &file.name, &shown),
            };
            match proof {
                Ok(()) => {}
                Err(Fault::Found(finding)) if finding.code == Code::Inconsistent => {
                    file.verdict.add(finding);
                }
                Err(_) if is_joined => {}
                Err(fault) => {
                    file.set_apart();
                    failures.push(proves_nothing(fault));
                }
            }
        }
        Ok(failures)
    }

    fn proof(&self, log: &mut View, file: &str, shown: &Checkpoint) -> Result<(), Fault> {
        // An older copy of the log contradicts nobody.
        if log.checkpoint().size() < shown.size().max(self.size()) {
            return Err(Fault::Ended(self.older_copy(file, shown, log.checkpoint().size())));
        }
        log.continues(self.checkpoint(), &self.name)?;
        log.continues(shown, file)
    }

    fn older_copy(&self, file: &str, shown: &Checkpoint, log: u64) -> Failure {
        unavailable!("--log: it has {log} entries, {file} has {} and {} has {}: an older copy of the log cannot join them",
            shown.size(),
            self.name,
            self.size()).hint("Give a copy of the log that is as new as both.")
    }

    fn takes_the_log(&self, file: &str, shown: &Checkpoint) -> Failure {
        unavailable!("{file}: its checkpoint has {} entries, {} has {}: only the log shows whether one continues the other",
            shown.size(),
            self.name,
            self.size()).hint("Give the log's folder or URL with --log.")
    }
}

/// A log that cannot be read, or whose files do not fit together, says nothing about the receipts.
fn proves_nothing(fault: Fault) -> Failure {
    match fault {
        Fault::Found(finding) => unavailable!("--log: {}", finding.says),
        Fault::Ended(failure) => failure,
    }
}
