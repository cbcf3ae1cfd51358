//! `--seats`: who sits where (spec/ledger.md, section 8.7).

use std::collections::BTreeSet;

use super::exit::Failure;
use crate::deal::Label;
use crate::ledger::Given;

/// The option.
#[derive(Debug, clap::Args)]
pub(super) struct SeatsArgs {
    /// Who gets cards, in the order of the seats: every FROM, and others if they get cards too, each once
    #[arg(long, value_name = "FROM", value_delimiter = ',')]
    seats: Option<Vec<String>>,
}

impl SeatsArgs {
    /// The seats: nobody twice, and everybody who contributes.
    ///
    /// # Errors
    /// Exit 2.
    pub(super) fn read(&self, given: &[Given]) -> Result<Option<Vec<Label>>, Failure> {
        let Some(names) = &self.seats else { return Ok(None) };
        let wrong = |says: String| Failure::usage(format!("--seats: {says}"));
        let seats = names.iter().map(|name| Label::new(name.as_str()));
        let seats = seats.collect::<Result<Vec<_>, _>>().map_err(|error| wrong(error.to_string()))?;
        let mut seated = BTreeSet::new();
        if let Some(twice) = seats.iter().find(|name| !seated.insert(*name)) {
            return Err(wrong(format!("expected each name once, found {:?} twice", twice.as_str())));
        }
        if let Some(one) = given.iter().find(|one| !seated.contains(&one.from)) {
            let from = one.from.as_str();
            return Err(wrong(format!("expected everybody who contributes, found no {from:?}")));
        }
        Ok(Some(seats))
    }
}
