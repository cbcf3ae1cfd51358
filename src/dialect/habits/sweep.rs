//! The counts, from the records put in order: by commitment, by round, by seed, by client.

use super::kept::{Id, Run, Says, UNNUMBERED};
use super::report::{Again, Band, Commitments, EXAMPLES, Exchanged, Gap, Gaps, Tally, Twice, keep_first};
use crate::stats::number::{count, real};

/// The most rounds of each band.
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
        found.commitments.by_rounds =
            BANDS.map(|(from, to)| Band { from, to, commitments: 0 }).into_iter().collect();
        for runs in runs.chunk_by_mut(|one, other| group(one) == group(other)) {
            if runs.first().is_some_and(|run| group(run).is_some()) {
                found.take(runs);
            }
        }
        let all = found.commitments.count;
        if all > 0 {
            found.commitments.only_nonce_0_share = real(found.commitments.only_nonce_0.count) / real(all);
        }
        found
    }

    /// The records of one commitment, by client and number.
    fn take(&mut self, runs: &mut [Run]) {
        let first = runs.iter().map(|run| run.row).min().unwrap_or_default();
        let rounds = runs.chunk_by(|one, other| one.client == other.client).map(different).sum::<u64>();
        self.use_of(first, rounds, runs.iter().all(|run| run.low() == 0 && run.high() == 0));
        if runs.iter().all(|run| run.commitment.is_some() && !run.seed.is_some()) {
            self.never_revealed.note(first);
        }
        if runs.len() < 2 {
            return;
        }
        runs.sort_unstable_by_key(|run| run.row);
        if let Some(row) = first_other(runs, |run| run.seed, Id::is_some) {
            self.two_seeds.note(row);
        }
        if let Some(row) = first_other(runs, |run| run.client, |client| client != 0) {
            self.client_changed.note(row);
        }
        runs.sort_unstable_by_key(|run| (run.low(), run.row));
        self.gaps.take(runs);
    }

    fn use_of(&mut self, row: u64, rounds: u64, is_only_nonce_0: bool) {
        let use_of = &mut self.commitments;
        use_of.count = use_of.count.saturating_add(1);
        let band = use_of.by_rounds.iter_mut().rev().find(|band| band.from <= rounds.max(1));
        if let Some(band) = band {
            band.commitments = band.commitments.saturating_add(1);
        }
        let is_longer = rounds > use_of.longest || (rounds == use_of.longest && row < use_of.longest_row);
        if is_longer {
            (use_of.longest, use_of.longest_row) = (rounds, row);
        }
        if is_only_nonce_0 {
            use_of.only_nonce_0.note(row);
        }
    }
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
    let (mut sum, mut next) = (0_u64, 0);
    for run in runs.iter().filter(|run| run.is_numbered()) {
        let from = run.low().max(next);
        sum = sum.saturating_add(run.high().saturating_add(1).saturating_sub(from));
        next = next.max(run.high().saturating_add(1));
    }
    sum.saturating_add(count(runs.iter().filter(|run| !run.is_numbered()).count()))
}

impl Gaps {
    /// Numbers between the runs of one commitment or chain, in the order of their low ends.
    pub(super) fn take(&mut self, runs: &[Run]) {
        let mut numbered = runs.iter().filter(|run| run.is_numbered());
        let Some(first) = numbered.next() else { return };
        let mut last = first.high();
        for run in numbered {
            let from = last.saturating_add(1);
            if run.low() > from {
                self.missing = self.missing.saturating_add(run.low().saturating_sub(from));
                self.places = self.places.saturating_add(1);
                let gap = Gap { row: run.row_of(run.low()), from, to: run.low().saturating_sub(1) };
                keep_first(&mut self.examples, gap);
            }
            last = last.max(run.high());
        }
    }
}

/// Games of one chain that no row has; none where rows do not say which games they are.
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
    let mut kept: Vec<(bool, Again)> = Vec::new();
    for runs in runs.chunk_by(|one, other| of(one) == of(other)) {
        let is_known = is_chain || runs.first().is_some_and(|run| dealt_by(run).is_some());
        if is_known {
            found.take(runs, is_chain, &mut kept);
        }
    }
    found.examples = kept.into_iter().map(|(_, again)| again).collect();
    found
}

impl Twice {
    /// Runs of one seed and client in the order of their low ends: each is held against the one that reaches furthest so
    /// far, which then holds all numbers from this one's first up to its own last.
    fn take(&mut self, runs: &[Run], is_chain: bool, kept: &mut Vec<(bool, Again)>) {
        let mut runs = runs.iter().filter(|run| is_chain || run.is_numbered());
        let Some(mut furthest) = runs.next() else { return };
        for run in runs {
            if run.low() <= furthest.high() {
                let to = run.high().min(furthest.high());
                let again = to.saturating_sub(run.low()).saturating_add(1);
                self.count = self.count.saturating_add(again);
                let same_result = same(run, furthest);
                match same_result {
                    Some(true) => self.same_result = self.same_result.saturating_add(again),
                    Some(false) => self.other_result = self.other_result.saturating_add(again),
                    None => {}
                }
                // The first numbers are enough: no more than so many are kept.
                for step in (0..again).take(EXAMPLES) {
                    let number = run.low().saturating_add(step);
                    let (one, other) = (run.row_of(number), furthest.row_of(number));
                    let (first_row, row) = (one.min(other), one.max(other));
                    let at = kept.partition_point(|(is_same, before)| {
                        (*is_same, before.row) <= (same_result != Some(false), row)
                    });
                    kept.insert(at, (same_result != Some(false), Again { row, first_row, same_result }));
                    kept.truncate(EXAMPLES);
                }
            }
            if run.high() > furthest.high() {
                furthest = run;
            }
        }
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

/// Seeds under more than one commitment: the row of the second.
pub(super) fn exchanged(runs: &mut [Run], two_seeds: Tally) -> Exchanged {
    runs.sort_unstable_by_key(|run| (run.seed, run.row));
    let mut seeds = Tally::default();
    for runs in runs.chunk_by(|one, other| one.seed == other.seed) {
        let is_given = runs.first().is_some_and(|run| run.seed.is_some());
        let other = first_other(runs, |run| run.commitment, Id::is_some).filter(|_| is_given);
        if let Some(row) = other {
            seeds.note(row);
        }
    }
    Exchanged { seeds_under_two_commitments: seeds, commitments_with_two_seeds: two_seeds }
}

/// Seeds with more than one round: the row of the second.
pub(super) fn used_again(runs: &mut [Run]) -> Tally {
    runs.sort_unstable_by_key(|run| (run.seed, run.row));
    let mut again = Tally::default();
    for runs in runs.chunk_by(|one, other| one.seed == other.seed) {
        let is_given = runs.first().is_some_and(|run| run.seed.is_some());
        let other = first_other(runs, |run| (run.client, run.number), |_| true).filter(|_| is_given);
        if let Some(row) = other {
            again.note(row);
        }
    }
    again
}

/// Of each client: its short id, first row, rows, and how many commitments.
pub(super) fn clients(runs: &mut [Run], mut each: impl FnMut(u64, u64, u64)) -> u64 {
    runs.sort_unstable_by_key(|run| (run.client, group(run), run.row));
    let mut shared: Vec<Id> = Vec::new();
    for runs in runs.chunk_by(|one, other| one.client == other.client) {
        let Some(first) = runs.first().filter(|run| run.client != 0) else { continue };
        let row = runs.iter().map(|run| run.row).min().unwrap_or_default();
        each(first.client, row, runs.iter().map(|run| u64::from(run.rows)).sum());
        let last = runs.last().map(group);
        if last != Some(group(first)) {
            shared.extend(
                runs.chunk_by(|one, other| group(one) == group(other)).filter_map(|of| of.first().map(group)),
            );
        }
    }
    // A commitment with several clients is one.
    shared.sort_unstable();
    shared.dedup();
    count(shared.iter().filter(|id| id.is_some()).count())
}

/// A number as a run has it.
pub(super) fn number(given: Option<u64>) -> u64 {
    given.filter(|number| *number < UNNUMBERED).unwrap_or(UNNUMBERED)
}
