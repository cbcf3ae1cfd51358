//! Holding several files against one another (spec/receipt.md, several receipts).

use std::collections::BTreeMap;

use super::form::{Document, Receipt};
use super::verdict::ReceiptFinding;
use super::verify::SignedBy;
use crate::deal::{Commitment, Nonce};
use crate::log::{Hash, VerifierKey, leaf_hash, verify_checkpoint, verify_inclusion};
use crate::record::entry::Entry;
use crate::record::finding::Code;
use crate::record::life::{SeenVerdict, View as _};

/// What each thing was in the file that showed it first.
struct Claims<'a> {
    roots: BTreeMap<u64, (Hash, &'a str)>,
    entries: BTreeMap<u64, (&'a str, &'a str)>,
    deals: BTreeMap<(Commitment, Nonce), (&'a str, &'a str)>,
    reveals: BTreeMap<Commitment, (&'a str, &'a str)>,
    findings: Vec<ReceiptFinding>,
}

/// What contradicts what among named files: evidence, so only what the log signed and includes counts.
#[must_use]
pub fn contradictions(files: &[(&str, &Document)], key: &VerifierKey) -> Vec<ReceiptFinding> {
    let mut claims = Claims {
        roots: BTreeMap::new(),
        entries: BTreeMap::new(),
        deals: BTreeMap::new(),
        reveals: BTreeMap::new(),
        findings: Vec::new(),
    };
    for (name, document) in files {
        claims.add(name, document.receipt(), key);
    }
    claims.findings
}

impl<'a> Claims<'a> {
    fn add(&mut self, name: &'a str, receipt: &'a Receipt, key: &VerifierKey) {
        let Ok(checkpoint) = verify_checkpoint(&receipt.checkpoint, key) else { return };
        let (size, root) = (checkpoint.size(), *checkpoint.root());
        let included = receipt.entries.iter().all(|one| {
            let leaf = leaf_hash(one.entry.as_bytes());
            verify_inclusion(&leaf, one.index.value(), size, &one.proof, &root).is_ok()
        });
        if !included {
            return;
        }
        self.root(name, size, root);
        for one in &receipt.entries {
            let bytes = one.entry.as_str();
            let index = one.index.value();
            let what = format!("entry {index}");
            let said = conflict(&mut self.entries, index, bytes, name, &what);
            self.findings.extend(said);
            let Ok(entry) = Entry::parse(bytes.as_bytes()) else { continue };
            for logged in entry.contributions() {
                if let Some(seen) = &logged.seen
                    && SignedBy(key).check_seen(seen) == SeenVerdict::Holds
                {
                    self.root(name, seen.size.value(), seen.root());
                }
            }
            let said = match &entry {
                Entry::Deal(deal) => {
                    let what = format!("the deal of round {}", deal.nonce);
                    conflict(&mut self.deals, (deal.commitment, deal.nonce), bytes, name, &what)
                }
                Entry::Reveal(reveal) => {
                    conflict(&mut self.reveals, reveal.commitment, bytes, name, "the reveal")
                }
                _ => None,
            };
            self.findings.extend(said);
        }
    }

    fn root(&mut self, name: &'a str, size: u64, root: Hash) {
        let (first, in_file) = *self.roots.entry(size).or_insert((root, name));
        if first != root {
            let says = format!(
                "the log signed two trees of {size} entries: root {} in {in_file}, root {} in {name}",
                first.to_base64(),
                root.to_base64()
            );
            self.findings.push(inconsistent(says));
        }
    }
}

fn inconsistent(says: String) -> ReceiptFinding {
    ReceiptFinding { code: Code::Inconsistent, index: None, says }
}

fn conflict<'a, K: Ord>(
    known: &mut BTreeMap<K, (&'a str, &'a str)>,
    at: K,
    bytes: &'a str,
    name: &'a str,
    what: &str,
) -> Option<ReceiptFinding> {
    let (first, in_file) = *known.entry(at).or_insert((bytes, name));
    (first != bytes).then(|| inconsistent(format!("{what} is one thing in {in_file} and another in {name}")))
}
