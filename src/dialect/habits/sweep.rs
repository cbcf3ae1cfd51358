//! The counts, from the records put in order: by commitment, by round, by seed, by client.

use super::kept::{Id, Run, Says};
use super::report::{Again, Band, Commitments, EXAMPLES, Exchanged, Gap, Gaps, Tally, Twice, keep_first};
use crate::stats::number::{count, real};

/// The fewest and the most rounds of each band.
const BANDS: [(u64, Option<u64>); 5] =
    [(1, Some(1)), (2, Some(9)), (10, Some(99)), (100, Some(999)), (1_000, None)];

/// What rows belong to: their commitment, or without one their seed.
fn group(run: &Run) -> Id {
    if run.commitment.is_some() { run.commitment } else { run.seed }
}

/// What a row is a round of: its seed, or as long as that is not out its commitment.
fn dealt_by(run: &Run) -> Id {
    if run.seed.is_some() { run.seed } else { run.commitment }
}

/// What the records say of each commitment.
#[derive(Clone, Debug, Default)]
pub(super) struct ByCommitment {
    pub(super) commitments: Commitments,
    pub(super) gaps: Gaps,
    pub(super) two_seeds: Tally,
    pub(super) never_revealed: Tally,
    pub(super) client_changed: Tally,
}

impl ByCommitment {
    pub(super) fn of(runs: &mut [Run]) -> Self {
        runs.sort_unstable_by_key(|run| (group(run), run.client, run.low(), run.row));
        let mut found = Self::default();
        let by_rounds = &mut found.commitments.by_rounds;
        by_rounds.extend(BANDS.map(|(from, to)| Band { from, to, commitments: 0 }));
        for runs in runs.chunk_by_mut(|one, other| group(one) == group(other)) {
            if group(&runs[0]).is_some() {
                found.take(runs);
            }
        }
        let all = &mut found.commitments;
        if all.count > 0 {
            all.only_nonce_0_share = real(all.only_nonce_0.count) / real(all.count);
        }
        found
    }

    /// The records of one commitment, by client and number.
    fn take(&mut self, runs: &mut [Run]) {
        let first = first_row(runs);
        let rounds = runs.chunk_by(|one, other| one.client == other.client).map(different).sum::<u64>();
        self.commitments.take(first, rounds, runs.iter().all(|run| run.low() == 0 && run.high() == 0));
        if runs.iter().all(|run| run.commitment.is_some() && !run.seed.is_some()) {
            self.never_revealed.note(first);
        }
        if runs.len() < 2 {
            return;
        }
        runs.sort_unstable_by_key(|run| run.row);
        self.two_seeds.note_some(first_other(runs, |run| run.seed, Id::is_some));
        self.client_changed.note_some(first_other(runs, |run| run.client, |client| client != 0));
        runs.sort_unstable_by_key(|run| (run.low(), run.row));
        self.gaps.take(runs);
    }
}

impl Commitments {
    fn take(&mut self, row: u64, rounds: u64, is_only_nonce_0: bool) {
        self.count += 1;
        let mut bands = self.by_rounds.iter_mut().rev();
        bands.find(|band| band.from <= rounds.max(1)).expect("the first band is from 1").commitments += 1;
        if rounds > self.longest || (rounds == self.longest && row < self.longest_row) {
            (self.longest, self.longest_row) = (rounds, row);
        }
        if is_only_nonce_0 {
            self.only_nonce_0.note(row);
        }
    }
}

fn first_row(runs: &[Run]) -> u64 {
    runs.iter().map(|run| run.row).min().expect("a chunk has a record")
}

/// The first row that has another value than the first of all, values that are not given left out.
fn first_other<T: PartialEq + Copy>(
    in_order: &[Run],
    value: impl Fn(&Run) -> T,
    is_given: impl Fn(T) -> bool,
) -> Option<u64> {
    let mut given = in_order.iter().filter(|run| is_given(value(run)));
    let first = value(given.next()?);
    given.find(|run| value(run) != first).map(|run| run.row)
}

/// How many different numbers runs of one client have, in the order of their low ends.
fn different(runs: &[Run]) -> u64 {
    let (mut sum, mut next) = (0, 0);
    for run in runs.iter().filter(|run| run.is_numbered()) {
        sum += (run.high() + 1).saturating_sub(run.low().max(next));
        next = next.max(run.high() + 1);
    }
    sum + count(runs.iter().filter(|run| !run.is_numbered()).count())
}

impl Gaps {
    /// Numbers between the runs of one commitment or chain, in the order of their low ends.
    pub(super) fn take(&mut self, runs: &[Run]) {
        let mut numbered = runs.iter().filter(|run| run.is_numbered());
        let Some(first) = numbered.next() else { return };
        let mut from = first.high() + 1;
        for run in numbered {
            if run.low() > from {
                self.missing += run.low() - from;
                self.places += 1;
                let gap = Gap { row: run.row_of(run.low()), from, to: run.low() - 1 };
                keep_first(&mut self.examples, gap);
            }
            from = from.max(run.high() + 1);
        }
    }
}

/// Games of one chain that no row has; `None` where rows do not say which games they are.
pub(super) fn games(runs: &mut [Run]) -> Option<Gaps> {
    runs.sort_unstable_by_key(|run| (run.low(), run.row));
    let mut gaps = Gaps::default();
    gaps.take(runs);
    runs.iter().any(Run::is_numbered).then_some(gaps)
}

/// Rows about a round that another row is about. Of a chain a number is a round of its own, and without one its hash is.
pub(super) fn twice(runs: &mut [Run], is_chain: bool) -> Twice {
    let of = |run: &Run| match (is_chain, run.is_numbered()) {
        (true, true) => (Id::NONE, 0),
        (true, false) => (run.seed, 0),
        (false, _) => (dealt_by(run), run.client),
    };
    runs.sort_unstable_by_key(|run| (of(run), run.low(), run.row));
    let mut found = Twice::default();
    for runs in runs.chunk_by(|one, other| of(one) == of(other)) {
        if is_chain || dealt_by(&runs[0]).is_some() {
            found.take(runs, is_chain);
        }
    }
    found
}

impl Twice {
    /// Runs of one seed and client in the order of their low ends: each is held against the one that reaches furthest so
    /// far, which then holds all numbers from this one's first up to its own last.
    fn take(&mut self, runs: &[Run], is_chain: bool) {
        let mut runs = runs.iter().filter(|run| is_chain || run.is_numbered());
        let Some(mut furthest) = runs.next() else { return };
        for run in runs {
            if run.low() <= furthest.high() {
                let again = run.high().min(furthest.high()) - run.low() + 1;
                let same_result = same(run, furthest);
                self.count += again;
                self.same_result += if same_result == Some(true) { again } else { 0 };
                self.other_result += if same_result == Some(false) { again } else { 0 };
                // The first numbers are enough: no more than so many are kept.
                for number in (run.low()..run.low() + again).take(EXAMPLES) {
                    let (one, other) = (run.row_of(number), furthest.row_of(number));
                    self.keep(Again { row: one.max(other), first_row: one.min(other), same_result });
                }
            }
            if run.high() > furthest.high() {
                furthest = run;
            }
        }
    }

    /// Those with another result before all others.
    fn keep(&mut self, again: Again) {
        let order = |one: &Again| (one.same_result != Some(false), one.row);
        let at = self.examples.partition_point(|before| order(before) <= order(&again));
        self.examples.insert(at, again);
        self.examples.truncate(EXAMPLES);
    }
}

/// Whether two records about one round say the same result.
fn same(one: &Run, other: &Run) -> Option<bool> {
    // Games of a chain can have one number and two hashes, so their results are kept even where they follow.
    match (one.says, other.says) {
        (Says::Follows, Says::Follows) => Some(one.seed == other.seed || one.result == other.result),
        (Says::Follows, Says::Differs) | (Says::Differs, Says::Follows) => Some(false),
        (Says::Follows, _) | (_, Says::Follows) => None,
        _ => Some(one.result == other.result),
    }
}

/// Seeds that have a second value of something: the row of the second.
fn seeds_with_two<T: PartialEq + Copy>(
    runs: &mut [Run],
    value: impl Fn(&Run) -> T,
    is_given: impl Fn(T) -> bool,
) -> Tally {
    runs.sort_unstable_by_key(|run| (run.seed, run.row));
    let mut tally = Tally::default();
    for runs in runs.chunk_by(|one, other| one.seed == other.seed).filter(|runs| runs[0].seed.is_some()) {
        tally.note_some(first_other(runs, &value, &is_given));
    }
    tally
}

/// Seeds under more than one commitment, beside commitments with two seeds.
pub(super) fn exchanged(runs: &mut [Run], commitments_with_two_seeds: Tally) -> Exchanged {
    let seeds_under_two_commitments = seeds_with_two(runs, |run| run.commitment, Id::is_some);
    Exchanged { seeds_under_two_commitments, commitments_with_two_seeds }
}

/// Seeds with more than one round.
pub(super) fn used_again(runs: &mut [Run]) -> Tally {
    seeds_with_two(runs, |run| (run.client, run.number), |_| true)
}

/// Tells of each client its short id, first row and rows; returns how many commitments share one with another.
pub(super) fn clients(runs: &mut [Run], mut each: impl FnMut(u64, u64, u64)) -> u64 {
    runs.sort_unstable_by_key(|run| (run.client, group(run), run.row));
    let mut shared: Vec<Id> = Vec::new();
    for runs in runs.chunk_by(|one, other| one.client == other.client).filter(|runs| runs[0].client != 0) {
        each(runs[0].client, first_row(runs), runs.iter().map(|run| u64::from(run.rows)).sum());
        if group(&runs[0]) != group(&runs[runs.len() - 1]) {
            shared.extend(runs.chunk_by(|one, other| group(one) == group(other)).map(|of| group(&of[0])));
        }
    }
    // A commitment with several clients is one.
    shared.sort_unstable();
    shared.dedup();
    count(shared.iter().filter(|id| id.is_some()).count())
}
