//! Makes the figures of `docs/statistics.md`: `cargo run --release --example calibrate`
//!
//! With the name of a part it makes that part alone: `nulls`, `power`, `watch`, `exact`. All is seeded, so the same
//! figures come out everywhere.

#![allow(missing_docs, unreachable_pub, reason = "a program of several files")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a maker of tables, run by hand"
)]

mod nulls;
mod power;

fn main() {
    let part = std::env::args().nth(1);
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("nulls") {
        nulls::print();
    }
    if wanted("power") {
        power::print();
    }
}
