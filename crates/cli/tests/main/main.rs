//! The command, and what holds for the whole project. These tests pass anywhere: they need no tools
//! and no servers.

mod architecture;
mod attacks_command;
mod audit_tables;
mod beacon;
mod check;
mod cli;
mod cli_cache;
mod cli_logs;
mod cli_places;
mod cli_process;
#[cfg(feature = "external")]
mod external;
mod monitor;
mod raffle_command;
mod raffle_kept;
mod raffle_log;
mod raffle_made;
mod service_keeper;
mod service_promises;
mod witness;

#[path = "../../../ledger/tests/main/ledger_support.rs"]
mod ledger_support;
#[path = "../../../server/tests/main/relay.rs"]
mod relay;
#[path = "../../../audit/tests/main/server.rs"]
#[allow(dead_code, reason = "shared with that crate's tests, which use all of it")]
mod server;
#[path = "../../../server/tests/main/service_support.rs"]
#[allow(dead_code, reason = "shared with that crate's tests, which use all of it")]
mod service_support;
