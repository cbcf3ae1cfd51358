//! `fairdeal raffle verify` (spec/raffle.md, sections 38 and 39).

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::kept::{self, KeptFile, Message, Own};
use super::words::{self, Told};
use super::{audited, number, spelling};
use crate::beacon::ChainArgs;
use crate::contributions::label_and_seed;
use crate::exit::Failure;
use crate::known::{self, KnownLog, KnownLogs, Named};
use crate::out::Out;
use crate::policy::ReadersPolicy;
use crate::verify::{self, own};
use crate::{args, files, logs, web};
use fairdeal::deal::{ClientSeed, Digest};
use fairdeal::log::{Policy, VerifierKey};
use fairdeal::raffle::{
    Entrant, GivenBeacon, RaffleDocument, RaffleError, RaffleGiven, RaffleVerdict, Tickets,
    TicketsError, verify_raffle,
};
use fairdeal::record::receipt::Given;
use fairdeal_audit::answer::KnownForm;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The raffle's document, or its page as a file; "-" is stdin
    #[arg(value_name = "DOCUMENT")]
    document: PathBuf,

    /// The list that is drawn from, or the raffle's page, which has it
    #[arg(long, value_name = "FILE")]
    list: PathBuf,

    /// The log's verifier key, or a file with it [default: the known key of the log that the
    /// document names, see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// Your witnesses: a tlog-policy file [default: the policy that is kept with the known key]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    #[command(flatten)]
    chains: ChainArgs,

    /// The number that decides, if the document does not have it: the beacon's signature in 96 hex
    /// digits, or a file with it or with drand's answer for the round
    #[arg(long, value_name = "FILE-or-HEX")]
    beacon: Option<String>,

    /// What you kept: this document or its page, saved before the draw; a text with the message that
    /// has the raffle's number; your contribution to an open raffle
    #[arg(long, value_name = "FILE")]
    mine: Vec<PathBuf>,

    /// Your seed in an open raffle
    #[arg(long = "client", value_name = "FROM=SEED")]
    clients: Vec<String>,

    /// The public key of somebody who brought a seed to an open raffle: their seed must be signed by
    /// it; split at the last "="
    #[arg(long = "player", value_name = "FROM=HEX")]
    players: Vec<String>,

    /// Your line of the list: whether it is there, and whether it has won
    #[arg(long, value_name = "TEXT")]
    line: Option<String>,

    /// The link that the organiser gave you, if the lines are hashed
    #[arg(long, value_name = "URL", conflicts_with = "line")]
    link: Option<String>,

    /// The log: it is audited, and its promises of this list are counted
    #[arg(long, value_name = "LOG")]
    log: Option<String>,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  fairdeal raffle verify raffle.json --list list.txt --key log.key
  fairdeal raffle verify raffle.json --list list.txt --policy witnesses.policy
  fairdeal raffle verify raffle.json --list list.txt --mine saved.json
  fairdeal raffle verify raffle.json --list list.txt --mine message.txt
  fairdeal raffle verify raffle.json --list list.txt --beacon round.json
  fairdeal raffle verify raffle.json --list list.txt --line \"ticket 118\"
  fairdeal raffle verify raffle.json --list list.txt --link 'https://…#salt=…'
  fairdeal raffle verify raffle.json --list list.txt --log https://club.example

Before the draw it checks the promise. After it, if the document has no deal yet, take the number from \
https://api.drand.sh/CHAIN/public/ROUND and give the answer with --beacon: it is verified.

Exit 0: nothing is wrong; a program reads \"state\" with --json, which is \"fair\" if the number was not out yet when \
your witnesses, or you, had the promise. Exit 2 is also another list than that of the promise, and another number than \
that of its round.";

/// The answer.
#[derive(Debug, Serialize)]
struct RaffleAnswer<'a> {
    #[serde(flatten)]
    verdict: &'a RaffleVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<KnownForm>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    // A mistyped key is reported before the files are read.
    args.key.as_deref().map(args::verifier_key).transpose()?;
    let tickets = read_tickets(&args.list)?;
    let chains = args.chains.read()?;
    let mut given =
        RaffleGiven { beacon: given_beacon(args.beacon.as_deref())?, ..RaffleGiven::default() };
    given.reader.chains = chains;
    given.line = match &args.link {
        Some(link) => {
            let entrant = Entrant::parse_link(link).map_err(|error| usage!("--link: {error}"))?;
            Some(entrant.line())
        }
        None => args.line.clone(),
    };
    let own = read_own(args, &mut given)?;
    let name = files::name(&args.document);
    let document = read_document(&args.document)?;
    let chosen = known::key_of(args.key.as_deref(), &name, || {
        Named::in_checkpoint(&document.receipt().checkpoint)
            .ok_or_else(|| usage!("{name}: its checkpoint names no log: give --key"))
    })?;
    let policy = ReadersPolicy::of(args.policy.as_deref(), &chosen)?;
    given.reader.policy = policy.as_ref().map(|policy| Policy::clone(&policy.policy));
    let mut others = Vec::new();
    if let Some(log) = &args.log {
        let looked = audited::look(log, &document, &chosen.key, &given)?;
        given.audited = looked.as_ref().map(|looked| looked.raffle);
        others = looked.map(|looked| looked.others).unwrap_or_default();
        if given.audited.is_none() {
            logs::warn(&format!("{log}: the log does not hold: fairdeal audit says why"));
            out.does_not_hold();
        }
    }
    let verdict =
        verify_raffle(&document, &tickets, &chosen.key, &given).map_err(|error| match error {
            RaffleError::Document(_) => unavailable!("{name}: {error}"),
            RaffleError::List { .. } => usage!("--list {}: {error}", files::name(&args.list)),
            _ => usage!("--beacon: {error}"),
        })?;
    let known = chosen.known.as_ref();
    let answer = RaffleAnswer { verdict: &verdict, known: known.map(KnownLog::form) };
    out.show(&answer, |out| {
        let drawn = verdict.drawn.as_deref().unwrap_or_default();
        let chains = &given.reader.chains;
        let kept = kept::compare((&document, &chosen.key), &own, (drawn, chains));
        let told = Told { kept, others, ..told(&document, &tickets, &verdict) };
        words::print(&name, (&verdict, &told), &given, out);
        if let Some(known) = known {
            known::print(known, out);
        }
        if let Some(policy) = &policy {
            policy.print(out);
        }
    });
    if !verdict.receipt.holds {
        out.does_not_hold();
    }
    if verdict.receipt.is_of_another_round() {
        // The verdict comes first, then why there is not more of it.
        out.flush()?;
        Failure::unavailable(verify::ANOTHER_ROUND).print();
        if verdict.receipt.holds {
            out.could_not_be_checked();
        }
    }
    Ok(())
}

/// Exit 2 if it is no list; 3 if it cannot be read, or is too long.
fn read_tickets(path: &Path) -> Result<Tickets, Failure> {
    let bytes = files::read(path).map_err(|failure| failure.of("--list"))?;
    tickets_of(path, &web::list_in_page(bytes))
}

/// The lines of a list's file. Exit 2 if it is no list, 3 if it is too long.
pub(super) fn tickets_of(path: &Path, bytes: &[u8]) -> Result<Tickets, Failure> {
    Tickets::parse(bytes).map_err(|error| match error {
        TicketsError::List(error) => args::no_list(path, bytes, &error),
        _ => unavailable!("{}: {error}", files::name(path)),
    })
}

fn told<'a>(document: &RaffleDocument, tickets: &'a Tickets, verdict: &RaffleVerdict) -> Told<'a> {
    let is_hashed = tickets.lines().iter().all(|line| Digest::parse(line).is_ok());
    let missing = verdict.line.as_ref().filter(|found| found.item.is_none() && !is_hashed);
    let alike = missing.map(|found| spelling::lines_like(&found.line, tickets.lines()));
    let alike = alike.unwrap_or_default();
    Told { number: number::of(document), is_hashed, alike, kept: Vec::new(), others: Vec::new() }
}

/// Exit 3.
fn read_document(path: &Path) -> Result<RaffleDocument, Failure> {
    let (bytes, _) = web::document_in_page(files::read(path)?);
    RaffleDocument::parse(&bytes).map_err(|error| unavailable!("{}: {error}", files::name(path)))
}

/// Exit 2; 3 if a file cannot be read.
pub(super) fn given_beacon(text: Option<&str>) -> Result<Option<GivenBeacon>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let is_signature = text.len() == 96 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = if is_signature {
        text.as_bytes().to_vec()
    } else {
        files::read(Path::new(text)).map_err(|failure| failure.of("--beacon"))?
    };
    GivenBeacon::parse(&bytes).map(Some).map_err(|error| usage!("--beacon: {error}"))
}

/// Exit 2; 3 if a file cannot be read.
fn read_own(args: &Args, given: &mut RaffleGiven) -> Result<Own, Failure> {
    let mut all = Own::default();
    for path in &args.mine {
        let bytes = files::read(path).map_err(|failure| failure.of("--mine"))?;
        let (bytes, of_page) = web::document_in_page(bytes);
        if RaffleDocument::is_meant(&bytes) {
            let name = files::name(path);
            let document = RaffleDocument::parse(&bytes);
            let document = document.map_err(|error| usage!("--mine {name}: {error}"))?;
            given.kept.push(document.clone());
            let known = known_key(&document);
            all.files.push(KeptFile { name, document, of_page, known });
        } else if !is_json(&bytes) {
            let (name, mut numbers) = (files::name(path), number::in_message(&bytes));
            let number = numbers.pop().filter(|_| numbers.is_empty()).ok_or_else(|| {
                let found = if numbers.is_empty() { "none" } else { "several" };
                usage!("--mine {name}: expected a file or message that you kept; a message has one raffle number, found {found}")
                    .hint("A number has ten groups of four characters, 0-9 and a-f, with hyphens between them.")
            })?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            all.messages.push(Message { name, number, text });
        } else {
            given.reader.mine.push(own(&files::name(path), &bytes)?);
        }
    }
    for text in &args.clients {
        let (from, seed) = label_and_seed("--client", text)?;
        let seed = ClientSeed::new(seed).map_err(|error| usage!("--client: {error}"))?;
        given.reader.mine.push(Given::with_seed(from, seed));
    }
    given.reader.players = verify::players(&args.players)?;
    Ok(all)
}

/// Whether a file is meant as JSON, perhaps after a byte order mark. Another one is a message.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"{")
}

/// The known key of the log that a document names.
fn known_key(document: &RaffleDocument) -> Option<VerifierKey> {
    let named = Named::in_checkpoint(&document.receipt().checkpoint)?;
    Some(KnownLogs::read().ok()?.of_origin(&named.origin)?.key.clone())
}
