//! A witness over real HTTP on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "in a test, a panic is a failure with a place"
)]

mod client;
mod protocol;
mod running;
