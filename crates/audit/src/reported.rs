//! Numbers that are reported with the findings (spec/ledger.md, 9.4). The verdict does not depend
//! on them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use fairdeal::record::Life;
use fairdeal::record::as_json::object;
use fairdeal::record::entry::{Deal, Entry, Lock, LoggedContribution, Void, plain_seeds};

/// The most client seeds that are compared; later new ones are not.
pub(super) const SEEDS_TOLD_APART: usize = 100_000;
/// A seed that this many contributors used is weak.
const WEAK: usize = 3;
/// The most weak seeds, and the most blamed names, that are listed.
pub(super) const LISTED: usize = 100;

/// The reported numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Reported {
    /// By a number of rounds dealt or voided: how many commitments had that many.
    pub rounds_per_commitment: BTreeMap<u64, u64>,
    /// Commitments under which nothing was ever locked, dealt or voided.
    pub never_used: u64,
    /// Commitments revealed before all their rounds were dealt or voided.
    pub ended_early: u64,
    /// Rounds voided after they were locked, at all tables.
    pub voided_locks: u64,
    /// Rounds that are locked, and neither dealt nor voided by the end of the log.
    pub unanswered_locks: u64,
    /// Deals under commitments that are not revealed by the end of the log.
    pub unrevealed_deals: u64,
    /// By a number of commitments: how many tables had that many.
    pub commitments_per_table: BTreeMap<u64, u64>,
    /// Commitments, deals, round voids and whole voids of each table.
    pub tables: BTreeMap<String, TableCounts>,
    /// Round voids by the name that the operator blamed; the operator's word.
    pub blamed: BTreeMap<String, u64>,
    /// The times from commit to reveal.
    pub reveal_delays: RevealDelays,
    /// Client seeds that three or more contributors used, each with how many.
    pub weak_seeds: BTreeMap<String, u64>,
    /// Whether there were more different seeds than the 100,000 that are compared.
    pub seeds_not_told_apart: bool,
    /// Rounds with a contribution that nothing ties to the commitment.
    pub rounds_without_committed_first: u64,
    /// Rounds with a beacon.
    pub beacon_rounds: u64,
    /// Voids of rounds that were locked to a beacon's round of a known chain, once it was out.
    #[serde(default)]
    pub beacon_voids: u64,
    #[serde(skip)]
    pub(super) seeds: HashMap<String, BTreeSet<String>>,
    /// The first place of each, if this is a share of a log; then none is left out.
    #[serde(skip)]
    pub(super) firsts: Option<Box<Firsts>>,
}

/// The indices at which seeds and blamed names first are in a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Firsts {
    /// The entry, and the number of the seed in it.
    pub(super) at: (u64, u32),
    pub(super) seeds: HashMap<String, (u64, u32)>,
    pub(super) blamed: BTreeMap<String, u64>,
}

/// One table's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct TableCounts {
    /// Commitments.
    pub commitments: u64,
    /// Rounds dealt.
    pub deals: u64,
    /// Rounds voided.
    pub voided_rounds: u64,
    /// Rounds voided after they were locked.
    pub voided_locks: u64,
    /// Commitments voided whole.
    pub voided_commitments: u64,
}

impl TableCounts {
    /// Rounds dealt or voided; 1 if there are none, as a share of none is none.
    fn rounds(&self) -> u64 {
        self.deals.saturating_add(self.voided_rounds).max(1)
    }
}

/// Milliseconds from a commit to its reveal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RevealDelays {
    /// The number of reveals.
    pub count: u64,
    /// The shortest.
    pub shortest: Option<u64>,
    /// The longest.
    pub longest: Option<u64>,
    /// The sum.
    pub total: u64,
    /// By the largest power of two that is at most the delay (0 for a delay of 0): how many.
    pub by_doubling: BTreeMap<u64, u64>,
}

object!(Reported, TableCounts, RevealDelays);

/// Counts one more.
pub(super) fn more(count: &mut u64) {
    *count = count.saturating_add(1);
}

impl Reported {
    /// The tables for people: those with the greatest share of voided rounds first.
    #[must_use]
    pub fn tables_by_share(&self) -> Vec<(&str, &TableCounts)> {
        let mut tables: Vec<(&str, &TableCounts)> =
            self.tables.iter().map(|(name, counts)| (name.as_str(), counts)).collect();
        // Two shares are compared crosswise: exact, and without a division by 0. A stable sort
        // keeps the order by name.
        let crosswise = |a: &TableCounts, b: &TableCounts| {
            u128::from(a.voided_rounds).saturating_mul(b.rounds().into())
        };
        tables.sort_by(|(_, a), (_, b)| {
            crosswise(b, a).cmp(&crosswise(a, b)).then(b.voided_rounds.cmp(&a.voided_rounds))
        });
        tables
    }

    /// Names and their counts for people: the greatest first, then by name.
    #[must_use]
    pub fn by_count(counted: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> =
            counted.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }

    /// Whether something ties every contribution to an entry's round to the commitment: a hash, or
    /// a checkpoint that contains it in a signed contribution. `life` is the commitment's state
    /// before the entry.
    pub(super) fn is_committed_first(entry: &Entry, life: &Life) -> bool {
        let locked = life.open.as_ref().map(|open| open.lock.contributions());
        locked.unwrap_or_else(|| entry.contributions()).iter().all(|one| {
            one.hash.is_some()
                || one
                    .seen
                    .as_ref()
                    .is_some_and(|seen| one.key.is_some() && seen.size.value() > life.index)
        })
    }

    /// Notes an entry that had an effect.
    pub(super) fn note(
        &mut self,
        entry: &Entry,
        life: &Life,
        is_committed_first: bool,
        was_locked: bool,
    ) {
        match entry {
            Entry::Lock(lock) => self.lock(lock),
            Entry::Deal(deal) => self.deal(deal, is_committed_first),
            Entry::Void(void) => self.void(void, life, was_locked),
            Entry::Reveal(reveal) => self.reveal(reveal.time.value(), life),
            Entry::Commit(_) => more(&mut self.table(life).commitments),
            Entry::Anchor(_) | Entry::Other(_) => {}
        }
    }

    fn lock(&mut self, lock: &Lock) {
        for one in lock.contributions() {
            self.seed(one);
        }
    }

    /// A deal of clear seeds without checkpoints. It counts for its table when the commitment ends.
    pub(super) fn plain_deal(&mut self) {
        more(&mut self.rounds_without_committed_first);
    }

    /// The seeds of a plain deal, if they differ from those of the deal before under its
    /// commitment.
    pub(super) fn plain_seeds(&mut self, contributions: &[u8]) {
        for (from, seed) in plain_seeds(contributions) {
            if let (Ok(from), Ok(seed)) = (std::str::from_utf8(from), std::str::from_utf8(seed)) {
                self.seed_of(seed, from);
            }
        }
    }

    fn deal(&mut self, deal: &Deal, is_committed_first: bool) {
        for one in deal.contributions() {
            self.seed(one);
        }
        for opened in deal.opened() {
            self.seed_of(opened.seed.as_str(), opened.from.as_str());
        }
        if deal.beacon.is_some() {
            more(&mut self.beacon_rounds);
        }
        if !is_committed_first {
            more(&mut self.rounds_without_committed_first);
        }
    }

    fn void(&mut self, void: &Void, life: &Life, was_locked: bool) {
        if void.nonce.is_some() {
            let table = self.table(life);
            more(&mut table.voided_rounds);
            if was_locked {
                more(&mut table.voided_locks);
            }
        } else {
            more(&mut self.table(life).voided_commitments);
        }
        if let Some(blame) = &void.blame
            && (self.firsts.is_some()
                || self.blamed.len() < LISTED
                || self.blamed.contains_key(blame.as_str()))
        {
            if let Some(firsts) = &mut self.firsts {
                firsts.blamed.entry(blame.as_str().to_owned()).or_insert(firsts.at.0);
            }
            more(self.blamed.entry(blame.as_str().to_owned()).or_default());
        }
    }

    fn reveal(&mut self, time: u64, life: &Life) {
        if !life.used_up() {
            more(&mut self.ended_early);
        }
        let took = time.saturating_sub(life.commit.time.value());
        let delays = &mut self.reveal_delays;
        more(&mut delays.count);
        delays.shortest = Some(delays.shortest.map_or(took, |s| s.min(took)));
        delays.longest = Some(delays.longest.map_or(took, |l| l.max(took)));
        delays.total = delays.total.saturating_add(took);
        let doubling = took.checked_ilog2().map_or(0, |power| 1 << power);
        more(delays.by_doubling.entry(doubling).or_default());
    }

    fn table(&mut self, life: &Life) -> &mut TableCounts {
        self.tables.entry(life.commit.table.as_str().to_owned()).or_default()
    }

    /// A commitment that has ended, or whose log has.
    pub(super) fn note_end(&mut self, life: &Life, deals: u64) {
        if deals > 0 {
            let table = self.table(life);
            table.deals = table.deals.saturating_add(deals);
        }
        more(self.rounds_per_commitment.entry(life.next).or_default());
        if !life.used() {
            more(&mut self.never_used);
        }
    }

    /// A commitment that has not ended at the end of the log.
    pub(super) fn note_open(&mut self, life: &Life, deals: u64) {
        if life.open.is_some() {
            more(&mut self.unanswered_locks);
        }
        self.unrevealed_deals = self.unrevealed_deals.saturating_add(deals);
    }

    fn seed(&mut self, one: &LoggedContribution) {
        if let Some(seed) = &one.seed {
            self.seed_of(seed.as_str(), one.from.as_str());
        }
    }

    /// The next notes are about the entry of this index.
    pub(super) fn at(&mut self, index: u64) {
        if let Some(firsts) = &mut self.firsts {
            firsts.at = (index, 0);
        }
    }

    fn seed_of(&mut self, seed: &str, from: &str) {
        if let Some(firsts) = &mut self.firsts {
            if !firsts.seeds.contains_key(seed) {
                firsts.seeds.insert(seed.to_owned(), firsts.at);
            }
            firsts.at.1 = firsts.at.1.saturating_add(1);
            let givers = self.seeds.entry(seed.to_owned()).or_default();
            if givers.len() < SEEDS_TOLD_APART {
                givers.insert(from.to_owned());
            }
            return;
        }
        if let Some(givers) = self.seeds.get_mut(seed) {
            if givers.len() < SEEDS_TOLD_APART {
                givers.insert(from.to_owned());
            }
        } else if self.seeds.len() < SEEDS_TOLD_APART {
            self.seeds.insert(seed.to_owned(), BTreeSet::from([from.to_owned()]));
        } else {
            self.seeds_not_told_apart = true;
        }
    }

    /// Adds the numbers of another share. Seeds and blamed names are merged apart: for these it
    /// matters which were first.
    pub(super) fn add(&mut self, other: &Self) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        for (rounds, count) in &other.rounds_per_commitment {
            add(self.rounds_per_commitment.entry(*rounds).or_default(), *count);
        }
        add(&mut self.never_used, other.never_used);
        add(&mut self.ended_early, other.ended_early);
        add(&mut self.unanswered_locks, other.unanswered_locks);
        add(&mut self.unrevealed_deals, other.unrevealed_deals);
        for (name, counts) in &other.tables {
            let table = self.tables.entry(name.clone()).or_default();
            add(&mut table.commitments, counts.commitments);
            add(&mut table.deals, counts.deals);
            add(&mut table.voided_rounds, counts.voided_rounds);
            add(&mut table.voided_locks, counts.voided_locks);
            add(&mut table.voided_commitments, counts.voided_commitments);
        }
        let (delays, more) = (&mut self.reveal_delays, &other.reveal_delays);
        add(&mut delays.count, more.count);
        delays.shortest = delays.shortest.into_iter().chain(more.shortest).min();
        delays.longest = delays.longest.max(more.longest);
        add(&mut delays.total, more.total);
        for (power, count) in &more.by_doubling {
            add(delays.by_doubling.entry(*power).or_default(), *count);
        }
        add(&mut self.rounds_without_committed_first, other.rounds_without_committed_first);
        add(&mut self.beacon_rounds, other.beacon_rounds);
        add(&mut self.beacon_voids, other.beacon_voids);
    }

    /// Sums up the tables, and lists the weak seeds, those with the most contributors first.
    pub(super) fn finish(&mut self) {
        self.voided_locks = self.tables.values().map(|table| table.voided_locks).sum();
        self.commitments_per_table.clear();
        for table in self.tables.values() {
            more(self.commitments_per_table.entry(table.commitments).or_default());
        }
        let mut weak: Vec<(u64, &String)> = self
            .seeds
            .iter()
            .filter(|(_, givers)| givers.len() >= WEAK)
            .map(|(seed, givers)| (givers.len() as u64, seed))
            .collect();
        weak.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        self.weak_seeds =
            weak.into_iter().take(LISTED).map(|(count, seed)| (seed.clone(), count)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_people_the_table_that_voids_most_comes_first() {
        let table = |name: &str, deals, voided_rounds| {
            (name.to_owned(), TableCounts { deals, voided_rounds, ..TableCounts::default() })
        };
        let tables = [
            table("a", 900, 9),
            table("b", 0, 0),
            table("c", 0, 0),
            table("z", 525, 3015),
            table("d", u64::MAX, 1),
            table("e", 99, 1),
        ];
        let reported = Reported { tables: tables.into(), ..Reported::default() };
        let names: Vec<&str> =
            reported.tables_by_share().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["z", "e", "a", "d", "b", "c"]);
        let counted =
            [("a", 1), ("b", 7), ("c", 7)].map(|(name, count)| (name.to_owned(), count)).into();
        assert_eq!(Reported::by_count(&counted), [("b", 7), ("c", 7), ("a", 1)]);
    }
}
