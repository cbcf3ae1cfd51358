//! `fairdeal lab`: right and wrong shuffles. A short deck is enumerated, a long one is sampled.

mod picture;
mod results;

use std::path::PathBuf;

use super::exit::Failure;
use super::files;
use super::out::Out;
use fairdeal::deal::Deck;
use fairdeal_audit::stats::ShapeError;
use fairdeal_schemes::answer::{SampledShuffle, ShuffleList, WalkedShuffle};
use fairdeal_schemes::lab::{self, Exact, Sampler, Shuffle, enumerate};

/// Try right and wrong shuffles: every path, or many deals
///
/// Without NAME, lists the shuffles. For up to six items it follows every path and prints each
/// order's exact probability.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shuffle [default: list all]
    #[arg(value_name = "NAME", value_parser = str::parse::<Shuffle>)]
    source: Option<Shuffle>,

    /// How many items. Up to 6 are enumerated, more are sampled
    #[arg(long, value_name = "N", default_value_t = 52, value_parser = clap::value_parser!(u32).range(1..=512))]
    items: u32,

    /// How many decks to sample
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    decks: u64,

    /// The sample's seed: the same number gives the same decks
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print the decks, one a line, for `fairdeal stats --decks`; needs 52 items
    #[arg(long)]
    print: bool,

    /// Write a heat map as SVG: how often each item is at each position; "-" is stdout
    #[arg(long, value_name = "FILE", requires = "source", conflicts_with = "print")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal lab
  fairdeal lab swap-any --items 3    27 paths cannot be shared among 6 orders
  fairdeal lab riffle-7 --decks 200
  fairdeal lab modulo-8 --decks 20000 --svg modulo-8.svg
  fairdeal lab sattolo --decks 500 --print | fairdeal stats --decks -";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Some(source) = args.source else {
        out.show(&ShuffleList::all(), results::list);
        return Ok(());
    };
    if args.print {
        return print_decks(source, args, out);
    }
    if let Some(file) = &args.svg {
        files::check_output("--svg", file, out)?;
        files::check_replaces("--svg", file, "a picture in SVG", |bytes| {
            bytes.starts_with(b"<svg")
        })?;
    }
    match enumerate(source, args.items) {
        Ok(exact) => walk(source, args, &exact, out),
        Err(_) => sample(source, args, out),
    }
}

fn walk(source: Shuffle, args: &Args, exact: &Exact, out: &mut Out) -> Result<(), Failure> {
    let items = args.items;
    if draw(args, out, || picture::walked(source, items, exact))? {
        return Ok(());
    }
    let answer = WalkedShuffle::of(source, items, exact);
    out.show(&answer, |out| results::walked(source, items, exact, out));
    Ok(())
}

/// Writes the heat map, if asked for. True if it went to stdout, which then gets nothing else.
fn draw(args: &Args, out: &mut Out, map: impl FnOnce() -> Option<String>) -> Result<bool, Failure> {
    let Some(file) = args.svg.as_deref() else { return Ok(false) };
    let one =
        || Failure::usage(format!("--svg: expected at least two items, found {}", args.items));
    let map = map().ok_or_else(one)?;
    if files::is_stdout(file) {
        out.text(&map);
        return Ok(true);
    }
    files::save(file, &map).map(|()| false)
}

fn wrong_items(args: &Args) -> impl Fn(ShapeError) -> Failure {
    move |error| Failure::usage(format!("--items {}: {error}", args.items))
}

fn sample(source: Shuffle, args: &Args, out: &mut Out) -> Result<(), Failure> {
    let counts =
        lab::sample(source, args.items, args.decks, args.seed).map_err(wrong_items(args))?;
    if draw(args, out, || picture::sampled(source, args, &counts))? {
        return Ok(());
    }
    let answer = SampledShuffle::of(source, args.items, &counts);
    out.show(&answer, |out| results::sampled(source, &answer.report, &answer.positions, out));
    Ok(())
}

fn print_decks(source: Shuffle, args: &Args, out: &mut Out) -> Result<(), Failure> {
    if args.items != 52 {
        return Err(Failure::usage(format!(
            "--print: expected 52 items, which have names, found {}",
            args.items
        )));
    }
    let mut sampler = Sampler::new(source, args.items, args.seed).map_err(wrong_items(args))?;
    for _ in 0..args.decks {
        let deck = Deck::standard().text_of(&sampler.deal());
        out.line(deck.map_err(|error| Failure::unavailable(error.to_string()))?);
    }
    Ok(())
}
