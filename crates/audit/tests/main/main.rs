//! Auditing whole logs, and reading them from folders, files and HTTP.

mod audit;
mod audit_in_ranges;
mod audit_shares;
mod audit_witnesses;
mod server;
mod source;
mod source_agree;
mod source_cache;
mod source_export;
mod source_http;
mod source_state;
mod source_witnesses;
mod stats;
