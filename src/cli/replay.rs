//! `fairdeal replay`: derives a deal from its seeds, without a ledger (spec/shuffle.md).

mod trace;

use clap::ArgGroup;
use serde::Serialize;

use super::args::{self, DeckArgs};
use super::cards;
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::out::Out;
use crate::deal::{
    Commitment, Contributions, Deck, Digest, List, Method, Nonce, Plan, SealKey, Sealed, ServerSeed,
    digest_of_items,
};
use crate::record::entry::MAX_INDICES;
use crate::record::{Code, Finding};

/// Derive a deal from its seeds, without a ledger
///
/// Computes the cards from the revealed server seed and the players' seeds, as anybody can.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("items-of").args(["deck", "list", "items"]))]
pub(super) struct Args {
    /// The server seed, 64 hex digits; "-" reads it from stdin, "@FILE" from a file. Other users of this machine can
    /// read your command lines: give a secret seed with "-" or "@FILE"
    #[arg(long, value_name = "HEX")]
    server_seed: String,

    #[command(flatten)]
    contributions: ContributionArgs,

    /// The round's number
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Nonce,

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
  fairdeal replay --server-seed @seed.hex --client alice=lucky --client bob=7 --nonce 0
  fairdeal replay --server-seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \\
      --client alice=lucky --nonce 0 --draw 5 --trace
  fairdeal replay --server-seed - --contributions players.json --nonce 3 --list guests.txt --method cycle < seed.hex";

/// The maximum of item numbers in a trace: a million, some megabytes of text.
const MOST_TRACED: u64 = 1 << 20;

/// The `--json` output.
#[derive(Serialize)]
struct Answer {
    commitment: Commitment,
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

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let seed = server_seed(&args.server_seed)?;
    let players = contributions::mixed(args.contributions.read()?)?;
    let shuffled = match (args.items, args.deck.read()?) {
        (Some(count), _) => Shuffled::Count(count),
        (None, (_, Some(list))) => Shuffled::List(list),
        (None, (deck, None)) => Shuffled::Deck(deck),
    };
    let items = shuffled.items();
    let plan = Plan::new(args.method, items, args.draw.unwrap_or(items)).map_err(|e| args::wrong_plan(&e))?;
    let traced = u64::from(items) * u64::from(plan.draw());
    if args.trace && traced > MOST_TRACED {
        let says = format!("--trace: expected items × draw of at most {MOST_TRACED}, found {traced}");
        return Err(Failure::usage(says).hint("A trace prints the whole deck after every swap."));
    }
    opens(args, &seed)?;
    let answer = derive(args, &seed, &players, plan, &shuffled);
    out.show(&answer.0, |out| print(&answer.0, &answer.1, &shuffled, plan, out));
    Ok(())
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

fn derive(
    args: &Args,
    seed: &ServerSeed,
    players: &Contributions,
    plan: Plan,
    shuffled: &Shuffled,
) -> (Answer, Vec<u32>) {
    let (commitment, mac) = (seed.commitment(), seed.mac());
    let key = mac.deal_key(args.nonce, players);
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
    let seals = args.sealed.then(|| {
        let sealed = SealKey::derive(&mac, args.nonce, players).seal(&commitment, args.nonce, &dealt.items);
        Sealing::of(&sealed)
    });
    let cards = shuffled.cards(&dealt.items);
    let long = cards.is_none() && plan.draw() > MAX_INDICES;
    let answer = Answer {
        commitment,
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
    let words = answer.words.len();
    let plural = if words == 1 { "" } else { "s" };
    let rejected = match answer.rejected {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    out.line(format_args!("{words} word{plural} drawn, {rejected} rejected"));
}

/// Reads the seed of `--server-seed`.
fn server_seed(given: &str) -> Result<ServerSeed, Failure> {
    let (text, place) = args::server_seed(given)?;
    ServerSeed::parse(&text).map_err(|error| Failure::usage(format!("{place}: {error}")))
}
