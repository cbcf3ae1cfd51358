//! What passes anywhere: no servers, no tools.

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
