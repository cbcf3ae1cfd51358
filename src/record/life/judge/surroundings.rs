//! Rules that make an entry invalid only at its place in the log (spec/ledger.md, the end of
//! section 8.2).

use super::{Judge, Known, Refusal};
use crate::record::entry::{Entry, Void};
use crate::record::finding::Code;
use crate::record::life::{Extent, View};

impl<V: View, N: Default> Judge<V, N> {
    /// `invalid-entry`, if the commit, the lock or the log makes it so.
    pub(super) fn illegal_here(&self, entry: &Entry, known: Option<&Known<N>>) -> Option<Refusal> {
        let invalid = |says: String| Some((Code::InvalidEntry, says));
        if let Entry::Commit(commit) = entry
            && commit.origin.as_str() != self.view.origin()
        {
            return invalid(format!(
                "origin: expected this log's, {:?}, found {:?}",
                self.view.origin(),
                commit.origin.as_str()
            ));
        }
        for one in entry.contributions() {
            let Some(seen) = &one.seen else { continue };
            if !self.view.is_signed(seen) {
                return invalid(format!(
                    "the checkpoint that {:?} has seen is not signed by this log",
                    one.from.as_str()
                ));
            }
        }
        // Without the commit, neither lock nor mixing is known.
        let (open, mixes_beacon, most_seats) = match known? {
            Known::Judged(known) => {
                let (life, _) = known.as_ref();
                (life.open.as_ref(), life.commit.beacon.is_some(), life.commit.most_seats())
            }
            Known::Ended(ended) => (None, ended.has_beacon, ended.most_seats),
            Known::NotJudged => return None,
        };
        if let Some(says) = most_seats.and_then(|most| unseated(entry, most)) {
            return invalid(says);
        }
        if let Entry::Void(void) = entry
            && let Void { blame: Some(blame), nonce, .. } = void.as_ref()
        {
            let open = open.filter(|open| Some(open.lock.nonce) == *nonce);
            // An excerpt may leave the lock out.
            let is_judged = open.is_some() || self.extent == Extent::Whole;
            let locked = open
                .is_some_and(|open| open.lock.contributions().iter().any(|one| one.from == *blame));
            if is_judged && !locked {
                return invalid(format!(
                    "blame: {:?} is not in the open lock of that round",
                    blame.as_str()
                ));
            }
        }
        let has_beacon = match entry {
            Entry::Lock(lock) => lock.beacon.is_some(),
            Entry::Deal(deal) => deal.beacon.is_some(),
            _ => false,
        };
        if has_beacon && !mixes_beacon {
            return invalid("beacon: the commitment's mixing names no beacon".to_owned());
        }
        None
    }
}

/// Whether an entry under a commitment with a layout has no seats, or more than the draw has room
/// for.
fn unseated(entry: &Entry, most: u64) -> Option<String> {
    let seats = match entry {
        Entry::Lock(lock) => &lock.seats,
        Entry::Deal(deal) if deal.lock.is_none() => &deal.seats,
        _ => return None,
    };
    match seats {
        None => Some("seats: missing, though the commitment has a layout".to_owned()),
        Some(seats) if u64::try_from(seats.len()).is_ok_and(|seats| seats <= most) => None,
        Some(seats) => Some(format!("seats: the draw has room for {most}, found {}", seats.len())),
    }
}
