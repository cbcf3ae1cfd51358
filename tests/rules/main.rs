//! Tests of the rules: deals, entries, receipts. They take seconds, so that mutants can be tried on
//! them.

mod attacks;
mod life;
mod logs;
mod receipt;
mod threat_model;
mod vectors;
mod vectors_beacon;
mod vectors_documents;
mod vectors_raffle;
mod vectors_witness;
