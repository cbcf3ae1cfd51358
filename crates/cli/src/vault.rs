//! The option `--vault-key-command`.

use std::fmt::Write as _;
use std::path::Path;

use super::waiting::Waiting;
use fairdeal_ledger::{LedgerOptions, VaultKeyCommand};

/// The place of the vault key.
#[derive(Debug, clap::Args)]
pub(super) struct VaultArgs {
    /// A command for `sh -c` that prints the vault key as 64 hex digits within 10 seconds, if the
    /// key is not in private/vault.key
    #[arg(
        long,
        value_name = "CMD",
        env = "FAIRDEAL_VAULT_KEY_COMMAND",
        hide_env_values = true,
        value_parser = command
    )]
    vault_key_command: Option<VaultKeyCommand>,
}

/// Takes any text: an error here would repeat it, and it may have the key.
#[expect(clippy::unnecessary_wraps, reason = "the form of a parser of arguments")]
pub(super) fn command(text: &str) -> Result<VaultKeyCommand, std::convert::Infallible> {
    Ok(VaultKeyCommand::new(text))
}

impl VaultArgs {
    /// Whether a command prints it.
    pub(super) fn is_command(&self) -> bool {
        self.vault_key_command.is_some()
    }

    /// Says that it takes long to open a ledger, and what may take how long. `wait`: how long for
    /// another process.
    pub(super) fn waiting(&self, dir: &Path, wait: Option<u64>) -> Waiting {
        let mut says = format!("the ledger {}", dir.display());
        if let Some(wait) = wait {
            let _ = write!(says, "; for another process that uses it, {wait} s");
        }
        if self.is_command() {
            // To print the key, and then to end.
            let _ = write!(
                says,
                "; for --vault-key-command, {} s",
                VaultKeyCommand::LIMIT.as_secs() * 2
            );
        }
        Waiting::new(says)
    }

    /// The defaults, with this key.
    pub(super) fn options(&self) -> LedgerOptions {
        LedgerOptions { vault_key: self.vault_key_command.clone(), ..LedgerOptions::default() }
    }
}
