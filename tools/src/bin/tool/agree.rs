//! Compares this implementation with the reference on many generated documents.
//!
//! Prints each case on which the two differ, with both answers, and exits with 1 if there is one.

use std::process::ExitCode;

use tools::agree::{Corpus, disagreements};
use tools::answers::ours;
use tools::dice::Dice;

/// Cases that are judged together.
const TOGETHER: usize = 5000;

#[derive(clap::Args)]
pub struct Arguments {
    /// How many documents
    #[arg(default_value_t = 100_000)]
    cases: usize,
    /// Another seed gives other documents
    #[arg(default_value_t = 1)]
    seed: u8,
    /// Print files of rows alone, with the answers of this implementation: for the JavaScript
    /// package
    #[arg(long)]
    print_rows: bool,
}

pub fn run(&Arguments { cases, seed, print_rows }: &Arguments) -> ExitCode {
    let (corpus, mut dice) = (Corpus::read(), Dice::new(seed));
    if print_rows {
        for _ in 0..cases {
            let mut case = corpus.rows(&mut dice);
            case["answer"] = ours(&case);
            println!("{case}");
        }
        return ExitCode::SUCCESS;
    }
    let (mut done, mut differ) = (0, 0);
    while done < cases {
        let some: Vec<_> =
            (0..TOGETHER.min(cases - done)).map(|_| corpus.case(&mut dice)).collect();
        for (case, ours, theirs) in disagreements(&some) {
            println!("{case}\n  here          {ours}\n  the reference {theirs}");
            differ += 1;
        }
        done += some.len();
        println!("{done} of {cases}, {differ} differ");
    }
    ExitCode::from(u8::from(differ > 0))
}
