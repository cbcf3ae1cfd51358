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

/// Rows whose names are looked at for a message.
const FIRST: usize = 64;

/// Consecutive rows, with their bytes.
pub struct Batch {
    bytes: Vec<u8>,
    cuts: Vec<Cut>,
    first: u64,
    layout: Layout,
}

/// Where a row is.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u64,
    /// Why it is no row.
    pub(super) fault: Option<String>,
}

/// How a row's bytes become a round.
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
    /// Its content, or what was expected, what came and where.
    pub round: Result<Round<'a>, String>,
}

impl Batch {
    pub(super) fn new(bytes: Vec<u8>, cuts: Vec<Cut>, first: u64, layout: Layout) -> Self {
        Self { bytes, cuts, first, layout }
    }

    /// How many rows it has.
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

    /// The names in its first objects.
    pub(super) fn first_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for cut in self.cuts.iter().filter(|cut| cut.fault.is_none()).take(FIRST) {
            json::names(self.bytes_of(cut), &mut names);
        }
        names
    }

    /// The names in its objects; `None` if there are none.
    pub(super) fn names(&self) -> Option<BTreeSet<String>> {
        let Layout::Json(_) = self.layout else { return None };
        let mut names = BTreeSet::new();
        for cut in self.cuts.iter().filter(|cut| cut.fault.is_none()) {
            json::names(self.bytes_of(cut), &mut names);
        }
        Some(names).filter(|names| !names.is_empty())
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
