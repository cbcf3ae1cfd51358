//! Tests that need Go, Python, Node, strace, PostgreSQL or Chromium. `./check` runs them; there a
//! missing tool is a failure.

mod dialects;
mod go;
mod hostile_readers;
mod logs;
mod million;
mod monitor;
mod operate;
mod page;
mod postgres_command;
mod python;
mod readme;
mod reference_agrees;
mod rekey;
mod schema;
mod secrets;
mod storm;
mod system;
mod terminal;
mod witness;
mod witnesses;

#[path = "../../../ledger/tests/main/external/bucket_server.rs"]
#[allow(dead_code, reason = "shared with the ledger's tests, which use all of it")]
mod bucket_server;
#[path = "../../../ledger/tests/main/external/postgres_server.rs"]
#[allow(dead_code, reason = "shared with the ledger's tests, which use all of it")]
mod postgres_server;
