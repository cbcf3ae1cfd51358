//! Has any deal come twice? Digests of deals, sampled so that memory is bounded.
//!
//! A deal's digest is the first 96 bits of its SHA-256. At most [`Repeats::MOST`] different digests
//! are kept, at 16 bytes each. When there are more, only those with one more leading zero bit stay.
//! So a fraction 2^-level of all *deals* is sampled, and of equal deals either all are sampled or
//! none. What is kept depends only on the set of deals, not on their order or how ranges were
//! merged. Among the digests kept without sampling, two different deals share one with probability
//! under 2^-52.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::number::index;

const BYTES: usize = 12;
type Known = [u8; BYTES];

/// Digests of deals and how often each came.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub(super) struct Repeats {
    /// The number of leading zero bits of a kept digest.
    level: u32,
    /// Ascending.
    kept: Vec<(Known, u32)>,
    /// Not yet sorted in. Each had enough zeros for the level at its time.
    fresh: Vec<Known>,
}

impl Repeats {
    /// The most different digests that are kept: 64 MiB.
    pub(super) const MOST: usize = 1 << 22;

    /// Counts one deal.
    pub(super) fn add(&mut self, dealt: &[u32], items: u32) {
        let digest = if items <= 256 {
            // One byte a card: a deck of 52 is one block.
            let mut bytes = [0; 256];
            for (byte, &card) in bytes.iter_mut().zip(dealt) {
                *byte = u8::try_from(card).expect("a card is under `items`");
            }
            Sha256::digest(&bytes[..dealt.len()])
        } else {
            let mut hash = Sha256::new();
            for card in dealt {
                hash.update(card.to_be_bytes());
            }
            hash.finalize()
        };
        let known: &Known = digest.first_chunk().expect("SHA-256 has 32 bytes");
        if zeros(known) >= self.level {
            self.fresh.push(*known);
            self.settle_if_many();
        }
    }

    fn settle_if_many(&mut self) {
        if self.fresh.len() >= 1024.max(self.kept.len() / 4) {
            self.settle(Self::MOST);
        }
    }

    /// Adds what another range of deals counted.
    pub(super) fn merge(&mut self, right: &Self) {
        self.level = self.level.max(right.level);
        // Few digests wait to be sorted in, as if their deals had been added one by one: a log's
        // counts are merged from thousands of pieces.
        if right.kept.len() + right.fresh.len() <= self.kept.len() / 4
            && right.kept.iter().all(|(_, times)| *times == 1)
        {
            self.fresh.extend(right.kept.iter().map(|(known, _)| known).chain(&right.fresh));
            self.settle_if_many();
            return;
        }
        let mut right = right.clone();
        right.settle(Self::MOST);
        self.settle(Self::MOST);
        self.join(right.kept);
        self.thin(Self::MOST);
    }

    /// Sorts in the fresh digests.
    fn settle(&mut self, most: usize) {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.sort_unstable();
        let mut counted: Vec<(Known, u32)> = Vec::with_capacity(fresh.len());
        for known in fresh {
            match counted.last_mut() {
                Some((last, times)) if *last == known => *times = times.saturating_add(1),
                _ => counted.push((known, 1)),
            }
        }
        self.join(counted);
        self.thin(most);
    }

    /// Joins two ascending lists.
    fn join(&mut self, more: Vec<(Known, u32)>) {
        let old = std::mem::take(&mut self.kept);
        let mut joined = Vec::with_capacity(old.len() + more.len());
        let (mut old, mut more) = (old.into_iter().peekable(), more.into_iter().peekable());
        loop {
            let next = match (old.peek(), more.peek()) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let times = a.1.saturating_add(b.1);
                    more.next();
                    old.next().map(|(known, _)| (known, times))
                }
                (Some(a), Some(b)) if b.0 < a.0 => more.next(),
                (Some(_), _) => old.next(),
                (None, _) => more.next(),
            };
            match next {
                Some(one) => joined.push(one),
                None => break,
            }
        }
        self.kept = joined;
    }

    fn thin(&mut self, most: usize) {
        self.kept.retain(|(known, _)| zeros(known) >= self.level);
        while self.kept.len() > most {
            self.level += 1;
            self.kept.retain(|(known, _)| zeros(known) >= self.level);
        }
    }

    /// Pairs of equal deals among the sampled ones, and the fraction of all deals that is sampled,
    /// 2^-level.
    pub(super) fn pairs(&self) -> (u64, f64) {
        let mut settled = self.clone();
        settled.settle(Self::MOST);
        let pairs = |times: u32| u64::from(times) * u64::from(times.saturating_sub(1)) / 2;
        let found =
            settled.kept.iter().map(|(_, times)| pairs(*times)).fold(0, u64::saturating_add);
        (found, (-f64::from(settled.level)).exp2())
    }
}

impl PartialEq for Repeats {
    fn eq(&self, other: &Self) -> bool {
        let (mut one, mut two) = (self.clone(), other.clone());
        one.settle(Self::MOST);
        two.settle(Self::MOST);
        one.level == two.level && one.kept == two.kept
    }
}

fn zeros(known: &Known) -> u32 {
    let first = known.first_chunk().expect("a digest has 12 bytes");
    u64::from_be_bytes(*first).leading_zeros()
}

/// The stored form: the digests in hex, one after another, and which came how often.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    again: Vec<(u32, u32)>,
    digests: String,
    level: u32,
}

/// The stored form is damaged.
#[derive(Debug, thiserror::Error)]
enum WireError {
    #[error("digests: {0}")]
    Hex(#[from] hex::FromHexError),
    #[error("digests: expected ascending groups of {BYTES} bytes, found {0} bytes")]
    Digests(usize),
    #[error("again: there is no digest {0}")]
    Again(u32),
}

impl From<Repeats> for Wire {
    fn from(mut repeats: Repeats) -> Self {
        repeats.settle(Repeats::MOST);
        let digests = repeats.kept.iter().map(|(known, _)| hex::encode(known)).collect();
        let again = (0..)
            .zip(&repeats.kept)
            .filter(|(_, one)| one.1 != 1)
            .map(|(at, one)| (at, one.1))
            .collect();
        Self { again, digests, level: repeats.level }
    }
}

impl TryFrom<Wire> for Repeats {
    type Error = WireError;

    fn try_from(wire: Wire) -> Result<Self, WireError> {
        let bytes = hex::decode(&wire.digests)?;
        let (chunks, rest) = bytes.as_chunks::<BYTES>();
        if !rest.is_empty() || chunks.len() > Self::MOST || !chunks.is_sorted() || wire.level > 64 {
            return Err(WireError::Digests(bytes.len()));
        }
        let mut kept: Vec<(Known, u32)> = chunks.iter().map(|known| (*known, 1)).collect();
        for (at, times) in wire.again {
            let one = kept.get_mut(index(at)).ok_or(WireError::Again(at))?;
            one.1 = times;
        }
        Ok(Self { level: wire.level, kept, fresh: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(deals: impl Iterator<Item = u32>, most: usize) -> Repeats {
        let mut all = Repeats::default();
        for deal in deals {
            all.add(&[deal], 1 << 20);
            all.settle(most);
        }
        all
    }

    #[test]
    fn what_is_kept_depends_on_the_deals_and_not_on_their_order() {
        let forwards = counted((0..500).chain(100..130), 64);
        let backwards = counted((0..500).chain(100..130).rev(), 64);
        assert!(forwards.level > 0 && forwards.kept.len() <= 64);
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn a_deal_that_comes_again_is_a_pair_and_a_third_time_makes_three() {
        let mut all = counted(0..50, 64);
        assert_eq!(all.pairs(), (0, 1.0));
        all.add(&[7], 1 << 20);
        assert_eq!(all.pairs(), (1, 1.0));
        all.add(&[7], 1 << 20);
        assert_eq!(all.pairs(), (3, 1.0));
    }

    #[test]
    fn many_small_ranges_merge_to_the_same_as_one() {
        let deals = || (0..6_000).chain(1_000..1_100).chain(1_050..1_060);
        let mut merged = Repeats::default();
        let all: Vec<u32> = deals().collect();
        for range in all.chunks(70) {
            merged.merge(&counted(range.iter().copied(), Repeats::MOST));
        }
        assert_eq!(merged, counted(deals(), Repeats::MOST));
        assert_eq!(merged.pairs(), (90 + 3 * 10, 1.0));
        // A range in which a deal comes twice, and one of which only some digests were kept.
        merged.merge(&counted([7, 7].into_iter(), Repeats::MOST));
        assert_eq!(merged.pairs(), (90 + 3 * 10 + 3, 1.0));
        let few = counted(6_000..6_200, 64);
        merged.merge(&few);
        assert!(few.level > 0);
        merged.settle(Repeats::MOST);
        assert!(merged.kept.iter().all(|(known, _)| zeros(known) >= few.level));
    }

    #[test]
    fn merging_ranges_counts_pairs_across_them_and_what_is_written_reads_back() {
        let mut left = counted(0..30, 64);
        left.merge(&counted(20..40, 64));
        assert_eq!(left.pairs(), (10, 1.0));
        assert_eq!(left, counted((0..30).chain(20..40), 64));
        let text = serde_json::to_string(&left).unwrap();
        assert_eq!(serde_json::from_str::<Repeats>(&text).unwrap(), left);
        assert!(
            serde_json::from_str::<Repeats>(r#"{"again":[],"digests":"00","level":0}"#).is_err()
        );
        assert!(
            serde_json::from_str::<Repeats>(r#"{"again":[[0,2]],"digests":"","level":0}"#).is_err()
        );
    }
}
