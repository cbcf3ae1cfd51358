//! Explains failing rows: usual confusions, in a table, are tried one by one.
//!
//! Each failing row is checked again with one change at a time: a seed in another form, the nonce
//! one less, the seed of the row before. The report names the change that makes most rows verify,
//! and bounds the probability that this is chance. An explained row has still failed.
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

mod failures;
mod search;
mod table;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

pub use failures::Failures;
pub use table::meant;

/// The most failing rows that are kept and tried.
pub const MOST_ROWS: usize = 300;

/// A failing row with more bytes of texts and cards is counted and not tried.
pub const MOST_BYTES: usize = 1 << 10;

/// The most hashes that are made along a chain.
pub const MOST_HASHES: u64 = 3 << 22;

/// A diagnosis with a greater chance is marked.
pub const COULD_BE_CHANCE: f64 = 1e-3;

/// A diagnosis with a greater chance is not reported.
const IS_CHANCE: f64 = 0.5;

/// The changes that would make failing rows verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnoses {
    /// Rows that do not verify.
    pub failing: u64,
    /// The first of them, which were tried.
    pub tried: u64,
    /// Rows that were tried and that nothing explains.
    pub unexplained: u64,
    /// The changes that explain the other rows, the one with most rows first. Each row counts once.
    pub diagnoses: Vec<Diagnosis>,
}

/// A change that would make rows verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnosis {
    /// A short name that stays.
    pub code: Cow<'static, str>,
    /// A clause that follows "would if".
    pub says: Cow<'static, str>,
    /// Rows that it explains.
    pub rows: u64,
    /// Rows that were tried.
    pub tried: u64,
    /// The first of the explained rows, ten at most.
    pub first_rows: Vec<u64>,
    /// The number of other changes that explain the same rows.
    pub also: u64,
    /// An upper bound of the probability that a wrong change explains as many rows.
    pub chance: f64,
    /// Whether the chance is over [`COULD_BE_CHANCE`].
    pub could_be_chance: bool,
}

/// A line: `3 of 5 rows that do not verify would if the nonce is one less (rows 4, 7, 9)`.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, tried, says, .. } = self;
        let first = first_rows(&self.first_rows, *rows, self.first_rows.len());
        write!(f, "{rows} of {tried} rows that do not verify would if {says}{first}{}", self.but())
    }
}

impl Diagnosis {
    /// A clause on doubts: other changes, or chance. Empty if there are none.
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
            lines
                .push(format!("of {failing} rows that do not verify the first {tried} were tried"));
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
