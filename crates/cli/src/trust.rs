//! `fairdeal trust`: the keys of logs that the reader knows, and the reader's policies.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;

use super::exit::Failure;
use super::known::{KnownLog, KnownLogs, name_of, policy_path, shown};
use super::out::{FAINT, Out, STRONG, plain};
use super::policy::{self, PolicyForm};
use super::{args, files, time};
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

        /// Keep this policy, your witnesses, with the key: verify and audit then use it
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,

        /// Replace the key that is known for this log
        #[arg(long)]
        replace: bool,
    },
    /// List the known logs
    List,
    /// Say what a policy is worth: how many of its witnesses must lie
    Policy {
        /// A tlog-policy file
        file: PathBuf,
    },
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
  fairdeal trust add log.key --from \"the club\" --policy witnesses.policy
  fairdeal trust policy witnesses.policy          what is it worth?
  fairdeal trust list
  fairdeal trust remove cards.example/log
  fairdeal verify receipt.json             with the key of the log that it names

Nothing is trusted on first use: a key comes from you, with the place where you have it from. Take it from a place where \
the operator can't show you another one than everybody else.

The file is $FAIRDEAL_TRUST, or fairdeal/known-logs in $XDG_CONFIG_HOME or ~/.config. Each line is a verifier key, a day \
(2026-01-31) and where the key is from, with spaces between; day and place may be left out. A line that begins with # is a \
comment. One name has one key. A policy is copied into the folder of the same name with \".policies\" at its end.

Exit 2: a name that has another key (--replace takes the new one), a name that is not known, a wrong line in the file. Exit \
3: a file that can't be read or written.";

/// The `--json` output of each action.
#[derive(Serialize)]
struct Answer {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<Known>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<Known>,
    logs: Vec<Known>,
}

/// A known log, and the policy that is kept with its key.
#[derive(Serialize)]
struct Known {
    #[serde(flatten)]
    log: KnownForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyForm>,
}

impl Known {
    fn of(log: &KnownLog) -> Result<Self, Failure> {
        Ok(Self { log: log.form(), policy: policy::kept(&log.key)?.as_ref().map(PolicyForm::of) })
    }
}

impl Answer {
    fn of(known: &KnownLogs) -> Result<Self, Failure> {
        let logs = known.logs.iter().map(Known::of).collect::<Result<_, _>>()?;
        Ok(Self { file: known.path.display().to_string(), added: None, removed: None, logs })
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
        Action::Add { key, from, policy, replace } => {
            add(key, from, policy.as_deref(), *replace, out)
        }
        Action::List => list(out),
        Action::Policy { file } => worth(file, out),
        Action::Remove { name } => remove(name, out),
    }
}

fn add(
    key: &str,
    from: &str,
    policy: Option<&Path>,
    replace: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let key = args::verifier_key_named("the key", key)?;
    let policy = policy.map(|path| policy::read(path, "--policy", &key)).transpose()?;
    let mut known = KnownLogs::read()?;
    let before = known.of_origin(key.name().as_str()).cloned();
    let is_same = before.as_ref().is_some_and(|before| before.key == key);
    if let Some(before) = before.as_ref().filter(|_| is_same && !replace && policy.is_none()) {
        let answer = Answer::of(&known)?;
        let says = format!("{} is {}; nothing changed", name_of(&key), before.since());
        out.show(&answer, |out| out.line(&says));
        return Ok(());
    }
    if let Some(before) = before.as_ref().filter(|_| !replace && !is_same) {
        return Err(usage!("{} has another key: {} is {}; this one is {}",
            key.name(),
            name_of(&before.key),
            before.since(),
            name_of(&key)).hint(
            "A log keeps its key: ask the operator, and other players, why there are two. --replace takes the new one.",
        ));
    }
    let log = match &before {
        Some(before) if is_same && !replace => before.clone(),
        _ => KnownLog::today(key, from, time::now()),
    };
    let removed = before.as_ref().filter(|_| replace).map(Known::of).transpose()?;
    if let Some((_, bytes)) = policy {
        keep_policy(&bytes, &policy_path(&log.key)?)?;
    }
    known.put(log.clone());
    known.save()?;
    if let Some(before) = before.as_ref().filter(|_| !is_same) {
        forget_policy(before)?;
    }
    let answer = Answer { added: Some(Known::of(&log)?), removed, ..Answer::of(&known)? };
    out.show(&answer, |out| {
        field!(out, "known", "{STRONG}{}{STRONG:#}", plain(&name_of(&log.key)));
        out.field("from", plain(&log.from));
        if let Some(before) = before.as_ref().filter(|_| replace) {
            field!(out, "replaced", "{}, {}", plain(&name_of(&before.key)), before.since());
        }
        if let Some(policy) = answer.added.as_ref().and_then(|added| added.policy.as_ref()) {
            policy.print(None, out);
        }
        out.field("saved", shown(&known.path));
    });
    Ok(())
}

/// Keeps a policy, byte for byte: its hash names it.
fn keep_policy(policy: &[u8], to: &Path) -> Result<(), Failure> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| files::unwritable(to, &error))?;
    }
    files::save_bytes(to, policy)
}

/// Removes the policy that is kept with a key, if there is one.
fn forget_policy(log: &KnownLog) -> Result<(), Failure> {
    let path = policy_path(&log.key)?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(files::unwritable(&path, &error))
        }
        _ => Ok(()),
    }
}

/// Says what a policy is worth.
fn worth(file: &Path, out: &mut Out) -> Result<(), Failure> {
    let form = PolicyForm::of(&policy::parse(file, "the policy")?.0);
    out.show(&form, |out| form.print(None, out));
    Ok(())
}

fn list(out: &mut Out) -> Result<(), Failure> {
    let known = KnownLogs::read()?;
    let answer = Answer::of(&known)?;
    out.show(&answer, |out| {
        if known.logs.is_empty() {
            say!(out, "No log is known in {}.", shown(&known.path));
            out.line("Add one: fairdeal trust add KEY --from WHERE");
        }
        for (log, form) in known.logs.iter().zip(&answer.logs) {
            say!(out, "{STRONG}{}{STRONG:#}  {}", plain(&name_of(&log.key)), log.since());
            say!(out, "  {FAINT}{}{FAINT:#}", plain(&log.key.to_text()));
            if let Some(policy) = &form.policy {
                policy.print(None, out);
            }
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
    let form = Known::of(&removed)?;
    known.save()?;
    forget_policy(&removed)?;
    let answer = Answer { removed: Some(form), ..Answer::of(&known)? };
    out.show(&answer, |out| {
        field!(out, "removed", "{}, {}", plain(&name_of(&removed.key)), removed.since());
        out.field("saved", shown(&known.path));
    });
    Ok(())
}
