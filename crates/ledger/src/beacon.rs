//! Rounds that wait for a public beacon (spec/beacon.md, section 34): what a ledger may promise, and
//! the round that a lock names.

use std::time::Duration;

use crate::deal::judging::int;
use crate::error::LedgerError;
use crate::witness::Witnessing;
use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::entry::{BeaconTerms, Commit, Int};
use fairdeal::utc::utc;

/// The beacons of a ledger.
#[derive(Clone, Debug, Default)]
pub struct BeaconOptions {
    /// The chains of which rounds are dealt. Default: `quicknet` alone.
    pub chains: Chains,
    /// The base URLs of the relays that are asked for a round that is out. With at least one, an
    /// open ledger finishes such rounds by itself. Default: none.
    pub relays: Vec<String>,
}

/// The least margin of a commitment under a policy of witnesses, without the pause between two of
/// their rounds.
const LEAST_MARGIN: Duration = Duration::from_secs(10);

impl BeaconOptions {
    /// The margin of a commitment where none is given, in milliseconds.
    pub const MARGIN: u64 = 20_000;

    /// A chain that this ledger deals from.
    fn chain(&self, terms: &BeaconTerms) -> Result<&Chain, LedgerError> {
        self.chains.get(&terms.chain).ok_or_else(|| {
            let known: Vec<String> = self.chains.hashes().map(|hash| hash.to_string()).collect();
            LedgerError::Invalid(format!(
                "beacon.chain: expected a chain that this ledger knows ({}), found {}; its file is given with --beacon-chain",
                known.join(", "),
                terms.chain
            ))
        })
    }

    /// Refuses the terms of a commitment whose rounds this ledger could not finish as they promise.
    pub(crate) fn check(
        &self,
        terms: &BeaconTerms,
        witnesses: Option<&Witnessing>,
    ) -> Result<(), LedgerError> {
        self.chain(terms)?;
        let least = witnesses.map_or(Duration::ZERO, |one| LEAST_MARGIN.saturating_add(one.every));
        let (least, found) = (least.as_millis(), terms.margin.value());
        if u128::from(found) < least {
            return Err(LedgerError::Invalid(format!(
                "beacon.margin: expected at least {least} ms, so that the witnesses can sign each lock before its round is out, found {found}"
            )));
        }
        Ok(())
    }

    /// The refusal to deal a locked round without the beacon's signature.
    pub(crate) fn awaited(
        &self,
        commit: Option<&Commit>,
        commitment: Commitment,
        nonce: Nonce,
        round: Int,
    ) -> LedgerError {
        let terms = commit.and_then(|commit| commit.beacon.as_ref());
        let chain = terms.and_then(|terms| self.chains.get(&terms.chain));
        let out = chain.map(|chain| chain.out(round.value()).saturating_mul(1000));
        let when = out.map_or_else(String::new, |out| format!(" (out at {})", utc(out)));
        let says = format!("round {nonce} waits for round {round} of its beacon{when}");
        LedgerError::AwaitsBeacon { commitment, nonce, says, out }
    }

    /// The round that a lock of this time names; `None` if the commitment mixes no beacon.
    pub(crate) fn round(&self, commit: &Commit, time: u64) -> Result<Option<Int>, LedgerError> {
        let Some(terms) = &commit.beacon else { return Ok(None) };
        let chain = self.chain(terms)?;
        let after = time.checked_add(terms.margin.value());
        let round = after.and_then(|after| chain.round_after(after)).ok_or_else(|| {
            let says = "beacon: no round of the chain is out after the lock and the margin";
            LedgerError::Invalid(says.to_owned())
        })?;
        int("beacon", round).map(Some)
    }
}
