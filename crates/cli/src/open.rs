//! `fairdeal open`: opens cards of a sealed deal.

use std::path::Path;

use serde::Serialize;

use super::exit::Failure;
use super::operator::{self, OutputArgs, ReadArgs};
use super::out::Out;
use super::which::{self, Which};
use super::{cards, files};
use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::record::entry::Hands;
use fairdeal_ledger::{LoggedRound, ToOpen, places};
use fairdeal_server::told::hands;

/// Open cards of a sealed deal, each provable alone
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The round
    #[arg(value_name = "NONCE")]
    words: Vec<String>,

    /// The cards of this seat. The file is for this player
    #[arg(long, value_name = "FROM")]
    seat: Vec<String>,

    /// The cards of this street: flop, turn, river, or its number from 1
    #[arg(long, value_name = "STREET")]
    board: Vec<String>,

    /// The cards at these places in deal order, counted from 1. Where the table has a layout,
    /// --seat and --board are safer
    #[arg(long, value_name = "T", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..))]
    place: Vec<u32>,

    /// Open them although they are of several seats, burnt, or nobody's
    #[arg(long)]
    mixed: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal open --table holdem 0 --seat alice -o alice.json
      for alice alone: only your user can read the file, and no card is shown
  fairdeal open --table holdem 0 --board flop                  for everybody
  fairdeal open 630dcd 0 --place 4 | fairdeal verify - --key log.key";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    nonce: Nonce,
    opened: &'a [u32],
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<Hands>,
    file: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.output.check()?;
    let (named, words) =
        args.which.first(args.words.iter().map(String::as_str), &args.ledger.again())?;
    let nonce = match words.as_slice() {
        [nonce] => which::round(nonce)?,
        [] => return Err(Failure::usage("expected the round's NONCE, found none")),
        [_, card, ..] => {
            let says =
                format!("expected --seat, --board or --place, found a place alone: {card:?}");
            return Err(Failure::usage(says).hint("--place counts from 1."));
        }
    };
    let wanted = wanted(args)?;
    let (commitment, places, opening, hands) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let terms = ledger.show(commitment).await?.terms;
        // A revealed round has all cards; only those of this file are told.
        let round = LoggedRound { items: None, ..ledger.round(commitment, nonce).await? };
        let places = places(&terms, round.seats(), &wanted, args.mixed)?;
        let opening = ledger.opening(commitment, nonce, &places).await?;
        let hands = hands(&round, &terms, &opening.opened);
        Ok((commitment, places, opening, hands))
    })?;
    let text = opening.to_text();
    let saved = Saved { commitment, nonce, opened: &places, hands, file: args.output.file() };
    args.output.hand_over(files::save_private, &text, &saved, out)?;
    if saved.file.is_some() && !out.json() {
        // After a table's next commitment was made, the table's name means that one.
        field!(out, "round", "{nonce} of {commitment}");
        if let Some(hands) = &saved.hands {
            cards::opened(out, hands);
        }
    }
    Ok(())
}

/// The cards that the options name.
fn wanted(args: &Args) -> Result<Vec<ToOpen>, Failure> {
    let mut wanted = Vec::new();
    for seat in &args.seat {
        let seat = Label::new(seat.as_str()).map_err(|error| usage!("--seat: {error}"))?;
        wanted.push(ToOpen::Seat(seat));
    }
    wanted.extend(args.board.iter().cloned().map(ToOpen::Street));
    let mut places = args.place.clone();
    places.sort_unstable();
    if let Some([twice, _]) = places.array_windows().find(|[a, b]| a == b) {
        return Err(usage!("--place: expected each card once, found {twice} twice"));
    }
    wanted.extend(args.place.iter().map(|place| ToOpen::Place(place.saturating_sub(1))));
    if wanted.is_empty() {
        let says = "expected --seat FROM, --board STREET or --place T, found none";
        return Err(Failure::usage(says));
    }
    Ok(wanted)
}
