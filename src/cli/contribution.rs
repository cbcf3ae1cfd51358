//! `fairdeal contribution`: the player's side of a round, made on the player's own machine.

use std::path::PathBuf;

use serde::Serialize;

use super::exit::Failure;
use super::note;
use super::out::{FAINT, Out, STRONG};
use super::{args, files};
use crate::deal::{Blind, ClientSeed, Commitment, Contribution, Digest, Label, Nonce};
use crate::entropy;
use crate::record::entry::SeenCheckpoint;

/// Make a player's contribution: a random seed, its blind, and the hash to give first
///
/// FROM is logged for ever: take a pseudonym for the round or the session, never an account's name.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Who contributes: a pseudonym of 1 to 64 bytes
    from: String,

    /// The round it is for; with it there is a hash, which binds the seed to this round and hides it until the deal
    #[arg(long = "for", value_name = "C:NONCE", value_parser = args::round)]
    round: Option<(Commitment, Nonce)>,

    /// The checkpoint that you saved: it is mixed into the deal, and shows that you chose after the commitment
    #[arg(long, value_name = "NOTE", requires = "key")]
    seen: Option<PathBuf>,

    /// The log's verifier key, or a file with it
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal contribution alice
  fairdeal contribution alice --for 630dcd…10dd:0 --seen saved.note --key log.key
  fairdeal contribution alice --for 630dcd…10dd:0 --json > alice.json    keep this file until the lock is seen";

/// What `--json` prints; `lock` takes `from`, `hash` and `seen` of it, `deal` the rest.
#[derive(Serialize)]
struct Answer {
    blind: String,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<Digest>,
    seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<SeenCheckpoint>,
}

/// The part for the lock.
#[derive(Serialize)]
struct Public<'a> {
    from: &'a str,
    hash: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a SeenCheckpoint>,
}

/// The part that opens it.
#[derive(Serialize)]
struct Secret<'a> {
    blind: &'a str,
    from: &'a str,
    seed: &'a str,
}

/// A clear seed, for a round without a lock.
#[derive(Serialize)]
struct Clear<'a> {
    from: &'a str,
    seed: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a SeenCheckpoint>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let from = Label::new(args.from.as_str()).map_err(|error| Failure::usage(format!("FROM: {error}")))?;
    let saved = match (&args.seen, &args.key) {
        (Some(path), Some(key)) => Some(read_seen(path, key, out)?),
        _ => None,
    };
    let seed = ClientSeed::new(hex::encode(random()?)).map_err(|e| Failure::unavailable(e.to_string()))?;
    let blind = Blind::from_bytes(random()?);
    let contribution = Contribution { from, seed, seen: saved.as_ref().map(SeenCheckpoint::mixed) };
    let hash = args.round.map(|(commitment, nonce)| contribution.hash(&commitment, nonce, &blind));
    let answer = Answer {
        blind: blind.to_text(),
        from: contribution.from.as_str().to_owned(),
        hash,
        seed: contribution.seed.as_str().to_owned(),
        seen: saved,
    };
    out.show(&answer, |out| print(&answer, out));
    Ok(())
}

/// 32 bytes of the system's random source; a machine without one can't contribute.
pub(super) fn random() -> Result<[u8; 32], Failure> {
    entropy::random().map(|bytes| *bytes).map_err(|error| Failure::unavailable(error.to_string()))
}

/// A saved checkpoint as a contribution holds it.
fn read_seen(path: &std::path::Path, key: &str, out: &mut Out) -> Result<SeenCheckpoint, Failure> {
    let key = args::verifier_key(key)?;
    let saved = note::read_saved(path, &key, out)?;
    note::as_seen(&saved, &key).map_err(|says| Failure::usage(format!("{}: {says}", files::name(path))))
}

fn print(answer: &Answer, out: &mut Out) {
    let Answer { blind, from, hash, seed, seen } = answer;
    let json = |part: String| format!("  {part}");
    let Some(hash) = *hash else {
        let clear = Clear { from, seed, seen: seen.as_ref() };
        out.line(format_args!("{STRONG}Give this to the dealer{STRONG:#} before the deal:"));
        out.line(json(to_json(&clear)));
        out.line(format_args!("{FAINT}It is public for ever once it is dealt. Where rounds are locked first, make a hash too:{FAINT:#}"));
        out.line(format_args!("{FAINT}fairdeal contribution {from} --for COMMITMENT:NONCE{FAINT:#}"));
        return;
    };
    out.line(format_args!("{STRONG}Give this to the dealer now{STRONG:#}, for the lock:"));
    out.line(json(to_json(&Public { from, hash, seen: seen.as_ref() })));
    out.line(format_args!(
        "{STRONG}Keep this secret{STRONG:#} until you have seen the lock in the log, then give it for the deal:"
    ));
    out.line(json(to_json(&Secret { blind, from, seed })));
}

fn to_json(part: &impl Serialize) -> String {
    // Plain structs with text for keys always serialise.
    serde_json::to_string(part).unwrap_or_default()
}
