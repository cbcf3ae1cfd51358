//! `fairdeal completions`: prints shell completions.

use clap_complete::Shell;
use serde::Serialize;

use super::exit::Failure;
use super::out::Out;

/// Print shell completions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal completions bash \\
      > ~/.local/share/bash-completion/completions/fairdeal
  fairdeal completions zsh > ~/.zfunc/_fairdeal
  fairdeal completions fish > ~/.config/fish/completions/fairdeal.fish";

#[derive(Serialize)]
struct Answer {
    shell: String,
    script: String,
}

#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "fairdeal", &mut script);
    let answer = Answer {
        shell: args.shell.to_string(),
        script: String::from_utf8_lossy(&script).into_owned(),
    };
    out.show(&answer, |out| out.text(&answer.script));
    Ok(())
}
