//! Prove that a shuffle was fair.

pub mod deal;
