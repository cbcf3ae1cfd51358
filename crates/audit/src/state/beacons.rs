//! Rounds of beacons: whether they were locked, or voided, before they were out (spec/audit.md, 14.1
//! and 15.1).

use super::{Checked, State};
use crate::kept::Kept;
use crate::reported::more;
use fairdeal::record::entry::Entry;
use fairdeal::record::life::{Life, LockedTo, Open, locked_to};
use fairdeal::record::{Judge, View as _};

/// The seconds between the time of witnesses and a beacon's round that a claim needs.
const SLACK: u64 = 5;

/// The lock of a round whose lock or deal has a beacon.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfBeacon {
    /// The lock's index; the entry's own where there is no lock.
    lock: u64,
    /// Whether the chain is known.
    is_known: bool,
    /// The second at which the round that it names is out; of a known chain only.
    out: Option<u64>,
    /// The last second by which witnesses must have seen the lock; `None` if nothing can show it.
    until: Option<u64>,
}

impl OfBeacon {
    /// The beacon's part of an entry, before it takes effect.
    pub(super) fn of(index: u64, entry: &Entry, judge: &Judge<Checked, Kept>) -> Option<Self> {
        let chains = judge.view().chains()?;
        let life = judge.life(&entry.commitment()?)?;
        let commit = &life.commit;
        let (lock, locked) = match (entry, open_of(life, entry)) {
            (Entry::Lock(lock), _) => {
                lock.beacon?;
                (index, locked_to(commit, lock, Some(chains)))
            }
            (Entry::Deal(_) | Entry::Void(_), Some(open)) if open.lock.beacon.is_some() => {
                (open.index, locked_to(commit, &open.lock, Some(chains)))
            }
            (Entry::Deal(deal), _) => {
                deal.beacon?;
                (index, None)
            }
            _ => return None,
        };
        let terms = commit.beacon.as_ref()?;
        let out = locked.map(|locked| locked.out());
        let right = locked.filter(LockedTo::is_right).and(out);
        let until = right.and_then(|out| out.checked_sub(SLACK));
        Some(Self { lock, is_known: chains.get(&terms.chain).is_some(), out, until })
    }
}

fn open_of<'a>(life: &'a Life, entry: &Entry) -> Option<&'a Open> {
    life.open.as_ref().filter(|open| Some(open.lock.nonce) == entry.nonce())
}

impl State {
    /// Counts an entry that had an effect.
    pub(super) fn noted(&mut self, beacon: OfBeacon, index: u64, entry: &Entry) {
        let OfBeacon { lock, is_known, out, until } = beacon;
        match entry {
            Entry::Deal(deal) if deal.beacon.is_some() && !is_known => {
                more(&mut self.counted.beacons);
            }
            Entry::Void(void)
                if out.is_some_and(|out| void.time.value() > out.saturating_mul(1000)) =>
            {
                more(&mut self.reported.beacon_voids);
            }
            _ => {}
        }
        let Some(witnesses) = &mut self.witnesses else { return };
        match entry {
            Entry::Lock(_) => witnesses.locked(lock, until),
            Entry::Deal(deal) => witnesses.dealt(lock, deal.beacon.is_some()),
            Entry::Void(_) => witnesses.voided(lock, index, out),
            _ => {}
        }
    }
}
