//! Checks rounds that other operators dealt, and shuffles that other people wrote.
//!
//! An operator publishes the hash of a server seed, a player gives a client seed, and afterwards
//! the operator shows the server seed. A player can then recompute the round. The operator's rules
//! for that are a [`Dialect`](dialect::Dialect):
//!
//! ```
//! use fairdeal_schemes::dialect::{self, Checker, Failures, Limits, Round, RowVerdict};
//!
//! // The round as the operator's page shows it.
//! let mut round = Round::default();
//! round.server_seed = Some("51b5258b38fef00c9887b7ad6c728035".into());
//! round.client_seed = Some("6ec29c0c4180fd3f802534e6c98810ff".into());
//! round.nonce = Some(0);
//! round.cards = Some(dialect::read_cards("5S AS JS QS JH")?);
//!
//! let scheme = dialect::find("stake-video-poker").ok_or("an unknown scheme")?;
//! let mut checker = Checker::new(scheme);
//! let checked = checker.check(&round);
//! assert_eq!(checked.verdict, RowVerdict::Valid);
//! assert_eq!(checked.says, "the result follows from the seeds; no commitment was shown");
//!
//! // A wrong nonce: the row fails, and the diagnosis names the likeliest confusion.
//! round.nonce = Some(1);
//! let mut failures = Failures::new(scheme);
//! failures.push(0, &round, checker.check(&round).verdict);
//! assert_eq!(failures.finish(&checker).diagnoses[0].says, "the nonce is one less");
//!
//! // A valid row does not prove a fair round: these are the things that it cannot show.
//! assert!(Limits::of(scheme).statements.iter().any(|one| one.code == "committed-first"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`dialect`] | other operators' schemes; checks rounds, explains failing rows, counts over rows |
//! | [`rows`] | reads a file of rounds as a stream: JSON, JSON lines, CSV |
//! | [`lab`] | right and wrong shuffles, enumerated exactly or sampled |
//! | [`report`] | an audit as a page, heat maps as pictures |
//! | [`answer`] | the answers of `fairdeal check` and `fairdeal lab`, as the JSON that they print |
//!
//! Memory and time: a million rows take about a second on two cores, in batches of some megabytes.
//! `spec/dialects.md` describes the schemes, `docs/players.md` the command.

pub mod answer;
pub mod dialect;
pub mod lab;
pub mod report;
pub mod rows;
