//! `fairdeal demo`: a whole game, then a dealer who cheats, with real files and the real verifier.
//!
//! Each check is a command line of this program, run in this process and printed.

mod cheats;
mod forge;
mod stage;
mod story;
mod trust;

use std::path::PathBuf;

use clap::Parser as _;
use serde::Serialize;
use serde_json::Value;

use super::Cli;
use super::exit::{Exit, Failure};
use super::out::Out;
use cheats::Attempt;
use fairdeal::spelled::quoted;
use stage::Stage;
use story::Tale;

/// Watch a game dealt and verified, then a cheating dealer caught
///
/// Leaves a ledger, a receipt and every forged file in DIR, for you to try more.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder: new, empty, or of an earlier demo
    #[arg(default_value = "fairdeal-demo")]
    dir: PathBuf,

    /// The game before three witnesses, and a dealer who forks, backdates, and deals on from an old
    /// backup
    #[arg(long)]
    trust: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal demo
  fairdeal demo game --json
  fairdeal demo --trust";

/// The `--json` output.
#[derive(Serialize)]
struct Answer {
    holds: bool,
    dir: String,
    key: String,
    commitment: String,
    nonce: u64,
    cards: String,
    server_seed: String,
    verdict: Value,
    attempts: Vec<Outcome>,
    next: Vec<String>,
}

/// The result of an attempt.
#[derive(Serialize)]
pub(super) struct Outcome {
    name: &'static str,
    caught: bool,
    /// The finding's code; empty without a finding.
    code: String,
    says: String,
    command: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    if args.trust {
        return trust::run(args, out);
    }
    let program = program();
    let mut tale = Tale::new(out.json());
    let stage = Stage::play(&args.dir, &mut tale)?;
    let receipt = stage.verify_receipt();
    let (exit, verdict) = check(&receipt)?;
    let sound = exit == Exit::Holds && verdict["state"] == "fair";
    tale.verified(&verdict, sound);
    let (exit, audit) = check(&stage.audit_log())?;
    let whole = exit == Exit::Holds;
    tale.audited(&audit, whole);
    tale.tell()?;

    tale.heading("Now the dealer cheats, with the log's own signing key in hand");
    let mut attempts = Vec::new();
    for attempt in cheats::ALL {
        let outcome = try_to(attempt, &stage, &program)?;
        tale.attempt(attempt.name, attempt.tale, attempt.noticed, &outcome);
        tale.tell()?;
        attempts.push(outcome);
    }
    let next = stage.next().map(|(what, words)| (what, pasted(&program, &words)));
    let caught = attempts.iter().filter(|one| one.caught).count();
    let holds = sound && whole && caught == attempts.len();
    tale.end(caught, attempts.len(), &args.dir, &next);
    tale.tell()?;
    if out.json() {
        let answer = Answer {
            holds,
            dir: args.dir.display().to_string(),
            key: stage.key.to_text(),
            commitment: stage.commitment.to_text(),
            nonce: stage.nonce.value(),
            cards: stage.cards.clone(),
            server_seed: stage.server_seed.clone(),
            verdict,
            attempts,
            next: next.map(|(_, command)| command).to_vec(),
        };
        out.show(&answer, |_| {});
    }
    if !holds {
        out.does_not_hold();
    }
    Ok(())
}

/// Makes the forged files, and runs the check.
fn try_to(attempt: &Attempt, stage: &Stage, program: &str) -> Result<Outcome, Failure> {
    (attempt.forge)(stage)?;
    outcome(attempt.name, &(attempt.check)(stage), attempt.finding.as_str(), program)
}

/// Runs a check which must find this.
fn outcome(
    name: &'static str,
    words: &[String],
    code: &str,
    program: &str,
) -> Result<Outcome, Failure> {
    let (exit, answer) = check(words)?;
    // The findings of a verdict, or of an error.
    let findings = answer.get("findings").or_else(|| answer.pointer("/error/findings"));
    let findings = findings.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let member = |finding: &Value, name: &str| {
        finding[name].as_str().expect("each finding has it").to_owned()
    };
    let named = findings.iter().find(|finding| member(finding, "code") == code);
    let shown = named.or(findings.first());
    Ok(Outcome {
        name,
        caught: exit == Exit::DoesNotHold && named.is_some(),
        code: shown.map(|finding| member(finding, "code")).unwrap_or_default(),
        says: shown.map(|finding| member(finding, "says")).unwrap_or_default(),
        command: pasted(program, words),
    })
}

/// Runs a command line of this program with `--json`. Returns its exit code and its output.
fn check(words: &[String]) -> Result<(Exit, Value), Failure> {
    let line = ["fairdeal", "--json"].into_iter().chain(words.iter().map(String::as_str));
    let cli = Cli::try_parse_from(line).map_err(|error| Failure::usage(error.to_string()))?;
    let mut out = Out::new(true);
    let (exit, said) = match cli.command.run(&mut out) {
        Ok(()) => (out.exit(), out.collected().to_owned()),
        Err(failure) if failure.exit() == Exit::DoesNotHold => (failure.exit(), failure.to_json()),
        Err(failure) => return Err(failure),
    };
    let said =
        serde_json::from_str(&said).map(|mut said: Value| match said.pointer_mut("/receipts/0") {
            // For a receipt: the verdict on it, the first file, with the findings about all.
            Some(verdict) => {
                let mut verdict = verdict.take();
                let about_all = said["findings"].as_array_mut().map(std::mem::take);
                if let Some(found) = verdict["findings"].as_array_mut() {
                    found.extend(about_all.unwrap_or_default());
                }
                verdict
            }
            None => said,
        });
    said.map(|said| (exit, said)).map_err(|error| unavailable!("the check: {error}"))
}

/// The program's name as it was started, so that printed commands can be pasted.
fn program() -> String {
    let first = std::env::args_os().next().map(|name| name.to_string_lossy().into_owned());
    first.filter(|name| !name.is_empty()).unwrap_or_else(|| "fairdeal".to_owned())
}

/// A command line, quoted for a shell.
fn pasted(program: &str, words: &[String]) -> String {
    let all = std::iter::once(program).chain(words.iter().map(String::as_str));
    all.map(quoted).collect::<Vec<_>>().join(" ")
}
