//! `fairdeal commit`: publishes a commitment to a new server seed, and the terms of its rounds.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::args::{self, DeckArgs};
use super::beacon::{self, ChainArgs};
use super::exit::Failure;
use super::operator::{self, LedgerArgs, RetryArgs};
use super::out::{BAD, FAINT, Out, count};
use super::{files, time};
use fairdeal::deal::{Commitment, Deck, Digest, Method, Plan};
use fairdeal::record::Entry;
use fairdeal::record::entry::{BeaconTerms, GivenLayout, Int, MAX_ROUNDS, Mixing, Table, Terms};
use fairdeal_ledger::{BeaconOptions, Choice, NewCommit};

/// Publish a commitment to a new server seed, with its terms
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table. It has one open commitment at a time
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Table,

    #[command(flatten)]
    deck: DeckArgs,

    /// The order of the items. A cycle assigns each item to another one
    #[arg(long, value_name = "METHOD", default_value = "shuffle", value_parser = args::method())]
    method: Method,

    /// How many items a round deals [default: all]
    #[arg(long, value_name = "K")]
    draw: Option<u32>,

    /// The least that every round mixes: clear seeds; hashes, locked first and opened by the deal; or
    /// a public beacon, whose signature nobody can know when the round is locked
    #[arg(long, value_name = "MIXING", default_value = "seeds", value_parser = mixing())]
    mixing: Mixing,

    /// With --mixing beacon: the milliseconds from a lock to its round of the beacon, in which
    /// witnesses can sign the lock [default: 20000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=Int::MAX))]
    margin: Option<u64>,

    /// With --mixing beacon: the chain's hash [default: quicknet]
    #[arg(long, value_name = "HASH", value_parser = |text: &str| Digest::parse(text))]
    chain: Option<Digest>,

    #[command(flatten)]
    chains: ChainArgs,

    /// The maximum number of rounds
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_ROUNDS))]
    rounds: u64,

    /// Latest time of the reveal, from now: a number and s, m, h or d, at most 366d
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = args::reveal_in)]
    reveal_in: Duration,

    /// Seal each card, so that it can be opened alone. The log hides the cards until the reveal
    #[arg(long)]
    sealed: bool,

    /// With --layout: every seat's cards are public at once, instead of --sealed
    #[arg(long, requires = "layout", conflicts_with = "sealed")]
    public: bool,

    /// Every contribution must be signed by its player: then the dealer cannot move or change it
    #[arg(long)]
    signed: bool,

    /// Whose each card is: holdem, omaha, short-deck (which have a deck too), or the cards of each
    /// seat, then the board's streets, with or without burnt cards, as in hand=2,board=3+1+1,burn.
    /// Every round then needs --seats
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<GivenLayout>,

    /// A file with the game's rules: the commitment has its SHA-256
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal commit --table main
  fairdeal commit --table holdem-1 --sealed --mixing hashes --rounds 200 \\
      --reveal-in 2h
  fairdeal commit --table holdem-1 --sealed --signed --layout holdem
  fairdeal commit --table pineapple --sealed --layout hand=3,board=3+1+1,burn
  fairdeal commit --table gifts --list guests.txt --method cycle --rounds 1
  fairdeal commit --table draw --mixing beacon";

#[derive(Serialize)]
struct Answer {
    commitment: Commitment,
    index: u64,
    reveal_by: u64,
}

fn mixing() -> impl TypedValueParser<Value = Mixing> {
    let all = [Mixing::Seeds, Mixing::Hashes, Mixing::Beacon];
    PossibleValuesParser::new(all.map(Mixing::as_str)).try_map(move |name| {
        all.into_iter().find(|one| one.as_str() == name).ok_or("expected a mixing")
    })
}

/// The deck: a game's, or the one that is named.
fn deck(args: &Args) -> Result<Deck, Failure> {
    let (deck, _) = args.deck.read()?;
    let Some(game) = args.layout.as_ref().and_then(|given| given.game) else { return Ok(deck) };
    let is_named = args.deck.deck.is_some() || args.deck.list.is_some();
    game.deck_or(is_named.then_some(deck)).map_err(|found| {
        let expected = game.deck();
        usage!("--layout {game}: expected its deck, {expected}, or no --deck, found {found}")
    })
}

/// The chain and the margin, with `--mixing beacon`.
fn beacon(args: &Args) -> Result<Option<BeaconTerms>, Failure> {
    let margin = args.margin.map(Int::try_from).transpose();
    let margin = margin.map_err(|error| usage!("--margin: {error}"))?;
    match (args.mixing, args.margin, args.chain) {
        (Mixing::Beacon, _, chain) => Ok(Some(BeaconOptions::terms(chain, margin))),
        (_, None, None) => Ok(None),
        (mixing, margin, _) => {
            let option = if margin.is_some() { "--margin" } else { "--chain" };
            Err(usage!("{option}: expected --mixing beacon with it, found {}", mixing.as_str()))
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let beacon = beacon(args)?;
    let deck = deck(args)?;
    Plan::new(args.method, deck.items(), args.draw.unwrap_or(deck.items()))
        .map_err(|error| args::wrong_plan(&error))?;
    let rules = match &args.rules {
        Some(path) => Some(Digest::from_bytes(Sha256::digest(files::read(path)?).into())),
        None => None,
    };
    let standard = Terms::new(args.table.clone(), deck);
    let terms = Terms {
        beacon,
        draw: args.draw.map_or(standard.draw, Int::from),
        layout: args.layout.as_ref().map(|given| given.layout.clone()),
        method: args.method,
        mixing: args.mixing,
        rounds: Int::try_from(args.rounds).map_err(|error| Failure::usage(error.to_string()))?,
        rules,
        sealed: args.sealed,
        signed: args.signed,
        ..standard
    };
    if args.layout.is_some() && !args.sealed && !args.public {
        let says = "--layout: expected --sealed, which hides the seats' cards, or --public, which shows them to everybody";
        return Err(Failure::usage(says));
    }
    let new = NewCommit { reveal_in: args.reveal_in, ..NewCommit::new(terms) };
    let key = args.retry.idempotency_key.clone();
    let (done, others) =
        operator::ask_with(&args.ledger, args.chains.options()?, async |ledger| {
            let done = ledger.commit(new, key).await?;
            if out.json() {
                return Ok((done, Vec::new()));
            }
            let open = Choice { open: true, ..Choice::default() };
            // The commitment is logged: it is reported even if the others cannot be read.
            let others = ledger.list(&open, 0, u32::MAX).await.unwrap_or_default();
            Ok((done, others))
        })?;
    let now = done.entry.time();
    let overdue = others.iter().filter(|one| one.terms.reveal_by.value() < now);
    let overdue = u64::try_from(overdue.count()).unwrap_or(u64::MAX);
    let reveal_by = match &done.entry {
        Entry::Commit(commit) => commit.reveal_by.value(),
        _ => 0,
    };
    let answer = Answer { commitment: done.commitment, index: done.index, reveal_by };
    let again = args.ledger.again();
    let told = operator::Answer::new(&done, again.clone());
    out.did(told.done());
    out.show(&answer, |out| {
        told.print("commitment", out);
        let left = time::span(reveal_by.saturating_sub(now));
        field!(out, "reveal by", "{} {FAINT}(in {left}){FAINT:#}", time::utc(reveal_by));
        if let Entry::Commit(commit) = &done.entry
            && let Some(terms) = &commit.beacon
        {
            out.field("beacon", beacon::in_words(terms));
        }
        if !args.sealed && args.deck.list.is_none() {
            more!(out, "{FAINT}The cards of each deal are public at once.{FAINT:#}");
            more!(out, "{FAINT}{}{FAINT:#}", operator::hidden_hands(&args.table, &again));
        }
        if overdue > 0 {
            let are = count(overdue, "commitment is", "commitments are");
            field!(out, "overdue", "{BAD}{are} overdue{BAD:#}: fairdeal list --due{again}");
        }
    });
    Ok(())
}
