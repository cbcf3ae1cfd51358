//! Judges rows on all cores, and reports them in order.

use rayon::prelude::*;
use serde::Serialize;

use crate::dialect::{Checked, Checker, Round, RowVerdict};
use crate::rows::{Batch, Row};

/// The rows that one core judges at a time: so many that sharing them out costs little.
const TOGETHER: usize = 256;

/// A row with its verdict.
#[derive(Clone, Debug)]
pub struct JudgedRow<'b> {
    /// Its number, from 0.
    pub number: u64,
    /// The line that it begins in, from 1.
    pub line: u64,
    /// The round, if the row could be read.
    pub round: Option<Round<'b>>,
    /// The verdict.
    pub checked: Checked,
}

/// Takes every row, in order.
pub trait Collect {
    /// Takes the next row. A row without a `round` is unreadable; so may be a row with one.
    fn row(&mut self, row: &JudgedRow<'_>);
}

/// Rows that were judged together.
#[derive(Debug)]
pub struct Piece<'b> {
    pub rows: Vec<JudgedRow<'b>>,
    /// The rows as members of a JSON array, with a comma before each but the first row of the file.
    /// Empty if no JSON is wanted.
    pub json: String,
}

/// One row of `--json`.
#[derive(Serialize)]
struct Told<'a> {
    row: u64,
    verdict: &'static str,
    says: &'a str,
}

/// Judges a batch's rows, on the cores of the current rayon pool.
pub(super) fn judge<'b>(batch: &'b Batch, checker: &Checker, json: Option<Json>) -> Vec<Piece<'b>> {
    let pieces = batch.len().div_ceil(TOGETHER);
    let piece = |checker: &mut Checker, at: usize| {
        let start = at.saturating_mul(TOGETHER);
        let end = start.saturating_add(TOGETHER).min(batch.len());
        let rows: Vec<_> = batch.rows(start..end).map(|row| one(checker, row)).collect();
        let json = json.map_or_else(String::new, |Json| members(&rows));
        Piece { rows, json }
    };
    (0..pieces).into_par_iter().map_init(|| checker.clone(), piece).collect()
}

/// Asks for rows as JSON too.
#[derive(Clone, Copy, Debug)]
pub struct Json;

fn one<'b>(checker: &mut Checker, row: Row<'b>) -> JudgedRow<'b> {
    let Row { number, line, round } = row;
    match round {
        Ok(round) => JudgedRow { number, line, checked: checker.check(&round), round: Some(round) },
        Err(says) => {
            let verdict = RowVerdict::Unreadable;
            JudgedRow { number, line, checked: Checked { verdict, says: says.into() }, round: None }
        }
    }
}

fn members(rows: &[JudgedRow<'_>]) -> String {
    let mut json = Vec::with_capacity(rows.len().saturating_mul(128));
    for JudgedRow { number, line, checked, .. } in rows {
        if *number > 0 {
            json.push(b',');
        }
        let named;
        let says = match checked.verdict {
            // A reader has to find the row in the file.
            RowVerdict::Unreadable => {
                named = format!("line {line}: {}", checked.says);
                &named
            }
            _ => checked.says.as_ref(),
        };
        let told = Told { row: *number, verdict: checked.verdict.as_str(), says };
        serde_json::to_writer(&mut json, &told).expect("numbers and texts are JSON");
    }
    String::from_utf8(json).expect("JSON is text")
}
