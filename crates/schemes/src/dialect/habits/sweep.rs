//! The counts: passes over the records, sorted by commitment, by round, by seed and by client.

use std::collections::HashMap;

use super::report::{
    Again, Band, Clients, Commitments, Commonest, EXAMPLES, Gap, Gaps, Tally, Twice, keep_first,
};
use super::run::{Id, Run, Says};
use fairdeal_audit::stats::number::{count, real};

/// The fewest and the most rounds of each band.
const BANDS: [(u64, Option<u64>); 5] =
    [(1, Some(1)), (2, Some(9)), (10, Some(99)), (100, Some(999)), (1_000, None)];

/// A row belongs to its commitment; without one, to its seed.
fn group(run: &Run) -> Id {
    run.commitment.given().unwrap_or(run.seed)
}

/// A round is dealt by its seed; while that is secret, by its commitment.
fn dealt_by(run: &Run) -> Id {
    run.seed.given().unwrap_or(run.commitment)
}

fn client(run: &Run) -> Option<u64> {
    (run.client != 0).then_some(run.client)
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
        runs.sort_unstable_by_key(|run| (group(run), run.client, run.low, run.row));
        let mut found = Self::default();
        let by_rounds = &mut found.commitments.by_rounds;
        by_rounds.extend(BANDS.map(|(from, to)| Band { from, to, commitments: 0 }));
        for runs in runs.chunk_by_mut(|one, other| group(one) == group(other)) {
            if group(&runs[0]).given().is_some() {
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
        let rounds =
            runs.chunk_by(|one, other| one.client == other.client).map(different).sum::<u64>();
        self.commitments.take(first, rounds, runs.iter().all(|run| run.low == 0 && run.rows == 1));
        if runs.iter().all(|run| run.commitment.given().is_some() && run.seed.given().is_none()) {
            self.never_revealed.note(first);
        }
        if runs.len() < 2 {
            return;
        }
        runs.sort_unstable_by_key(|run| run.row);
        note_other(&mut self.two_seeds, runs, |run| run.seed.given());
        note_other(&mut self.client_changed, runs, client);
        runs.sort_unstable_by_key(|run| (run.low, run.row));
        self.gaps.take(runs);
    }
}

impl Commitments {
    fn take(&mut self, row: u64, rounds: u64, is_only_nonce_0: bool) {
        self.count += 1;
        let mut bands = self.by_rounds.iter_mut().rev();
        bands
            .find(|band| band.from <= rounds.max(1))
            .expect("the first band is from 1")
            .commitments += 1;
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

/// Notes the first row whose value differs from the first one that is given.
fn note_other<T: PartialEq>(
    tally: &mut Tally,
    in_order: &[Run],
    value: impl Fn(&Run) -> Option<T>,
) {
    let mut given = in_order.iter().filter_map(|run| Some((run.row, value(run)?)));
    if let Some((_, first)) = given.next()
        && let Some((row, _)) = given.find(|(_, value)| *value != first)
    {
        tally.note(row);
    }
}

/// How many different numbers the records of one client have, in the order of their low ends.
fn different(runs: &[Run]) -> u64 {
    let (mut sum, mut next) = (0, 0);
    for run in runs.iter().filter(|run| run.is_numbered()) {
        sum += (run.high() + 1).saturating_sub(run.low.max(next));
        next = next.max(run.high() + 1);
    }
    sum + count(runs.iter().filter(|run| !run.is_numbered()).count())
}

impl Gaps {
    /// Numbers between the records of one commitment or chain, in the order of their low ends.
    fn take(&mut self, runs: &[Run]) {
        let mut numbered = runs.iter().filter(|run| run.is_numbered());
        let Some(first) = numbered.next() else { return };
        let mut from = first.high() + 1;
        for run in numbered {
            if run.low > from {
                self.missing += run.low - from;
                self.places += 1;
                let gap = Gap { row: run.row_of(run.low), from, to: run.low - 1 };
                keep_first(&mut self.examples, gap, |gap| *gap);
            }
            from = from.max(run.high() + 1);
        }
    }
}

/// Games of one chain that no row has; `None` if no row has a game's number.
pub(super) fn games(runs: &mut [Run]) -> Option<Gaps> {
    runs.sort_unstable_by_key(|run| (run.low, run.row));
    let mut gaps = Gaps::default();
    gaps.take(runs);
    runs.iter().any(Run::is_numbered).then_some(gaps)
}

/// Duplicate rounds. A round of a chain is known by its number, or else by its hash.
pub(super) fn twice(runs: &mut [Run], is_chain: bool) -> Twice {
    let of = |run: &Run| match (is_chain, run.is_numbered()) {
        (true, true) => (Id::NONE, 0),
        (true, false) => (run.seed, 0),
        (false, _) => (dealt_by(run), run.client),
    };
    runs.sort_unstable_by_key(|run| (of(run), run.low, run.row));
    let mut found = Twice::default();
    for runs in runs.chunk_by(|one, other| of(one) == of(other)) {
        if is_chain || dealt_by(&runs[0]).given().is_some() {
            found.take(runs, is_chain);
        }
    }
    found
}

impl Twice {
    /// The records of one seed and client, in the order of their low ends. Each is compared with the one that
    /// reaches furthest so far: that one holds all numbers from the low end of this one to its own high end.
    fn take(&mut self, runs: &[Run], is_chain: bool) {
        let mut runs = runs.iter().filter(|run| is_chain || run.is_numbered());
        let Some(mut furthest) = runs.next() else { return };
        for run in runs {
            if run.low <= furthest.high() {
                let again = run.high().min(furthest.high()) - run.low + 1;
                let same_result = same(run, furthest);
                self.count += again;
                match same_result {
                    Some(true) => self.same_result += again,
                    Some(false) => self.other_result += again,
                    None => {}
                }
                for number in (run.low..run.low + again).take(EXAMPLES) {
                    let (one, other) = (run.row_of(number), furthest.row_of(number));
                    let again =
                        Again { row: one.max(other), first_row: one.min(other), same_result };
                    keep_first(&mut self.examples, again, |one| {
                        (one.same_result != Some(false), one.row)
                    });
                }
            }
            if run.high() > furthest.high() {
                furthest = run;
            }
        }
    }
}

/// Whether two records of one round have the same result; `None` if that is not known.
fn same(one: &Run, other: &Run) -> Option<bool> {
    match (one.says, other.says) {
        // Two games of a chain can have one number and two hashes.
        (Says::Follows, Says::Follows) => {
            Some(one.seed == other.seed || one.result == other.result)
        }
        (Says::Follows, Says::Differs) | (Says::Differs, Says::Follows) => Some(false),
        (Says::Follows, _) | (_, Says::Follows) => None,
        _ => Some(one.result == other.result),
    }
}

/// Seeds that have two values, with the first row of the second.
fn seeds_with_two<T: PartialEq>(runs: &mut [Run], value: impl Fn(&Run) -> Option<T>) -> Tally {
    runs.sort_unstable_by_key(|run| (run.seed, run.row));
    let mut tally = Tally::default();
    for runs in runs.chunk_by(|one, other| one.seed == other.seed) {
        if runs[0].seed.given().is_some() {
            note_other(&mut tally, runs, &value);
        }
    }
    tally
}

/// Seeds with two commitments.
pub(super) fn two_commitments(runs: &mut [Run]) -> Tally {
    seeds_with_two(runs, |run| run.commitment.given())
}

/// Seeds with more than one round.
pub(super) fn used_again(runs: &mut [Run]) -> Tally {
    seeds_with_two(runs, |run| Some((run.client, run.low)))
}

/// What clients bring; `texts` are the seeds that were kept, by their short ids.
pub(super) fn clients(runs: &mut [Run], texts: &HashMap<u64, Box<str>>) -> Clients {
    runs.sort_unstable_by_key(|run| (run.client, group(run), run.row));
    let mut found = Clients::default();
    let mut rows_with_one = 0;
    let mut shared: Vec<Id> = Vec::new();
    for runs in runs.chunk_by(|one, other| one.client == other.client) {
        let Some(id) = client(&runs[0]) else { continue };
        let (row, rows) = (first_row(runs), runs.iter().map(|run| u64::from(run.rows)).sum());
        found.distinct += 1;
        rows_with_one += rows;
        // Of several that are as common, the first in the file.
        let is_commoner =
            |before: &Commonest| rows > before.rows || rows == before.rows && row < before.row;
        if found.commonest.as_ref().is_none_or(is_commoner) {
            let text = texts.get(&id).map(ToString::to_string).unwrap_or_default();
            found.commonest = Some(Commonest { text, row, rows, share: 0.0 });
        }
        if group(&runs[0]) != group(&runs[runs.len() - 1]) {
            shared.extend(
                runs.chunk_by(|one, other| group(one) == group(other)).map(|of| group(&of[0])),
            );
        }
    }
    if let Some(commonest) = &mut found.commonest {
        commonest.share = real(commonest.rows) / real(rows_with_one);
    }
    // A commitment may share several.
    shared.sort_unstable();
    shared.dedup();
    found.shared_between_commitments = count(shared.into_iter().filter_map(Id::given).count());
    found
}
