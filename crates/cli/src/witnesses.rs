//! The options of an operator who has witnesses.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;

use super::exit::Failure;
use super::{policy, time};
use fairdeal_ledger::{LedgerOptions, WitnessMode, Witnessing};

/// The witnesses that sign the log's checkpoints.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Witnesses")]
pub(super) struct WitnessArgs {
    /// The witnesses that are asked to sign each checkpoint: a tlog-policy file with their URLs
    /// (docs/witness.md)
    #[arg(
        id = "witnesses",
        long = "policy",
        value_name = "FILE",
        env = "FAIRDEAL_POLICY",
        hide_env_values = true
    )]
    policy: Option<PathBuf>,

    /// Whether a checkpoint waits for them
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        default_value_t = Mode::Publish,
        env = "FAIRDEAL_WITNESS_MODE",
        hide_env_values = true
    )]
    witness_mode: Mode,

    /// The shortest time between two checkpoints that they are asked for: 0s for your own
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time::parse_duration)]
    witness_every: Duration,

    /// The shortest time between two anchors, which put their signatures into the log
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time::parse_duration)]
    anchor_every: Duration,
}

/// When a checkpoint is published.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// Only checkpoints that a quorum has signed are published: callers wait, and a restored backup
    /// deals nothing
    Publish,
    /// At once; signatures follow in anchors. A fork of a restored backup can be shown until the
    /// witnesses are asked again
    Anchor,
}

impl WitnessArgs {
    /// Whether no old copy of the ledger can deal unnoticed.
    pub(super) const fn guard(&self) -> bool {
        self.policy.is_some() && matches!(self.witness_mode, Mode::Publish)
    }

    /// Adds them to a ledger's options. Also returns the policy for readers.
    /// Exit 2 for a faulty policy, 3 for a file that cannot be read.
    pub(super) fn add(
        &self,
        options: LedgerOptions,
    ) -> Result<(LedgerOptions, Option<String>), Failure> {
        let Some(path) = &self.policy else { return Ok((options, None)) };
        let (policy, bytes) = policy::parse(path, "--policy")?;
        let told = for_readers(&String::from_utf8_lossy(&bytes));
        let witnesses = Witnessing {
            mode: match self.witness_mode {
                Mode::Publish => WitnessMode::Publish,
                Mode::Anchor => WitnessMode::Anchor,
            },
            every: self.witness_every,
            anchor_every: self.anchor_every,
            ..Witnessing::new(Arc::new(policy))
        };
        Ok((LedgerOptions { witnesses: Some(witnesses), ..options }, Some(told)))
    }
}

/// A policy without comments and URLs: a URL may have a password.
fn for_readers(policy: &str) -> String {
    let mut told = String::new();
    for line in policy.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let most = match words.first() {
            Some(&"witness") => 3,
            Some(&"log") => 2,
            Some(&("group" | "quorum")) => words.len(),
            // A comment, or nothing.
            _ => continue,
        };
        told.push_str(&words.get(..most).unwrap_or(&words).join(" "));
        told.push('\n');
    }
    told
}

#[cfg(test)]
mod tests {
    use super::for_readers;

    #[test]
    fn readers_see_no_url_and_no_comment() {
        let policy = "# ours\nlog KEY https://x.example\nwitness  a KEYA https://me:pw@a.example/w\nwitness b KEYB\n\n group g all a b\nquorum g\n";
        let told = "log KEY\nwitness a KEYA\nwitness b KEYB\ngroup g all a b\nquorum g\n";
        assert_eq!(for_readers(policy), told);
    }
}
