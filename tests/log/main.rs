//! The transparency log, compared with other implementations.

mod log_checkpoint;
mod log_note;
mod log_policy;
mod log_proof;
mod log_sigsum;
mod log_support;
mod log_tile;
mod log_tree;
