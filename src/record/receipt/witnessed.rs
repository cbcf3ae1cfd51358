//! What witnesses had seen of a receipt's entries (spec/receipt.md, 11.11).

use serde::Serialize;

use crate::deal::Digest;
use crate::log::{Policy, Witnessed, is_second};
use crate::record::life::TOLERANCE;

/// The entries of a round that witnesses had seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WitnessedRound {
    /// The lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<SeenByWitnesses>,
    /// The deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<SeenByWitnesses>,
    /// The reveal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reveal: Option<SeenByWitnesses>,
    /// The number of the policy's witnesses.
    #[serde(skip)]
    pub of: usize,
}

/// The witnesses that had seen an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenByWitnesses {
    /// By this second since 1970, if a quorum has said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
    /// Their names in the policy, in its order.
    pub witnesses: Vec<String>,
}

/// The hash by which a verdict names a policy.
pub(super) const fn policy_hash(policy: &Policy) -> Digest {
    Digest::from_bytes(*policy.hash())
}

/// The sizes that a quorum of the policy has signed, each with the witnesses that have.
#[derive(Debug)]
pub(super) struct Covering<'a> {
    policy: &'a Policy,
    sizes: Vec<(u64, Witnessed)>,
}

impl<'a> Covering<'a> {
    pub(super) const fn none(policy: &'a Policy) -> Self {
        Self { policy, sizes: Vec::new() }
    }

    /// Adds a size, if a quorum has signed it.
    pub(super) fn add(&mut self, size: u64, witnessed: Witnessed) {
        if witnessed.quorum.is_some() {
            self.sizes.push((size, witnessed));
        }
    }

    /// Whether an entry of this index, and so all before it, are covered.
    pub(super) fn covers(&self, index: u64) -> bool {
        self.sizes.iter().any(|(size, _)| *size > index)
    }

    /// The witnesses that had seen an entry; `None` if it is not covered.
    pub(super) fn seen(&self, index: u64) -> Option<SeenByWitnesses> {
        let over = self.sizes.iter().filter(|(size, _)| *size > index).map(|(_, one)| one);
        let by = over.clone().filter_map(|one| one.quorum?.by).min();
        let had_seen = |at: usize| {
            let mut times = over.clone().filter_map(|one| one.signed.get(at).copied().flatten());
            times.any(|time| by.is_none_or(|by| is_second(time) && time <= by))
        };
        let all = self.policy.witnesses().iter().enumerate();
        let witnesses = all.filter(|(at, _)| had_seen(*at)).map(|(_, one)| one.name()).collect();
        self.covers(index).then_some(SeenByWitnesses { by, witnesses })
    }

    /// The policy's hash.
    pub(super) fn policy(&self) -> Digest {
        policy_hash(self.policy)
    }

    /// The number of the policy's witnesses.
    pub(super) fn of(&self) -> usize {
        self.policy.witnesses().len()
    }
}

impl SeenByWitnesses {
    /// Whether it shows that an entry's time, in Unix milliseconds, is right.
    pub(super) fn shows(&self, time: u64) -> bool {
        self.by.is_some_and(|by| by.saturating_mul(1000).abs_diff(time) <= TOLERANCE)
    }
}
