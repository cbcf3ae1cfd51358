//! The command line: one file for each command.
//!
//! Printing happens here and nowhere else. Exit codes: 0 (it holds), 1 (it was checked and does not
//! hold), 2 (wrong usage) and 3 (it could not be checked). A command collects its output and writes
//! it at the end, so that stdout never has half an answer.

#[macro_use]
mod exit;
#[macro_use]
mod out;

mod accused;
mod again;
mod args;
mod bar;
mod beacon;
mod cards;
mod contributions;
mod files;
mod hints;
mod kinds;
mod known;
mod local;
mod logs;
mod note;
mod operator;
mod round;
mod round_line;
mod seats;
mod table;
mod time;
mod vault;
mod view;
mod waiting;
mod which;
mod witnesses;

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
mod monitor;
mod open;
mod play;
mod policy;
mod raffle;
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
mod witness;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use exit::Failure;
use out::{Out, plain};

/// Prove that a shuffle was fair.
///
/// A dealer commits to a secret seed in a public, append-only log. Players add seeds of their own.
/// The cards follow from both. After the reveal anyone can replay the deal offline, from a receipt
/// of a few kilobytes.
#[derive(Debug, Parser)]
#[command(name = "fairdeal", version = VERSION, max_term_width = 100, after_help = AFTER_HELP)]
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
  fairdeal demo    a whole game in a few seconds, cheats included
  fairdeal verify receipt.json --key log.key    check a receipt

Exit codes: 0 it holds · 1 it was checked and does not hold · 2 wrong usage · 3 it could not be checked";

/// The commands, in the groups of the help: each is the module of its name.
macro_rules! commands {
    ($($group:literal: $($name:ident $module:ident),+;)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($($name($module::Args),)+)+
        }

        impl Command {
            fn run(self, out: &mut Out) -> Result<(), Failure> {
                match self {
                    $($(Self::$name(args) => $module::run(&args, out),)+)+
                }
            }
        }

        /// The names of the modules of each group's commands.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($module)),+]),)+];
    };
}

commands! {
    "For players": Demo demo, Play play, Verify verify, Replay replay, Contribution contribution,
        Checkpoint checkpoint, Trust trust, Check check, Raffle raffle;
    "For operators": Init init, Commit commit, Lock lock, Deal deal, Open open, Void void,
        Reveal reveal, Receipt receipt, List list, Show show, Rounds rounds, Serve serve,
        Token token, Web web, LogKey log_key, Backup backup, Restore restore, Rekey rekey,
        State state, Fsck fsck, Republish republish;
    "For auditors": Audit audit, Monitor monitor, Export export, Stats stats;
    "For witnesses": Witness witness;
    "For developers": Lab lab, Generate generate, Completions completions, Man man;
}

/// Lets the process end with one line and exit code 3 if the system gives no thread, no memory or
/// no randomness. Committed entries stay committed, as after a power cut.
#[expect(clippy::print_stderr, clippy::exit, reason = "there is nobody to return to")]
pub fn end_in_order() {
    // Without memory, the standard library prints a line and aborts. The signal is the only hook
    // for that.
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
    let mut command = command();
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

/// Prints the output of the command line's parser: help, the version, or a usage error.
fn mistyped(mut error: clap::Error, json: bool) -> ExitCode {
    plainly(&mut error);
    if json && error.use_stderr() {
        let text = error.render().to_string();
        // The text is the error, on one line or more; an empty line; then a tip and the usage.
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

/// The command line's definition. Its help lists the commands by [`GROUPS`], which clap cannot.
fn command() -> clap::Command {
    let command = Cli::command();
    let (header, literal) =
        (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(template, "\n{header}{group}:{header:#}");
        for name in names.iter().map(|module| module.replace('_', "-")) {
            let about = command.find_subcommand(&name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(template, "  {literal}{name:<14}{literal:#}{about}");
        }
    }
    let _ = write!(template, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_on_one_line_of_80_columns() {
        let command = command();
        let grouped = GROUPS.iter().flat_map(|(_, names)| *names);
        let mut grouped: Vec<String> = grouped.map(|module| module.replace('_', "-")).collect();
        grouped.sort_unstable();
        let all = command.get_subcommands().map(clap::Command::get_name);
        let mut all: Vec<String> = all.map(str::to_owned).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
        for one in command.get_subcommands() {
            let about = one.get_about().expect("one line").to_string();
            assert!(about.chars().count() <= 64, "{about}");
        }
    }

    #[test]
    fn no_example_of_any_help_is_wider_than_80_columns() {
        fn check(command: &clap::Command) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in text.lines().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&command());
    }
}
