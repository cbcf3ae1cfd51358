//! Honest logs of any length from a seed, entry by entry: to audit, to measure and to practise.
//!
//! Not for dealing: every secret of such a log follows from its seed, its signing key too.
//!
//! ```
//! use fairdeal::sample::{Sample, SampleTerms};
//!
//! let terms = SampleTerms { deals: 1000, ..SampleTerms::default() };
//! let entries: Vec<String> = Sample::new(&terms, 7)?.collect::<Result<_, _>>()?;
//! assert!(entries.len() > 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod files;
mod table;

use sha2::{Digest as _, Sha256};

use crate::log::{KeyName, SignerKey};
use table::Table;

/// The size and the shape of a sample log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleTerms {
    /// The log's name.
    pub origin: String,
    /// Rounds dealt.
    pub deals: u64,
    /// Tables, which take turns.
    pub tables: u64,
    /// Rounds under each commitment.
    pub rounds: u64,
    /// Players in each round.
    pub players: u64,
    /// Each such round under a commitment is voided, not dealt; 0 voids none.
    pub void_every: u64,
}

impl Default for SampleTerms {
    fn default() -> Self {
        Self {
            origin: "sample.example/log".to_owned(),
            deals: 10_000,
            tables: 8,
            rounds: 1000,
            players: 2,
            void_every: 500,
        }
    }
}

/// Terms that no log has, or an entry that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SampleError(String);

impl SampleError {
    fn of(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// The entries of a sample log, in order.
#[derive(Debug)]
pub struct Sample {
    tables: Vec<Table>,
    /// The table whose turn it is.
    turn: usize,
    /// Rounds left to deal.
    left: u64,
    /// Milliseconds since 1970; 2026-01-01 at the first entry.
    time: u64,
    index: u64,
}

/// 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600_000;

impl Sample {
    /// The log of a seed, the same each time.
    ///
    /// # Errors
    /// [`SampleError`] unless there is at least one table, one round and one player, and at most 64
    /// of these.
    pub fn new(terms: &SampleTerms, seed: u64) -> Result<Self, SampleError> {
        let between = |what: &str, found: u64, most: u64| {
            let says = format!("{what}: expected 1 to {most}, found {found}");
            if (1..=most).contains(&found) { Ok(()) } else { Err(SampleError(says)) }
        };
        between("tables", terms.tables, 1_000_000)?;
        between("rounds", terms.rounds, crate::record::entry::MAX_ROUNDS)?;
        between("players", terms.players, 64)?;
        let tables = (0..terms.tables).map(|number| Table::new(number, terms, seed));
        let tables = tables.collect::<Result<_, _>>()?;
        Ok(Self { tables, turn: 0, left: terms.deals, time: START, index: 0 })
    }

    /// The key that signs such a log. Anybody who knows the seed knows it.
    ///
    /// # Errors
    /// [`SampleError`] if the origin is no name of a log.
    pub fn signer(terms: &SampleTerms, seed: u64) -> Result<SignerKey, SampleError> {
        let name = KeyName::parse(&terms.origin).map_err(SampleError::of)?;
        Ok(SignerKey::from_seed(name, &drawn(seed, &["signer"])))
    }
}

impl Iterator for Sample {
    type Item = Result<String, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.time += 1 + self.index % 64;
        // Once enough rounds are dealt, each table reveals its seed.
        while self.left == 0 {
            let open = self.tables.last_mut()?;
            if let Some(entry) = open.end(self.time) {
                self.index += 1;
                return Some(entry);
            }
            self.tables.pop();
        }
        let (entry, step) = self.tables[self.turn].next(self.time);
        self.index += 1;
        if step == Step::Dealt {
            self.left -= 1;
        }
        if step != Step::Committed {
            self.turn = (self.turn + 1) % self.tables.len();
        }
        Some(entry)
    }
}

/// An action of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Committed,
    Dealt,
    Voided,
    Revealed,
}

/// 32 bytes that follow from the seed and these words.
fn drawn(seed: u64, words: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"fairdeal/sample\0");
    hash.update(seed.to_be_bytes());
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}
