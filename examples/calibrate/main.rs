//! Makes the figures of `docs/statistics.md`: `cargo run --release --no-default-features --example calibrate`
//!
//! With the name of a part it makes that part alone: `nulls`, `power`, `weak`, `watch`, `exact`. All is seeded, so
//! the same figures come out everywhere.

#![allow(missing_docs, unreachable_pub, reason = "a program of several files")]
#![allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::print_stdout,
    reason = "a maker of tables, run by hand"
)]

mod exact;
mod nulls;
mod power;
mod watch;

fn main() {
    let part = std::env::args().nth(1);
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("exact") {
        exact::print();
    }
    if wanted("nulls") {
        nulls::print();
    }
    if wanted("power") {
        power::print();
    }
    if wanted("watch") {
        watch::print();
    }
    if wanted("weak") {
        power::print_weak();
    }
}
