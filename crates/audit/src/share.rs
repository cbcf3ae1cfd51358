//! A share of a log: some commitments, each with all its entries. An audit on many machines judges
//! one share on each.
//!
//! Whether an entry has effect depends on its own commitment alone. Three things do not: whose turn
//! it is at a table ([`Turn`]), whether time runs back, and which seeds are compared
//! ([`SharedSeeds`]). Each is judged at the end from what the shares note. A log in which some
//! entry has no effect, or in which time runs back or a commit is out of turn, is not judged like
//! this ([`ShareSum::is_sound`] is false): its verdict is found from its first entry on, in order.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::claim::RootClaim;
use super::findings::FindingList;
use super::read::{Other, Signatures, Under};
use super::reported::{LISTED, Reported};
use super::shared_seeds::SharedSeeds;
use super::state::{Counted, Latest, State};
use super::turns::Turn;
use super::verdict::{AuditVerdict, Times};
use fairdeal::deal::Commitment;
use fairdeal::log::{Frontier, VerifierKey};
use fairdeal::record::entry::{Entry, PlainDeal};
use fairdeal::record::{Code, Finding};

/// Findings that leave an entry without effect, or that are about the order of all entries.
const IN_ORDER: [Code; 13] = [
    Code::NotCanonical,
    Code::InvalidEntry,
    Code::NoCommitment,
    Code::DuplicateCommitment,
    Code::AfterReveal,
    Code::AfterVoid,
    Code::VoidAfterUse,
    Code::OpenRound,
    Code::NonceGap,
    Code::TooManyRounds,
    Code::SeedMismatch,
    Code::OutOfTurn,
    Code::TimeRunsBack,
];

/// The bucket of a commitment or a table, of so many. With a salt that the operator does not know,
/// nobody can make many of one bucket.
#[must_use]
pub fn bucket_of(salt: &[u8], name: &[u8], buckets: u32) -> u32 {
    let digest = Sha256::new().chain_update(salt).chain_update(name).finalize();
    let number = digest.first_chunk().copied().map_or(0, u64::from_be_bytes);
    u32::try_from(number % u64::from(buckets.max(1))).unwrap_or_default() // it is less than a u32
}

/// Some of a log's commitments, being judged.
#[derive(Debug)]
pub struct Share {
    key: VerifierKey,
    signatures: Signatures,
    state: State,
}

/// An entry of a commitment that does not begin and end in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossingEntry<'a> {
    /// Its index.
    pub index: u64,
    /// Its commitment.
    pub commitment: Commitment,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The entries of a range: those of commitments that begin and end in it are judged.
#[derive(Debug)]
pub struct SortedEntries<'a> {
    /// The commitments that begin and end in the range.
    pub share: Share,
    /// The commitments of the share.
    pub ended: Vec<Commitment>,
    /// The entries of the others, in order.
    pub crossing: Vec<CrossingEntry<'a>>,
    /// The times of the first and the last entry.
    pub times: Option<(u64, u64)>,
    /// Whether every entry is one that is judged, and time does not run back.
    pub is_sound: bool,
}

/// A share at its end.
#[derive(Debug)]
pub struct ShareEnd {
    /// Its counts and findings.
    pub sum: ShareSum,
    /// Its seeds.
    pub seeds: SharedSeeds,
    /// Its turns.
    pub turns: Vec<Turn>,
}

/// The sum of shares. The order in which they are added does not matter.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShareSum {
    counted: Counted,
    reported: Reported,
    /// Blamed names: the first place and the count of each.
    blamed: HashMap<String, (u64, u64)>,
    findings: FindingList,
    latest: Option<Latest>,
    last_time: Option<u64>,
    overdue_by_clock: Option<u64>,
}

/// The commitment, the time and the edge (a commit: true, an end: false) of an entry.
fn glance(bytes: &[u8]) -> Option<(Commitment, u64, Option<bool>)> {
    if let Some(deal) = PlainDeal::read(bytes) {
        return Some((deal.commitment, deal.time, None));
    }
    let entry = Entry::parse(bytes).ok()?;
    let edge = match &entry {
        Entry::Commit(_) => Some(true),
        Entry::Anchor(_) | Entry::Other(_) => return None,
        entry => entry.is_end().then_some(false),
    };
    Some((entry.commitment()?, entry.time(), edge))
}

impl<'a> SortedEntries<'a> {
    /// Sorts the entries of a range that begins at the index `first`, and judges those that it can.
    #[must_use]
    pub fn of(key: &VerifierKey, signatures: Signatures, first: u64, entries: &[&'a [u8]]) -> Self {
        let mut sorted = Self {
            share: Share::new(key.clone(), signatures),
            ended: Vec::new(),
            crossing: Vec::new(),
            times: None,
            is_sound: true,
        };
        let mut glances = Vec::with_capacity(entries.len());
        // Whether each commitment begins here, and ends after that.
        let mut lives: HashMap<Commitment, (bool, bool)> = HashMap::new();
        for bytes in entries {
            let Some((commitment, time, edge)) = glance(bytes) else {
                sorted.is_sound = false;
                return sorted;
            };
            let life = lives.entry(commitment).or_default();
            match edge {
                Some(true) => life.0 = true,
                Some(false) => life.1 = life.0,
                None => {}
            }
            let begun = sorted.times.map_or(time, |(begun, _)| begun);
            if sorted.times.is_some_and(|(_, last)| time < last) {
                sorted.is_sound = false;
                return sorted;
            }
            sorted.times = Some((begun, time));
            glances.push(commitment);
        }
        for ((index, bytes), commitment) in (first..).zip(entries).zip(glances) {
            if lives.get(&commitment) == Some(&(true, true)) {
                sorted.share.take(index, bytes);
            } else {
                sorted.crossing.push(CrossingEntry { index, commitment, bytes });
            }
        }
        sorted.ended =
            lives.into_iter().filter(|(_, life)| *life == (true, true)).map(|(c, _)| c).collect();
        sorted
    }
}

impl Share {
    /// No commitments yet.
    #[must_use]
    pub fn new(key: VerifierKey, signatures: Signatures) -> Self {
        let state = State::of_some(&key);
        Self { key, signatures, state }
    }

    /// Judges the next entry of its commitments.
    pub fn take(&mut self, index: u64, bytes: &[u8]) {
        self.state.take(index, bytes, &self.key, self.signatures);
        for replays in std::mem::take(&mut self.state.replays) {
            for finding in replays.run().findings {
                self.state.find(finding);
            }
        }
    }

    /// Takes the checkpoints that players have seen. Find what contradicts the log's own roots.
    pub fn take_claims(&mut self) -> Vec<RootClaim> {
        std::mem::take(&mut self.state.claims)
    }

    /// Adds a finding.
    pub fn find(&mut self, finding: Finding) {
        self.state.find(finding);
    }

    /// Ends it, with the times at which the whole log is judged: `as_of` is then the time of its
    /// last entry, if none is given.
    #[must_use]
    pub fn end(self, times: Times) -> ShareEnd {
        let mut state = self.state;
        let overdue_by_clock = state.end_lives(times.as_of, times.clock);
        let firsts =
            state.reported.firsts.as_mut().map(|firsts| std::mem::take(&mut firsts.blamed));
        let mut firsts = firsts.unwrap_or_default();
        let blamed = std::mem::take(&mut state.reported.blamed);
        let with_first = |(name, count)| {
            let first = firsts.remove(&name).unwrap_or_default();
            (name, (first, count))
        };
        let blamed = blamed.into_iter().map(with_first).collect();
        let seeds = SharedSeeds::of(&mut state.reported);
        let turns = state.turns.take().map(super::turns::Turns::all).unwrap_or_default();
        let sum = ShareSum {
            counted: state.counted,
            blamed,
            latest: state.latest,
            last_time: state.last_time(),
            findings: state.findings,
            reported: state.reported,
            overdue_by_clock,
        };
        ShareEnd { sum, seeds, turns }
    }
}

impl ShareSum {
    /// Adds another share.
    pub fn add(&mut self, other: Self) {
        self.counted.add(other.counted);
        self.reported.add(&other.reported);
        for (name, (first, count)) in other.blamed {
            let known = self.blamed.entry(name).or_insert((first, 0));
            *known = (known.0.min(first), known.1.saturating_add(count));
        }
        self.findings.append(other.findings);
        // The first entry with the greatest time.
        let before = |a: &Latest, b: &Latest| a.time.cmp(&b.time).then(b.index.cmp(&a.index));
        self.latest = self.latest.into_iter().chain(other.latest).max_by(before);
        self.last_time = self.last_time.max(other.last_time);
        self.overdue_by_clock = match (self.overdue_by_clock, other.overdue_by_clock) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
    }

    /// Whether this is how an audit in order would judge these entries, if time does not run back
    /// and no commit is out of turn.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.counted.not_judged == 0
            && !self.findings.counts().any(|(code, _)| IN_ORDER.contains(&code))
    }

    /// The verdict on the log of this tree. `seeds` are the first ones with their givers, `more`
    /// says whether there are others.
    #[must_use]
    pub fn verdict(
        self,
        key: &VerifierKey,
        tree: &Frontier,
        times: Times,
        (seeds, more): (SharedSeeds, bool),
    ) -> AuditVerdict {
        let mut state = State::under(Under::key(key));
        let (last_time, as_of) = (self.last_time, times.as_of.or(self.last_time));
        let mut blamed: Vec<(String, (u64, u64))> = self.blamed.into_iter().collect();
        blamed.sort_unstable_by_key(|(_, (first, _))| *first);
        state.reported = self.reported;
        state.reported.blamed =
            blamed.into_iter().take(LISTED).map(|(name, (_, count))| (name, count)).collect();
        state.reported.seeds_not_told_apart = more;
        state.reported.seeds = seeds.into_givers();
        state.findings = self.findings;
        state.counted = self.counted;
        state.latest = self.latest;
        state.judge_latest(times.clock);
        state.reported.finish();
        // In an empty log no commitment is overdue.
        let overdue_by_clock = self.overdue_by_clock.or(times.clock.map(|_| 0));
        state.verdict(tree, last_time, (as_of, times.clock), overdue_by_clock)
    }
}

impl State {
    /// Judges one entry.
    fn take(&mut self, index: u64, bytes: &[u8], key: &VerifierKey, signatures: Signatures) {
        if let Some(deal) = PlainDeal::read(bytes)
            && self.plain(index, &deal, bytes)
        {
            return;
        }
        self.judge(index, &Other::read(bytes, Under { signatures, ..Under::key(key) }));
    }
}

impl Counted {
    fn add(&mut self, other: Self) {
        let Self { commitments, deals, voids, reveals, not_judged, signatures, beacons } = other;
        let all = [
            (&mut self.commitments, commitments),
            (&mut self.deals, deals),
            (&mut self.voids, voids),
            (&mut self.reveals, reveals),
            (&mut self.not_judged, not_judged),
            (&mut self.signatures, signatures),
            (&mut self.beacons, beacons),
        ];
        for (to, more) in all {
            *to = to.saturating_add(more);
        }
    }
}
