//! Rounds that wait for a public beacon (spec/beacon.md, section 34): what a ledger may promise, and
//! the round that a lock names.

mod finish;
pub(crate) mod relays;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::relays::Relays;
use crate::core::Core;
use crate::deal::judging::int;
use crate::error::LedgerError;
use crate::store::{Choice, Read};
use crate::witness::Witnessing;
use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::Entry;
use fairdeal::record::entry::{BeaconSignature, BeaconTerms, Commit, Int};
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
        let says = format!(
            "round {nonce} of {commitment} waits for the signature of round {round} of its beacon{when}"
        );
        LedgerError::AwaitsBeacon { says, out }
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

/// How many commitments are read at once at the start.
const PAGE: u32 = 1000;

/// The locks that wait for a beacon, and the voids that ended some, as far as this process has
/// written or read them. Their anchors come first (section 34.2).
#[derive(Debug, Default)]
pub(crate) struct BeaconLocks {
    /// By round. Written by the sequencer after each commit, by the tender of anchors, and before
    /// that by whoever opens the ledger.
    open: Mutex<BTreeMap<(Commitment, u64), Placed>>,
    pub(crate) relays: Relays,
}

/// A lock that waits for a beacon, or the void that ended it.
#[derive(Clone, Copy, Debug)]
struct Placed {
    index: u64,
    is_void: bool,
}

impl BeaconLocks {
    fn open(&self) -> MutexGuard<'_, BTreeMap<(Commitment, u64), Placed>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns of committed entries.
    pub(crate) fn learn(&self, entries: impl IntoIterator<Item = BeaconLock>) {
        let mut open = self.open();
        for one in entries {
            match one {
                BeaconLock::Locked(round, index) => {
                    open.insert(round, Placed { index, is_void: false });
                }
                BeaconLock::Voided(round, index) => {
                    // Other rounds are voided too.
                    if let Some(placed) = open.get_mut(&round) {
                        *placed = Placed { index, is_void: true };
                    }
                }
                BeaconLock::Dealt(round) => drop(open.remove(&round)),
            }
        }
    }

    /// Forgets the voids that an anchor of this size covers.
    pub(crate) fn anchored(&self, size: u64) {
        self.open().retain(|_, placed| !placed.is_void || placed.index >= size);
    }

    /// Reads the open locks of the state.
    pub(crate) async fn load(&self, read: &mut dyn Read) -> Result<(), LedgerError> {
        let choice = Choice { open: true, ..Choice::default() };
        let mut from = 0;
        loop {
            let page = read.lives_from(&choice, from, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            from = last.life.index + 1;
            let locked = page.iter().filter_map(|stored| {
                let open = stored.life.open.as_ref().filter(|open| open.lock.beacon.is_some())?;
                let round = (open.lock.commitment, open.lock.nonce.value());
                Some(BeaconLock::Locked(round, open.index))
            });
            self.learn(locked);
        }
    }

    /// The first of them whose index is in this range.
    pub(crate) fn first_in(&self, range: Range<u64>) -> Option<u64> {
        self.open().values().map(|one| one.index).filter(|index| range.contains(index)).min()
    }
}

/// What an entry changes among the locks that wait for a beacon.
pub(crate) enum BeaconLock {
    /// A round, and the index of its lock.
    Locked((Commitment, u64), u64),
    /// A round, and the index of its void.
    Voided((Commitment, u64), u64),
    /// A round.
    Dealt((Commitment, u64)),
}

impl BeaconLock {
    /// What this entry changes, if it does.
    pub(crate) fn of(index: u64, entry: &Entry) -> Option<Self> {
        match entry {
            Entry::Lock(lock) if lock.beacon.is_some() => {
                Some(Self::Locked((lock.commitment, lock.nonce.value()), index))
            }
            Entry::Deal(deal) if deal.beacon.is_some() => {
                Some(Self::Dealt((deal.commitment, deal.nonce.value())))
            }
            Entry::Void(void) => Some(Self::Voided((void.commitment, void.nonce?.value()), index)),
            _ => None,
        }
    }
}

impl Core {
    /// The signature of a round of a known chain that is out, from a relay.
    pub(crate) async fn signature(
        &self,
        chain: &Chain,
        round: u64,
    ) -> Result<BeaconSignature, String> {
        let BeaconOptions { chains, relays } = &self.options.beacons;
        self.beacons.relays.signature(relays, chains, chain, round).await
    }
}
