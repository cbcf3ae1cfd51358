//! The facts of a commitment that never change, in memory: its terms and its policy.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::policy::Policy;
use fairdeal::deal::Commitment;
use fairdeal::record::entry::Terms;
use fairdeal_ledger::{Ledger, LedgerError, POLICY};

/// The most commitments in memory. At that the memory is emptied: reading one again costs a query.
const MOST: usize = 1 << 16;

/// A commitment's terms, times and policy.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) terms: Terms,
    /// When it was made, in Unix milliseconds.
    pub(super) time: u64,
    /// The latest time of its reveal, in Unix milliseconds.
    pub(super) reveal_by: u64,
    pub(super) policy: Policy,
}

/// Commitments that were asked for.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Written by [`Memory::of`], after it has read the ledger without the lock.
    all: Mutex<HashMap<Commitment, Arc<Known>>>,
}

impl Memory {
    /// A commitment that is in memory.
    pub(super) fn find(&self, commitment: &Commitment) -> Option<Arc<Known>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).get(commitment).cloned()
    }

    /// A commitment of this ledger.
    pub(super) async fn of(
        &self,
        ledger: &Ledger,
        commitment: Commitment,
    ) -> Result<Arc<Known>, LedgerError> {
        if let Some(known) = self.find(&commitment) {
            return Ok(known);
        }
        let terms = ledger.show(commitment).await?.terms;
        let key = commitment.to_text();
        let kept = ledger.memos(POLICY, &key, None, 1).await?;
        let known = Arc::new(Known {
            time: terms.time.value(),
            reveal_by: terms.reveal_by.value(),
            policy: Policy::of(kept.first().map(|(_, text)| text.as_str()), terms.sealed),
            terms: terms.terms,
        });
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(commitment, Arc::clone(&known));
        Ok(known)
    }
}
