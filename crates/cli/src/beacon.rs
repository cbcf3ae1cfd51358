//! The chains of beacons that a reader or a ledger knows, and a ledger's relays.

use std::path::PathBuf;

use crate::exit::Failure;
use crate::{files, serve, time};
use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::Digest;
use fairdeal::record::entry::BeaconTerms;
use fairdeal_ledger::BeaconOptions;

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
        let chains = self.beacon_chain.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Chains::with(chains).map_err(|error| usage!("--beacon-chain: {error}"))
    }

    /// A ledger without relays.
    pub(super) fn options(&self) -> Result<BeaconOptions, Failure> {
        Ok(BeaconOptions { chains: self.read()?, relays: Vec::new() })
    }
}

/// The options of a ledger that deals rounds of beacons.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Beacons")]
pub(super) struct BeaconArgs {
    #[command(flatten)]
    chains: ChainArgs,

    #[arg(long, value_name = "URL", value_parser = serve::public_url, help = RELAY)]
    beacon_relay: Vec<String>,
}

const RELAY: &str = "\
A server to ask for the signature of a beacon's round, such as https://api.drand.sh. May be repeated: they are \
asked one after the other. Without this option no network is touched for a beacon";

impl BeaconArgs {
    /// Errors as of [`ChainArgs::read`].
    pub(super) fn options(&self) -> Result<BeaconOptions, Failure> {
        Ok(BeaconOptions { relays: self.beacon_relay.clone(), ..self.chains.options()? })
    }
}

/// The name of the chain that everybody knows.
pub(super) const QUICKNET: &str = "quicknet";

/// `quicknet`, or another chain's hash.
pub(super) fn chain_name(chain: &Digest) -> String {
    if *chain == Chain::quicknet().hash() { QUICKNET.to_owned() } else { format!("chain {chain}") }
}

/// `the first round of quicknet that is out 20 s after the lock`.
pub(super) fn in_words(terms: &BeaconTerms) -> String {
    let chain = chain_name(&terms.chain);
    let margin = time::span(terms.margin.value());
    format!("the first round of {chain} that is out {margin} after the lock")
}

/// `round 1000, out at 2023-08-23T15:59:24Z`.
pub(super) fn round(round: u64, out: Option<u64>) -> String {
    let out = out.map(|out| format!(", out at {}", time::utc(out)));
    format!("round {round}{}", out.unwrap_or_default())
}
