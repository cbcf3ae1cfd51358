//! What would make failing rows verify: the usual confusions of exports and verifiers, tried one by one.
//!
//! A failing row is read with one change at a time: a seed in another form, the nonce of its neighbour,
//! another order of the deck. The change that most rows agree with is told, with the chance of a coincidence.
//! An explained row has still failed. Rows that need two changes stay unexplained.
//!
//! At most [`MOST_ROWS`] failing rows, about [`MOST_DIGESTS`] digests, and [`MOST_HASHES`] links of chains.
//!
//! ```
//! use fairdeal_schemes::dialect::{self, Checker, Failures, Round};
//!
//! let dialect = dialect::find("stake-video-poker").ok_or("known")?;
//! let (mut checker, mut failures) = (Checker::new(dialect), Failures::new(dialect));
//! let mut round = Round::default();
//! round.server_seed = Some("51b5258b38fef00c9887b7ad6c728035".into());
//! round.client_seed = Some("6ec29c0c4180fd3f802534e6c98810ff".into());
//! round.cards = Some(dialect::read_cards("5S AS JS QS JH")?);
//! round.nonce = Some(1); // it was 0
//! failures.push(0, &round, checker.check(&round).verdict);
//! let says = "1 of 1 rows that do not verify would if the nonce is one less (row 0)";
//! assert_eq!(failures.finish(&checker).to_string(), says);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chance;
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

/// The most failing rows that are kept.
pub const MOST_ROWS: usize = 1_000;

/// A row with more bytes of texts and cards is counted and not diagnosed.
pub const MOST_BYTES: usize = 1 << 12;

/// After so many digests, only changes that some row agreed with are tried.
pub const MOST_DIGESTS: u64 = 1 << 22;

/// The most hashes along chains, away from rows that opened.
pub const MOST_HASHES: u64 = 3 << 22;

/// The most of them for a row that does not say its place on the chain.
const MOST_HASHES_A_ROW: u64 = 1 << 22;

/// A diagnosis with a greater chance of coincidence is marked.
pub const COULD_BE_CHANCE: f64 = 1e-3;

/// A diagnosis with a greater chance of coincidence is not told.
const IS_CHANCE: f64 = 0.5;

/// What would make failing rows verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnoses {
    /// Rows that do not verify.
    pub failing: u64,
    /// The first of them, which were tried.
    pub tried: u64,
    /// Rows that were tried and that nothing explains.
    pub unexplained: u64,
    /// What explains the others, the most rows first. Each row counts once.
    pub diagnoses: Vec<Diagnosis>,
}

/// A change that would make rows verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The one change. It is a list in the JSON too.
    pub changes: Vec<NamedChange>,
    /// Rows that it explains.
    pub rows: u64,
    /// Rows that it was tried on.
    pub tried: u64,
    /// The first of the explained rows, ten at most.
    pub first_rows: Vec<u64>,
    /// How many other changes explain the same rows.
    pub also: u64,
    /// An upper bound of the probability that as many rows agree with some wrong change.
    pub chance: f64,
    /// Whether the chance is over [`COULD_BE_CHANCE`].
    pub could_be_chance: bool,
}

/// A change, named for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NamedChange {
    /// A short name that stays.
    pub code: Cow<'static, str>,
    /// A clause that follows "would if".
    pub says: Cow<'static, str>,
}

/// A line: `3 of 5 rows that do not verify would if the nonce is one less (rows 4, 7, 9)`.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, tried, .. } = self;
        let first = first_rows(&self.first_rows, *rows, self.first_rows.len());
        let (says, but) = (self.says(), self.but());
        write!(f, "{rows} of {tried} rows that do not verify would if {says}{first}{but}")
    }
}

impl Diagnosis {
    /// The change as a clause that follows "would if".
    #[must_use]
    pub fn says(&self) -> String {
        self.changes.iter().map(|change| &*change.says).collect::<Vec<_>>().join(" and ")
    }

    /// What makes it less sure; empty if nothing does.
    #[must_use]
    pub fn but(&self) -> String {
        let also = match self.also {
            0 => String::new(),
            1 => "; one other change explains as much".to_owned(),
            also => format!("; {also} other changes explain as much"),
        };
        if self.could_be_chance {
            format!("{also}; this could be chance: {:.1} %", self.chance * 100.0)
        } else {
            also
        }
    }
}

/// A line for each diagnosis, and one for the rows that are left.
impl fmt::Display for Diagnoses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failing, tried, unexplained, .. } = self;
        let mut lines: Vec<String> = self.diagnoses.iter().map(Diagnosis::to_string).collect();
        if *unexplained > 0 {
            let rows = format!("{unexplained} of {tried} rows that do not verify");
            lines.push(format!("{rows}: none of the usual confusions"));
        }
        if failing > tried {
            lines.push(format!(
                "of {failing} rows that do not verify the first {tried} were looked at"
            ));
        }
        f.write_str(&lines.join("\n"))
    }
}

/// The first of `count` rows, at most `most`: ` (rows 4, 7, …)`.
#[doc(hidden)]
#[must_use]
pub fn first_rows(rows: &[u64], count: u64, most: usize) -> String {
    let shown: Vec<String> = rows.iter().take(most).map(u64::to_string).collect();
    let more = u64::try_from(shown.len()).is_ok_and(|shown| shown < count);
    let word = if shown.len() == 1 && !more { "row" } else { "rows" };
    if shown.is_empty() {
        return String::new();
    }
    format!(" ({word} {}{})", shown.join(", "), if more { ", …" } else { "" })
}
