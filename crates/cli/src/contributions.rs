//! Players' contributions on a command line: `--client`, `--hashed`, and files in the form of
//! spec/ledger.md.

use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::{files, kinds};
use fairdeal::deal::{
    ClientSeed, Contribution, ContributionError, Contributions, Digest, Label, Nonce,
};
use fairdeal::record::{Code, json_in_words, json_located};
use fairdeal_ledger::{Given, LedgerError};

/// The options.
#[derive(Debug, clap::Args)]
pub(super) struct ContributionArgs {
    /// A player's seed, split at the first "="; once for each player. FROM stays public: take a
    /// pseudonym, not an account's name
    #[arg(long = "client", value_name = "FROM=SEED")]
    clients: Vec<String>,

    /// Contributions as JSON: an array, or one or more outputs of `fairdeal contribution --json`;
    /// "-" is stdin. Several files with a comma between, or once for each
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    contributions: Vec<PathBuf>,
}

impl ContributionArgs {
    /// All contributions, in ascending order of `from`, each of which may occur once.
    pub(super) fn read(&self) -> Result<Vec<Given>, Failure> {
        self.read_with(&[])
    }

    /// The same, with those of `--hashed FROM=HEX`.
    pub(super) fn read_with(&self, hashed: &[String]) -> Result<Vec<Given>, Failure> {
        let mut all = Vec::new();
        for text in &self.clients {
            let (from, seed) = label_and_seed("--client", text)?;
            let seed = ClientSeed::new(seed).map_err(|error| wrong("--client", &error))?;
            all.push(Given { seed: Some(seed), ..Given::of(from) });
        }
        for text in hashed {
            let (from, hash) = label_and_hex("--hashed", text)?;
            let hash = Digest::parse(hash)
                .map_err(|error| usage!("--hashed {}: {error}", from.as_str()))?;
            all.push(Given { hash: Some(hash), ..Given::of(from) });
        }
        for path in &self.contributions {
            all.append(&mut read_file(path)?);
        }
        all.sort_by(|a, b| a.from.cmp(&b.from));
        for pair in all.windows(2) {
            if let [before, after] = pair
                && before.from == after.from
            {
                let repeated = ContributionError::Repeated(after.from.as_str().to_owned());
                return Err(Failure::usage(repeated.to_string()));
            }
        }
        Ok(all)
    }
}

/// A wrong round that only the contributions name is their mistake.
pub(super) fn not_next(error: LedgerError, given: &[Given], wanted: Option<Nonce>) -> LedgerError {
    let named = given.iter().find_map(|one| one.nonce);
    let (LedgerError::Refused(findings), Some(named), None) = (&error, named, wanted) else {
        return error;
    };
    match findings.iter().find(|finding| finding.code == Code::NonceGap) {
        Some(finding) => LedgerError::Invalid(format!(
            "the contributions are for round {named}: {}",
            finding.says
        )),
        None => error,
    }
}

/// Exit 2 unless there are 1 to 64.
pub(super) fn counted(all: Vec<Given>) -> Result<Vec<Given>, Failure> {
    if (1..=Contributions::MAX).contains(&all.len()) {
        return Ok(all);
    }
    Err(wrong_count(all.len()))
}

/// Not 1 to 64.
pub(super) fn wrong_count(found: usize) -> Failure {
    let hint =
        "Give one with --client FROM=SEED for each player, or many with --contributions FILE.";
    Failure::usage(ContributionError::Count(found).to_string()).hint(hint)
}

/// Clear seeds, as a deal mixes them.
pub(super) fn mixed(all: Vec<Given>) -> Result<Contributions, Failure> {
    let clear = |one: Given| {
        let logged =
            fairdeal_ledger::clear_seed(&one).map_err(|error| Failure::usage(error.to_string()))?;
        let contribution = logged.seed.clone().map(|seed| logged.with_seed(seed));
        contribution.ok_or_else(|| Failure::usage("a contribution has no seed"))
    };
    let all = counted(all)?.into_iter().map(clear).collect::<Result<Vec<Contribution>, _>>()?;
    Contributions::of_clients(all).map_err(|error| Failure::usage(error.to_string()))
}

fn wrong(option: &str, error: &ContributionError) -> Failure {
    usage!("{option}: {error}")
}

/// `FROM=SEED`, split at the first "=": a seed may hold more of them.
pub(super) fn label_and_seed<'a>(option: &str, text: &'a str) -> Result<(Label, &'a str), Failure> {
    labelled(option, "FROM=SEED", text.split_once('='))
}

/// `FROM=HEX`, split at the last "=": a label may hold more of them.
pub(super) fn label_and_hex<'a>(option: &str, text: &'a str) -> Result<(Label, &'a str), Failure> {
    labelled(option, "FROM=HEX", text.rsplit_once('='))
}

fn labelled<'a>(
    option: &str,
    form: &str,
    split: Option<(&str, &'a str)>,
) -> Result<(Label, &'a str), Failure> {
    // A seed without its FROM may be a secret until the deal: it is not repeated.
    let (from, value) = split.ok_or_else(|| usage!("{option}: expected {form}, found no \"=\""))?;
    Ok((Label::new(from).map_err(|error| wrong(option, &error))?, value))
}

/// Reads an array of contributions, or one or more objects in a row.
fn read_file(path: &Path) -> Result<Vec<Given>, Failure> {
    let text = files::read_text(path).map_err(|failure| failure.of("--contributions"))?;
    read_text(&text).map_err(|says| {
        let name = files::name(path);
        // An array is the right kind of file: the error is inside of it.
        let kind = kinds::kind(text.as_bytes()).filter(|_| !text.trim_start().starts_with('['));
        Failure::usage(match kind {
            Some(kind) => {
                format!("--contributions {name}: expected contributions as JSON, found {kind}")
            }
            None => format!("--contributions {name}: {says}"),
        })
    })
}

fn read_text(text: &str) -> Result<Vec<Given>, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    if text.trim_start().starts_with('[') {
        let all = serde_path_to_error::deserialize(&mut json).map_err(|error| located(&error))?;
        json.end().map_err(|error| json_in_words(&error.to_string()))?;
        return Ok(all);
    }
    let mut all = Vec::new();
    loop {
        all.push(serde_path_to_error::deserialize(&mut json).map_err(|error| located(&error))?);
        if json.end().is_ok() {
            return Ok(all);
        }
    }
}

/// The place in the file, and the error.
fn located(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    json_located(&error.path().to_string(), &error.inner().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, String> {
        read_text(text).map(|all| all.into_iter().map(|one| one.from.as_str().to_owned()).collect())
    }

    #[test]
    fn a_file_is_an_array_or_objects_one_after_another() {
        let (a, b) = (r#"{"from":"a","seed":"x"}"#, r#"{"from":"b","seed":"y"}"#);
        for text in [
            format!("[{a},{b}]"),
            format!("{a}{b}"),
            format!("\n{a}\n{b}\n"),
            format!(" [ {a}, {b} ] "),
        ] {
            assert_eq!(names(&text), Ok(vec!["a".to_owned(), "b".to_owned()]), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_place() {
        for (text, says) in [
            (
                r#"[{"from":"a","seed":""}]"#,
                "[0].seed: a client's \"seed\": expected 1 to 256 bytes, found 0",
            ),
            (r#"{"from":"a","seed":"x","seed":"y"}"#, "expected \"seed\" once, found it twice"),
            (r#"{"from":"a","seed":null}"#, "seed: expected a text of 1 to 256 bytes, found null"),
            (r#"{"from":"a","salt":"x"}"#, "found \"salt\""),
            (r#"[{"from":"a","seed":"x"}] x"#, "expected the end, found more"),
            ("", "expected a value, found the end"),
        ] {
            let error = names(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
