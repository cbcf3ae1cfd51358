//! Rows that were cut out of a stream and not yet read.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::count;
use super::header::Header;
use super::json::{self, Objects};
use super::names::Names;
use crate::dialect::Round;

/// Consecutive rows, with their bytes.
pub struct Batch {
    bytes: Vec<u8>,
    cuts: Vec<Cut>,
    first: u64,
    layout: Layout,
}

/// The place of a row in the bytes.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u64,
    /// Why it is no row.
    pub(super) fault: Option<String>,
}

/// The reader of a row's bytes.
pub(super) enum Layout {
    Json(Arc<Names>),
    Csv(Arc<Header>),
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The line that it begins in, from 1.
    pub line: u64,
    /// The round, or a sentence: what was expected, what was found, and the place.
    pub round: Result<Round<'a>, String>,
}

impl Batch {
    pub(super) fn new(bytes: Vec<u8>, cuts: Vec<Cut>, first: u64, layout: Layout) -> Self {
        Self { bytes, cuts, first, layout }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether it has no rows. It always has some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Rows of this range, in order, counted from 0. Several threads may read one batch.
    pub fn rows(&self, which: Range<usize>) -> impl Iterator<Item = Row<'_>> {
        let first = self.first.saturating_add(count(which.start));
        let cuts = self.cuts.get(which).unwrap_or_default();
        let mut reading = match &self.layout {
            Layout::Json(names) => Reading::Json(Objects::new(names)),
            Layout::Csv(header) => Reading::Csv(header),
        };
        (first..).zip(cuts).map(move |(number, cut)| {
            let bytes = self.bytes_of(cut);
            let round = match (&cut.fault, &mut reading) {
                (Some(fault), _) => Err(fault.clone()),
                (None, Reading::Json(objects)) => objects.read(bytes, cut.line),
                (None, Reading::Csv(header)) => header.round(bytes),
            };
            Row { number, line: cut.line, round }
        })
    }

    fn bytes_of(&self, cut: &Cut) -> &[u8] {
        self.bytes.get(cut.start..cut.end).expect("rows are cut from these bytes")
    }

    /// The names in its first `most` objects; none if it is CSV.
    pub(super) fn names(&self, most: usize) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        if let Layout::Json(_) = self.layout {
            for cut in self.cuts.iter().filter(|cut| cut.fault.is_none()).take(most) {
                json::names(self.bytes_of(cut), &mut names);
            }
        }
        names
    }
}

enum Reading<'b> {
    Json(Objects<'b>),
    Csv(&'b Header),
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("first", &self.first)
            .field("rows", &self.cuts.len())
            .finish_non_exhaustive()
    }
}
