//! Prove that a shuffle was fair.
