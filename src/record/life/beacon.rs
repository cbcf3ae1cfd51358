//! Rounds of beacons: whether the lock names the right one, and whether the deal has its signature
//! (spec/beacon.md, sections 31 to 33).

use super::judge::Findings;
use crate::beacon::{Chain, Chains};
use crate::deal::DrandRandomness;
use crate::record::entry::{Commit, Deal, Lock, Terms};
use crate::record::finding::Code;
use crate::utc::moment;

/// The round of a known chain that a lock names.
#[derive(Clone, Copy, Debug)]
pub struct LockedTo<'a> {
    /// The chain.
    pub chain: &'a Chain,
    /// The round that the lock names.
    pub round: u64,
    /// The right one; `None` if there is none.
    pub right: Option<u64>,
}

impl LockedTo<'_> {
    /// Whether the lock names the right round.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.right == Some(self.round)
    }

    /// The second at which the named round is out.
    #[must_use]
    pub fn out(&self) -> u64 {
        self.chain.out(self.round)
    }
}

/// The round that a lock names; `None` if it names none, or of a chain that is not known.
#[must_use]
pub fn locked_to<'a>(
    terms: &Terms,
    lock: &Lock,
    chains: Option<&'a Chains>,
) -> Option<LockedTo<'a>> {
    let (round, terms) = (lock.beacon?.value(), terms.beacon.as_ref()?);
    let chain = chains?.get(&terms.chain)?;
    let after = lock.time.value().checked_add(terms.margin.value());
    let right = after.and_then(|after| chain.round_after(after));
    Some(LockedTo { chain, round, right })
}

/// `beacon-round`.
pub(super) fn wrong_round(
    commit: &Commit,
    lock: &Lock,
    chains: Option<&Chains>,
    findings: &mut Findings,
) {
    let Some(locked) = locked_to(commit, lock, chains).filter(|locked| !locked.is_right()) else {
        return;
    };
    let named = |round: u64| {
        let out = moment(locked.chain.out(round).saturating_mul(1000));
        format!("round {round} of the chain (out at {out})")
    };
    let expected = locked.right.map_or_else(|| "none".to_owned(), named);
    let says = format!(
        "expected the first round that is out {} ms after the lock, {expected}, found {}",
        commit.beacon.as_ref().map_or(0, |terms| terms.margin.value()),
        named(locked.round)
    );
    findings.add(Code::BeaconRound, says);
}

/// What a beacon adds to a round's contributions.
pub(super) enum MixedBeacon {
    /// Nothing: the lock names none.
    None,
    /// The right round's signature verifies.
    Verified(DrandRandomness),
    /// The chain is not known. The deal must follow from the signature that it claims, but if it
    /// does, that shows nothing.
    Unknown(DrandRandomness),
}

/// The beacon's part of a deal, with `beacon-signature`; `None` where it is not known what was
/// mixed.
pub(super) fn mixed(
    deal: &Deal,
    commit: &Commit,
    lock: &Lock,
    chains: Option<&Chains>,
    findings: &mut Findings,
) -> Option<MixedBeacon> {
    let signature = match (&lock.beacon, &deal.beacon) {
        (None, None) => return Some(MixedBeacon::None),
        (Some(_), Some(signature)) => signature,
        (Some(round), None) => {
            let says = format!("the signature of the chain's round {round} is missing");
            findings.add(Code::BeaconSignature, says);
            return None;
        }
        (None, Some(_)) => {
            let says = "a beacon's signature, though the lock names no round";
            findings.add(Code::BeaconSignature, says);
            return None;
        }
    };
    let drand = DrandRandomness::of_signature(signature.as_bytes());
    let Some((locked, chains)) = locked_to(commit, lock, chains).zip(chains) else {
        return Some(MixedBeacon::Unknown(drand));
    };
    if !chains.verifies(locked.chain, locked.round, signature.as_bytes()) {
        let says = format!(
            "expected the signature of the chain's round {}, found {signature}",
            locked.round
        );
        findings.add(Code::BeaconSignature, says);
        return None;
    }
    locked.is_right().then_some(MixedBeacon::Verified(drand))
}
