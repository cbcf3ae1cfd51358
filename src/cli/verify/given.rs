//! What a reader gives beside the files (spec/receipt.md, 11.8): what they brought, players' keys, a seat.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cli::contributions::{label_and_hex, label_and_seed};
use crate::cli::exit::Failure;
use crate::cli::files;
use crate::deal::{ClientSeed, Label};
use crate::record::entry::PlayerKey;
use crate::record::receipt::{Given, Own};

/// The options.
#[derive(Debug, clap::Args)]
pub(super) struct GivenArgs {
    /// What you brought, as `fairdeal contribution --json` printed it: exactly this must have been mixed, in its round
    #[arg(long, value_name = "FILE")]
    mine: Vec<PathBuf>,

    /// A seed that you brought, in the clear or hashed, with no view of the log: it must have been mixed
    #[arg(long = "client", value_name = "FROM=SEED")]
    clients: Vec<String>,

    /// A player's public key, which that player gave you: what is mixed under this name must be signed by it
    #[arg(long = "player", value_name = "FROM=HEX")]
    players: Vec<String>,

    /// The seat that an opening is for: every card in it must be that seat's or the board's
    #[arg(long, value_name = "FROM")]
    seat: Option<String>,
}

impl GivenArgs {
    /// # Errors
    /// Exit 2, which names the option; 3 where a file can't be read.
    pub(super) fn read(&self) -> Result<Given, Failure> {
        let mut mine = Vec::new();
        for path in &self.mine {
            let own = Own::parse(&files::read(path)?);
            mine.push(own.map_err(|says| {
                let says = format!("--mine {}: {says}", files::name(path));
                Failure::usage(says).hint("It takes what fairdeal contribution FROM --json prints.")
            })?);
        }
        for text in &self.clients {
            let (from, seed) = label_and_seed("--client", text)?;
            let seed = ClientSeed::new(seed).map_err(|error| Failure::usage(format!("--client: {error}")))?;
            mine.push(Own::remembered(from, seed));
        }
        let mut players = BTreeMap::new();
        for text in &self.players {
            let (from, key) = label_and_hex("--player", text)?;
            let name = from.as_str();
            let key =
                PlayerKey::parse(key).map_err(|error| Failure::usage(format!("--player {name}: {error}")))?;
            let says = format!("--player {name}: expected one key for each name, found two");
            if players.insert(from, key).is_some_and(|other| other != key) {
                return Err(Failure::usage(says));
            }
        }
        let seat = self.seat.as_deref().map(Label::new).transpose();
        let seat = seat.map_err(|error| Failure::usage(format!("--seat: {error}")))?;
        Ok(Given { mine, players, seat })
    }
}
