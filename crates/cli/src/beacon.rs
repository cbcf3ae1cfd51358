//! The chains of beacons that a reader knows.

use std::path::PathBuf;

use crate::exit::Failure;
use crate::files;
use fairdeal::beacon::{Chain, Chains};

/// The options.
#[derive(Debug, clap::Args)]
pub(super) struct ChainArgs {
    /// A further chain of drand, as its /info answers; "quicknet" is known. May be repeated
    #[arg(long, value_name = "FILE")]
    beacon_chain: Vec<PathBuf>,
}

impl ChainArgs {
    /// Exit 2 for a faulty file, 3 for one that cannot be read.
    pub(super) fn read(&self) -> Result<Chains, Failure> {
        if self.beacon_chain.is_empty() {
            return Ok(Chains::default());
        }
        let read = |path: &PathBuf| {
            let bytes = files::read(path).map_err(|failure| failure.of("--beacon-chain"))?;
            Chain::parse(&bytes)
                .map_err(|error| usage!("--beacon-chain {}: {error}", files::name(path)))
        };
        Ok(Chains::with(self.beacon_chain.iter().map(read).collect::<Result<Vec<_>, _>>()?))
    }
}
