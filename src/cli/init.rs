//! `fairdeal init`: a new ledger.

use std::path::PathBuf;

use serde::Serialize;

use super::exit::Failure;
use super::operator;
use super::out::{FAINT, Out, shown};
use crate::ledger::Ledger;
use crate::record::entry::Origin;

/// Make a new ledger: keys of its own, and an empty log, signed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Where: a folder that is not there yet, or empty
    dir: PathBuf,

    /// The log's name, which its key and every checkpoint carry: a host and a path of yours, without "https://"
    #[arg(long, value_name = "NAME", value_parser = |text: &str| Origin::new(text))]
    origin: Origin,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal init fairdeal-ledger --origin cards.example/log
  fairdeal init /srv/cards --origin cards.example/2026 && export FAIRDEAL_LEDGER=/srv/cards";

#[derive(Serialize)]
struct Answer<'a> {
    origin: &'a str,
    key: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let made = operator::block_on(Ledger::init(&args.dir, &args.origin))?;
    let key = made.map_err(|error| operator::failure(&error, &args.dir, out))?;
    let answer = Answer { origin: args.origin.as_str(), key: key.to_text() };
    out.show(&answer, |out| {
        out.field("origin", answer.origin);
        out.field("key", &answer.key);
        let dir = shown(&args.dir);
        out.line(format_args!("{FAINT}Publish the key, and serve {dir}/public to everyone; {dir}/private is yours alone.{FAINT:#}"));
    });
    Ok(())
}
