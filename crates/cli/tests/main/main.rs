//! Tests of the rooms beside the rules, and of the command. They pass anywhere: they need no tools and no servers.

mod architecture;
mod attacks_command;
mod audit;
mod audit_in_ranges;
mod audit_shares;
mod audit_tables;
mod check;
mod cli;
mod cli_cache;
mod cli_logs;
mod cli_places;
mod cli_process;
mod dialect_chain;
mod dialect_confusions;
mod dialect_diagnose;
mod dialect_habits;
mod dialect_limits;
mod dialect_rows;
mod dialect_statistics;
mod dialect_values;
mod dialects;
#[cfg(feature = "external")]
mod external;
mod lab;
mod ledger;
mod ledger_backup;
mod ledger_behind;
mod ledger_clock;
#[cfg(unix)]
mod ledger_copy;
#[cfg(unix)]
mod ledger_damage;
mod ledger_faults;
mod ledger_faulty;
#[cfg(unix)]
mod ledger_find;
mod ledger_folder;
mod ledger_fsck;
mod ledger_many;
mod ledger_memos;
mod ledger_nodes;
mod ledger_races;
mod ledger_rekey;
#[cfg(unix)]
mod ledger_state;
mod ledger_support;
mod log_checkpoint;
mod log_note;
mod log_proof;
mod log_support;
mod log_tile;
mod log_tree;
mod pages;
mod report;
mod server;
mod service;
mod service_document;
mod service_keeper;
mod service_play;
mod service_promises;
mod service_reach;
mod service_requests;
mod service_state;
mod service_support;
mod service_table;
mod source;
mod source_agree;
mod source_cache;
mod source_export;
mod source_http;
mod source_state;
mod stats;
mod store_conformance;
mod store_tiles;
