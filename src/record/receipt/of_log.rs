//! Making a receipt from a log in memory.

use std::collections::BTreeSet;

use super::form::{Included, Receipt, SeenProof};
use crate::deal::Digest;
use crate::log::{MemoryLog, ProofPlanError, SignedCheckpointError, SignerKey};
use crate::record::Entry;
use crate::record::entry::{Int, IntError};

/// A log has no such receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OfLogError {
    /// The log ends before an entry.
    #[error(transparent)]
    Proof(#[from] ProofPlanError),
    /// An entry is not UTF-8, so no JSON either.
    #[error("entry {0} of the log is not UTF-8")]
    Utf8(u64),
    /// An index is over 2^53-1.
    #[error(transparent)]
    Index(#[from] IntError),
    /// The checkpoint can't be signed.
    #[error(transparent)]
    Checkpoint(#[from] SignedCheckpointError),
}

impl Receipt {
    /// A receipt of some entries of a log, in ascending order, under a checkpoint of the whole log;
    /// with what joins the checkpoints that their contributions and anchors name to this one.
    ///
    /// # Errors
    /// [`OfLogError`].
    pub fn of(
        log: &MemoryLog,
        indices: impl IntoIterator<Item = u64>,
        key: &SignerKey,
    ) -> Result<Self, OfLogError> {
        let (mut entries, mut sizes) = (Vec::new(), BTreeSet::new());
        for index in indices {
            let proof = log.inclusion_proof(index)?;
            let bytes = log.entry(index).unwrap_or_default();
            let entry = str::from_utf8(bytes).map_err(|_| OfLogError::Utf8(index))?.to_owned();
            if let Ok(entry) = Entry::parse(bytes) {
                let seen = entry.contributions().iter().filter_map(|one| one.seen.as_ref());
                sizes.extend(seen.map(|seen| seen.size)); // at least 1, or it is no entry
                if let Entry::Anchor(anchor) = &entry {
                    sizes.insert(anchor.size);
                }
            }
            entries.push(Included { index: Int::try_from(index)?, entry, proof });
        }
        // A size that the log never had can't be joined to it.
        let seen = sizes.into_iter().filter_map(|size| {
            let root = Digest::from_bytes(*log.root_at(size.value())?.as_bytes());
            Some(SeenProof { size, root, proof: log.consistency_proof(size.value()).ok()? })
        });
        Ok(Self::new(entries, log.checkpoint(key)?.to_text(), seen.collect()))
    }
}
