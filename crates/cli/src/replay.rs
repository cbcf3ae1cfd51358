//! `fairdeal replay`: derives a deal from its seeds, without a ledger (spec/shuffle.md).

mod trace;

use std::path::{Path, PathBuf};

use clap::ArgGroup;

use super::args::{self, DeckArgs};
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::out::{BAD, GOOD, Out, STRONG, count, plain};
use super::{cards, files, round_line};
use fairdeal::deal::{Commitment, Method, Nonce, Plan, ServerSeed};
use fairdeal::record::receipt::Document;
use fairdeal::record::{Code, Finding};
use fairdeal_audit::answer::{NotRevealed, Receipted, Replay, ReplayAnswer, Revealed, Shuffled};

/// Derive a deal from its seeds, without a ledger
///
/// Computes the cards from the revealed server seed and the players' seeds, as anybody can: from a
/// receipt, or by hand.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("items-of").args(["deck", "list", "items"]))]
pub(super) struct Args {
    /// The receipt of a round whose seed is revealed; "-" is stdin. Its signatures are not checked:
    /// that is verify
    #[arg(value_name = "RECEIPT", conflicts_with_all = ["server_seed", "clients", "contributions", "nonce", "deck",
        "items", "draw", "method", "commitment"])]
    receipt: Option<PathBuf>,

    /// The server seed, 64 hex digits; "-" reads it from stdin, "@FILE" from a file. Other users of
    /// this machine can read your command lines: give a secret seed with "-" or "@FILE"
    #[arg(long, value_name = "HEX", required_unless_present = "receipt")]
    server_seed: Option<String>,

    #[command(flatten)]
    contributions: ContributionArgs,

    /// The round's number
    #[arg(long, value_name = "N", value_parser = args::nonce, required_unless_present = "receipt")]
    nonce: Option<Nonce>,

    #[command(flatten)]
    deck: DeckArgs,

    /// The number of items of a list that you do not have: the result is item numbers
    #[arg(long, value_name = "N")]
    items: Option<u32>,

    /// How many items to deal [default: all]
    #[arg(long, value_name = "K")]
    draw: Option<u32>,

    /// The order of the items
    #[arg(long, value_name = "METHOD", default_value = "shuffle", value_parser = args::method())]
    method: Method,

    /// The commitment that the server seed must open; exit code 1 if it does not
    #[arg(long, value_name = "HEX", value_parser = args::commitment)]
    commitment: Option<Commitment>,

    /// Print the seal, card seals and salts of a sealed deal too
    #[arg(long)]
    sealed: bool,

    /// Print every draw: word, range, value or rejection, swap, and the deck after it
    #[arg(long)]
    trace: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal replay receipt.json --trace
  fairdeal replay --server-seed @seed.hex --client alice=lucky --client bob=7 \\
      --nonce 0
  fairdeal replay --server-seed \\
      000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \\
      --client alice=lucky --nonce 0 --draw 5 --trace
  fairdeal replay --server-seed - --contributions players.json --nonce 3 \\
      --list guests.txt --method cycle < seed.hex

Of a receipt, exit 1: the seeds do not give the result that it shows, or the seed is not the promised one. Exit 3: it can't \
be dealt again, because its seed is not revealed yet or because it is no receipt.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (round, about) = match &args.receipt {
        Some(file) => of_receipt(args, file)?,
        None => (by_hand(args)?, String::new()),
    };
    let dealt = round.deal(args.sealed, args.trace).map_err(|error| {
        usage!("--trace: {error}").hint("A trace prints the whole deck after every swap.")
    });
    let (answer, items) = dealt?;
    if answer.follows == Some(false) {
        out.does_not_hold();
    }
    out.show(&answer, |out| {
        if let Some(of) = &round.of {
            print_receipt(of, &about, out);
        }
        print(&answer, &items, &round.shuffled, round.plan, out);
        if round.of.is_some() {
            out.line("Not checked: that a log has this deal. fairdeal verify does that.");
        }
    });
    Ok(())
}

/// The round of the command line.
fn by_hand(args: &Args) -> Result<Replay, Failure> {
    let (Some(seed), Some(nonce)) = (&args.server_seed, args.nonce) else {
        unreachable!("both are required without a receipt")
    };
    let seed = server_seed(seed)?;
    let players = contributions::mixed(args.contributions.read()?)?;
    let shuffled = match (args.items, args.deck.read()?) {
        (Some(count), _) => Shuffled::Count(count),
        (None, (_, Some(list))) => Shuffled::List(list),
        (None, (deck, None)) => Shuffled::Deck(deck),
    };
    let replay = Replay::by_hand(seed, players, nonce, shuffled, (args.method, args.draw));
    let replay = replay.map_err(|error| args::wrong_plan(&error))?;
    opens(args, replay.seed())?;
    Ok(replay)
}

/// The round of a receipt, and a line on its table and its time.
fn of_receipt(args: &Args, path: &Path) -> Result<(Replay, String), Failure> {
    let file = files::name(path);
    let unavailable = |says: String| unavailable!("{file}: {says}");
    let document = Document::parse(&files::read(path)?);
    let document = document.map_err(|error| unavailable(format!("expected a receipt: {error}")))?;
    let revealed = Revealed::of(document.receipt()).map_err(|error| match error {
        NotRevealed::WrongSeed(says) => Failure::unsound(format!("{file}: {says}")),
        error => unavailable(error.to_string()),
    })?;
    let list = args.deck.list.as_deref().map(args::read_list).transpose()?;
    if let Some(list) = &list {
        args::of_the_list(list, &file, revealed.commit.deck)?;
    }
    let players = revealed.mixed().clients().iter().map(|one| (&one.from, Some(&one.seed)));
    let about = round_line::of(&revealed.commit.table, players, "dealt", revealed.deal.time);
    let replay = Replay::of_revealed(&file, revealed, list);
    Ok((replay.map_err(|error| unavailable(error.to_string()))?, about))
}

/// Exit 1 unless the seed opens the commitment.
fn opens(args: &Args, seed: &ServerSeed) -> Result<(), Failure> {
    let Some(commitment) = args.commitment else { return Ok(()) };
    let Err(error) = commitment.verify_opening(seed) else { return Ok(()) };
    let finding = Finding {
        code: Code::SeedMismatch,
        index: None,
        commitment: Some(commitment),
        nonce: None,
        says: error.to_string(),
    };
    Err(Failure::findings("--server-seed", &[finding]))
}

fn print_receipt(of: &Receipted, about: &str, out: &mut Out) {
    let file = plain(&of.file);
    match &of.differs {
        None => say!(
            out,
            "{STRONG}{file}{STRONG:#}  {GOOD}follows{GOOD:#}: the seeds in it give the logged result"
        ),
        Some(says) => {
            say!(out, "{STRONG}{file}{STRONG:#}  {BAD}does not follow{BAD:#}: {}", plain(says));
        }
    }
    out.long_field("table", about);
}

fn print(answer: &ReplayAnswer, items: &[u32], shuffled: &Shuffled, plan: Plan, out: &mut Out) {
    out.field("commitment", answer.commitment);
    if let Some(steps) = &answer.steps {
        out.field("key", &answer.key);
        trace::print(steps, plan, out);
    }
    match (&answer.cards, shuffled) {
        (Some(cards), _) => cards::field(out, "cards", cards),
        (None, Shuffled::List(list)) => {
            cards::items(out, plan.method(), list, items.iter().copied());
        }
        (None, _) => cards::indices(out, items.iter().copied()),
    }
    if let Some(digest) = answer.digest {
        out.field("digest", digest);
    }
    if let Some(seals) = &answer.seals {
        out.field("seal", seals.seal);
        for (t, (seal, salt)) in seals.card_seals.iter().zip(&seals.salts).enumerate() {
            field!(out, &format!("card {t}"), "{seal}  salt {salt}");
        }
    }
    let words = count(answer.words.len(), "word", "words");
    let rejected = match answer.rejected {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    say!(out, "{words} drawn, {rejected} rejected");
}

/// Reads the seed of `--server-seed`.
fn server_seed(given: &str) -> Result<ServerSeed, Failure> {
    let (text, place) = args::server_seed(given)?;
    // Of hexadecimal digits, no space is a part.
    ServerSeed::parse(text.trim()).map_err(|error| usage!("{place}: {error}"))
}
