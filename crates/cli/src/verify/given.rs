//! The facts that a reader adds to the files (spec/receipt.md, 11.8 and 11.9): own contributions,
//! players' keys, a seat.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::contributions::{label_and_hex, label_and_seed};
use crate::exit::Failure;
use crate::{files, kinds};
use fairdeal::deal::{ClientSeed, Label};
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::receipt::{Given, ReaderGiven, is_to_judge};

/// The options.
#[derive(Debug, clap::Args)]
pub(super) struct GivenArgs {
    /// What you kept: your contribution, as `fairdeal contribution --json` printed it, which must
    /// have been mixed; the receipt of its lock; an opening; evidence
    #[arg(long, value_name = "FILE")]
    mine: Vec<PathBuf>,

    /// Your seed, given in the clear or hashed, without --seen: it must have been mixed
    #[arg(long = "client", value_name = "FROM=SEED")]
    clients: Vec<String>,

    /// A public key that a player gave you: this player's contribution must be signed by it; split
    /// at the last "="
    #[arg(long = "player", value_name = "FROM=HEX")]
    players: Vec<String>,

    /// The seat of an opening: every card in it must be for this seat or the board
    #[arg(long, value_name = "FROM")]
    seat: Option<String>,
}

/// All that a reader gives besides the files of the command.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) given: ReaderGiven,
    /// The files that the reader kept, by their names.
    pub(super) kept: Vec<(String, Vec<u8>)>,
}

/// A contribution that its player kept.
pub(crate) fn own(name: &str, bytes: &[u8]) -> Result<Given, Failure> {
    Given::parse_kept(bytes).map_err(|says| {
        let expected =
            "expected what you kept: a contribution, as fairdeal contribution --json printed it, a receipt, an opening or evidence";
        Failure::usage(match kinds::kind(bytes) {
            Some(kind) => format!("--mine {name}: {expected}; found {kind}"),
            None => format!("--mine {name}: {expected}: {says}"),
        })
    })
}

/// The keys of `--player FROM=HEX`. Exit 2.
pub(crate) fn players(texts: &[String]) -> Result<BTreeMap<Label, PlayerKey>, Failure> {
    let mut players = BTreeMap::new();
    for text in texts {
        let (from, key) = label_and_hex("--player", text)?;
        let name = from.as_str();
        let key =
            PlayerKey::parse_given(key).map_err(|error| usage!("--player {name}: {error}"))?;
        let says = format!("--player {name}: expected one key for each name, found two");
        if players.insert(from, key).is_some_and(|other| other != key) {
            return Err(Failure::usage(says));
        }
    }
    Ok(players)
}

impl GivenArgs {
    /// Exit 2, with the option's name; 3 if a file cannot be read.
    pub(super) fn read(&self) -> Result<Brought, Failure> {
        let mut mine = Vec::new();
        let mut kept = Vec::new();
        for path in &self.mine {
            let bytes = files::read(path).map_err(|failure| failure.of("--mine"))?;
            let name = files::name(path);
            if is_to_judge(&bytes) {
                kept.push((name, bytes));
            } else {
                mine.push(own(&name, &bytes)?);
            }
        }
        for text in &self.clients {
            let (from, seed) = label_and_seed("--client", text)?;
            let seed = ClientSeed::new(seed).map_err(|error| usage!("--client: {error}"))?;
            mine.push(Given::with_seed(from, seed));
        }
        let seat = self.seat.as_deref().map(Label::new).transpose();
        let seat = seat.map_err(|error| usage!("--seat: {error}"))?;
        let players = players(&self.players)?;
        let given = ReaderGiven { mine, players, seat, ..ReaderGiven::default() };
        Ok(Brought { given, kept })
    }
}
