//! Prove that a shuffle was fair.
//!
//! An operator publishes a commitment to a secret seed *before* dealing; players add seeds of their own; both
//! give a key, the key a stream of words, and the words an exactly uniform shuffle. Commitments, deals and
//! reveals stand in a signed, append-only log (C2SP tlog-tiles), so anyone can replay a deal offline and hold
//! the log against what they were shown.
//!
//! | room | what |
//! |---|---|
//! | [`deal`] | seeds to cards |
//! | [`log`] | a transparency log: Merkle tree, tiles, notes, checkpoints, proofs |
//! | [`record`] | what is written about a deal: entries, the life of a commitment, receipts |
//! | [`audit`] | judging a whole log |
//! | [`stats`] | judging randomness: a battery of tests, and a watch that may look after every deal |
//! | [`lab`] | right and wrong shuffles, walked and sampled |
//! | `report` | an audit as a page, heat maps as pictures (feature `report`) |
//! | `ledger`, `store` | the operator's side (feature `ledger`) |
//! | [`sample`] | honest logs of any length from a seed |
//! | [`source`] | reading a log: a folder, an exported file, a URL (feature `http`), and its audit (feature `cli`) |
//! | `cli` | the `fairdeal` command (feature `cli`) |
//!
//! With `default-features = false` only the pure rooms remain, which read no file, ask no clock and start no thread, and
//! [`source`], which reads files. The specification is in `spec/`; a second implementation in Python reads the same vectors.
//!
//! # A deal, from commitment to verdict
//!
//! ```
//! use fairdeal::deal::{Deck, Method, Nonce, ServerSeed};
//! use fairdeal::log::{Checkpoint, Frontier, KeyName, ProofPlan, SignerKey, leaf_hash};
//! use fairdeal::record::entry::*;
//! use fairdeal::record::receipt::{Document, Included, Receipt, verify};
//! use fairdeal::record::replay;
//!
//! // The operator: a secret seed, and a log with a key.
//! let seed = ServerSeed::parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")?;
//! let signer = SignerKey::from_seed(KeyName::parse("cards.example/log")?, &[7; 32]);
//! let (mut tree, mut hashes, mut entries) = (Frontier::new(), std::collections::BTreeMap::new(), Vec::new());
//! let mut append = |entry: Entry| -> Result<(), Box<dyn std::error::Error>> {
//!     let text = entry.to_text()?;
//!     tree.push_with(leaf_hash(text.as_bytes()), |node, hash| drop(hashes.insert(node, hash)))?;
//!     entries.push(text);
//!     Ok(())
//! };
//! let at = |time| Int::new(time).ok_or("a time");
//!
//! // Before the deal: the commitment and its terms.
//! let commit = Box::new(Commit {
//!     after: None, beacon: None, commitment: seed.commitment(), deck: Deck::standard(), draw: at(5)?,
//!     entry: CommitWord, ext: None, layout: None, method: Method::Shuffle, mixing: Mixing::Seeds,
//!     origin: Origin::new("cards.example/log")?, protocol: ProtocolV1, reveal_by: at(90_000)?, rounds: at(1)?,
//!     rules: None, sealed: false, signed: None, table: Table::new("table 1")?, time: at(1_000)?,
//! });
//! append(Entry::Commit(commit.clone()))?;
//!
//! // The deal: a player's seed is mixed in.
//! let alice: LoggedContribution = serde_json::from_str(r#"{"from":"alice","seed":"lucky"}"#)?;
//! let players = fairdeal::deal::Contributions::of_clients(vec![alice.with_seed(alice.seed.clone().ok_or("clear")?)])?;
//! let nonce = Nonce::new(0)?;
//! let result = replay::deal_round(&commit, &seed.mac(), nonce, &players)?.form;
//! assert_eq!(result.cards.as_ref().map(Cards::as_str), Some("Td3h6d9d4c"));
//! append(Entry::Deal(Box::new(Deal {
//!     beacon: None, commitment: commit.commitment, contributions: Some(vec![alice]), entry: DealWord, ext: None,
//!     lock: None, nonce, opened: None, result, seats: None, time: at(2_000)?,
//! })))?;
//!
//! // Afterwards: the seed is made public.
//! append(Entry::Reveal(Box::new(Reveal {
//!     commitment: commit.commitment, entry: RevealWord, ext: None, server_seed: RevealedSeed::of(&seed), time: at(3_000)?,
//! })))?;
//!
//! // A receipt: the entries, their proofs, and the checkpoint that they are under.
//! let checkpoint = Checkpoint::new("cards.example/log", tree.size(), tree.root())?.sign(&signer)?.to_text();
//! let mut shown = Vec::new();
//! for (index, entry) in (0..).zip(entries) {
//!     let proof = ProofPlan::inclusion(index, tree.size())?.prove(|node| hashes.get(&node).copied().ok_or("kept"))?;
//!     shown.push(Included { index: at(index)?, entry, proof });
//! }
//! let receipt = Receipt::new(shown, checkpoint, Vec::new()).to_text();
//!
//! // The player: the file and the operator's public key are all that is needed.
//! let verdict = verify(&Document::parse(receipt.as_bytes())?, signer.verifier());
//! assert!(verdict.holds);
//! assert_eq!(verdict.shown.iter().map(|s| s.as_str()).collect::<Vec<_>>(), ["logged", "replayed"]);
//!
//! // One card changed in the file, and it holds no more.
//! let forged = receipt.replace("Td3h6d9d4c", "As3h6d9d4c");
//! assert!(!verify(&Document::parse(forged.as_bytes())?, signer.verifier()).holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(feature = "audit", feature = "ledger"))]
pub mod clock;
pub mod deal;
#[cfg(feature = "dialect")]
pub mod dialect;
#[cfg(feature = "ledger")]
pub mod entropy;
#[cfg(feature = "lab")]
pub mod lab;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod log;
pub mod record;
#[cfg(feature = "report")]
pub mod report;
pub mod sample;
mod sha256;
#[cfg(feature = "audit")]
pub mod source;
#[cfg(any(feature = "cli", feature = "report"))]
mod spelled;
#[cfg(feature = "stats")]
pub mod stats;
#[cfg(feature = "ledger")]
pub mod store;

/// The README's own example, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
