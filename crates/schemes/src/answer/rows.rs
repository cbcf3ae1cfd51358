//! Rows of other operators, judged: the answer of `fairdeal check` for a file.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Serialize;

use super::judge::{Collect, Json, JudgedRow, Piece, judge};
use super::missing::Missing;
use crate::dialect::{
    Checker, Diagnoses, Dialect, Failures, Habits, HabitsReport, Limits, RowVerdict,
};
use crate::rows::{Batch, Names, Rows, RowsError};
use fairdeal_audit::answer::Beside;

/// The number of rows with each verdict.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    counts: BTreeMap<RowVerdict, u64>,
    /// Valid rows that showed no commitment.
    not_shown: u64,
    /// Whether the scheme's sources give no rule by which a commitment opens.
    has_no_rule: bool,
}

impl Collect for Totals {
    fn row(&mut self, row: &JudgedRow<'_>) {
        let verdict = row.checked.verdict;
        *self.counts.entry(verdict).or_default() += 1;
        let shows = row.round.as_ref().is_some_and(|round| round.commitment.is_some());
        self.not_shown += u64::from(verdict == RowVerdict::Valid && !shows);
    }
}

impl Totals {
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.counts.values().sum()
    }

    #[must_use]
    pub fn of(&self, verdict: RowVerdict) -> u64 {
        self.counts.get(&verdict).copied().unwrap_or_default()
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

    /// Valid rows that showed no commitment, or whose commitment no rule opens.
    #[must_use]
    pub fn not_opened(&self) -> u64 {
        if self.has_no_rule { self.valid() } else { self.not_shown }
    }

    /// Whether no commitment was checked, as the scheme's sources give no rule.
    #[must_use]
    pub fn has_no_rule(&self) -> bool {
        self.has_no_rule
    }
}

/// The diagnosis of all rows, and counts over them.
#[derive(Debug)]
pub struct Looked {
    pub would_verify: Diagnoses,
    pub rows_show: HabitsReport,
    pub cannot_show: Limits,
}

impl Looked {
    /// Whether some change would make rows verify.
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
    looking: Option<(Failures, Habits)>,
}

/// The results of all rows.
#[derive(Debug)]
pub struct RowsTotal {
    checker: Checker,
    pub totals: Totals,
    missing: Missing,
    pub looked: Option<Looked>,
}

impl RowsJudge {
    /// `brief`: only the verdicts, without diagnoses and counts.
    #[must_use]
    pub fn new(dialect: &'static Dialect, statistics: bool, brief: bool) -> Self {
        let habits = Habits::new(dialect);
        let habits = if statistics { habits.with_statistics() } else { habits };
        let looking = (!brief).then(|| (Failures::new(dialect), habits));
        Self {
            checker: Checker::new(dialect),
            totals: Totals { has_no_rule: dialect.has_no_rule(), ..Totals::default() },
            missing: Missing::default(),
            looking,
        }
    }

    /// Judges all rows, `next` the first of them. Gives each row to `other`, and each batch to
    /// `told`: its rows, the number of rows judged so far, and the number of bytes read. Returns
    /// the error that ended the rows, if it was not the end of the file. With `json` the pieces
    /// have the rows as JSON too.
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
                if let (Some((failures, habits)), Some(round)) = (&mut *looking, &row.round) {
                    failures.push(row.number, round, row.checked.verdict);
                    habits.add(row.number, round, row.checked.verdict);
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

    /// Ends the counts. A file without rows has no diagnoses and counts.
    #[must_use]
    pub fn finish(self) -> RowsTotal {
        let Self { checker, totals, missing, looking } = self;
        let looked = looking.filter(|_| totals.rows() > 0).map(|(failures, habits)| Looked {
            would_verify: failures.finish(&checker),
            rows_show: habits.finish(),
            cannot_show: Limits::of(checker.dialect()),
        });
        RowsTotal { checker, totals, missing, looked }
    }
}

impl RowsTotal {
    /// The message for a file of which no row can be read; `None` if some row can be read. `name`
    /// is the file's.
    pub fn unread(&self, name: &str, rows: &Rows<impl Read>) -> Option<String> {
        let is_unread = self.totals.checked() == 0;
        is_unread.then(|| self.missing.says(name, &self.totals, rows.names(), &self.checker))
    }

    /// Ends the JSON object that [`begin`] began, with the members after its rows.
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

/// The members after the rows, in the output for a round and for a file.
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
    /// The reason why there are no more rows, or why no row was checked.
    pub error: Option<Beside<'a>>,
}

/// A check of a file of rows.
#[derive(Clone, Copy, Debug)]
pub struct RowsCheck<'a> {
    /// The file's name, for messages.
    pub name: &'a str,
    /// Tests the results of valid rows too.
    pub statistics: bool,
    /// Gives only the verdicts, without diagnoses and counts.
    pub brief: bool,
}

/// A column was mapped to a name that the file does not have, so the file was not checked.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RowsFault(String);

impl RowsCheck<'_> {
    /// Judges every row of a file, and returns the answer as JSON. If the file breaks off, its
    /// member `error` says so.
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
