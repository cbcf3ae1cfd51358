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
use crate::publish::tree::Tree;
use crate::store::Choice;
use crate::witness::Witnessing;
use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::{Commitment, Digest};
use fairdeal::log::{Level, TILE_WIDTH, TilePath};
use fairdeal::record::Entry;
use fairdeal::record::entry::{BeaconSignature, BeaconTerms, Commit, Int, Lock, Terms};
use fairdeal::record::life::locked_to;
use fairdeal::utc::utc;

/// The beacons of a ledger.
#[derive(Clone, Debug, Default)]
pub struct BeaconOptions {
    /// The chains of which rounds are dealt. Default: `quicknet` alone.
    pub chains: Chains,
    /// The base URLs of the relays that are asked for the signature of a round that is out. Default:
    /// none; then each deal brings it.
    pub relays: Vec<String>,
}

/// The least margin of a commitment under a policy of witnesses, without the pause between two of
/// their rounds.
const LEAST_MARGIN: Duration = Duration::from_secs(10);

impl BeaconOptions {
    /// The margin of a commitment where none is given, in milliseconds.
    pub const MARGIN: u32 = 20_000;

    /// The terms of a commitment. Without a chain it is `quicknet`, without a margin
    /// [`MARGIN`](Self::MARGIN).
    #[must_use]
    pub fn terms(chain: Option<Digest>, margin: Option<Int>) -> BeaconTerms {
        BeaconTerms {
            chain: chain.unwrap_or_else(|| Chain::quicknet().hash()),
            margin: margin.unwrap_or_else(|| Int::from(Self::MARGIN)),
        }
    }

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

    /// The refusal to deal a locked round without the signature of this round of its beacon.
    pub(crate) fn awaited(&self, terms: &Terms, lock: &Lock, round: Int) -> LedgerError {
        let locked = locked_to(terms, lock, Some(&self.chains));
        let out = locked.map(|locked| locked.out().saturating_mul(1000));
        let when = out.map_or_else(String::new, |out| format!(" (out at {})", utc(out)));
        let says = format!(
            "round {} of {} waits for the signature of round {round} of its beacon{when}",
            lock.nonce, lock.commitment
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

/// How many of the newest entries are read at the start for locks without an anchor.
const NEWEST: u64 = 65_536;

/// The locks that wait for a beacon, and the voids of such locks, as far as this process has written
/// or read them. Their anchors come first (spec/beacon.md, 34.2).
#[derive(Debug, Default)]
pub(crate) struct BeaconLocks {
    /// By round. Written by the sequencer after each commit, by the publisher where another process
    /// has committed, by the tender, and before that by whoever opens the ledger.
    open: Mutex<BTreeMap<(Commitment, u64), Urgent>>,
    pub(crate) relays: Relays,
}

/// The most rounds that are kept although an anchor covers them.
const COVERED: usize = 10_000;

/// The entry of a round that needs an anchor.
#[derive(Clone, Copy, Debug)]
struct Urgent {
    /// The index of the lock, and then of its void.
    index: u64,
    /// Whether the round is dealt or voided.
    has_ended: bool,
}

impl BeaconLocks {
    fn open(&self) -> MutexGuard<'_, BTreeMap<(Commitment, u64), Urgent>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns of committed entries.
    pub(crate) fn learn(&self, entries: impl IntoIterator<Item = BeaconLock>) {
        let mut open = self.open();
        for one in entries {
            match one {
                BeaconLock::Locked(round, index) => {
                    open.entry(round).or_insert(Urgent { index, has_ended: false });
                }
                // The lock may still be without an anchor.
                BeaconLock::Dealt(round) => {
                    if let Some(urgent) = open.get_mut(&round) {
                        urgent.has_ended = true;
                    }
                }
                BeaconLock::Voided(round, index) => {
                    if let Some(urgent) = open.get_mut(&round) {
                        *urgent = Urgent { index, has_ended: true };
                    }
                }
            }
        }
    }

    /// Learns of the locks in a tree from this entry on: another process has written them, or the
    /// one before.
    pub(crate) async fn learn_from(
        &self,
        tree: &mut Tree<'_>,
        from: u64,
    ) -> Result<(), LedgerError> {
        let width = u64::from(TILE_WIDTH);
        for number in from / width..tree.size.div_ceil(width) {
            let bundle = tree.bundle(TilePath::at_size(Level::Entries, number, tree.size)?).await?;
            for (index, bytes) in (number * width..).zip(bundle).filter(|(index, _)| *index >= from)
            {
                self.learn_bytes(index, &bytes);
            }
        }
        Ok(())
    }

    fn learn_bytes(&self, index: u64, bytes: &[u8]) {
        // The first member of such a lock. A void has no beacon.
        let is_lock = bytes
            .strip_prefix(br#"{"beacon":"#)
            .and_then(<[u8]>::first)
            .is_some_and(u8::is_ascii_digit);
        if is_lock && let Ok(entry) = Entry::parse(bytes) {
            self.learn(BeaconLock::of(index, &entry));
        }
    }

    /// An anchor has this size: what is done and under it needs no other.
    pub(crate) fn anchored(&self, size: u64) {
        let mut open = self.open();
        open.retain(|_, urgent| urgent.index >= size || !urgent.has_ended);
        if open.len() > COVERED {
            // Other processes have ended them.
            open.retain(|_, urgent| urgent.index >= size);
        }
    }

    /// Reads the open locks of a tree and its state, and those that have no anchor yet although their
    /// round is done. `anchored` is the size of the last anchor.
    pub(crate) async fn load(&self, tree: &mut Tree<'_>, anchored: u64) -> Result<(), LedgerError> {
        self.learn_from(tree, anchored.max(tree.size.saturating_sub(NEWEST))).await?;
        let read = &mut *tree.read;
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
        let open = self.open();
        open.values().map(|urgent| urgent.index).filter(|index| range.contains(index)).min()
    }
}

/// What an entry changes among the locks that wait for a beacon.
pub(crate) enum BeaconLock {
    /// A round, and the index of its lock.
    Locked((Commitment, u64), u64),
    /// The round was dealt.
    Dealt((Commitment, u64)),
    /// A round, and the index of its void.
    Voided((Commitment, u64), u64),
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

#[cfg(test)]
mod tests {
    use super::{BeaconLock, BeaconLocks, COVERED, Commitment};

    fn round(number: u64) -> (Commitment, u64) {
        (Commitment::from_bytes([1; 32]), number)
    }

    #[test]
    fn a_lock_needs_its_anchor_also_after_its_deal_and_a_void_needs_one_of_its_own() {
        let locks = BeaconLocks::default();
        locks.learn([BeaconLock::Locked(round(0), 5), BeaconLock::Locked(round(1), 7)]);
        locks.learn([BeaconLock::Dealt(round(0))]);
        assert_eq!(locks.first_in(0..100), Some(5), "dealt, and not under an anchor yet");
        locks.anchored(6);
        assert_eq!(locks.first_in(0..100), Some(7));
        // An anchor covers the lock, and its void comes after that.
        locks.anchored(8);
        locks.learn([BeaconLock::Voided(round(1), 9), BeaconLock::Voided(round(2), 10)]);
        assert_eq!(locks.first_in(8..100), Some(9), "of a round that never waited, none");
        locks.anchored(10);
        assert_eq!(locks.first_in(0..100), None);
    }

    #[test]
    fn locks_that_other_processes_have_ended_are_not_kept_for_ever() {
        let locks = BeaconLocks::default();
        let many = u64::try_from(COVERED).unwrap() + 1;
        locks.learn((0..many).map(|one| BeaconLock::Locked(round(one), one)));
        locks.anchored(many - 1);
        assert_eq!(locks.first_in(0..many), Some(many - 1));
        assert_eq!(locks.open().len(), 1);
    }

    #[test]
    fn a_lock_is_known_by_its_bytes() {
        let locks = BeaconLocks::default();
        let lock = |beacon: &str| {
            let commitment = "ab".repeat(32);
            format!(
                "{{{beacon}\"commitment\":\"{commitment}\",\"entry\":\"lock\",\"nonce\":0,\"time\":1}}"
            )
        };
        locks.learn_bytes(3, lock("").as_bytes());
        locks.learn_bytes(4, br#"{"beacon":1}"#);
        assert_eq!(locks.first_in(0..10), None);
        locks.learn_bytes(5, lock("\"beacon\":12,").as_bytes());
        assert_eq!(locks.first_in(0..10), Some(5));
    }
}
