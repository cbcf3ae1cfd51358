//! Reads the published files as they lie there, and holds what everybody was told against them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fairdeal::log::{
    EntryBundle, Frontier, Level, VerifierKey, leaf_hash, tiles, verify_checkpoint,
};
use fairdeal::record::Code;
use fairdeal::record::entry::Entry;

use super::told::Told;
use crate::ledger_support::Audit;

/// The entries of the published log.
pub(super) struct Found {
    size: u64,
    deals: u64,
    reveals: u64,
    late: usize,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { size, deals, reveals, late } = self;
        write!(f, "{size} entries, {deals} deals, {reveals} reveals, {late} of them late")
    }
}

/// Judges the log, and then everything that was told. `public` has the files and nothing else.
pub(super) fn check(public: &Path, key: &VerifierKey, told: &Told) -> Found {
    let audit = Audit::of(public, key);
    // An outage may cover a deadline. Then the log says so itself, and that is no contradiction.
    let (late, findings): (Vec<_>, Vec<_>) =
        audit.findings.iter().partition(|one| one.code == Code::LateReveal);
    assert!(findings.is_empty(), "{findings:?}");

    let checkpoint = std::fs::read_to_string(public.join("checkpoint")).unwrap();
    let size = verify_checkpoint(&checkpoint, key).unwrap().size();
    let (mut log, mut roots, mut frontier) = (Vec::new(), BTreeMap::new(), Frontier::new());
    for path in tiles(size).filter(|path| path.level() == Level::Entries) {
        let bundle = std::fs::read(public.join(path.to_text())).unwrap();
        for entry in EntryBundle::parse(&bundle, path.width()).unwrap().into_entries() {
            frontier.push_with(leaf_hash(&entry), |_, _| {}).unwrap();
            roots.insert(frontier.size(), frontier.root().to_hex());
            log.push(String::from_utf8(entry).unwrap());
        }
    }

    let told = told.inner();
    assert!(
        told.wrong.is_empty(),
        "{} contradictions: {:#?}",
        told.wrong.len(),
        &told.wrong[..told.wrong.len().min(3)]
    );
    for (index, bytes) in &told.entries {
        let found = log.get(usize::try_from(*index).unwrap());
        assert_eq!(found, Some(bytes), "entry {index} was told, and must be in the log");
    }
    for (size, seen) in &told.checkpoints {
        let seen: Vec<_> = seen.iter().collect();
        assert_eq!(seen, [&roots[size]], "every checkpoint of {size} entries is of this log");
    }
    let (mut given, mut rounds) = (BTreeMap::<&str, Vec<usize>>::new(), BTreeSet::new());
    let (mut deals, mut reveals) = (0, 0);
    for (index, entry) in audit.entries.iter().enumerate() {
        let contributions = match entry {
            Entry::Deal(deal) => {
                deals += 1;
                let round = (deal.commitment, deal.nonce);
                assert!(rounds.insert(round), "{round:?} is dealt twice");
                deal.contributions.as_deref().unwrap_or_default()
            }
            Entry::Lock(lock) => lock.contributions(),
            Entry::Reveal(_) => {
                reveals += 1;
                &[]
            }
            _ => &[],
        };
        let seeds = contributions.iter().filter_map(|one| one.seed.as_ref());
        seeds.for_each(|seed| given.entry(seed.as_str()).or_default().push(index));
    }
    for (key, at) in &given {
        assert_eq!(at.len(), 1, "the request {key} is in the log at {at:?}");
        assert!(
            !told.refused.contains(*key),
            "the request {key} was refused, and is in the log at {at:?}"
        );
        let answered =
            &told.answers.get(*key).unwrap_or_else(|| panic!("{key} is in the log and unanswered"));
        assert_eq!(usize::try_from(answered.index).unwrap(), at[0], "{key} was told another index");
    }
    for (key, answered) in &told.answers {
        let entry = &audit.entries[usize::try_from(answered.index).unwrap()];
        let commitment = entry.commitment().expect("a command's entry").to_text();
        assert_eq!(commitment, answered.commitment, "{key}");
        assert_eq!(entry.nonce().map(fairdeal::deal::Nonce::value), Some(answered.nonce), "{key}");
        assert!(
            key.ends_with(", dealt") || given.contains_key(key.as_str()),
            "{key} is not in the log"
        );
    }
    Found { size, deals, reveals, late: late.len() }
}

/// How often each thing was said in a node's log, at the levels that call somebody.
pub(super) fn said(log: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(log).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    let mut said = BTreeMap::new();
    // A deal that another node made is no failure, and a busy state is not an older one.
    for never in ["after-reveal", "an older backup"] {
        let found = text.lines().find(|line| line.contains(never));
        assert_eq!(found, None);
    }
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let word = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        if matches!(&*word("level"), "ERROR" | "WARN") {
            let message = [word("level"), word("message"), word("code")].join(" ");
            *said.entry(message.trim().to_owned()).or_default() += 1;
        }
    }
    said
}
