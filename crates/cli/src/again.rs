//! The options that a printed command needs to name the same ledger: it must work when it is pasted
//! into the same shell.

use std::path::{Path, PathBuf};
use std::{env, fmt};

use super::operator::DEFAULT_LEDGER;
use super::out::pasted;
use fairdeal_ledger::Location;

/// The ledger that a command was about.
#[derive(Clone, Debug)]
pub(super) struct Again {
    /// Its folder.
    pub(super) dir: PathBuf,
    /// ` --ledger DIR`; empty where a command finds it without.
    folder: String,
    /// ` --state URL --tiles URL --vault-key-command CMD`, those that were given.
    elsewhere: String,
}

impl Again {
    /// The ledger at this place. `has_key_command`: its vault key comes from a command.
    pub(super) fn new(at: &Location, has_key_command: bool) -> Self {
        let folder = env::var_os("FAIRDEAL_LEDGER")
            .map_or_else(|| PathBuf::from(DEFAULT_LEDGER), PathBuf::from);
        let folder =
            if is_same(&folder, &at.dir) { String::new() } else { option("--ledger", &at.dir) };
        let mut elsewhere = String::new();
        if let Some(state) = &at.state
            && env::var("FAIRDEAL_STATE").ok().as_deref() != Some(state.expose())
        {
            // A URL that may have a password is not printed.
            let shown = state.to_string();
            let shown = if shown == state.expose() { pasted(&shown) } else { "URL".to_owned() };
            elsewhere.push_str(" --state ");
            elsewhere.push_str(&shown);
        }
        if let Some(tiles) = &at.tiles
            && env::var("FAIRDEAL_TILES").ok().as_ref() != Some(tiles)
        {
            elsewhere.push_str(&option("--tiles", Path::new(tiles)));
        }
        // The command is not printed: the key may be in it.
        if has_key_command && env::var_os("FAIRDEAL_VAULT_KEY_COMMAND").is_none() {
            elsewhere.push_str(" --vault-key-command CMD");
        }
        Self { dir: at.dir.clone(), folder, elsewhere }
    }

    /// The option `--ledger` alone, for a command that needs no other part.
    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// The folder as an argument, for a command that takes it so.
    pub(super) fn as_argument(&self) -> String {
        let dir =
            if self.folder.is_empty() { String::new() } else { format!(" {}", pasted(&self.dir)) };
        format!("{dir}{}", self.elsewhere)
    }
}

impl From<&Path> for Again {
    fn from(dir: &Path) -> Self {
        Self::new(&Location::folder(dir), false)
    }
}

/// The options, each with a space before it.
impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.folder, self.elsewhere)
    }
}

fn option(name: &str, value: &Path) -> String {
    format!(" {name} {}", pasted(value))
}

fn is_same(one: &Path, other: &Path) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal_ledger::StateUrl;

    #[test]
    fn a_password_is_in_no_printed_command() {
        let at = |state: &str| Location {
            state: Some(StateUrl::new(state)),
            ..Location::folder("/srv/my cards")
        };
        let told = |state: &str| Again::new(&at(state), true).to_string();
        let plain = "postgres://db.example/cards";
        let rest = "--vault-key-command CMD";
        assert_eq!(told(plain), format!(" --ledger '/srv/my cards' --state {plain} {rest}"));
        assert_eq!(
            told("postgres://me:secret@db/x"),
            format!(" --ledger '/srv/my cards' --state URL {rest}")
        );
    }

    #[test]
    fn a_folder_has_one_name_with_a_dot_before_it_and_without() {
        assert!(is_same(Path::new("./fairdeal-ledger"), Path::new("fairdeal-ledger/")));
        assert!(!is_same(Path::new("./fairdeal-ledger"), Path::new("/srv/fairdeal-ledger")));
    }
}
