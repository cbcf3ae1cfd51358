//! `--seats`: who sits where (spec/ledger.md, section 8.7).

use super::exit::Failure;
use fairdeal::deal::Label;

/// The option.
#[derive(Debug, clap::Args)]
pub(super) struct SeatsArgs {
    /// The players who get cards, in the order of the seats: every FROM, and others who get cards
    /// too, each once
    #[arg(long, value_name = "FROM", value_delimiter = ',')]
    seats: Option<Vec<String>>,
}

impl SeatsArgs {
    /// The seats. Whether they suit the contributions, the ledger says: a deal that misses its lock
    /// has another fault first.
    pub(super) fn read(&self) -> Result<Option<Vec<Label>>, Failure> {
        let Some(names) = &self.seats else { return Ok(None) };
        let seats =
            names.iter().map(|name| Label::new(name.as_str())).collect::<Result<Vec<_>, _>>();
        seats.map(Some).map_err(|error| usage!("--seats: {error}"))
    }
}
