//! Verify that a shuffle was fair.
//!
//! An operator publishes a commitment to a secret seed *before* it deals. Players add seeds of
//! their own. Both together give a key, the key gives a stream of words, and the words give an
//! exactly uniform shuffle. Commitments, deals and reveals are entries of a signed, append-only log
//! (C2SP tlog-tiles), so anybody can recompute a deal offline and compare it with the log.
//!
//! # A verifier verifies a receipt
//!
//! A receipt is a JSON file with a round's entries and the proof that the log has them. To verify
//! it a player needs the file and the log's public key:
//!
//! ```
//! use fairdeal::log::VerifierKey;
//! use fairdeal::record::receipt::{Document, verify};
//!
//! let key: VerifierKey = std::fs::read_to_string("fixtures/receipts/log.key")?.trim().parse()?;
//! let receipt = Document::parse(&std::fs::read("fixtures/receipts/round.json")?)?;
//! let verdict = verify(&receipt, &key);
//! assert!(verdict.holds, "{:?}", verdict.findings);
//! println!("shown: {:?}; not shown: {:?}", verdict.shown, verdict.not_shown);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`verify_with`](record::receipt::verify_with) also compares the round with the reader's own
//! seed, and [`verify_several`](record::receipt::verify_several) compares several files with each
//! other.
//!
//! # Modules and crates
//!
//! | module | contents |
//! |---|---|
//! | [`beacon`] | chains of drand, their rounds and signatures |
//! | [`deal`] | seeds to cards |
//! | [`log`] | a transparency log: Merkle tree, tiles, notes, checkpoints, proofs |
//! | [`record`] | the record of a deal: entries, the life of a commitment, receipts |
//! | [`raffle`] | winners drawn from a list, from one file |
//! | [`sample`] | honest logs of any length, made from a seed |
//!
//! This crate reads no files, asks no clock and starts no threads. `fairdeal-audit` judges whole
//! logs, `fairdeal-schemes` checks other operators' rounds, `fairdeal-ledger` is the operator's
//! side, `fairdeal-server` serves it over HTTP, and `fairdeal-cli` is the command. The
//! specification is in `spec/`; implementations in Python and JavaScript pass the same test
//! vectors.
//!
//! # A deal, from promise to verdict
//!
//! ```
//! use fairdeal::deal::{Deck, Nonce, ServerSeed};
//! use fairdeal::log::{MemoryLog, SignerKey};
//! use fairdeal::record::entry::{Commit, Entry, Int, LoggedContribution, Reveal, Terms};
//! use fairdeal::record::receipt::{Document, Receipt, verify};
//! use fairdeal::record::replay::deal_in_clear;
//!
//! // The operator has a secret seed, a signing key and a log.
//! let seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
//! let seed: ServerSeed = seed.parse()?;
//! let signer = SignerKey::from_seed("cards.example/log".parse()?, &[7; 32]);
//! let (mut log, at) = (MemoryLog::new(), |time: u64| Int::try_from(time));
//!
//! // Before the deal it commits to the seed, for one round of five cards.
//! let (origin, table) = ("cards.example/log".parse()?, "table 1".parse()?);
//! let terms = Terms { draw: 5_u32.into(), ..Terms::new(table, Deck::standard()) };
//! let commit = Commit::new(seed.commitment(), origin, terms, at(1_000)?, at(9_000)?);
//! log.append(Entry::from(commit.clone()).to_text()?);
//!
//! // A player brings a seed, and both seeds give the cards.
//! let alice = LoggedContribution::clear("alice".parse()?, "lucky".parse()?, None);
//! let deal = deal_in_clear(&commit, &seed.mac(), Nonce::new(0)?, vec![alice], at(2_000)?)?;
//! assert_eq!(deal.result.cards, Some("Td3h6d9d4c".parse()?));
//! log.append(Entry::from(deal).to_text()?);
//!
//! // Afterwards the operator makes its seed public, and hands out a receipt.
//! log.append(Entry::from(Reveal::new(&seed, at(3_000)?)).to_text()?);
//! let receipt = Receipt::of(&log, 0..log.size(), &signer)?.to_text();
//!
//! // The player needs the receipt and the operator's public key, and nothing else.
//! let verdict = verify(&receipt.parse::<Document>()?, signer.verifier());
//! assert!(verdict.holds);
//!
//! // With one card changed, the receipt does not hold.
//! let forged = receipt.replace("Td3h6d9d4c", "As3h6d9d4c");
//! assert!(!verify(&forged.parse::<Document>()?, signer.verifier()).holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod beacon;
pub mod deal;
pub mod log;
#[doc(hidden)]
pub mod named;
pub mod raffle;
mod readable;
pub mod record;
pub mod sample;
mod sha256;
#[doc(hidden)]
pub mod spelled;
#[doc(hidden)]
pub mod utc;

/// The README's own example, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
