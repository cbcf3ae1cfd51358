//! The last verified checkpoint of a cached log, which the log must continue (spec/audit.md,
//! section 13.6).

use crate::exit::Failure;
use crate::logs::Log;
use crate::{files, note};
use fairdeal::log::{Checkpoint, SignedCheckpoint, VerifierKey};
use fairdeal::record::{Code, Finding};
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{LastCheckpoint, LogSource};

/// The last verified checkpoint.
#[derive(Debug)]
pub(super) struct Remembered {
    memory: LastCheckpoint,
    before: Option<(Checkpoint, String)>,
}

impl Remembered {
    /// Reads it. `None` without a cache.
    /// Exit 3 if it exists and cannot be read: going on would forget it.
    pub(super) fn read(log: &Log, key: &VerifierKey) -> Result<Option<Self>, Failure> {
        let Some(dir) = log.cache() else { return Ok(None) };
        let memory = LastCheckpoint::of(dir, &key.to_text());
        let wrong = |says: String| {
            let name = memory.path().display();
            let expected = "expected the last verified checkpoint";
            unavailable!("{name}: {expected}: {says}")
                .hint("Without this file the next audit has nothing to compare the log with.")
        };
        let text = memory.read().map_err(|error| wrong(files::reason(&error)))?;
        let before = text.map(|text| {
            let signed =
                SignedCheckpoint::parse(&text).map_err(|error| wrong(error.to_string()))?;
            Ok((note::verified(&signed, key).map_err(wrong)?, text))
        });
        let before = before.transpose()?;
        Ok(Some(Self { memory, before }))
    }

    /// It, as one of `--since`.
    pub(super) fn since(&self) -> Option<(String, String)> {
        self.before.as_ref().map(|(_, text)| (self.name(), text.clone()))
    }

    /// Its name in findings.
    pub(super) fn name(&self) -> String {
        format!("the last verified checkpoint ({})", self.memory.path().display())
    }

    /// Refuses a log with fewer entries.
    /// Exit 3, with both sizes.
    pub(super) fn check_size(&self, log: &Log, now: &Checkpoint) -> Result<(), Failure> {
        match &self.before {
            Some((before, _)) if now.size() < before.size() => Err(unavailable!(
                "{}: expected at least the {} entries verified before ({}), found {}",
                log.name(),
                before.size(),
                self.memory.path().display(),
                now.size()
            )
            .hint("Perhaps a stale mirror. The checkpoint of before is kept.")),
            _ => Ok(()),
        }
    }

    /// Saves the new checkpoint; or, if it contradicts the last one, saves it next to that one.
    /// Returns a warning if the new one cannot be saved.
    /// Exit 3 if a contradicting checkpoint cannot be saved.
    pub(super) fn learn(
        &self,
        source: &LogSource,
        key: &VerifierKey,
        verdict: &mut AuditVerdict,
    ) -> Result<Option<String>, Failure> {
        let Some((now, text)) = signed(source, key) else { return Ok(None) };
        let name = self.name();
        let about_it = |one: &Finding| {
            matches!(one.code, Code::Inconsistent | Code::RolledBack)
                && one.index.is_none()
                && one.says.contains(&name)
        };
        let is_fork = |(before, _): &(Checkpoint, String)| {
            before.size() == now.size() && before.root() != now.root()
        };
        let mut contradicting = verdict.findings.iter_mut().find(|one| about_it(one));
        if contradicting.is_some() || self.before.as_ref().is_some_and(is_fork) {
            let other = files::save_beside(self.memory.path(), &text)?;
            if let Some(finding) = &mut contradicting {
                let kept = format!("; the log's checkpoint is saved in {}", other.display());
                finding.says.push_str(&kept);
            }
            return Ok(None);
        }
        // With any other finding, the checkpoint is still that of the entries.
        if verdict.findings.iter().any(about_the_tree) {
            return Ok(None);
        }
        let path = self.memory.path().display();
        let kept = self.memory.keep(&text).map_err(|error| {
            format!(
                "{path}: can't be written, so the next audit does not know this one: {}",
                files::reason(&error)
            )
        });
        Ok(kept.err())
    }
}

/// The log's checkpoint, if the key signed it.
pub(super) fn signed(source: &LogSource, key: &VerifierKey) -> Option<(Checkpoint, String)> {
    let text = source.note();
    let signed = SignedCheckpoint::parse(text).ok()?;
    Some((note::verified(&signed, key).ok()?, text.to_owned()))
}

/// Whether a finding says that files and checkpoint disagree, or that the checkpoint is not the
/// log's.
pub(super) fn about_the_tree(one: &Finding) -> bool {
    one.index.is_none()
        && matches!(
            one.code,
            Code::TreeMismatch | Code::BadSignature | Code::Inconsistent | Code::RolledBack
        )
}
