//! Verifying a receipt or an opening (spec/receipt.md, 11.3), step by step.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Document, Receipt};
use super::given::ReaderGiven;
use super::round::Round;
use super::verdict::{ReceiptFinding, ReceiptVerdict};
use crate::deal::{Commitment, Nonce};
use crate::log::{
    Checkpoint, Hash, SignedCheckpoint, VerifierKey, leaf_hash, verify_consistency,
    verify_inclusion,
};
use crate::record::entry::{Entry, SeenCheckpoint};
use crate::record::finding::Code;
use crate::record::life::{SeenVerdict, View};

/// A log of which only the key is known: signatures can be checked, the tree can't.
#[derive(Clone, Copy, Debug)]
pub struct SignedBy<'a>(pub &'a VerifierKey);

impl View for SignedBy<'_> {
    fn origin(&self) -> &str {
        self.0.name().as_str()
    }

    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict {
        let signed = Checkpoint::new(self.origin(), seen.size.value(), seen.root()).is_ok_and(
            |checkpoint| {
                seen.signature.key_id() == self.0.id().to_bytes()
                    && self
                        .0
                        .verify_signature(
                            checkpoint.to_text().as_bytes(),
                            &seen.signature.signature(),
                        )
                        .is_ok()
            },
        );
        if signed { SeenVerdict::Holds } else { SeenVerdict::NotSigned }
    }
}

/// Judges a file under the operator's key.
#[must_use]
pub fn verify(document: &Document, key: &VerifierKey) -> ReceiptVerdict {
    verify_with(document, key, &ReaderGiven::default())
}

/// Judges a file under the operator's key, and compares it with what its reader gives.
#[must_use]
pub fn verify_with(document: &Document, key: &VerifierKey, given: &ReaderGiven) -> ReceiptVerdict {
    let alone = Alone::judge(document, key, given);
    let round = alone.round();
    alone.with(&given.for_round(round, &[round]))
}

/// A file judged by itself (steps 1 to 6), before step 7 holds it against what the reader brought.
pub(super) enum Alone {
    Invalid(Box<ReceiptVerdict>),
    Judged { round: Box<Round>, findings: Vec<ReceiptFinding>, logged: bool },
}

impl Alone {
    /// The round of its verdict. `None` for an invalid file.
    pub(super) fn round(&self) -> Option<(Commitment, Nonce)> {
        match self {
            Self::Invalid(_) => None,
            Self::Judged { round, .. } => round.named(),
        }
    }

    /// Steps 7 and 8.
    pub(super) fn with(self, given: &ReaderGiven) -> ReceiptVerdict {
        let (mut round, mut findings, logged) = match self {
            Self::Invalid(verdict) => return *verdict,
            Self::Judged { round, findings, logged } => (round, findings, logged),
        };
        let whose = round.hold_against(given);
        findings.append(&mut round.findings);
        // Findings without an index stay in the order of the steps.
        findings.sort_by_key(|found| {
            found.index.map_or((0, false, Code::NotCanonical), |index| {
                (index.saturating_add(1), found.code != Code::TreeMismatch, found.code)
            })
        });
        round.verdict(logged, whose, findings)
    }

    /// Steps 1 to 6; of what is given only the seat.
    pub(super) fn judge(document: &Document, key: &VerifierKey, given: &ReaderGiven) -> Self {
        let invalid = |verdict| Self::Invalid(Box::new(verdict));
        let receipt = document.receipt();
        let opened = SignedCheckpoint::parse(&receipt.checkpoint);
        let checkpoint = opened.as_ref().ok().map(SignedCheckpoint::unverified);
        if let Some(says) = impossible(receipt, checkpoint) {
            return invalid(ReceiptVerdict::invalid(says));
        }
        let mut findings = Vec::new();
        let signature = opened.as_ref().map_err(ToString::to_string).and_then(|note| {
            note.verify(key).map_err(|e| e.to_string()).and_then(|checkpoint| {
                match checkpoint.extensions() {
                    [] => Ok(()),
                    more => Err(format!(
                        "a checkpoint of this log has no extension lines, found {}",
                        more.len()
                    )),
                }
            })
        });
        if let Err(says) = signature {
            findings.push(finding(Code::BadSignature, None, says));
        }
        let mut proved = BTreeMap::new();
        if let Some(checkpoint) = checkpoint {
            not_joined(receipt, checkpoint, &mut proved, &mut findings);
            findings.extend(not_included(receipt, checkpoint));
        }
        let logged = findings.is_empty();
        let mut round = Round::judge(receipt, key, proved);
        if let Document::Opening(opening) = document
            && let Err(error) = round.open(opening, given.seat.as_ref())
        {
            return invalid(ReceiptVerdict::invalid(error));
        }
        Self::Judged { round: Box::new(round), findings, logged }
    }
}

pub(super) fn finding(code: Code, index: Option<u64>, says: impl Into<String>) -> ReceiptFinding {
    ReceiptFinding { code, index, says: says.into() }
}

/// Why JSON of the right shape may still be no receipt; `None` if it is one.
fn impossible(receipt: &Receipt, checkpoint: Option<&Checkpoint>) -> Option<String> {
    if let Some(checkpoint) = checkpoint {
        let size = checkpoint.size();
        if let Some(last) = receipt.entries.last().filter(|last| last.index.value() >= size) {
            let found = last.index;
            return Some(format!(
                "entries: expected indices under the checkpoint's size, {size}, found {found}"
            ));
        }
        if let Some(last) = receipt.seen().last().filter(|last| last.size.value() > size) {
            let found = last.size;
            return Some(format!(
                "seen: expected sizes up to the checkpoint's, {size}, found {found}"
            ));
        }
    }
    let entries: Vec<Option<Entry>> =
        receipt.entries.iter().map(|one| Entry::parse(one.entry.as_bytes()).ok()).collect();
    let nonces: BTreeSet<Nonce> = entries.iter().flatten().filter_map(Entry::nonce).collect();
    let not_judged = matches!(entries.first(), Some(Some(Entry::Other(_))));
    (nonces.len() > 1 && !not_judged).then(|| {
        let list: Vec<String> = nonces.iter().map(ToString::to_string).collect();
        format!("entries: expected those of one round, found rounds {}", list.join(", "))
    })
}

/// `tree-mismatch` for every entry that the checkpoint's root does not include.
fn not_included(receipt: &Receipt, checkpoint: &Checkpoint) -> Vec<ReceiptFinding> {
    let check = |one: &super::form::Included| {
        let leaf = leaf_hash(one.entry.as_bytes());
        let index = one.index.value();
        let included =
            verify_inclusion(&leaf, index, checkpoint.size(), &one.proof, checkpoint.root());
        included.err().map(|e| finding(Code::TreeMismatch, Some(index), e.to_string()))
    };
    receipt.entries.iter().filter_map(check).collect()
}

/// `tree-mismatch` for every older size whose consistency proof does not hold; the other sizes go
/// to `proved`.
fn not_joined(
    receipt: &Receipt,
    checkpoint: &Checkpoint,
    proved: &mut BTreeMap<u64, Hash>,
    findings: &mut Vec<ReceiptFinding>,
) {
    for one in receipt.seen() {
        let (size, root) = (one.size.value(), Hash::from_bytes(*one.root.as_bytes()));
        match verify_consistency(size, &root, checkpoint.size(), checkpoint.root(), &one.proof) {
            Ok(()) => drop(proved.insert(size, root)),
            Err(error) => {
                let says = format!("seen: from {size} entries: {error}");
                findings.push(finding(Code::TreeMismatch, None, says));
            }
        }
    }
}
