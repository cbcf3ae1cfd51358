//! Tests that need Go, Python, Node, strace, PostgreSQL or Chromium. `./check` runs them; there a missing tool is a failure.

mod bucket;
mod dialects;
mod go;
mod ledger;
mod logs;
mod million;
mod operate;
mod page;
mod postgres;
mod postgres_command;
mod postgres_server;
mod python;
mod readme;
mod reference_agrees;
mod rekey;
mod schema;
mod secrets;
mod storm;
mod system;
mod terminal;
