//! Where a ledger's parts are, and how they are made and opened: its folder, its state, its keys.

pub(crate) mod folder;
pub(crate) mod keys;
pub(crate) mod location;
pub(crate) mod place;
pub(crate) mod vault_command;
pub(crate) mod vault_file;
