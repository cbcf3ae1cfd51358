//! Checks a round of another operator's scheme: `cargo run --example check_round`
//!
//! The round is the documented example of Stake's video poker (spec/dialects.md).

#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;

use fairdeal_schemes::dialect::{self, Checker, Limits, Round};

fn main() -> Result<(), Box<dyn Error>> {
    let dialect = dialect::find("stake-video-poker").ok_or("no such dialect")?;
    let mut round = Round::default();
    round.server_seed = Some("51b5258b38fef00c9887b7ad6c728035".into());
    round.client_seed = Some("6ec29c0c4180fd3f802534e6c98810ff".into());
    round.nonce = Some(0);
    round.cards = Some(dialect::read_cards("5S AS JS QS JH")?);

    let checked = Checker::new(dialect).check(&round);
    println!("{:?}", checked.verdict);
    // A row that follows from its seeds proves little. These are the things that no row can show.
    for statement in Limits::of(dialect).statements {
        println!("{}: {}: {}", statement.code, statement.standing.as_str(), statement.says);
    }
    Ok(())
}
