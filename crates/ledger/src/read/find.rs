//! Finds a commitment by its first digits, or by its table.

use crate::error::LedgerError;
use crate::read::reader::Reader;
use crate::store::Choice;
use fairdeal::deal::Commitment;
use fairdeal::record::entry::Table;

/// The most commitments that an error names.
const NAMED: u32 = 8;

/// A name for a commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// All of it.
    Whole(Commitment),
    /// Its first digits: the only commitment that begins with them.
    Digits(FirstDigits),
    /// A table: its last commitment.
    LastOf(Table),
    /// A table: its only commitment that is neither revealed nor voided.
    OpenOf(Table),
}

/// The first 6 to 63 hex digits of a commitment, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDigits(String);

impl FirstDigits {
    /// The fewest digits. Among a million commitments, one in seventeen shares its first 6 with
    /// another one.
    pub const LEAST: usize = 6;

    /// Checks the digits.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits = (Self::LEAST..64).contains(&text.len());
        let hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (fits && hex).then(|| Self(text.to_owned()))
    }

    /// The first and the last commitment that could begin with them.
    fn range(&self) -> (Commitment, Commitment) {
        let filled = |with: &str| {
            let digits = format!("{}{}", self.0, with.repeat(64 - self.0.len()));
            Commitment::parse(&digits).expect("64 hex digits in lower case")
        };
        (filled("0"), filled("f"))
    }
}

impl Reader {
    /// The commitment of this name.
    ///
    /// # Errors
    /// [`LedgerError::UnknownDigits`], [`LedgerError::UnknownTable`],
    /// [`LedgerError::NothingOpen`], [`LedgerError::Several`].
    pub async fn find(&self, named: &Named) -> Result<Commitment, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        match named {
            Named::Whole(commitment) => Ok(*commitment),
            Named::Digits(digits) => {
                let choice = Choice { between: Some(digits.range()), ..Choice::default() };
                let found = read.lives_from(&choice, 0, 2).await?;
                let found: Vec<Commitment> =
                    found.iter().map(|one| one.life.commit.commitment).collect();
                match found[..] {
                    [only] => Ok(only),
                    [first, second, ..] => {
                        let digits = &digits.0;
                        let says = format!(
                            "both {first} and {second} begin with {digits}: give more digits"
                        );
                        Err(LedgerError::Several { says, found })
                    }
                    [] => Err(LedgerError::UnknownDigits(digits.0.clone())),
                }
            }
            Named::LastOf(table) => {
                let last = read.tables(std::slice::from_ref(table)).await?.pop();
                last.map(|(_, last)| last)
                    .ok_or_else(|| LedgerError::UnknownTable(table.as_str().to_owned()))
            }
            Named::OpenOf(table) => {
                let choice = Choice { table: Some(table.clone()), open: true, between: None };
                let found = read.lives_from(&choice, 0, NAMED).await?;
                let open: Vec<Commitment> =
                    found.iter().map(|one| one.life.commit.commitment).collect();
                let name = || table.as_str().to_owned();
                match open[..] {
                    [only] => Ok(only),
                    [] if read.tables(std::slice::from_ref(table)).await?.is_empty() => {
                        Err(LedgerError::UnknownTable(name()))
                    }
                    [] => Err(LedgerError::NothingOpen(name())),
                    _ => {
                        let named: Vec<String> = open.iter().map(ToString::to_string).collect();
                        let says = format!(
                            "table {:?} has {} commitments that have not ended: name one of {}",
                            table.as_str(),
                            open.len(),
                            named.join(", ")
                        );
                        Err(LedgerError::Several { says, found: open })
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_for_all_commitments_that_begin_with_them() {
        let digits = FirstDigits::new("0a1b2c3").expect("seven digits");
        let (first, last) = digits.range();
        assert_eq!(first.to_text(), format!("0a1b2c3{}", "0".repeat(57)));
        assert_eq!(last.to_text(), format!("0a1b2c3{}", "f".repeat(57)));
        for wrong in ["", "0a1b2", "0A1B2C", "0a1b2g", &"a".repeat(64), "é1b2c3"] {
            assert_eq!(FirstDigits::new(wrong), None, "{wrong:?}");
        }
    }
}
