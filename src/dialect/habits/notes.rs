//! What of the counts to look at first, in words: what is said is what was counted, and of nobody.

use super::report::{HabitsReport, Note};
use crate::dialect::about::Rotation;

/// Commitments, or rows, under which a share says nothing.
const ENOUGH: u64 = 20;

pub(super) fn of(report: &HabitsReport, rotation: Rotation) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |code, says: String| notes.push(Note { code, says });
    if let Some(all) = report.commitments.as_ref().filter(|all| all.count >= ENOUGH)
        && rotation == Rotation::AtWill
        && all.only_nonce_0_share > 0.5
    {
        note(
            "never-past-nonce-0",
            format!(
                "{} of {} commitments were used for nonce 0 and no more: with a new seed for each round results can be \
                 searched for among seeds, and no round alone would show it",
                all.only_nonce_0.count, all.count
            ),
        );
    }
    if report.given_twice.other_result > 0 {
        note(
            "other-result",
            format!(
                "rows that give a round that another row has with another result: {}",
                report.given_twice.other_result
            ),
        );
    }
    if let Some(exchanged) = &report.exchanged {
        let (seeds, commitments) =
            (&exchanged.seeds_under_two_commitments, &exchanged.commitments_with_two_seeds);
        if seeds.count > 0 {
            note(
                "two-commitments",
                format!(
                    "server seeds that stand beside more than one commitment, and open one of them at most: {}",
                    seeds.count
                ),
            );
        }
        if commitments.count > 0 {
            note(
                "two-seeds",
                format!(
                    "commitments that stand beside more than one server seed, and are opened by one of them at most: {}",
                    commitments.count
                ),
            );
        }
    }
    if let Some(again) = report.seeds_used_again.as_ref().filter(|again| again.count > 0) {
        note(
            "seed-used-again",
            format!(
                "server seeds with several rounds, where each round should have its own: {}",
                again.count
            ),
        );
    }
    if let Some(clients) = &report.clients
        && rotation == Rotation::AtWill
        && clients.shared_between_commitments > 0
    {
        note(
            "client-seed-known",
            format!(
                "commitments that share a client seed with another one: {}; whoever made the later of them could know it before \
                 committing",
                clients.shared_between_commitments
            ),
        );
    }
    if report.rows_left_out > 0 {
        note(
            "rows-left-out",
            format!(
                "rows for which there was no room: {}, the last ones; what is counted here is without them",
                report.rows_left_out
            ),
        );
    }
    if report.statistics.as_ref().is_some_and(|statistics| statistics.alarm) {
        note(
            "statistics",
            "the results together are rarer than one in a hundred among fair ones: no verdict on any round, but a question"
                .to_owned(),
        );
    }
    notes
}
