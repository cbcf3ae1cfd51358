//! Evidence of a fork: a file that every verifier judges alone (spec/receipt.md, 11.10).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::compare::had;
use super::view::View;
use fairdeal::deal::Digest;
use fairdeal::log::{Checkpoint, Note, ProofPlan, Signature, VerifierKey};
use fairdeal::record::entry::{Int, SeenCheckpoint};
use fairdeal::record::receipt::{
    Evidence, GivenFile, Included, ReaderGiven, Receipt, SeenHead, SeenProof, verify_several,
};
use fairdeal::record::{Code, Entry};
use fairdeal_audit::source::LogSource;

/// How many first entries are searched for a commit: one bundle, because the search delays the event.
const SEARCHED: u64 = 256;

/// The evidence that the key signed two heads, of which the first one is not smaller. `seen` proves
/// the root that the first one had at the other's size.
///
/// The two heads are enough, but evidence must have a file: a receipt of the first commit in the view
/// of the first head, if there is a view.
pub(crate) fn of_heads(
    view: Option<&mut View>,
    seen: Option<SeenProof>,
    (first, other): (&str, &str),
    key: &VerifierKey,
    says: &str,
) -> String {
    let now = SeenHead { checkpoint: first.to_owned(), seen: seen.map(|one| vec![one]) };
    let since = json!([now, SeenHead::of(other.to_owned())]);
    let file = view.map_or_else(|| json!({}), |view| receipt(view, None, Vec::new()));
    text(key, &file, &since, Code::Inconsistent, says)
}

/// The evidence that an anchor of a log is of another tree under its key: a receipt with the
/// anchor, and a proof of the root that the log had. `None` if the files do not show it.
pub(crate) fn of_anchor(
    view: &mut View,
    index: u64,
    size: Int,
    key: &VerifierKey,
    says: &str,
) -> Option<String> {
    let (root, proof) = had(view, size.value()).ok()?;
    let seen = vec![SeenProof { size, root: Digest::from_bytes(*root.as_bytes()), proof }];
    let file = receipt(view, Some(index), seen);
    let text = text(key, &file, &json!([]), Code::SplitView, says);
    accuses(&text, key).then_some(text)
}

/// Whether a verifier that has this evidence alone finds that the key signed two trees.
fn accuses(text: &str, key: &VerifierKey) -> bool {
    let Ok(Some(evidence)) = Evidence::parse(text.as_bytes()) else { return false };
    let files: Vec<_> = evidence
        .files
        .iter()
        .filter_map(|(name, file)| Some((name.clone(), file.as_ref().ok()?)))
        .collect();
    let given: Vec<GivenFile<'_>> =
        files.iter().map(|(name, document)| GivenFile { name, document, is_kept: false }).collect();
    let (alone, _) = verify_several(&given, key, &ReaderGiven::default());
    alone.iter().flat_map(|verdict| &verdict.findings).any(|one| one.code == Code::SplitView)
}

/// The note that a player has seen: the text follows from size and root, the signature is the
/// log's.
pub(crate) fn note_of(seen: &SeenCheckpoint, key: &VerifierKey) -> Option<String> {
    let text = Checkpoint::new(key.name().as_str(), seen.size.value(), seen.root()).ok()?.to_text();
    let bytes = seen.signature.signature().to_vec();
    let signature = Signature::new(key.name().clone(), key.id(), bytes).ok()?;
    Some(Note::new(&text, vec![signature]).ok()?.to_text())
}

fn text(key: &VerifierKey, file: &Value, since: &Value, code: Code, says: &str) -> String {
    let evidence = json!({
        "format": "fairdeal/evidence/v1",
        "key": key.to_text(),
        "files": [{"name": "log", "file": file}],
        "mine": [],
        "since": since,
        "findings": [{"code": code.as_str(), "says": says}],
    });
    format!("{}\n", fairdeal::spelled::legible(evidence.to_string()))
}

/// The receipt of the first commit, and of a later entry; an empty object if there is none to be
/// found, which is no receipt, and hides nothing of what the heads show.
fn receipt(view: &mut View, later: Option<u64>, seen: Vec<SeenProof>) -> Value {
    let made = commit_of(view).and_then(|commit| {
        let mut entries = vec![included(view, commit)?];
        if let Some(later) = later.filter(|later| *later > entries[0].index.value()) {
            let bytes = published(view, later..later.saturating_add(1)).pop()?.1;
            entries.push(included(view, (later, bytes))?);
        }
        let seen = Some(seen).filter(|seen| !seen.is_empty()).unwrap_or_default();
        serde_json::to_value(Receipt::new(entries, view.head.note.clone(), seen)).ok()
    });
    made.unwrap_or_else(|| json!({}))
}

/// An entry's index and bytes.
type Placed = (u64, Vec<u8>);

fn published(view: &View, wanted: std::ops::Range<u64>) -> Vec<Placed> {
    let Ok(source) = LogSource::open(view.boxed()) else { return Vec::new() };
    let wanted: BTreeSet<u64> = wanted.collect();
    source.published(&wanted).into_iter().map(|one| (one.index, one.bytes)).collect()
}

fn commit_of(view: &View) -> Option<Placed> {
    let entries = published(view, 0..view.head.size().min(SEARCHED));
    entries.into_iter().find(|(_, bytes)| matches!(Entry::parse(bytes), Ok(Entry::Commit(_))))
}

fn included(view: &mut View, (index, bytes): Placed) -> Option<Included> {
    let size = view.head.size();
    let plan = ProofPlan::inclusion(index, size).ok()?;
    let proof = plan.prove(|node| view.tree.node(node, size)).ok()?;
    Some(Included { index: Int::new(index)?, entry: String::from_utf8(bytes).ok()?, proof })
}

/// An entry of a view.
pub(crate) fn entry_at(view: &View, index: u64) -> Option<Entry> {
    let (_, bytes) = published(view, index..index.saturating_add(1)).pop()?;
    Entry::parse(&bytes).ok()
}
