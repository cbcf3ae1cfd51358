//! Rows of other operators, judged: the answer of `fairdeal check` for a file.

use std::io::Read;

use serde::Serialize;

use super::judge::{Collect, Json, JudgedRow, Piece, judge};
use super::missing::Missing;
use crate::dialect::{
    Checker, Diagnoses, Dialect, Failures, Habits, HabitsReport, Limits, RowVerdict,
};
use crate::rows::{Batch, Names, Rows, RowsError};
use fairdeal_audit::answer::Beside;

/// How many rows there are of each kind.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    counts: [u64; RowVerdict::ALL.len()],
    /// Valid ones that showed no commitment.
    not_shown: u64,
}

impl Collect for Totals {
    fn row(&mut self, row: &JudgedRow<'_>) {
        let verdict = row.checked.verdict;
        if let Some((count, _)) =
            self.counts.iter_mut().zip(RowVerdict::ALL).find(|(_, of)| *of == verdict)
        {
            *count += 1;
        }
        let shows = row.round.as_ref().is_some_and(|round| round.commitment.is_some());
        self.not_shown += u64::from(verdict == RowVerdict::Valid && !shows);
    }
}

impl Totals {
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    #[must_use]
    pub fn of(&self, verdict: RowVerdict) -> u64 {
        self.counts
            .iter()
            .zip(RowVerdict::ALL)
            .find(|(_, of)| *of == verdict)
            .map_or(0, |(count, _)| *count)
    }

    #[must_use]
    pub fn valid(&self) -> u64 {
        self.of(RowVerdict::Valid)
    }

    /// Rows that could be read.
    #[must_use]
    pub fn checked(&self) -> u64 {
        self.rows().saturating_sub(self.of(RowVerdict::Unreadable))
    }

    #[must_use]
    pub fn invalid(&self) -> u64 {
        self.rows().saturating_sub(self.valid())
    }

    /// Valid ones that showed no commitment.
    #[must_use]
    pub fn not_shown(&self) -> u64 {
        self.not_shown
    }
}

/// Looks at rows as they are judged.
#[derive(Debug)]
pub(super) struct Looking {
    failures: Failures,
    habits: Habits,
}

/// What it came to.
#[derive(Debug)]
pub struct Looked {
    pub would_verify: Diagnoses,
    pub rows_show: HabitsReport,
    pub cannot_show: Limits,
}

impl Looking {
    pub(super) fn new(dialect: &'static Dialect, statistics: bool) -> Self {
        let habits = Habits::new(dialect);
        let habits = if statistics { habits.with_statistics() } else { habits };
        Self { failures: Failures::new(dialect), habits }
    }

    /// `checker` is that of the rows: what it has walked of a chain need not be walked again.
    pub(super) fn finish(self, checker: &crate::dialect::Checker) -> Looked {
        let cannot_show = Limits::of(checker.dialect());
        Looked {
            would_verify: self.failures.finish(checker),
            rows_show: self.habits.finish(),
            cannot_show,
        }
    }
}

impl Collect for Looking {
    fn row(&mut self, row: &JudgedRow<'_>) {
        if let Some(round) = &row.round {
            self.failures.push(row.number, round, row.checked.verdict);
            self.habits.add(row.number, round, row.checked.verdict);
        }
    }
}

impl Looked {
    /// Whether something would make rows verify.
    #[must_use]
    pub fn has_hints(&self) -> bool {
        !self.would_verify.diagnoses.is_empty()
    }
}

/// Rows that are being judged.
#[derive(Debug)]
pub struct RowsJudge {
    checker: Checker,
    totals: Totals,
    missing: Missing,
    looking: Option<Looking>,
}

/// What rows came to in all.
#[derive(Debug)]
pub struct RowsTotal {
    checker: Checker,
    pub totals: Totals,
    missing: Missing,
    pub looked: Option<Looked>,
}

impl RowsJudge {
    /// `brief`: the verdicts alone, without what the rows show together.
    #[must_use]
    pub fn new(dialect: &'static Dialect, statistics: bool, brief: bool) -> Self {
        let looking = (!brief).then(|| Looking::new(dialect, statistics));
        Self {
            checker: Checker::new(dialect),
            totals: Totals::default(),
            missing: Missing::default(),
            looking,
        }
    }

    /// Judges all rows, `next` the first of them. Tells `other` of each, and `told` of each batch: its rows, how many rows
    /// were judged so far, and how many bytes were read. Returns why there are no more, where that is not because the file
    /// ended. With `json` the pieces have the rows as JSON too.
    pub fn judge_all<R: Read + Send, E>(
        &mut self,
        mut next: Result<Option<Batch>, RowsError>,
        rows: &mut Rows<R>,
        mut other: Option<&mut dyn Collect>,
        json: Option<Json>,
        mut told: impl FnMut(&[Piece<'_>], u64, u64) -> Result<(), E>,
    ) -> Result<Option<RowsError>, E> {
        let Self { checker, totals, missing, looking } = self;
        let mut done = 0_u64;
        loop {
            let batch = match next {
                Ok(Some(batch)) => batch,
                Ok(None) => return Ok(None),
                Err(error) => return Ok(Some(error)),
            };
            let (judged, ahead) =
                rayon::join(|| judge(&batch, checker, json), || rows.next_batch());
            for row in judged.iter().flat_map(|piece| &piece.rows) {
                totals.row(row);
                missing.row(row);
                if let Some(looking) = looking {
                    looking.row(row);
                }
                if let Some(other) = &mut other {
                    other.row(row);
                }
            }
            done = done.saturating_add(u64::try_from(batch.len()).unwrap_or_default());
            told(&judged, done, rows.read())?;
            next = ahead;
        }
    }

    /// Looks at them together. Of nothing there is nothing to tell.
    #[must_use]
    pub fn finish(self) -> RowsTotal {
        let Self { checker, totals, missing, looking } = self;
        let looked = looking.filter(|_| totals.rows() > 0).map(|looking| looking.finish(&checker));
        RowsTotal { checker, totals, missing, looked }
    }
}

impl RowsTotal {
    /// Why a file of which no row can be read was not checked; `None` if some row can be read. `names` are those of the
    /// file.
    pub fn unread(&self, name: &str, rows: &Rows<impl Read>) -> Option<String> {
        let is_unread = self.totals.checked() == 0;
        is_unread.then(|| self.missing.says(name, &self.totals, rows.names(), &self.checker))
    }

    /// Ends the JSON object that [`begin`] began, with what comes after its rows.
    pub fn end(&self, error: Option<&str>) -> String {
        let Self { totals, looked, .. } = self;
        let looked = looked.as_ref();
        let closing = Closing {
            holds: error.is_none() && totals.invalid() == 0,
            valid: totals.valid(),
            invalid: totals.invalid(),
            unreadable: totals.of(RowVerdict::Unreadable),
            would_verify: looked.map(|looked| &looked.would_verify),
            rows_show: looked.map(|looked| &looked.rows_show),
            cannot_show: looked.map(|looked| &looked.cannot_show),
            error: error.map(Beside::unavailable),
        };
        // Plain structs with text for keys always serialise; these members go on after the rows.
        let members = serde_json::to_string(&closing).expect("counts and texts are JSON");
        format!("],{}", members.trim_start_matches('{'))
    }
}

/// Begins the JSON object of a file: its rows follow.
#[must_use]
pub fn begin(dialect: &Dialect) -> String {
    let name = serde_json::to_string(dialect.name).expect("a text is JSON");
    format!("{{\"dialect\":{name},\"rows\":[")
}

/// What comes after the rows, in the output for a round and for a file.
#[derive(Serialize)]
pub struct Closing<'a> {
    pub holds: bool,
    pub valid: u64,
    pub invalid: u64,
    pub unreadable: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_verify: Option<&'a Diagnoses>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_show: Option<&'a HabitsReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cannot_show: Option<&'a Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Why there are no more rows, or why none was checked.
    pub error: Option<Beside<'a>>,
}

/// How a file of rows is checked.
#[derive(Clone, Copy, Debug)]
pub struct RowsCheck<'a> {
    /// The file's name, for messages.
    pub name: &'a str,
    /// Tests the results of valid rows too.
    pub statistics: bool,
    /// The verdicts alone, without what the rows show together.
    pub brief: bool,
}

/// A file of rows was not checked, because a column was mapped to a name that is not there.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RowsFault(String);

impl RowsCheck<'_> {
    /// Judges every row of a file, and returns the answer as JSON. If the file breaks off, its member `error` says so.
    ///
    /// # Errors
    /// [`RowsFault`].
    pub fn run(
        &self,
        dialect: &'static Dialect,
        names: Names,
        stream: impl Read + Send,
    ) -> Result<String, RowsFault> {
        let mut rows = Rows::new(stream, names);
        let first = rows.next_batch();
        let mut judge = RowsJudge::new(dialect, self.statistics, self.brief);
        let mut json = begin(dialect);
        let ended = judge.judge_all(first, &mut rows, None, Some(Json), |pieces, _, _| {
            for piece in pieces {
                json.push_str(&piece.json);
            }
            Ok::<(), RowsFault>(())
        })?;
        let total = judge.finish();
        let error = match ended {
            Some(error @ RowsError::NoSuchName { .. }) if total.totals.rows() == 0 => {
                return Err(RowsFault(format!("{}: {error}", self.name)));
            }
            Some(error) => Some(format!("{}: {error}", self.name)),
            None => total.unread(self.name, &rows),
        };
        json.push_str(&total.end(error.as_deref()));
        Ok(json)
    }
}
