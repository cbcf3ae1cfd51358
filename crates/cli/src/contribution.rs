//! `fairdeal contribution`: makes a player's contribution, on the player's own machine.

mod key;
mod promise;

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::known::KnownLogs;
use super::note;
use super::out::{FAINT, Out, STRONG, count, pasted, shown};
use super::{args, files};
use fairdeal::deal::{Blind, ClientSeed, Commitment, Label, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{LoggedContribution, Opened, PlayerSigner, RoundOf, SeenCheckpoint};
use fairdeal::record::receipt::Given;
use fairdeal_ledger::entropy;

/// Make a player's contribution: a seed, a blind and their hash
///
/// FROM stays in the log. Take a pseudonym for the round or the session, never an account's name.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Your pseudonym, 1 to 64 bytes
    from: String,

    /// The round it is for. Then there is a hash, which binds the seed to this round and hides it
    /// until the deal
    #[arg(long = "for", value_name = "C:NONCE", value_parser = args::round)]
    round: Option<(Commitment, Nonce)>,

    /// No hash: give the seed in the clear, for a round without a lock
    #[arg(long, requires = "round")]
    clear: bool,

    /// Sign it, for this round of this log only, with the key in this file: 64 hex digits. A
    /// missing file is made. Take a new key for each session: it is as public as your pseudonym
    #[arg(long, value_name = "KEYFILE", requires = "round")]
    sign: Option<PathBuf>,

    /// A checkpoint that you saved. It is mixed into the deal, and ties your seed to the
    /// commitments in it
    #[arg(long, value_name = "NOTE")]
    seen: Option<PathBuf>,

    /// The log's verifier key, or a file with it [default: the known key of the log that --promise
    /// names, or the only key that is known; see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// The receipt of the promise: checked first, and it names the log
    #[arg(long, value_name = "FILE", requires = "round")]
    promise: Option<PathBuf>,

    /// Save the --json output in this new file, which only you can read, and save FILE.give.json
    /// next to it: the part for the dealer
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal contribution alice
  fairdeal contribution alice --for C:0 --seen saved.note \\
      --key log.key
  fairdeal contribution alice --for C:0 --sign alice.key --key log.key
  fairdeal contribution alice --for C:0 --promise promise.json
  fairdeal contribution alice --for C:0 --key log.key -o alice.json
      give alice.give.json to the dealer; give alice.json only after the lock

C is the commitment, all 64 hex digits; 0 is the round.

The hash names the log and the round, so that nobody can use it in another log.

After the round, `fairdeal verify receipt.json --key log.key --mine alice.json` says whether exactly this was mixed.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let from = Label::new(args.from.as_str()).map_err(|error| Failure::usage(error.to_string()))?;
    let key = log_key(args)?;
    let saved = match (&args.seen, &key) {
        (Some(path), Some(key)) => Some(read_seen(path, key)?),
        _ => None,
    };
    let signer = args.sign.as_deref().map(key::read_or_make).transpose()?;
    let seed =
        ClientSeed::new(hex::encode(random()?)).map_err(|e| Failure::unavailable(e.to_string()))?;
    let own = Given { seen: saved, ..Given::with_seed(from, seed.clone()) };
    let own = match args.round.zip(key.as_ref()) {
        Some(((commitment, nonce), log)) => {
            let round = RoundOf { log, commitment, nonce };
            let (commitment, nonce) = (Some(commitment), Some(nonce));
            let own = Given { log: Some(log.clone()), commitment, nonce, ..own };
            let own = if args.clear { own } else { hashed(own, seed, &round)? };
            match &signer {
                Some(signer) => signed(own, &round, signer),
                None => own,
            }
        }
        None => own,
    };
    let public = public(&own);
    let give = args.output.as_deref().map(to_give);
    if let (Some(keep), Some(give)) = (&args.output, &give) {
        files::check_free(Some(keep))?;
        files::check_free(Some(give))?;
        files::save_private(keep, &format!("{}\n", to_json(&own)), false)?;
        let given = files::save_new(give, &format!("{}\n", to_json(&public)), false);
        // Both or none: a second try would find the first file.
        given.inspect_err(|_| drop(fs::remove_file(keep)))?;
    }
    out.show(&own, |out| {
        print(&own, &public, out);
        if let (Some(keep), Some(give)) = (&args.output, &give) {
            out.field("to give", shown(give));
            out.field("to keep", shown(keep));
        }
    });
    Ok(())
}

/// `alice.give.json` for `alice.json`.
fn to_give(keep: &Path) -> PathBuf {
    keep.with_extension("give.json")
}

/// 32 bytes of the system's random source.
pub(super) fn random() -> Result<[u8; 32], Failure> {
    entropy::random().map(|bytes| *bytes).map_err(|error| Failure::unavailable(error.to_string()))
}

/// A saved checkpoint, in the form of a contribution's `seen`.
fn read_seen(path: &Path, key: &VerifierKey) -> Result<SeenCheckpoint, Failure> {
    let saved = note::read_saved("--seen", path, key)?;
    note::as_seen(&saved, key).map_err(|says| usage!("{}: {says}", files::name(path)))
}

/// The same with a new blind, and the hash for this round.
pub(super) fn hashed(own: Given, seed: ClientSeed, round: &RoundOf<'_>) -> Result<Given, Failure> {
    let blind = Blind::from_bytes(random()?);
    let hash = round.hash(&own.logged().with_seed(seed), &blind);
    Ok(Given { blind: Some(blind), hash: Some(hash), ..own })
}

fn signed(own: Given, round: &RoundOf<'_>, signer: &PlayerSigner) -> Given {
    let LoggedContribution { key, signature, .. } = signer.sign(round, own.logged());
    Given { key, signature, ..own }
}

/// The key of the log; `None` if nothing that is asked for names a log.
/// Exit 2 if it is not known which log is meant, 1 if the promise does not hold.
fn log_key(args: &Args) -> Result<Option<VerifierKey>, Failure> {
    if let Some(path) = &args.promise {
        return promise::key(path, args.key.as_deref(), args.round).map(Some);
    }
    if let Some(given) = &args.key {
        return args::verifier_key(given).map(Some);
    }
    if args.round.is_none() && args.seen.is_none() {
        return Ok(None);
    }
    let known = KnownLogs::read()?;
    match known.logs.as_slice() {
        [only] => Ok(Some(only.key.clone())),
        logs => Err(usage!(
            "expected the log that the round is of: found no --key and no --promise, and {} known",
            count(logs.len() as u64, "log", "logs")
        )
        .hint("Give the log's key with --key, or the receipt of the promise with --promise.")),
    }
}

/// The part for the dealer, with its round: a lock or a deal of another round refuses it.
pub(super) fn public(own: &Given) -> Given {
    let Given { log, commitment, nonce, .. } = own.clone();
    Given { log, commitment, nonce, ..Given::from(own.logged()) }
}

fn print(own: &Given, public: &Given, out: &mut Out) {
    if let Some(key) = &own.key {
        out.field("public key", key.to_text());
    }
    let public = to_json(public);
    let (Some(blind), Some(seed)) = (own.blind, own.seed.clone()) else {
        say!(out, "{STRONG}Give this to the dealer{STRONG:#} before the deal:");
        say!(out, "  {public}");
        let more = if own.round().is_none() {
            " Where rounds are locked first, make a hash too:"
        } else {
            ""
        };
        say!(out, "{FAINT}It stays public once it is dealt.{more}{FAINT:#}");
        if own.round().is_none() {
            let again = format!(
                "fairdeal contribution {} --for COMMITMENT:NONCE --key LOG.KEY",
                pasted(own.from.as_str())
            );
            say!(out, "{FAINT}{again}{FAINT:#}");
        }
        return;
    };
    say!(out, "{STRONG}Give this to the dealer now{STRONG:#}, for the lock:");
    say!(out, "  {public}");
    say!(
        out,
        "{STRONG}Keep this secret{STRONG:#} until you have seen the lock in the log, then give it for the deal:"
    );
    let secret = to_json(&Opened { blind, from: own.from.clone(), seed });
    say!(out, "  {secret}");
}

fn to_json(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("a plain struct with text for keys")
}
