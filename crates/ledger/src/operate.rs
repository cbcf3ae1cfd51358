//! An operator's work on a whole ledger: check, repair, save, restore, copy, change keys, keep
//! tokens.

pub(crate) mod backup;
pub(crate) mod copy;
pub(crate) mod derived;
pub(crate) mod dump;
pub(crate) mod fsck;
pub(crate) mod memos;
pub(crate) mod recover;
pub(crate) mod rekey;
pub(crate) mod republish;
pub(crate) mod tile_check;
pub mod tokens;
