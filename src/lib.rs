//! Prove that a shuffle was fair.

pub mod deal;
pub mod log;
pub mod record;
