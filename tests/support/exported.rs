//! The verdict on an exported log, from the judge of entries and the reader of exports alone.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::io::Cursor;

use fairdeal::audit::{Partial, Signatures, Times};
use fairdeal::log::{Checkpoint, Frontier, Level, SignedCheckpoint, TilePath, VerifierKey, leaf_hash};
use fairdeal::record::{Code, Finding};
use fairdeal::source::{Export, Files as _};
use serde_json::Value;

fn about_the_log(code: Code, says: String) -> Finding {
    Finding { code, index: None, commitment: None, nonce: None, says }
}

/// The checkpoint's claim, and what is wrong with it.
fn head(note: &[u8], key: &VerifierKey) -> (Option<Checkpoint>, Option<Finding>) {
    let bad = |says: String| Some(about_the_log(Code::BadSignature, says));
    let note = match std::str::from_utf8(note) {
        Ok(note) => note,
        Err(error) => return (None, bad(error.to_string())),
    };
    let signed = match SignedCheckpoint::parse(note) {
        Ok(signed) => signed,
        Err(error) => return (None, bad(error.to_string())),
    };
    let claim = signed.unverified().clone();
    let wrong = match signed.verify(key) {
        Err(error) => bad(error.to_string()),
        Ok(_) if !claim.extensions().is_empty() => bad("extension lines".to_owned()),
        Ok(_) => None,
    };
    (Some(claim), wrong)
}

/// The verdict of spec/audit.md, section 15, without what its findings say; none where the file cannot be read.
pub fn audit(export: &[u8], key: &VerifierKey) -> Option<Value> {
    let files = Export::open("export", Cursor::new(export.to_vec())).ok()?;
    let (claim, wrong) = head(&files.read("checkpoint", 1_000_000).ok()?, key);
    let size = claim.as_ref().map_or(0, Checkpoint::size);
    let mut audit = Partial::start(key.clone());
    let (mut tree, mut roots) = (Frontier::new(), BTreeMap::new());
    for index in (0_u64..).take_while(|index| index * 256 < size) {
        let path = TilePath::at_size(Level::Entries, index, size).expect("in the tree");
        let bytes = files.read(&path.to_text(), 256 * 65_537).ok()?;
        let range = 0..usize::from(path.width());
        let read =
            Partial::of_bundle(key, index * 256, bytes.clone(), path.width(), range, Signatures::Verified);
        audit.merge(read.ok()?.0).expect("the next bundle");
        let bundle = fairdeal::log::EntryBundle::parse(&bytes, path.width()).expect("it was read");
        for entry in bundle.entries() {
            tree.push(leaf_hash(entry)).expect("there is room");
            roots.insert(tree.size(), tree.root());
        }
    }
    let agrees =
        claim.as_ref().is_none_or(|claim| *claim.root() == audit.tree().expect("from the start").root());
    let claims = audit.take_claims();
    if agrees {
        for claim in &claims {
            audit.settle(claim, &roots);
        }
    } else {
        audit.find(about_the_log(Code::TreeMismatch, "the entries give another root".to_owned()));
    }
    if let Some(wrong) = wrong {
        audit.find(wrong);
    }
    let verdict = audit.finish(Times::default()).expect("from the first entry on");
    let mut verdict = serde_json::to_value(&verdict).expect("JSON");
    for finding in verdict["findings"].as_array_mut().expect("an array") {
        finding.as_object_mut().expect("an object").remove("says");
    }
    Some(verdict)
}
