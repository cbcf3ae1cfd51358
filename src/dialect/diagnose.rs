//! What would make rows verify that do not: the usual confusions of exports and of verifiers, tried one after the other.
//!
//! A row that does not verify is read with one thing changed at a time: a seed's form, its neighbour's nonce, the order
//! of the deck. What most rows agree with is told, with the chance that so many would by coincidence. A row that is
//! explained has still not verified: what holds under a change does not hold. Rows that need two changes are unexplained.
//!
//! The work is bounded: the first [`MOST_ROWS`] failing rows, [`MOST_DIGESTS`] digests or a little more, [`MOST_HASHES`]
//! hashes along chains.
//!
//! ```
//! use fairdeal::dialect::{self, Checker, Column, Failures, Round, Value};
//!
//! let dialect = dialect::find("stake-video-poker").ok_or("known")?;
//! let (mut checker, mut failures) = (Checker::new(dialect), Failures::new(dialect));
//! let mut round = Round::default();
//! for (column, text) in [
//!     (Column::ServerSeed, "51b5258b38fef00c9887b7ad6c728035"),
//!     (Column::ClientSeed, "6ec29c0c4180fd3f802534e6c98810ff"),
//!     (Column::Nonce, "1"),
//!     (Column::Cards, "5S AS JS QS JH"),
//! ] {
//!     round.put(column, Value::Text(text.into()))?;
//! }
//! let checked = checker.check(&round);
//! failures.push(0, &round, checked.verdict);
//! let diagnoses = failures.finish(&checker);
//! assert_eq!(
//!     diagnoses.to_string(),
//!     "1 of 1 rows that do not verify would if the nonce is one less (row 0)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chance;
mod change;
mod failures;
mod near;
mod search;
mod shown;
mod table;
mod trial;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

pub use failures::Failures;

/// Failing rows that are kept.
pub const MOST_ROWS: usize = 1_000;

/// Bytes of texts in a row that is kept; a longer one is counted and not diagnosed.
pub const MOST_BYTES: usize = 1 << 12;

/// Digests after which only changes are tried that some row agreed with.
pub const MOST_DIGESTS: u64 = 1 << 22;

/// Hashes along chains, where no row that opened is near.
pub const MOST_HASHES: u64 = 3 << 22;

/// Of those, hashes for a row that does not say how far it is from its chain's end.
const MOST_HASHES_A_ROW: u64 = 1 << 22;

/// What is likelier than this to be coincidence is marked.
pub const COULD_BE_CHANCE: f64 = 1e-3;

/// What is likelier than this to be coincidence is not told.
const IS_CHANCE: f64 = 0.5;

/// What would make failing rows verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnoses {
    /// Rows that do not verify.
    pub failing: u64,
    /// Those that were tried: the first of them.
    pub tried: u64,
    /// Those of the tried ones that nothing explains.
    pub unexplained: u64,
    /// What explains the others: the most rows first. A row is counted once.
    pub diagnoses: Vec<Diagnosis>,
}

/// A change under which rows would verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnosis {
    /// What would have to be otherwise: one thing; a list, because that is the shape of the JSON.
    pub changes: Vec<Named>,
    /// Rows that this explains.
    pub rows: u64,
    /// Rows that it was tried on.
    pub tried: u64,
    /// The first of the rows that it explains, ten at most.
    pub first_rows: Vec<u64>,
    /// Other changes that explain the same rows.
    pub also: u64,
    /// At most so likely it is that as many rows agree with one wrong reading or another.
    pub chance: f64,
    /// Whether that is more than [`COULD_BE_CHANCE`].
    pub could_be_chance: bool,
}

/// A change, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Named {
    /// A short name that stays.
    pub code: Cow<'static, str>,
    /// A clause that says what is otherwise.
    pub says: Cow<'static, str>,
}

/// As a line without its end: `3 of 5 rows that do not verify would if the nonce is one less (rows 4, 7, 9)`.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes: Vec<&str> = self.changes.iter().map(|change| &*change.says).collect();
        write!(
            f,
            "{} of {} rows that do not verify would if {}",
            self.rows,
            self.tried,
            changes.join(" and ")
        )?;
        f.write_str(&first_rows(&self.first_rows, self.rows, self.first_rows.len()))?;
        match self.also {
            0 => {}
            1 => f.write_str("; one other change explains as much")?,
            also => write!(f, "; {also} other changes explain as much")?,
        }
        if self.could_be_chance {
            write!(f, "; this could be chance: {:.1} %", self.chance * 100.0)?;
        }
        Ok(())
    }
}

/// A line for each diagnosis, and one for what is left.
impl fmt::Display for Diagnoses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self.diagnoses.iter().map(Diagnosis::to_string).collect();
        if self.unexplained > 0 {
            let (unexplained, tried) = (self.unexplained, self.tried);
            lines.push(format!(
                "{unexplained} of {tried} rows that do not verify: none of the usual confusions"
            ));
        }
        if self.failing > self.tried {
            let (failing, tried) = (self.failing, self.tried);
            lines.push(format!("of {failing} rows that do not verify the first {tried} were looked at"));
        }
        f.write_str(&lines.join("\n"))
    }
}

/// The first of so many rows, `most` at most, to stand behind their count: ` (rows 4, 7, …)`.
pub(crate) fn first_rows(rows: &[u64], count: u64, most: usize) -> String {
    let shown: Vec<String> = rows.iter().take(most).map(u64::to_string).collect();
    let more = u64::try_from(shown.len()).is_ok_and(|shown| shown < count);
    let word = if shown.len() == 1 && !more { "row" } else { "rows" };
    if shown.is_empty() {
        return String::new();
    }
    format!(" ({word} {}{})", shown.join(", "), if more { ", …" } else { "" })
}
