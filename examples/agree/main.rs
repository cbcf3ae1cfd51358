//! Holds this implementation against the reference on many documents that nobody wrote down:
//! `cargo run --release --example agree -- [CASES] [SEED]`
//!
//! Prints each case on which the two differ, with both answers, and ends with 1 where there is one.

#![allow(
    unreachable_pub,
    missing_docs,
    reason = "a program of several files, and what it shares with the tests"
)]
#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "a program for maintainers, run by hand: it stops at the first thing that is not as it says"
)]

#[path = "../../tests/support/agree.rs"]
mod agree;
#[path = "../../tests/support/answers.rs"]
mod answers;
#[path = "../../tests/support/dice.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod dice;
#[path = "../../tests/support/mutation.rs"]
mod mutation;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;
#[path = "../../tests/support/random_log.rs"]
mod random_log;

use std::process::ExitCode;

use agree::{Corpus, disagreements};
use dice::Dice;

/// Cases that are judged at a time.
const TOGETHER: usize = 5000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        |otherwise: usize| arguments.next().map_or(otherwise, |text| text.parse().expect("a number"));
    let (cases, seed) = (number(100_000), number(1));
    let (corpus, mut dice) = (Corpus::read(), Dice::new(u8::try_from(seed).expect("a seed under 256")));
    let (mut done, mut differ) = (0, 0);
    while done < cases {
        let some: Vec<_> = (0..TOGETHER.min(cases - done)).map(|_| corpus.case(&mut dice)).collect();
        for (case, ours, theirs) in disagreements(&some) {
            println!("{case}\n  here          {ours}\n  the reference {theirs}");
            differ += 1;
        }
        done += some.len();
        println!("{done} of {cases}, {differ} differ");
    }
    ExitCode::from(u8::from(differ > 0))
}
