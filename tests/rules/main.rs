//! Tests of the rules: deals, logs, entries and receipts, without the operator's side and the command.

mod attacks;
mod explore;
mod fuzz;
mod life;
mod log_checkpoint;
mod log_note;
mod log_proof;
mod log_support;
mod log_tile;
mod log_tree;
mod logs;
mod receipt;
mod threat_model;
mod vectors;
mod vectors_documents;
