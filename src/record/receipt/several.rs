//! Judging several files together (spec/receipt.md, 11.6): they are one excerpt of one log, or
//! evidence against its operator.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::SeenHead;
use super::form::Document;
use super::given::{GivenFile, ReaderGiven};
use super::verdict::{ReceiptFinding, ReceiptVerdict, Shown};
use super::verify::{Alone, Excerpted, SignedBy};
use crate::deal::{Commitment, Nonce, check_opened};
use crate::log::{Hash, SignedCheckpoint, VerifierKey, leaf_hash};
use crate::record::entry::{Commit, Entry, EntryError, Lock, LoggedContribution};
use crate::record::finding::{Code, Finding};
use crate::record::life::{Effect, Extent, Judge, View as _};
use crate::record::replay::Waiting;

/// A file's name, the file, and its own verdict.
type File<'a> = (&'a str, &'a Document, &'a ReceiptVerdict);

/// Judges each file alone, with what the reader gives, and then all together, with the heads of
/// `given`. A single file is compared with nothing.
#[must_use]
pub fn verify_several(
    files: &[GivenFile<'_>],
    key: &VerifierKey,
    given: &ReaderGiven,
) -> (Vec<ReceiptVerdict>, Vec<ReceiptFinding>) {
    let alone: Vec<Alone> =
        files.iter().map(|file| Alone::judge(file.document, key, given)).collect();
    let kept = files.iter().zip(&alone).filter(|(file, _)| file.is_kept);
    let locks: Vec<(u64, Lock)> = kept
        .filter_map(|(_, alone)| alone.open_lock())
        .map(|(index, lock)| (index, lock.clone()))
        .collect();
    let verdicts: Vec<ReceiptVerdict> =
        alone.into_iter().map(|alone| alone.with(given, &locks)).collect();
    let all: Vec<File<'_>> = files
        .iter()
        .zip(&verdicts)
        .map(|(GivenFile { name, document, .. }, verdict)| (*name, *document, verdict))
        .collect();
    let seen = given.heads.iter().map(|(name, head)| (name.as_str(), head.roots(key)));
    // A receipt that is not logged counts by its signed checkpoint alone.
    let is_head = |verdict: &ReceiptVerdict| {
        let is_invalid = |found: &ReceiptFinding| found.code == Code::InvalidReceipt;
        !is_logged(verdict) && !verdict.findings.iter().any(is_invalid)
    };
    let of_files =
        all.iter().filter(|(.., verdict)| is_head(verdict)).map(|(name, document, _)| {
            let checkpoint = document.receipt().checkpoint.clone();
            (*name, SeenHead::of(checkpoint).roots(key))
        });
    let heads: Vec<(&str, Vec<(u64, Hash)>)> =
        of_files.chain(seen).filter_map(|(name, roots)| Some((name, roots?))).collect();
    // The log signed all that they show.
    let findings = contradictions(&all, &heads, (key, given));
    let findings = findings.into_iter().map(|found| ReceiptFinding::new(found, true)).collect();
    (verdicts, findings)
}

fn is_logged(verdict: &ReceiptVerdict) -> bool {
    verdict.shown.contains(&Shown::Logged)
}

/// The findings that no file has alone. Only what the log signed and includes counts.
fn contradictions(
    files: &[File<'_>],
    heads: &[(&str, Vec<(u64, Hash)>)],
    (key, given): (&VerifierKey, &ReaderGiven),
) -> Vec<Finding> {
    let logged: Vec<File<'_>> =
        files.iter().filter(|(.., verdict)| is_logged(verdict)).copied().collect();
    let mut findings = Vec::new();
    if logged.len() + heads.len() < 2 {
        return findings;
    }
    let entries = one_entry_at_each_index(&logged, &mut findings);
    one_root_at_each_size(&logged, heads, key, &mut findings);
    let alone: BTreeSet<(Code, u64)> = logged
        .iter()
        .flat_map(|(.., verdict)| &verdict.findings)
        .filter_map(|found| Some((found.code, found.index?)))
        .collect();
    let mut together: Vec<Finding> =
        judge(&entries, key, given).into_iter().chain(impossible_cards(&logged)).collect();
    together.sort_by_key(|found| (found.index, found.code));
    together.dedup_by_key(|found| (found.index, found.code));
    together.retain(|found| found.index.is_none_or(|index| !alone.contains(&(found.code, index))));
    findings.append(&mut together);
    findings
}

/// Step 1. Compares leaf hashes, which differ where the entries do.
fn one_entry_at_each_index<'a>(
    files: &[File<'a>],
    findings: &mut Vec<Finding>,
) -> BTreeMap<u64, &'a str> {
    let mut entries: BTreeMap<u64, (Hash, &str, &str)> = BTreeMap::new();
    let mut differ: BTreeMap<u64, String> = BTreeMap::new();
    for (name, document, _) in files {
        for one in &document.receipt().entries {
            let (index, leaf) = (one.index.value(), leaf_hash(one.entry.as_bytes()));
            let (first, in_file, _) =
                *entries.entry(index).or_insert((leaf, name, one.entry.as_str()));
            if first != leaf {
                let says =
                    || format!("entry {index} is one thing in {in_file} and another in {name}");
                differ.entry(index).or_insert_with(says);
            }
        }
    }
    findings
        .extend(differ.into_values().map(|says| Finding::about_the_log(Code::Inconsistent, says)));
    entries.into_iter().map(|(index, (.., entry))| (index, entry)).collect()
}

/// Step 2.
fn one_root_at_each_size<'a>(
    files: &[File<'a>],
    heads: &[(&'a str, Vec<(u64, Hash)>)],
    key: &VerifierKey,
    findings: &mut Vec<Finding>,
) {
    let mut roots: BTreeMap<u64, (Hash, &str)> = BTreeMap::new();
    let mut differ: BTreeMap<u64, String> = BTreeMap::new();
    let mut had = |name: &'a str, size: u64, root: Hash| {
        let (first, in_file) = *roots.entry(size).or_insert((root, name));
        if first != root {
            let says = || {
                let (a, b) = (first.to_hex(), root.to_hex());
                format!(
                    "the log signed two trees of {size} entries: root {a} in {in_file}, root {b} in {name}"
                )
            };
            differ.entry(size).or_insert_with(says);
        }
    };
    for (name, document, _) in files {
        let receipt = document.receipt();
        if let Ok(signed) = SignedCheckpoint::parse(&receipt.checkpoint) {
            had(name, signed.unverified().size(), *signed.unverified().root());
        }
        for one in receipt.seen() {
            had(name, one.size.value(), Hash::from_bytes(*one.root.as_bytes()));
        }
        for one in &receipt.entries {
            let Ok(entry) = Entry::parse(one.entry.as_bytes()) else { continue };
            if let Entry::Anchor(anchor) = &entry {
                had(name, anchor.size.value(), anchor.root());
            }
            for seen in entry.contributions().iter().filter_map(|one| one.seen.as_ref()) {
                if SignedBy(key).is_signed(seen) {
                    had(name, seen.size.value(), seen.root());
                }
            }
        }
    }
    for (name, roots) in heads {
        for (size, root) in roots {
            had(name, *size, *root);
        }
    }
    findings
        .extend(differ.into_values().map(|says| Finding::about_the_log(Code::Inconsistent, says)));
}

/// Step 3.
fn judge(entries: &BTreeMap<u64, &str>, key: &VerifierKey, given: &ReaderGiven) -> Vec<Finding> {
    let parsed: Vec<(u64, Result<Entry, EntryError>)> =
        entries.iter().map(|(index, bytes)| (*index, Entry::parse(bytes.as_bytes()))).collect();
    let committed: BTreeSet<Commitment> = parsed
        .iter()
        .filter_map(|(_, entry)| entry.as_ref().ok())
        .filter(|entry| matches!(entry, Entry::Commit(_) | Entry::Other(_)))
        .filter_map(Entry::commitment)
        .collect();
    let view = Excerpted { key: SignedBy(key), proved: BTreeMap::new(), given };
    let mut judge = Judge::new(view, Extent::Excerpt);
    let mut waiting: BTreeMap<(Commitment, Nonce), Box<Waiting>> = BTreeMap::new();
    let mut findings: Vec<Finding> = Vec::new();
    for (index, entry) in parsed {
        let entry = match entry {
            Ok(entry) if entry.commitment().is_none_or(|c| committed.contains(&c)) => entry,
            // The verdict on its own file may have ignored it, because there its commitment is of
            // another protocol.
            Err(error) if error.commitment().is_some_and(|c| committed.contains(&c)) => {
                findings.extend(judge.refuse_unreadable(index, &error).findings);
                continue;
            }
            _ => continue,
        };
        let judged = judge.apply(index, &entry);
        // Step 2 finds two roots of one size. Here a split view only says that a checkpoint is too
        // large for its place.
        let is_ahead =
            |one: &LoggedContribution| one.seen.as_ref().is_some_and(|s| s.size.value() > index);
        let is_any_ahead = match &entry {
            Entry::Anchor(anchor) => anchor.size.value() > index,
            _ => entry.contributions().iter().any(is_ahead),
        };
        let counts = |found: &Finding| found.code != Code::SplitView || is_any_ahead;
        findings.extend(judged.findings.into_iter().filter(counts));
        let Some(commitment) = entry.commitment() else { continue };
        match judged.effect {
            Some(Effect::Dealt(nonce, Some(deal))) => {
                waiting.insert((commitment, nonce), deal);
            }
            Some(Effect::Revealed(seed)) => {
                let Some(life) = judge.life(&commitment) else { continue };
                let mac = seed.seed().mac();
                let under = waiting.iter().filter(|((of, _), _)| *of == commitment);
                findings.extend(under.filter_map(|(_, deal)| deal.replay(&life.commit, &mac)));
            }
            _ => {}
        }
    }
    findings
}

/// The items of a deal that some opening shows, by their places.
type Cards = BTreeMap<u32, u32>;

/// Step 4.
fn impossible_cards(files: &[File<'_>]) -> Vec<Finding> {
    let mut deals: BTreeMap<(u64, &str), (Box<Commit>, Cards)> = BTreeMap::new();
    for (_, document, verdict) in files {
        let (Document::Opening(opening), Some((index, _))) = (document, &verdict.deal) else {
            continue;
        };
        let first = opening.receipt.entries.first().map(|one| Entry::parse(one.entry.as_bytes()));
        let Some(Ok(Entry::Commit(commit))) = first else { continue };
        let bytes = opening.receipt.entries.iter().find(|one| one.index.value() == *index);
        let Some(bytes) = bytes.filter(|_| verdict.shown.contains(&Shown::Opened)) else {
            continue;
        };
        let (_, cards) =
            deals.entry((*index, &bytes.entry)).or_insert_with(|| (commit, BTreeMap::new()));
        for card in &opening.opened {
            if let (Ok(t), Ok(item)) =
                (u32::try_from(card.t.value()), u32::try_from(card.item.value()))
            {
                cards.entry(t).or_insert(item);
            }
        }
    }
    let mut findings = Vec::new();
    for ((index, _), (commit, cards)) in deals {
        let cards: Vec<(u32, u32)> = cards.into_iter().collect();
        if let Err(impossible) = check_opened(commit.method, commit.deck.items(), &cards) {
            findings.push(Finding::at(Code::ResultMismatch, Some(index), impossible.to_string()));
        }
    }
    findings
}
