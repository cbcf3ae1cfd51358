//! The client seeds of a log whose commitments are judged apart (spec/audit.md, 14.3).
//!
//! The specification compares the 100,000 seeds that come first in the log. Which ones these are is
//! known only when all shares are: first the shares' seeds are merged without their givers
//! ([`SharedSeeds::first_of`]), then each share gives the givers of those ([`SharedSeeds::only`]),
//! and these are merged ([`SharedSeeds::joined`]).

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::reported::{Reported, SEEDS_TOLD_APART};

/// Seeds, with the first place and the givers of each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SharedSeeds {
    /// Whether some were left out.
    more: bool,
    seeds: HashMap<String, ((u64, u32), BTreeSet<String>)>,
}

impl SharedSeeds {
    pub(super) fn of(reported: &mut Reported) -> Self {
        let mut places = reported.firsts.take().map(|firsts| firsts.seeds).unwrap_or_default();
        let seeds = std::mem::take(&mut reported.seeds);
        let with_place = |(seed, givers)| {
            let place = places.remove(&seed).unwrap_or_default();
            (seed, (place, givers))
        };
        Self { more: false, seeds: seeds.into_iter().map(with_place).collect() }
    }

    /// The 100,000 seeds of all these that come first in the log, without their givers.
    #[must_use]
    pub fn first_of(all: impl IntoIterator<Item = Self>) -> Self {
        let mut first = Self::default();
        for one in all {
            first.more |= one.more;
            for (seed, (place, _)) in one.seeds {
                let known = first.seeds.entry(seed).or_insert((place, BTreeSet::new()));
                known.0 = known.0.min(place);
            }
            first.cut();
        }
        first
    }

    fn cut(&mut self) {
        if self.seeds.len() <= SEEDS_TOLD_APART {
            return;
        }
        self.more = true;
        let mut places: Vec<(u64, u32)> = self.seeds.values().map(|(place, _)| *place).collect();
        let (_, last, _) = places.select_nth_unstable(SEEDS_TOLD_APART - 1);
        let last = *last;
        // No two seeds are at one place.
        self.seeds.retain(|_, (place, _)| *place <= last);
    }

    /// The seeds of a share that are among the first of the log.
    #[must_use]
    pub fn only(mut self, first: &Self) -> Self {
        self.seeds.retain(|seed, _| first.seeds.contains_key(seed));
        self
    }

    /// The givers of all shares together.
    #[must_use]
    pub fn joined(all: impl IntoIterator<Item = Self>) -> Self {
        let mut joined = Self::default();
        for one in all {
            joined.more |= one.more;
            for (seed, (place, givers)) in one.seeds {
                let known = joined.seeds.entry(seed).or_insert((place, BTreeSet::new()));
                known.0 = known.0.min(place);
                let room = SEEDS_TOLD_APART.saturating_sub(known.1.len());
                let new: Vec<String> = givers.difference(&known.1).take(room).cloned().collect();
                known.1.extend(new);
            }
        }
        joined
    }

    /// Whether there are more seeds than are compared.
    #[must_use]
    pub const fn are_more(&self) -> bool {
        self.more
    }

    pub(super) fn into_givers(self) -> HashMap<String, BTreeSet<String>> {
        self.seeds.into_iter().map(|(seed, (_, givers))| (seed, givers)).collect()
    }
}
