//! Verifying a receipt or an opening (spec/receipt.md, 11.3), step by step.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Document, Receipt, SeenProof};
use super::given::ReaderGiven;
use super::round::Round;
use super::verdict::ReceiptVerdict;
use super::witnessed::Covering;
use crate::beacon::Chains;
use crate::deal::{Commitment, Nonce};
use crate::log::{
    Checkpoint, Hash, SignedCheckpoint, VerifierKey, Witnessed, leaf_hash, verify_consistency,
    verify_inclusion,
};
use crate::record::entry::{Anchor, Entry, EntryError, Int, Lock, SeenCheckpoint};
use crate::record::finding::{Code, Finding};
use crate::record::life::{Cosigned, View};

/// A log of which only the key is known: signatures can be checked, the tree can't.
#[derive(Clone, Copy, Debug)]
pub struct SignedBy<'a>(pub &'a VerifierKey);

impl View for SignedBy<'_> {
    fn origin(&self) -> &str {
        self.0.name().as_str()
    }

    fn key(&self) -> Option<&VerifierKey> {
        Some(self.0)
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        let checkpoint = Checkpoint::new(self.origin(), seen.size.value(), seen.root());
        checkpoint.is_ok_and(|checkpoint| {
            let (text, signature) = (checkpoint.to_text(), seen.signature.signature());
            seen.signature.key_id() == self.0.id().to_bytes()
                && self.0.verify_signature(text.as_bytes(), &signature).is_ok()
        })
    }
}

/// A reader's view of a log by its files: the key, the roots that they prove, and what is given.
pub(super) struct Excerpted<'a> {
    pub(super) key: SignedBy<'a>,
    pub(super) proved: BTreeMap<u64, Hash>,
    pub(super) given: &'a ReaderGiven,
}

impl View for Excerpted<'_> {
    fn origin(&self) -> &str {
        self.key.origin()
    }

    fn key(&self) -> Option<&VerifierKey> {
        self.key.key()
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        self.key.is_signed(seen)
    }

    fn has_another_root(&self, size: u64, root: &Hash) -> bool {
        self.proved.get(&size).is_some_and(|known| known != root)
    }

    fn cosigned(&self, anchor: &Anchor) -> Option<Cosigned> {
        anchor.cosigned(self.given.policy.as_ref()?, self.origin())
    }

    fn chains(&self) -> Option<&Chains> {
        Some(&self.given.chains)
    }
}

/// Judges a file under the operator's key.
#[must_use]
pub fn verify(document: &Document, key: &VerifierKey) -> ReceiptVerdict {
    verify_with(document, key, &ReaderGiven::default())
}

/// Judges a file under the operator's key, and compares it with what its reader gives. Alone it is
/// never [`Fair`](super::VerdictState::Fair): that takes the lock that the reader kept
/// ([`verify_several`](super::verify_several)).
#[must_use]
pub fn verify_with(document: &Document, key: &VerifierKey, given: &ReaderGiven) -> ReceiptVerdict {
    Alone::judge(document, key, given).with(given, &[])
}

/// How much of a file the log's key signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SignedPart {
    /// Not its entries.
    Nothing,
    /// Its entries; there is a `bad-signature` all the same.
    Entries,
    /// Its entries, and nothing is wrong with the checkpoint: the file is `logged`.
    Logged,
}

/// A file judged by itself (steps 1 to 5), before step 6 compares it with the reader's
/// contributions.
pub(super) enum Alone {
    Invalid(Box<ReceiptVerdict>),
    Judged {
        round: Box<Round>,
        findings: Vec<Finding>,
        signed: SignedPart,
        /// The checkpoint's size, and the reader's witnesses that have signed it.
        head: Option<(u64, Witnessed)>,
    },
}

impl Alone {
    /// The lock that this file shows, if it is logged and not answered yet, and its index.
    pub(super) fn open_lock(&self) -> Option<(u64, &Lock)> {
        match self {
            Self::Judged { round, signed: SignedPart::Logged, .. } => round.open_lock(),
            _ => None,
        }
    }

    /// Steps 6 and 7. `locks`: those that the reader kept, and their indices.
    pub(super) fn with(self, given: &ReaderGiven, locks: &[(u64, Lock)]) -> ReceiptVerdict {
        let policy = given.policy.as_ref();
        let (mut round, mut findings, signed, head) = match self {
            Self::Invalid(verdict) => return verdict.under(policy),
            Self::Judged { round, findings, signed, head } => (round, findings, signed, head),
        };
        let is_lock_kept = round.lock.as_ref().is_some_and(|(index, lock)| {
            locks.iter().any(|(kept_at, kept)| kept_at == index && *kept == **lock)
        });
        let whose = round.hold_against(given, is_lock_kept);
        findings.append(&mut round.findings);
        // Findings without an index stay in the order of the steps.
        findings.sort_by_key(|found| {
            found.index.map_or((0, false, Code::NotCanonical), |index| {
                (index.saturating_add(1), found.code != Code::TreeMismatch, found.code)
            })
        });
        let covering = policy.map(|policy| {
            let mut covering = Covering::none(policy);
            if signed == SignedPart::Logged {
                if let Some((size, head)) = head {
                    covering.add(size, head);
                }
                round.covered(&mut covering);
            }
            covering
        });
        round.verdict(signed, whose, findings, covering.as_ref())
    }

    /// Steps 1 to 5; of what is given only the seat, the policy and the chains.
    pub(super) fn judge(document: &Document, key: &VerifierKey, given: &ReaderGiven) -> Self {
        let invalid = |verdict| Self::Invalid(Box::new(verdict));
        let receipt = document.receipt();
        let opened = SignedCheckpoint::parse(&receipt.checkpoint);
        let checkpoint = opened.as_ref().ok().map(SignedCheckpoint::unverified);
        let commitment = match sound(receipt, checkpoint) {
            Ok(commitment) => commitment,
            Err(says) => return invalid(ReceiptVerdict::invalid(says)),
        };
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
        let policy = given.policy.as_ref();
        let witnessed = signature.and_then(|()| match (policy, &opened) {
            (Some(policy), Ok(note)) => note.witnessed(policy).map(Some).map_err(|e| e.to_string()),
            _ => Ok(None),
        });
        let head = witnessed.unwrap_or_else(|says| {
            findings.push(Finding::about_the_log(Code::BadSignature, says));
            None
        });
        let head = checkpoint.map(Checkpoint::size).zip(head);
        let mut proved = BTreeMap::new();
        if let Some(checkpoint) = checkpoint {
            not_joined(receipt.seen(), checkpoint, &mut proved, &mut findings);
            findings.extend(not_included(receipt, checkpoint));
        }
        let in_tree = findings.iter().all(|found| found.code != Code::TreeMismatch);
        let signed = match &opened {
            _ if findings.is_empty() => SignedPart::Logged,
            Ok(note) if in_tree && note.is_signed_by(key) => SignedPart::Entries,
            _ => SignedPart::Nothing,
        };
        let mut round =
            Round::judge(receipt, commitment, Excerpted { key: SignedBy(key), proved, given });
        if let Document::Opening(opening) = document
            && let Err(error) = round.open(opening, given.seat.as_ref())
        {
            return invalid(ReceiptVerdict::invalid(error));
        }
        Self::Judged { round: Box::new(round), findings, signed, head }
    }
}

impl Receipt {
    /// The commitment that it is about.
    ///
    /// # Errors
    /// Why it is an `invalid-receipt` (11.2).
    pub(crate) fn commitment(&self) -> Result<Commitment, String> {
        self.check()?;
        let opened = SignedCheckpoint::parse(&self.checkpoint);
        sound(self, opened.as_ref().ok().map(SignedCheckpoint::unverified))
    }
}

/// The commitment of a receipt; or why JSON of the right shape is no receipt (11.1 and 11.2).
fn sound(receipt: &Receipt, checkpoint: Option<&Checkpoint>) -> Result<Commitment, String> {
    if let Some(checkpoint) = checkpoint {
        let size = checkpoint.size();
        if let Some(last) = receipt.entries.last().filter(|last| last.index.value() >= size) {
            let found = last.index;
            return Err(format!(
                "entries: expected indices under the checkpoint's size, {size}, found {found}"
            ));
        }
        joins(receipt.seen(), size)?;
    }
    let entries: Vec<(Int, Result<Entry, EntryError>)> =
        receipt.entries.iter().map(|one| (one.index, Entry::parse(one.entry.as_bytes()))).collect();
    let (commitment, is_judged) = match entries.first() {
        Some((_, Ok(Entry::Commit(commit)))) => (commit.commitment, true),
        Some((_, Ok(Entry::Other(commit)))) => (commit.commitment, false),
        Some((_, Ok(entry))) => {
            return Err(format!("entries: expected a commit first, found a {}", entry.kind()));
        }
        _ => return Err("entries: expected a commit first, found what is no entry".to_owned()),
    };
    for (index, entry) in &entries {
        let (kind, found) = match entry {
            Ok(entry) => (entry.kind(), entry.commitment()),
            Err(error) => ("text that is no entry", error.commitment()),
        };
        if let Some(found) = found.filter(|found| *found != commitment) {
            return Err(format!(
                "entries: the receipt is about {commitment}, entry {index} is a {kind} under {found}"
            ));
        }
    }
    let mut entries =
        entries.iter().filter_map(|(index, entry)| Some((index, entry.as_ref().ok()?)));
    if !is_judged {
        return Ok(commitment);
    }
    let nonces: BTreeSet<Nonce> = entries.clone().filter_map(|(_, one)| one.nonce()).collect();
    if nonces.len() > 1 {
        let list: Vec<String> = nonces.iter().map(ToString::to_string).collect();
        return Err(format!(
            "entries: expected those of one round, found rounds {}",
            list.join(", ")
        ));
    }
    let left_out = entries.find_map(|(index, entry)| match entry {
        Entry::Deal(deal) => {
            let lock = deal.lock?;
            let has_it = receipt.entries.iter().any(|one| one.index == lock);
            (!has_it).then_some((index, lock))
        }
        _ => None,
    });
    match left_out {
        Some((index, lock)) => Err(format!(
            "entries: the deal, entry {index}, names entry {lock} as its lock, which is left out"
        )),
        None => Ok(commitment),
    }
}

/// An error if a proof joins a larger size than the checkpoint's.
pub(super) fn joins(seen: &[SeenProof], size: u64) -> Result<(), String> {
    match seen.last().filter(|last| last.size.value() > size) {
        Some(last) => {
            Err(format!("seen: expected sizes up to the checkpoint's, {size}, found {}", last.size))
        }
        None => Ok(()),
    }
}

/// `tree-mismatch` for every entry that the checkpoint's root does not include.
fn not_included(receipt: &Receipt, checkpoint: &Checkpoint) -> Vec<Finding> {
    let check = |one: &super::form::Included| {
        let leaf = leaf_hash(one.entry.as_bytes());
        let index = one.index.value();
        let included =
            verify_inclusion(&leaf, index, checkpoint.size(), &one.proof, checkpoint.root());
        included.err().map(|e| Finding::at(Code::TreeMismatch, Some(index), e.to_string()))
    };
    receipt.entries.iter().filter_map(check).collect()
}

/// `tree-mismatch` for every older size whose consistency proof does not hold; the other sizes go
/// to `proved`.
pub(super) fn not_joined(
    seen: &[SeenProof],
    checkpoint: &Checkpoint,
    proved: &mut BTreeMap<u64, Hash>,
    findings: &mut Vec<Finding>,
) {
    for one in seen {
        let (size, root) = (one.size.value(), Hash::from_bytes(*one.root.as_bytes()));
        match verify_consistency(size, &root, checkpoint.size(), checkpoint.root(), &one.proof) {
            Ok(()) => drop(proved.insert(size, root)),
            Err(error) => {
                let says = format!("seen: from {size} entries: {error}");
                findings.push(Finding::about_the_log(Code::TreeMismatch, says));
            }
        }
    }
}
