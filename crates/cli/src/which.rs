//! The commitment that a command is about: its digits, or its table.

use super::again::Again;
use super::args;
use super::exit::Failure;
use super::operator::RetryArgs;
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::entry::Table;
use fairdeal_ledger::{FirstDigits, Named};

/// `C`, or `--table`.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub(super) struct Which {
    /// The commitment: its 64 hex digits, or the first 6 or more of them
    #[arg(value_name = "C")]
    commitment: Option<String>,

    /// In place of C: a table, for its last commitment. To reveal or void: for its only one that
    /// has not ended
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Option<Table>,
}

impl Which {
    /// The only argument.
    pub(super) fn one(&self, again: &Again) -> Result<Named, Failure> {
        let (named, rest) = self.first([], again)?;
        no_more(&rest)?;
        Ok(named)
    }

    /// The first of some arguments, and the others. With `--table` there is no C: the others begin
    /// at its place.
    pub(super) fn first<'a>(
        &'a self,
        more: impl IntoIterator<Item = &'a str>,
        again: &Again,
    ) -> Result<(Named, Vec<&'a str>), Failure> {
        let mut words: Vec<&str> = self.commitment.as_deref().into_iter().chain(more).collect();
        match &self.table {
            Some(table) => Ok((Named::LastOf(table.clone()), words)),
            None if words.is_empty() => {
                Err(Failure::usage("expected C or --table NAME, found neither"))
            }
            None => Ok((named(words.remove(0), again)?, words)),
        }
    }

    /// A commitment, and perhaps a round.
    pub(super) fn with_round(
        &self,
        nonce: Option<&str>,
        again: &Again,
    ) -> Result<(Named, Option<Nonce>), Failure> {
        let (named, mut rest) = self.first(nonce, again)?;
        if rest.is_empty() {
            return Ok((named, None));
        }
        let nonce = round(rest.remove(0))?;
        no_more(&rest)?;
        Ok((named, Some(nonce)))
    }

    /// Refuses `--table` together with an idempotency key: a table's last commitment changes, and a
    /// retry must ask for the same.
    pub(super) fn held(&self, retry: &RetryArgs) -> Result<(), Failure> {
        match (&self.table, &retry.idempotency_key) {
            (Some(_), Some(_)) => {
                let says = "--table: expected C with --idempotency-key: a retry must be about the same commitment";
                Err(Failure::usage(says))
            }
            _ => Ok(()),
        }
    }
}

/// A commitment that ends: of a table, the only one that has not ended.
pub(super) fn to_end(named: Named) -> Named {
    match named {
        Named::LastOf(table) => Named::OpenOf(table),
        named => named,
    }
}

/// A round's number.
pub(super) fn round(word: &str) -> Result<Nonce, Failure> {
    args::nonce(word).map_err(Failure::usage)
}

fn named(word: &str, again: &Again) -> Result<Named, Failure> {
    if let Ok(commitment) = Commitment::parse(word) {
        return Ok(Named::Whole(commitment));
    }
    let least = FirstDigits::LEAST;
    FirstDigits::new(word).map(Named::Digits).ok_or_else(|| {
        let says = format!(
            "expected a commitment's 64 hex digits in lower case, or the first {least} or more, found {word:?}"
        );
        let hint = format!("fairdeal list{again} shows them. --table NAME takes the table's last commitment.");
        Failure::usage(says).hint(hint)
    })
}

fn no_more(rest: &[&str]) -> Result<(), Failure> {
    match rest.first() {
        Some(word) => Err(usage!("expected C or --table, found both: {word:?} is one too many")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn which(commitment: Option<&str>, table: Option<&str>) -> Which {
        Which {
            commitment: commitment.map(str::to_owned),
            table: table.map(|name| Table::new(name).expect("a name")),
        }
    }

    #[test]
    fn with_a_table_the_round_takes_the_place_of_the_commitment() {
        let table = Named::LastOf(Table::new("main").expect("a name"));
        let (seven, again) = (Nonce::new(7).ok(), Again::from(Path::new("cards")));
        assert_eq!(
            which(Some("7"), Some("main")).with_round(None, &again).ok(),
            Some((table.clone(), seven))
        );
        assert_eq!(which(None, Some("main")).with_round(None, &again).ok(), Some((table, None)));
        assert!(which(Some("7"), Some("main")).with_round(Some("8"), &again).is_err());
        assert!(which(Some("7"), Some("main")).one(&again).is_err());
        let digits = Named::Digits(FirstDigits::new("abcdef").expect("six digits"));
        assert_eq!(
            which(Some("abcdef"), None).with_round(Some("7"), &again).ok(),
            Some((digits, seven))
        );
    }
}
