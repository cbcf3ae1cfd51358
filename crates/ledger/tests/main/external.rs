//! Tests that need PostgreSQL, an S3 service or strace. `./check` runs them; there a missing tool
//! is a failure.

mod bucket;
mod bucket_server;
mod ledger;
mod postgres;
mod postgres_server;
