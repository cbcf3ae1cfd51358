//! Receipts and openings: one JSON file that verifies offline (spec/receipt.md).
//!
//! A receipt shows one round. Not for showing that no round is missing between those in the log:
//! only an audit does.

mod evidence;
mod form;
mod given;
mod of_log;
mod opening;
mod round;
mod several;
mod verdict;
mod verify;
mod whose;
mod witnessed;

pub(crate) use form::{to_text, without_mark};

pub use evidence::{Claim, Evidence, SeenHead, is_to_judge};
pub use form::{Document, Included, OpenedCard, Opening, Receipt, ReceiptError, Salt, SeenProof};
pub use given::{Given, GivenFile, InEvidence, ReaderGiven};
pub use of_log::OfLogError;
pub use several::verify_several;
pub use verdict::{
    MixedContribution, NotShown, Placed, ReceiptFinding, ReceiptVerdict, SeenRoot, Shown,
    VerdictState,
};
pub use verify::{SignedBy, verify, verify_with};
pub use whose::Compared;
pub use witnessed::{SeenByWitnesses, WitnessedRound};
