//! Arguments of several commands, and their parsers.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::exit::Failure;
use super::{files, kinds, time};
use fairdeal::deal::{Commitment, Deck, DeckName, List, ListError, Method, Nonce, PlanError};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::MAX_REVEAL_IN;

/// `--deck D or --list FILE`.
#[derive(Debug, clap::Args)]
pub(super) struct DeckArgs {
    /// A named deck [default: standard-52]
    #[arg(long, value_name = "DECK", value_parser = deck_name(), conflicts_with = "list")]
    pub(super) deck: Option<DeckName>,

    /// A list in a file: one item a line, each line ended by LF
    #[arg(long, value_name = "FILE")]
    pub(super) list: Option<PathBuf>,
}

impl DeckArgs {
    /// The deck; for a list, its items too.
    pub(super) fn read(&self) -> Result<(Deck, Option<List>), Failure> {
        match &self.list {
            Some(path) => read_list(path).map(|list| (list.deck(), Some(list))),
            None => Ok((self.deck.map_or(Deck::standard(), Deck::Named), None)),
        }
    }
}

/// Exit 2 if the list of `--list` is not the one that `file` was dealt from.
pub(super) fn of_the_list(list: &List, file: &str, dealt_from: Deck) -> Result<(), Failure> {
    if list.deck() == dealt_from {
        return Ok(());
    }
    Err(usage!("--list: {file} was dealt from {dealt_from}, this file is {}", list.deck()))
}

/// Reads a list file. Exit 3 if it cannot be read, 2 if it is no list.
pub(super) fn read_list(path: &Path) -> Result<List, Failure> {
    let bytes = files::read(path)?;
    List::parse(&bytes).map_err(|error| no_list(path, &bytes, &error))
}

/// Exit 2.
pub(super) fn no_list(path: &Path, bytes: &[u8], error: &ListError) -> Failure {
    let failure = usage!("{}: {error}", files::name(path));
    match error {
        // People look for a line, and not for a byte.
        ListError::Utf8(at) => {
            let (before, rest) = bytes.split_at_checked(*at).unwrap_or_default();
            let line = memchr::memchr_iter(b'\n', before).count().saturating_add(1);
            let found = rest
                .first()
                .map_or_else(String::new, |byte| format!(", found the byte {byte:02x}"));
            usage!("{}: line {line}: not UTF-8{found}", files::name(path)).hint(
                "Save it as UTF-8: editors and spreadsheets ask for the encoding when they save a file or export CSV.",
            )
        }
        ListError::CarriageReturn(_) => failure.hint(format!(
            "Its lines end as on Windows. tr -d '\\r' < {} > list.txt makes a list of it.",
            files::name(path)
        )),
        _ => failure,
    }
}

fn deck_name() -> impl TypedValueParser<Value = DeckName> {
    PossibleValuesParser::new(DeckName::ALL.iter().map(|name| name.as_str()))
        .try_map(|name| DeckName::parse(&name).map_err(|error| error.to_string()))
}

pub(super) fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new([Method::Shuffle.as_str(), Method::Cycle.as_str()])
        .try_map(|name| Method::parse(&name).ok_or("expected shuffle or cycle"))
}

pub(super) fn nonce(text: &str) -> Result<Nonce, String> {
    let number = text
        .parse()
        .map_err(|_| format!("a nonce: expected 0 to {}, found {text:?}", Nonce::MAX))?;
    Nonce::new(number).map_err(|error| error.to_string())
}

/// `--reveal-in`: at most the longest time to reveal.
pub(super) fn reveal_in(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_millis(MAX_REVEAL_IN);
    let given = time::parse_duration(text)?;
    if given.is_zero() || given > longest {
        Err("expected 1s to 366d".to_owned())
    } else {
        Ok(given)
    }
}

pub(super) fn commitment(text: &str) -> Result<Commitment, String> {
    Commitment::parse(text).map_err(|error| error.to_string())
}

/// `C:NONCE`, a round of a commitment.
pub(super) fn round(text: &str) -> Result<(Commitment, Nonce), String> {
    let (before, after) =
        text.split_once(':').ok_or("expected COMMITMENT:NONCE, found no \":\"")?;
    Ok((commitment(before)?, nonce(after)?))
}

/// Names the option at fault where method, items and draw do not fit together.
pub(super) fn wrong_plan(error: &PlanError) -> Failure {
    let option = match error {
        PlanError::Items(_) => "--items",
        PlanError::ShortCycle(_) => "--method cycle",
        _ => "--draw",
    };
    usage!("{option}: {error}")
}

/// `--server-seed`: the seed's text, from stdin for "-", from a file for "@FILE". Also its name for
/// errors, which never repeat the seed: it may still be secret.
pub(super) fn server_seed(given: &str) -> Result<(String, String), Failure> {
    let path = match given.strip_prefix('@') {
        Some(file) => Path::new(file),
        None if given == "-" => Path::new("-"),
        None => return Ok((given.to_owned(), "--server-seed".to_owned())),
    };
    let place = format!("--server-seed, {}", files::name(path));
    let text = files::read_text(path)?;
    // An editor puts these around the one line of a file. A space may be part of a seed.
    let seed = text.strip_prefix('\u{feff}').unwrap_or(&text).trim_end_matches(['\r', '\n']);
    match seed.lines().count() {
        0 | 1 => Ok((seed.to_owned(), place)),
        lines => Err(usage!("{place}: expected one line, found {lines}")),
    }
}

/// `--key`: a verifier key, or a file with one (spec/receipt.md, 11.9).
/// Exit 2 for an illegal key, 3 for a file that cannot be read, or that is not there.
pub(super) fn verifier_key(given: &str) -> Result<VerifierKey, Failure> {
    verifier_key_named("--key", given)
}

/// As [`verifier_key`], for an argument of another name.
pub(super) fn verifier_key_named(argument: &str, given: &str) -> Result<VerifierKey, Failure> {
    let path = Path::new(given);
    let on_the_line = match VerifierKey::parse(given) {
        Ok(key) => return Ok(key),
        Err(error) => error,
    };
    if given != "-" && !path.exists() {
        // With a "+" it is a mistyped key, not a file's name.
        if given.is_empty() || given.contains('+') {
            return Err(usage!("{argument}: {on_the_line}"));
        }
        return Err(unavailable!(
            "{argument} {given}: expected a verifier key or a file with one, found neither"
        ));
    }
    let bytes = files::read(path)?;
    let wrong = |error: &dyn Display| usage!("{argument} {}: {error}", files::name(path));
    if let Some(
        kind @ ("a receipt" | "an opening" | "evidence" | "an exported log" | "a checkpoint"),
    ) = kinds::kind(&bytes)
    {
        return Err(wrong(&format_args!("expected a verifier key, found {kind}")));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| wrong(&error))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
    VerifierKey::parse(line).map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_a_commitment_and_a_nonce() {
        let hex = "ab".repeat(32);
        let (commitment, nonce) = round(&format!("{hex}:7")).unwrap();
        assert_eq!((commitment.to_text(), nonce.value()), (hex.clone(), 7));
        for wrong in [
            "",
            ":",
            "7",
            &hex,
            &format!("{hex}:"),
            &format!("{hex}:-1"),
            &format!("{hex}:9007199254740992"),
        ] {
            assert!(round(wrong).is_err(), "{wrong}");
        }
    }
}
