//! `fairdeal replay`: derives a deal from its seeds, without a ledger (spec/shuffle.md).

mod trace;

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use serde::Serialize;

use super::args::{self, DeckArgs};
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::out::{BAD, GOOD, Out, STRONG, count, plain};
use super::replayed::{NotRevealed, Revealed};
use super::{cards, files, round_line};
use crate::deal::{
    Commitment, Contributions, Deck, Digest, List, Method, Nonce, Plan, SealKey, Sealed, ServerSeed,
    digest_of_items,
};
use crate::record::entry::MAX_INDICES;
use crate::record::receipt::Document;
use crate::record::{Code, Finding};

/// Derive a deal from its seeds, without a ledger
///
/// Computes the cards from the revealed server seed and the players' seeds, as anybody can: from a receipt, or by hand.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("items-of").args(["deck", "list", "items"]))]
pub(super) struct Args {
    /// The receipt of a round whose seed is revealed; "-" is stdin. Its signatures are not checked: that is verify
    #[arg(value_name = "RECEIPT", conflicts_with_all = ["server_seed", "clients", "contributions", "nonce", "deck",
        "items", "draw", "method", "commitment"])]
    receipt: Option<PathBuf>,

    /// The server seed, 64 hex digits; "-" reads it from stdin, "@FILE" from a file. Other users of this machine can
    /// read your command lines: give a secret seed with "-" or "@FILE"
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

    /// How the items are ordered
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
  fairdeal replay --server-seed @seed.hex --client alice=lucky --client bob=7 --nonce 0
  fairdeal replay --server-seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \\
      --client alice=lucky --nonce 0 --draw 5 --trace
  fairdeal replay --server-seed - --contributions players.json --nonce 3 --list guests.txt --method cycle < seed.hex

Of a receipt, exit 1: the seeds do not give the result that it shows, or the seed is not the promised one. Exit 3: it can't \
be dealt again, because its seed is not revealed yet or because it is no receipt.";

/// The maximum of item numbers in a trace: a million, some megabytes of text.
const MOST_TRACED: u64 = 1 << 20;

/// The `--json` output.
#[derive(Serialize)]
struct Answer {
    /// Of a receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Of a receipt: whether the seeds give the result that it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<bool>,
    commitment: Commitment,
    nonce: Nonce,
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
    words: Vec<u32>,
    rejected: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    seals: Option<Sealing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<trace::Step>>,
}

#[derive(Serialize)]
struct Sealing {
    seal: Digest,
    card_seals: Vec<Digest>,
    salts: Vec<String>,
}

/// What is shuffled: a deck of cards, a list of named items, or numbers.
enum Shuffled {
    Deck(Deck),
    List(List),
    Count(u32),
}

impl Shuffled {
    fn items(&self) -> u32 {
        match self {
            Self::Deck(deck) => deck.items(),
            Self::List(list) => list.deck().items(),
            Self::Count(count) => *count,
        }
    }

    /// The items as cards, if they are cards.
    fn cards(&self, items: &[u32]) -> Option<String> {
        match self {
            Self::Deck(deck) => deck.text_of(items).ok(),
            Self::List(_) | Self::Count(_) => None,
        }
    }
}

/// What is dealt.
struct Round {
    seed: ServerSeed,
    players: Contributions,
    nonce: Nonce,
    plan: Plan,
    shuffled: Shuffled,
    sealed: bool,
    of: Option<Receipted>,
}

/// The receipt that it is from.
struct Receipted {
    file: String,
    /// The table and the time.
    about: String,
    /// Why the receipt shows another result; `None` if it shows this one.
    differs: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let round = match &args.receipt {
        Some(file) => of_receipt(args, file)?,
        None => by_hand(args)?,
    };
    let plan = round.plan;
    let traced = u64::from(round.shuffled.items()) * u64::from(plan.draw());
    if args.trace && traced > MOST_TRACED {
        let says = format!("--trace: expected items × draw of at most {MOST_TRACED}, found {traced}");
        return Err(Failure::usage(says).hint("A trace prints the whole deck after every swap."));
    }
    let (answer, items) = derive(args, &round);
    if answer.follows == Some(false) {
        out.does_not_hold();
    }
    out.show(&answer, |out| {
        if let Some(of) = &round.of {
            print_receipt(of, out);
        }
        print(&answer, &items, &round.shuffled, plan, out);
        if round.of.is_some() {
            out.line("Not checked: that a log has this deal. fairdeal verify does that.");
        }
    });
    Ok(())
}

/// The round of the command line.
fn by_hand(args: &Args) -> Result<Round, Failure> {
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
    let items = shuffled.items();
    let plan = Plan::new(args.method, items, args.draw.unwrap_or(items)).map_err(|e| args::wrong_plan(&e))?;
    opens(args, &seed)?;
    Ok(Round { seed, players, nonce, plan, shuffled, sealed: args.sealed, of: None })
}

/// The round of a receipt.
fn of_receipt(args: &Args, path: &Path) -> Result<Round, Failure> {
    let file = files::name(path);
    let unavailable = |says: String| Failure::unavailable(format!("{file}: {says}"));
    let document = Document::parse(&files::read(path)?);
    let document = document.map_err(|error| unavailable(format!("expected a receipt: {error}")))?;
    let revealed = Revealed::of(document.receipt()).map_err(|error| match error {
        NotRevealed::WrongSeed(says) => Failure::unsound(format!("{file}: {says}")),
        error => unavailable(error.to_string()),
    })?;
    let commit = &revealed.commit;
    let shuffled = match (args.deck.list.as_deref().map(args::read_list).transpose()?, commit.deck) {
        (Some(list), deck) => {
            args::of_the_list(&list, &file, deck)?;
            Shuffled::List(list)
        }
        (None, deck @ Deck::Named(_)) => Shuffled::Deck(deck),
        (None, deck @ Deck::List { .. }) => Shuffled::Count(deck.items()),
    };
    let plan = commit.plan().map_err(|error| unavailable(error.to_string()))?;
    let players = revealed.mixed().clients().iter().map(|one| (&one.from, Some(&one.seed)));
    let about = round_line::of(&commit.table, players, "dealt", revealed.deal.time);
    Ok(Round {
        players: revealed.mixed().clone(),
        nonce: revealed.nonce(),
        plan,
        shuffled,
        sealed: args.sealed,
        of: Some(Receipted { file, about, differs: revealed.differs() }),
        seed: revealed.seed,
    })
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

fn derive(args: &Args, round: &Round) -> (Answer, Vec<u32>) {
    let Round { seed, players, nonce, plan, shuffled, .. } = round;
    let (commitment, mac, nonce) = (seed.commitment(), seed.mac(), *nonce);
    let key = mac.deal_key(nonce, players);
    let mut stream = key.words();
    let mut words = Vec::new();
    let next = || {
        let word = stream.next_word();
        words.push(word);
        word
    };
    let (dealt, steps) = if args.trace {
        let mut tracer = trace::Tracer::new(|deck| shuffled.cards(deck));
        let dealt = plan.deal_from(next, &mut tracer);
        (dealt, Some(tracer.steps))
    } else {
        (plan.deal_from(next, &mut ()), None)
    };
    let seals = round.sealed.then(|| {
        let sealed = SealKey::derive(&mac, nonce, players).seal(&commitment, nonce, &dealt.items);
        Sealing::of(&sealed)
    });
    let cards = shuffled.cards(&dealt.items);
    let long = cards.is_none() && plan.draw() > MAX_INDICES;
    let answer = Answer {
        file: round.of.as_ref().map(|of| of.file.clone()),
        follows: round.of.as_ref().map(|of| of.differs.is_none()),
        commitment,
        nonce,
        key: key.reveal(),
        indices: cards.is_none().then(|| dealt.items.clone()),
        digest: long.then(|| digest_of_items(&dealt.items)),
        cards,
        words,
        rejected: dealt.rejected,
        seals,
        steps,
    };
    (answer, dealt.items)
}

impl Sealing {
    fn of(sealed: &Sealed) -> Self {
        Self {
            seal: sealed.seal(),
            card_seals: sealed.card_seals().to_vec(),
            salts: sealed.salts().iter().map(hex::encode).collect(),
        }
    }
}

fn print_receipt(of: &Receipted, out: &mut Out) {
    let file = plain(&of.file);
    match &of.differs {
        None => out.line(format_args!(
            "{STRONG}{file}{STRONG:#}  {GOOD}follows{GOOD:#}: the seeds in it give the logged result"
        )),
        Some(says) => {
            out.line(format_args!("{STRONG}{file}{STRONG:#}  {BAD}does not follow{BAD:#}: {}", plain(says)));
        }
    }
    out.long_field("table", &of.about);
}

fn print(answer: &Answer, items: &[u32], shuffled: &Shuffled, plan: Plan, out: &mut Out) {
    out.field("commitment", answer.commitment);
    if let Some(steps) = &answer.steps {
        out.field("key", &answer.key);
        trace::print(steps, plan, out);
    }
    match (&answer.cards, shuffled) {
        (Some(cards), _) => cards::field(out, "cards", cards),
        (None, Shuffled::List(list)) => cards::items(out, plan.method(), list, items.iter().copied()),
        (None, _) => cards::indices(out, items),
    }
    if let Some(digest) = answer.digest {
        out.field("digest", digest);
    }
    if let Some(seals) = &answer.seals {
        out.field("seal", seals.seal);
        for (t, (seal, salt)) in seals.card_seals.iter().zip(&seals.salts).enumerate() {
            out.field(&format!("card {t}"), format_args!("{seal}  salt {salt}"));
        }
    }
    let words = count(answer.words.len(), "word", "words");
    let rejected = match answer.rejected {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    out.line(format_args!("{words} drawn, {rejected} rejected"));
}

/// Reads the seed of `--server-seed`.
fn server_seed(given: &str) -> Result<ServerSeed, Failure> {
    let (text, place) = args::server_seed(given)?;
    ServerSeed::parse(&text).map_err(|error| Failure::usage(format!("{place}: {error}")))
}
