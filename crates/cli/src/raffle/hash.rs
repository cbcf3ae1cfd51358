//! `fairdeal raffle hash`: a list of hashed lines, and a link for each entrant (spec/raffle.md,
//! section 36).

use std::path::{Path, PathBuf};

use serde::Serialize;
use url::Url;

use super::list;
use crate::exit::Failure;
use crate::out::{Out, count, shown};
use crate::{args, files};
use fairdeal::deal::List;
use fairdeal::raffle::{Address, Entrant, RaffleSecret};
use fairdeal_ledger::entropy;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The entrants' addresses, one on each line; one that stands twice has two tickets
    #[arg(value_name = "ADDRESSES")]
    addresses: PathBuf,

    /// The page of the raffle, to which the links lead [default: none; the links are codes, which
    /// entrants paste into the page]
    #[arg(long, value_name = "URL", value_parser = page)]
    page: Option<String>,

    /// Take each line for an address also if it looks like a mistake: a first line that is a heading,
    /// a line that is no e-mail address where most are
    #[arg(long)]
    as_is: bool,

    /// Save the list of hashed lines in this file: it is public
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Save the links in this file: on each line an address, a tab, and the link for it alone
    #[arg(long, value_name = "FILE")]
    links: PathBuf,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  fairdeal raffle hash addresses.txt --page https://club.example/raffle \\
      -o list.txt --links links.txt
  fairdeal raffle hash addresses.txt -o list.txt --links codes.txt
      for a page that you send as a file: it has no address
  fairdeal raffle verify raffle.json --list list.txt --link 'https://…#salt=…'

The secret that makes the salts is never written: once this command ends, nobody can make a link again or try addresses. \
Send each entrant their own link. Keep the file with the links to yourself until the winners have their prizes: \
fairdeal raffle draw --links tells by it who has won. Then remove it: it names all of them.";

/// The answer.
#[derive(Debug, Serialize)]
struct Hashed<'a> {
    /// The public list.
    file: &'a Path,
    /// The file with a link for each entrant.
    links: &'a Path,
    count: usize,
    different: usize,
}

/// A fragment in the page would hide the entrant's.
fn page(text: &str) -> Result<String, String> {
    let is_url =
        Url::parse(text).is_ok_and(|url| ["https", "http", "file"].contains(&url.scheme()));
    if !is_url || text.contains('#') {
        return Err("expected a URL that begins with https:// and has no \"#\"".to_owned());
    }
    Ok(text.to_owned())
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    for path in [&args.output, &args.links] {
        files::check_free(Some(path))?;
    }
    if args.output == args.links {
        return Err(Failure::usage("--links: expected another file than the list's"));
    }
    let name = files::name(&args.addresses);
    let right = list::put_right(files::read(&args.addresses)?);
    let addresses = List::parse(&right.bytes)
        .map_err(|error| args::no_list(&args.addresses, &right.bytes, &error))?;
    if !args.as_is {
        list::look_at_addresses(&name, addresses.items(), &right)?;
    }
    let secret = secret()?;
    let mut entrants = Vec::with_capacity(addresses.items().len());
    for (place, line) in addresses.items().iter().enumerate() {
        let number = right.number(place);
        let address =
            Address::new(line).map_err(|error| usage!("{name}: line {number}: {error}"))?;
        entrants.push(Entrant::new(&secret, address));
    }
    drop(secret);
    let mut list: Vec<String> = entrants.iter().map(|entrant| entrant.line() + "\n").collect();
    list.sort_unstable();
    // The links say who entered: their file is for the organiser alone. An address that entered
    // twice has one link.
    let page = args.page.as_deref().unwrap_or_default();
    let link = |one: &Entrant| format!("{}\t{}\n", one.address.as_str(), one.link(page));
    let mut links: Vec<String> = entrants.iter().map(link).collect();
    links.sort_unstable();
    links.dedup();
    files::save_private(&args.links, &links.concat(), false)?;
    files::save_new(&args.output, &list.concat(), false)?;
    let (file, different) = (args.output.as_path(), links.len());
    let answer = Hashed { file, links: &args.links, count: list.len(), different };
    out.show(&answer, |out| {
        out.field("saved", shown(&args.output));
        let all = count(list.len(), "line", "lines");
        more!(out, "{all}, {different} of them different");
        out.field("links", shown(&args.links));
        if page.is_empty() {
            more!(out, "they are codes: an entrant pastes their own into the raffle's page");
        }
        more!(out, "send each entrant their own, and keep this file to yourself");
    });
    Ok(())
}

/// Exit 3 if the system gives no randomness.
fn secret() -> Result<RaffleSecret, Failure> {
    let mut bytes = [0; 32];
    entropy::fill(&mut bytes).map_err(|error| unavailable!("{error}").code("system"))?;
    Ok(RaffleSecret::from_bytes(&mut bytes))
}
