//! `fairdeal trust`: the keys of logs that the reader knows.

use clap::Subcommand;
use serde::Serialize;

use super::exit::Failure;
use super::known::{KnownLog, KnownLogs, name_of, shown};
use super::out::{FAINT, Out, STRONG, plain};
use super::{args, time};
use fairdeal_audit::answer::KnownForm;

/// Keep the keys of logs that you know
///
/// A known key is used where --key is left out, by verify, audit and checkpoint: the one whose name
/// is the log's origin.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a log's key
    Add {
        /// The log's verifier key, or a file with it
        key: String,

        /// The source of the key, in your own words
        #[arg(long, value_name = "TEXT", value_parser = source)]
        from: String,

        /// Replace the key that is known for this log
        #[arg(long)]
        replace: bool,
    },
    /// List the known logs
    List,
    /// Remove a log's key
    Remove {
        /// The log's name (its origin)
        name: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  fairdeal trust add log.key --from \"the notice board of the club\"
  fairdeal trust add cards.example/log+9924e1cd+Af… --from https://cards.example
  fairdeal trust list
  fairdeal trust remove cards.example/log
  fairdeal verify receipt.json             with the key of the log that it names

Nothing is trusted on first use: a key comes from you, with the place where you have it from. Take it from a place where \
the operator can't show you another one than everybody else.

The file is $FAIRDEAL_TRUST, or fairdeal/known-logs in $XDG_CONFIG_HOME or ~/.config. Each line is a verifier key, a day \
(2026-01-31) and where the key is from, with spaces between; day and place may be left out. A line that begins with # is a \
comment. One name has one key.

Exit 2: a name that has another key (--replace takes the new one), a name that is not known, a wrong line in the file. Exit \
3: a file that can't be read or written.";

/// The `--json` output of each action.
#[derive(Serialize)]
struct Answer {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<KnownForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<KnownForm>,
    logs: Vec<KnownForm>,
}

impl Answer {
    fn of(known: &KnownLogs) -> Self {
        let logs = known.logs.iter().map(KnownLog::form).collect();
        Self { file: known.path.display().to_string(), added: None, removed: None, logs }
    }
}

/// `--from`: one line that says something.
fn source(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("expected where you have the key from, found nothing".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Err("expected one line without control characters".to_owned());
    }
    Ok(text.to_owned())
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.action {
        Action::Add { key, from, replace } => add(key, from, *replace, out),
        Action::List => list(out),
        Action::Remove { name } => remove(name, out),
    }
}

fn add(key: &str, from: &str, replace: bool, out: &mut Out) -> Result<(), Failure> {
    let key = args::verifier_key_named("the key", key)?;
    let mut known = KnownLogs::read()?;
    let before = known.of_origin(key.name().as_str()).cloned();
    if let Some(before) = before.as_ref().filter(|_| !replace) {
        if before.key == key {
            let answer = Answer::of(&known);
            let says = format!("{} is {}; nothing changed", name_of(&key), before.since());
            out.show(&answer, |out| out.line(&says));
            return Ok(());
        }
        return Err(usage!("{} has another key: {} is {}; this one is {}",
            key.name(),
            name_of(&before.key),
            before.since(),
            name_of(&key)).hint(
            "A log keeps its key: ask the operator, and other players, why there are two. --replace takes the new one.",
        ));
    }
    let log = KnownLog::today(key, from, time::now());
    known.put(log.clone());
    known.save()?;
    let answer = Answer {
        added: Some(log.form()),
        removed: before.as_ref().map(KnownLog::form),
        ..Answer::of(&known)
    };
    out.show(&answer, |out| {
        field!(out, "known", "{STRONG}{}{STRONG:#}", plain(&name_of(&log.key)));
        out.field("from", plain(&log.from));
        if let Some(before) = &before {
            field!(out, "replaced", "{}, {}", plain(&name_of(&before.key)), before.since());
        }
        out.field("saved", shown(&known.path));
    });
    Ok(())
}

fn list(out: &mut Out) -> Result<(), Failure> {
    let known = KnownLogs::read()?;
    out.show(&Answer::of(&known), |out| {
        if known.logs.is_empty() {
            say!(out, "No log is known in {}.", shown(&known.path));
            out.line("Add one: fairdeal trust add KEY --from WHERE");
        }
        for log in &known.logs {
            say!(out, "{STRONG}{}{STRONG:#}  {}", plain(&name_of(&log.key)), log.since());
            say!(out, "  {FAINT}{}{FAINT:#}", plain(&log.key.to_text()));
        }
    });
    Ok(())
}

fn remove(name: &str, out: &mut Out) -> Result<(), Failure> {
    let mut known = KnownLogs::read()?;
    // A name has no "+": what follows one is the id, or the id and the key, as `trust list` prints
    // them.
    let (origin, rest) =
        name.split_once('+').map_or((name, None), |(origin, _)| (origin, Some(name)));
    let is_it = |log: &KnownLog| {
        rest.is_none_or(|whole| whole == name_of(&log.key) || whole == log.key.to_text())
    };
    if !known.of_origin(origin).is_some_and(is_it) {
        let names: Vec<String> = known.logs.iter().map(|log| name_of(&log.key)).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(usage!("expected a known log, found {name:?}; known are: {there}"));
    }
    let removed = known.remove(origin).expect("it was looked up");
    known.save()?;
    let answer = Answer { removed: Some(removed.form()), ..Answer::of(&known) };
    out.show(&answer, |out| {
        field!(out, "removed", "{}, {}", plain(&name_of(&removed.key)), removed.since());
        out.field("saved", shown(&known.path));
    });
    Ok(())
}
