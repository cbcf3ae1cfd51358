//! Verifies a receipt: `cargo run --example verify_receipt -- receipt.json log.key`
//!
//! Without arguments it verifies a receipt of the project's fixtures.

#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;
use std::process::ExitCode;

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Document, verify};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "fixtures/receipts/round.json".to_owned());
    let key = arguments.next().unwrap_or_else(|| "fixtures/receipts/log.key".to_owned());

    // The key comes from the operator, from another place than the receipt.
    let key: VerifierKey = std::fs::read_to_string(key)?.trim().parse()?;
    let verdict = verify(&Document::parse(&std::fs::read(file)?)?, &key);

    // A verdict has its findings, the tokens that are shown, and the tokens that are not shown.
    for finding in &verdict.findings {
        println!("{}: {}", finding.code, finding.says);
    }
    println!("shown: {:?}", verdict.shown);
    println!("not shown: {:?}", verdict.not_shown);
    println!("{}", if verdict.holds { "holds" } else { "does not hold" });
    Ok(ExitCode::from(u8::from(!verdict.holds)))
}
