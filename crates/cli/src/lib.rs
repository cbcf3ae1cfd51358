//! The command line: one file for each command.
//!
//! Printing happens here and nowhere else. Exit codes: 0 (it holds), 1 (it was checked and does not hold), 2 (wrong usage)
//! and 3 (it could not be checked). A command collects its output and writes it at the end, so that stdout never has half
//! an answer.

mod again;
mod args;
mod bar;
mod cards;
mod contributions;
mod exit;
mod files;
mod help_text;
mod hints;
mod kinds;
mod known;
mod layout;
mod logs;
mod note;
mod operator;
mod out;
mod round;
mod round_line;
mod seats;
mod table;
mod time;
mod vault;
mod view;
mod waiting;
mod which;

mod audit;
mod backup;
mod check;
mod checkpoint;
mod commit;
mod completions;
mod contribution;
mod deal;
mod demo;
mod export;
mod fsck;
mod generate;
mod init;
mod lab;
mod list;
mod lock;
mod log_key;
mod man;
mod open;
mod play;
mod receipt;
mod rekey;
mod replay;
mod republish;
mod restore;
mod reveal;
mod rounds;
mod serve;
mod show;
mod state;
mod stats;
mod token;
mod trust;
mod verify;
mod void;
mod web;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use exit::Failure;
use out::{Out, plain};

/// Prove that a shuffle was fair.
///
/// A dealer commits to a secret seed in a public, append-only log. Players add seeds of their own. The cards follow from
/// both. After the reveal anyone can replay the deal offline, from a receipt of a few kilobytes.
#[derive(Debug, Parser)]
#[command(name = "fairdeal", version = VERSION, max_term_width = help_text::WIDEST, after_help = AFTER_HELP)]
#[command(arg_required_else_help = true, subcommand_required = true)]
struct Cli {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

/// The version, and the protocol that it deals and verifies by.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (protocol fairdeal/v1)");

const AFTER_HELP: &str = "\
Start here:
  fairdeal demo                                 a whole game in a few seconds, cheats included
  fairdeal verify receipt.json --key log.key    check a receipt

Exit codes: 0 it holds · 1 it was checked and does not hold · 2 wrong usage · 3 it could not be checked";

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Args),
    Play(play::Args),
    Init(init::Args),
    Commit(commit::Args),
    Contribution(contribution::Args),
    Checkpoint(checkpoint::Args),
    Lock(lock::Args),
    Deal(deal::Args),
    Open(open::Args),
    Void(void::Args),
    Reveal(reveal::Args),
    Receipt(receipt::Args),
    Verify(verify::Args),
    Trust(trust::Args),
    Replay(replay::Args),
    Audit(audit::Args),
    Export(export::Args),
    Generate(generate::Args),
    Stats(stats::Args),
    Lab(lab::Args),
    Check(check::Args),
    List(list::Args),
    Show(show::Args),
    Rounds(rounds::Args),
    Serve(serve::Args),
    Token(token::Args),
    Web(web::Args),
    Fsck(fsck::Args),
    Republish(republish::Args),
    State(state::Args),
    Backup(backup::Args),
    Restore(restore::Args),
    Rekey(rekey::Args),
    LogKey(log_key::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self, out: &mut Out) -> Result<(), Failure> {
        match self {
            Self::Demo(args) => demo::run(&args, out),
            Self::Play(args) => play::run(&args, out),
            Self::Init(args) => init::run(&args, out),
            Self::Commit(args) => commit::run(&args, out),
            Self::Contribution(args) => contribution::run(&args, out),
            Self::Checkpoint(args) => checkpoint::run(&args, out),
            Self::Lock(args) => lock::run(&args, out),
            Self::Deal(args) => deal::run(&args, out),
            Self::Open(args) => open::run(&args, out),
            Self::Void(args) => void::run(&args, out),
            Self::Reveal(args) => reveal::run(&args, out),
            Self::Receipt(args) => receipt::run(&args, out),
            Self::Verify(args) => verify::run(&args, out),
            Self::Trust(args) => trust::run(&args, out),
            Self::Replay(args) => replay::run(&args, out),
            Self::Audit(args) => audit::run(&args, out),
            Self::Export(args) => export::run(&args, out),
            Self::Generate(args) => generate::run(&args, out),
            Self::Stats(args) => stats::run(&args, out),
            Self::Lab(args) => lab::run(&args, out),
            Self::Check(args) => check::run(&args, out),
            Self::List(args) => list::run(&args, out),
            Self::Show(args) => show::run(&args, out),
            Self::Rounds(args) => rounds::run(&args, out),
            Self::Serve(args) => serve::run(&args, out),
            Self::Token(args) => token::run(&args, out),
            Self::Web(args) => web::run(&args, out),
            Self::Fsck(args) => fsck::run(&args, out),
            Self::Republish(args) => republish::run(&args, out),
            Self::State(args) => state::run(&args, out),
            Self::Backup(args) => backup::run(&args, out),
            Self::Restore(args) => restore::run(&args, out),
            Self::Rekey(args) => rekey::run(&args, out),
            Self::LogKey(args) => log_key::run(&args, out),
            Self::Completions(args) => completions::run(&args, out),
            Self::Man(args) => man::run(&args, out),
        }
    }
}

/// Lets the process end with one line and exit code 3 where the system gives no thread, no memory or no randomness. What was
/// committed stays committed, as after a power cut.
#[expect(clippy::print_stderr, clippy::exit, reason = "there is nobody to return to")]
pub fn end_in_order() {
    // Where memory is used up, the standard library says so in a line and aborts. There is no hook for that but the signal.
    #[cfg(unix)]
    drop(signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        3,
        Arc::new(AtomicBool::new(true)),
    ));
    std::panic::set_hook(Box::new(|panic| {
        let says = panic.payload_as_str().unwrap_or("the reason is not known");
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        eprintln!("error: the system: {}{place}", plain(says));
        std::process::exit(3);
    }));
}

/// Runs one command line, whose first word is the program's name. Returns the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut command = help_text::laid_out(Cli::command(), help_text::columns());
    let parsed =
        command.try_get_matches_from_mut(&args).and_then(|words| Cli::from_arg_matches(&words));
    let cli = match parsed.map_err(|error| error.format(&mut command)) {
        Ok(cli) => cli,
        Err(error) => return mistyped(error, args.iter().any(|word| word == "--json")),
    };
    let mut out = Out::new(cli.json);
    let failure = match cli.command.run(&mut out).and_then(|()| out.flush()) {
        Ok(()) => return out.exit().into(),
        Err(failure) => failure,
    };
    // Stdout first, then the error to stderr. If stdout cannot be written, the exit code must do.
    let _ = out.fail(&failure);
    failure.print();
    failure.exit().into()
}

/// What the parser of the command line says: help, the version, or a usage error.
fn mistyped(mut error: clap::Error, json: bool) -> ExitCode {
    plainly(&mut error);
    if json && error.use_stderr() {
        let text = error.render().to_string();
        // What is wrong, over one line or more; an empty line; then a tip and the usage.
        let (says, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let failure = Failure::usage(words(says.strip_prefix("error: ").unwrap_or(says)));
        let hint = rest.lines().map(str::trim);
        let hint =
            hint.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
        let hint = hint.collect::<Vec<_>>().join("\n");
        let failure = if hint.is_empty() { failure } else { failure.hint(hint) };
        let _ = Out::new(true).fail(&failure);
    }
    // If even this cannot be written, the exit code must do.
    let _ = error.print();
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Spells out control characters in the words that an error repeats.
fn plainly(error: &mut clap::Error) {
    let typed = |(kind, value): (ContextKind, &ContextValue)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(plain(text)))),
        _ => None,
    };
    let spelled: Vec<_> = error.context().filter_map(typed).collect();
    for (kind, value) in spelled {
        error.insert(kind, value);
    }
}

/// The command line's definition, for completions and man pages.
fn command() -> clap::Command {
    help_text::laid_out(Cli::command(), help_text::WIDEST)
}
