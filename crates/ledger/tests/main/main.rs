//! The ledger and its stores.

#[cfg(feature = "external")]
mod external;
mod ledger;
mod ledger_backup;
mod ledger_beacon;
mod ledger_beacon_late;
mod ledger_behind;
mod ledger_clock;
#[cfg(unix)]
mod ledger_copy;
#[cfg(unix)]
mod ledger_damage;
mod ledger_faults;
#[allow(dead_code, reason = "shared with the tests of the service, which use the rest of it")]
mod ledger_faulty;
#[cfg(unix)]
mod ledger_find;
mod ledger_folder;
mod ledger_fsck;
mod ledger_many;
mod ledger_memos;
mod ledger_nodes;
mod ledger_power;
mod ledger_races;
mod ledger_rekey;
#[cfg(unix)]
mod ledger_state;
mod ledger_support;
mod ledger_witness;
mod store_conformance;
mod store_tiles;
