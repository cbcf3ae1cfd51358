//! The rules: what is written, in what order, and how it is judged. It needs neither the operator's side nor the command.

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
