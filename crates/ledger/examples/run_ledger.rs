//! Runs a table with a new ledger: `cargo run --example run_ledger`

#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;

use fairdeal::deal::{Deck, Nonce};
use fairdeal::record::entry::Terms;
use fairdeal::record::receipt::{Document, verify};
use fairdeal_ledger::{Given, Ledger, LedgerOptions, NewCommit, NewDeal, NewReveal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Once: keys and an empty, signed log. Players get the printed key.
    let folder = tempfile::tempdir()?;
    let key = Ledger::init(folder.path(), &"cards.example/log".parse()?).await?;
    println!("key: {key}");

    // A commitment, before anybody has a seat: five cards a round, ten rounds.
    let ledger = Ledger::open(folder.path(), LedgerOptions::default()).await?;
    let terms = Terms {
        draw: 5_u32.into(),
        rounds: 10_u32.into(),
        ..Terms::new("evening".parse()?, Deck::standard())
    };
    let commitment = ledger.commit(NewCommit::new(terms), None).await?.commitment;

    // A round: when the call returns, the round is on the disk, signed and published.
    let alice = Given::with_seed("alice".parse()?, "lucky".parse()?);
    let bob = Given::with_seed("bob".parse()?, "seven".parse()?);
    let deal = NewDeal { contributions: vec![alice, bob], ..NewDeal::default() };
    println!("dealt: {}", ledger.deal(commitment, deal, None).await?.entry.to_text()?);

    // Afterwards: the seed, and the receipt for a player.
    ledger.reveal(commitment, NewReveal::default(), None).await?;
    let receipt = ledger.receipt(commitment, Some(Nonce::new(0)?)).await?.to_text();
    assert!(verify(&receipt.parse::<Document>()?, &key).holds);
    println!("the receipt of round 0 holds");
    ledger.close().await?;
    Ok(())
}
