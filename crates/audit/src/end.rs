//! The findings that only the end of a log shows.

use super::reported::more;
use super::rows::add;
use super::state::{Latest, Missed, State};
use fairdeal::deal::Commitment;
use fairdeal::record::life::{Life, TOLERANCE};
use fairdeal::record::{Code, Finding};
use fairdeal::utc::{later_moment, moment, span};

/// A commitment that is neither revealed nor voided as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueReveal {
    /// Its commit's index.
    pub index: u64,
    /// The commitment.
    pub commitment: Commitment,
    /// Its table.
    pub table: String,
    /// When its reveal is due, in Unix milliseconds.
    pub by: u64,
}

impl State {
    /// The commitments that have not ended, the first `most` that are due.
    pub(super) fn due(&mut self, most: usize) -> Vec<DueReveal> {
        let mut open = self.judge.open_lives();
        open.sort_by_key(|(life, _)| (life.commit.reveal_by, life.index));
        let due = |(life, _): (&Life, _)| DueReveal {
            index: life.index,
            commitment: life.commit.commitment,
            table: life.commit.terms.table.as_str().to_owned(),
            by: life.commit.reveal_by.value(),
        };
        open.into_iter().take(most).map(due).collect()
    }

    /// Adds the findings that only the end of the log shows; returns how many commitments are
    /// overdue by the auditor's clock.
    pub(super) fn end(&mut self, as_of: Option<u64>, clock: Option<u64>) -> Option<u64> {
        let overdue_by_clock = self.end_lives(as_of, clock);
        self.end_roots();
        self.judge_latest(clock);
        self.reported.finish();
        overdue_by_clock
    }

    /// The findings on commitments that have not ended; returns how many are overdue by the
    /// auditor's clock.
    pub(super) fn end_lives(&mut self, as_of: Option<u64>, clock: Option<u64>) -> Option<u64> {
        let mut overdue_by_clock = clock.map(|_| 0);
        for (life, kept) in self.judge.open_lives() {
            self.reported.note_end(life, kept.deals);
            self.reported.note_open(life, kept.deals);
            for finding in kept.impossible(&life.commit) {
                add(finding, &mut self.findings, self.collected.as_mut());
            }
            let by = life.commit.reveal_by.value();
            if let (Some(clock), Some(overdue)) = (clock, &mut overdue_by_clock)
                && clock > by
            {
                more(overdue);
            }
            if let Some(as_of) = as_of.filter(|&as_of| as_of > by) {
                let finding = Finding {
                    code: Code::Overdue,
                    index: Some(life.index),
                    commitment: Some(life.commit.commitment),
                    nonce: None,
                    says: format!(
                        "due {}; at {}, {} later, there is neither the reveal nor a void of the whole commitment",
                        moment(by),
                        later_moment(by, as_of),
                        span(as_of.saturating_sub(by))
                    ),
                };
                add(finding, &mut self.findings, self.collected.as_mut());
            }
        }
        overdue_by_clock
    }

    /// The commitments that are overdue at `as_of` and by the auditor's clock, with some tolerance;
    /// and those that were missed before.
    pub(super) fn missed_at(
        &mut self,
        as_of: Option<u64>,
        clock: Option<u64>,
        signed: Option<u64>,
    ) -> Missed {
        let mut missed = self.missed.clone();
        let Some((as_of, clock)) = as_of.zip(clock) else { return missed };
        // A reveal that was not due when witnesses signed the checkpoint may be in a newer one.
        let is_old = |by: u64| {
            signed.is_some_and(|second| second.saturating_mul(1000) <= by.saturating_add(TOLERANCE))
        };
        for (life, _) in self.judge.open_lives() {
            let by = life.commit.reveal_by.value();
            if as_of > by && clock.saturating_sub(TOLERANCE) > by && !is_old(by) {
                missed.entry(life.commit.commitment).or_insert(clock);
            }
        }
        missed
    }

    /// Adds the findings that count only if the log has roots.
    fn end_roots(&mut self) {
        if self.has_roots
            && let (Some(witnesses), Some((size, cosigned))) = (&mut self.witnesses, &self.head)
        {
            self.rooted.extend(witnesses.proves(*size, cosigned, self.latest));
        }
        let missed = self.witnesses.iter_mut().flat_map(|one| one.take_missed(self.has_roots));
        for finding in missed.collect::<Vec<_>>() {
            self.find(finding);
        }
        if !self.has_roots {
            return;
        }
        let rooted = std::mem::take(&mut self.rooted);
        if let Some(collected) = &mut self.collected {
            collected.found(&rooted);
        }
        self.findings.append(rooted);
    }

    /// `time-ahead`, by the auditor's clock.
    pub(super) fn judge_latest(&mut self, clock: Option<u64>) {
        if let (Some(latest), Some(clock)) = (self.latest, clock)
            && latest.time > clock.saturating_add(TOLERANCE)
            && !self.is_ahead(latest.index)
        {
            let Latest { time, index, commitment, nonce } = latest;
            let says = format!(
                "at {}, {} ahead of your clock ({}): the log is ahead of time, or your clock is behind",
                moment(time),
                span(time.saturating_sub(clock)),
                moment(clock)
            );
            let (code, index) = (Code::TimeAhead, Some(index));
            self.find(Finding { code, index, commitment, nonce, says });
        }
    }

    /// Whether witnesses have shown this entry to be ahead of time.
    fn is_ahead(&self, index: u64) -> bool {
        self.has_roots && self.witnesses.as_ref().is_some_and(|witnesses| witnesses.is_ahead(index))
    }
}
