//! What passes anywhere: no servers, no tools.

mod architecture;
#[cfg(feature = "cli")]
#[path = "suite/attacks.rs"]
mod attacks;
#[path = "suite/audit.rs"]
mod audit;
#[cfg(feature = "cli")]
#[path = "suite/audit_tables.rs"]
mod audit_tables;
#[cfg(feature = "cli")]
#[path = "support/brought.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the maker of the attacks, which uses the rest")]
mod brought;
#[cfg(feature = "cli")]
#[path = "suite/check.rs"]
mod check;
#[cfg(feature = "cli")]
#[path = "suite/cli.rs"]
mod cli;
#[cfg(feature = "cli")]
#[path = "suite/cli_cache.rs"]
mod cli_cache;
#[cfg(feature = "cli")]
#[path = "suite/cli_logs.rs"]
mod cli_logs;
#[cfg(feature = "cli")]
#[path = "suite/cli_process.rs"]
mod cli_process;
#[path = "suite/dialect_confusions.rs"]
mod dialect_confusions;
#[path = "suite/dialect_diagnose.rs"]
mod dialect_diagnose;
#[path = "suite/dialect_habits.rs"]
mod dialect_habits;
#[path = "suite/dialect_limits.rs"]
mod dialect_limits;
#[path = "suite/dialect_rows.rs"]
mod dialect_rows;
#[path = "suite/dialect_statistics.rs"]
mod dialect_statistics;
#[path = "suite/dialects.rs"]
mod dialects;
#[path = "support/explore.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "shared with the program that goes further, which uses the rest"
)]
mod explore;
#[path = "suite/explore.rs"]
mod explore_short;
#[cfg(not(feature = "cli"))]
#[path = "support/exported.rs"]
#[allow(unreachable_pub, reason = "shared with the maker of the vectors")]
mod exported;
#[path = "suite/fuzz.rs"]
mod fuzz;
#[path = "../fuzz/src/lib.rs"]
#[allow(missing_docs, unreachable_pub, reason = "shared with libFuzzer's targets, a crate of its own")]
mod fuzz_functions;
#[path = "suite/lab.rs"]
mod lab;
#[cfg(feature = "ledger")]
#[path = "suite/ledger.rs"]
mod ledger;
#[cfg(feature = "ledger")]
#[path = "suite/ledger_faults.rs"]
mod ledger_faults;
#[cfg(feature = "ledger")]
#[path = "suite/ledger_faulty.rs"]
mod ledger_faulty;
#[cfg(feature = "ledger")]
#[path = "suite/ledger_many.rs"]
mod ledger_many;
#[cfg(all(feature = "ledger", unix))]
#[path = "suite/ledger_state.rs"]
mod ledger_state;
#[cfg(feature = "ledger")]
#[path = "suite/ledger_support.rs"]
mod ledger_support;
#[path = "suite/life.rs"]
mod life;
#[path = "suite/log_checkpoint.rs"]
mod log_checkpoint;
#[path = "suite/log_note.rs"]
mod log_note;
#[path = "suite/log_proof.rs"]
mod log_proof;
#[path = "suite/log_support.rs"]
mod log_support;
#[path = "suite/log_tile.rs"]
mod log_tile;
#[path = "suite/log_tree.rs"]
mod log_tree;
#[cfg(feature = "cli")]
#[path = "suite/logs.rs"]
mod logs;
#[cfg(feature = "report")]
#[path = "support/pages.rs"]
#[allow(unreachable_pub, reason = "shared with the test that opens them in a browser")]
mod pages;
#[path = "support/paper.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the maker of the vectors, which uses the rest")]
mod paper;
#[cfg(feature = "cli")]
#[path = "support/question.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the maker of the logs, which uses the rest")]
mod question;
#[path = "suite/receipt.rs"]
mod receipt;
#[cfg(feature = "report")]
#[path = "suite/report.rs"]
mod report;
#[cfg(feature = "cli")]
#[path = "support/server.rs"]
#[allow(unreachable_pub, reason = "of the tests alone")]
mod server;
#[cfg(feature = "cli")]
#[path = "suite/source.rs"]
mod source;
#[cfg(feature = "cli")]
#[path = "suite/source_agree.rs"]
mod source_agree;
#[cfg(feature = "cli")]
#[path = "suite/source_cache.rs"]
mod source_cache;
#[cfg(feature = "cli")]
#[path = "suite/source_export.rs"]
mod source_export;
#[cfg(feature = "cli")]
#[path = "suite/source_http.rs"]
mod source_http;
#[cfg(feature = "cli")]
#[path = "suite/source_state.rs"]
mod source_state;
#[path = "suite/stats.rs"]
mod stats;
#[path = "suite/threat_model.rs"]
mod threat_model;
#[path = "suite/vectors.rs"]
mod vectors;
#[path = "suite/vectors_documents.rs"]
mod vectors_documents;
