//! The audit of a folder whose files do not have what the checkpoint promises.

use std::fs;
use std::path::Path;

use fairdeal::deal::ServerSeed;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::Commit;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{AuditOptions, LogSource};

use tools::paper::{PaperLog, Player, counting_seed};

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

/// 300 rounds under one revealed seed; one player saw an early checkpoint.
fn log() -> (PaperLog, ServerSeed, Box<Commit>) {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(log.seen());
    for n in 0..300 {
        log.deal(&commit, &seed.mac(), n, ALICE);
    }
    let lock = log.lock(commit.commitment, 300, vec![bob.hashed(&commit.commitment, 300)]);
    log.deal_locked(&commit, &seed.mac(), 300, lock, &[bob]);
    log.reveal(&seed);
    (log, seed, commit)
}

fn audit(folder: &Path, key: &VerifierKey, since: &[(String, String)]) -> AuditVerdict {
    let options = AuditOptions { since, ..AuditOptions::under(key) };
    LogSource::folder(folder).expect("a log").audit(&options, |_, _| {}).expect("judged").verdict
}

fn codes(verdict: &AuditVerdict) -> Vec<String> {
    let at = |index: Option<u64>| index.map_or_else(|| "-".to_owned(), |index| index.to_string());
    verdict.findings.iter().map(|f| format!("{}@{}", f.code, at(f.index))).collect()
}

/// The codes after one file was changed; `None` removes it.
fn with(path: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> Vec<String> {
    let (log, ..) = log();
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    let file = folder.path().join(path);
    let bytes = fs::read(&file).expect("it is published");
    match change(bytes) {
        Some(bytes) => fs::write(&file, bytes).expect("writable"),
        None => fs::remove_file(&file).expect("removable"),
    }
    codes(&audit(folder.path(), log.key(), &[]))
}

#[test]
fn an_honest_folder_holds_and_every_entry_is_counted() {
    let (log, ..) = log();
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    let mut steps = Vec::new();
    let options = AuditOptions::under(log.key());
    let verdict = LogSource::folder(folder.path())
        .expect("a log")
        .audit(&options, |done, size| steps.push((done, size)));
    let verdict = verdict.expect("judged").verdict;
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!((verdict.size, verdict.deals, verdict.reveals), (304, 301, 1));
    assert_eq!(steps, [(304, 304)]);
}

#[test]
fn a_missing_or_broken_file_is_the_logs_fault() {
    let none = |_| None;
    assert_eq!(with("tile/0/000", none), ["tree-mismatch@-"]);
    assert_eq!(with("tile/0/001.p/48", none), ["tree-mismatch@-"]);
    assert_eq!(with("tile/1/000.p/1", none), ["tree-mismatch@-"]);
    assert_eq!(with("tile/entries/001.p/48", none), ["tree-mismatch@-"]);
    let short = |mut bytes: Vec<u8>| {
        bytes.pop();
        Some(bytes)
    };
    assert_eq!(with("tile/0/000", short), ["tree-mismatch@-"]);
    assert_eq!(
        with("tile/entries/000", short).first().map(String::as_str),
        Some("tree-mismatch@-")
    );
}

#[test]
fn a_changed_hash_is_found_in_whichever_tile_it_stands() {
    let flip = |mut bytes: Vec<u8>| {
        if let Some(byte) = bytes.get_mut(9) {
            *byte ^= 1;
        }
        Some(bytes)
    };
    for path in ["tile/0/000", "tile/0/001.p/48", "tile/1/000.p/1"] {
        assert!(with(path, flip).contains(&"tree-mismatch@-".to_owned()), "{path}");
    }
}

#[test]
fn a_checkpoint_that_is_changed_or_of_another_tree_is_found() {
    let text = |change: fn(String) -> String| {
        with("checkpoint", |bytes| {
            Some(change(String::from_utf8(bytes).expect("UTF-8")).into_bytes())
        })
    };
    let larger = text(|note| note.replacen("\n304\n", "\n305\n", 1));
    assert!(
        larger.contains(&"bad-signature@-".to_owned())
            && larger.contains(&"tree-mismatch@-".to_owned())
    );
}

#[test]
fn an_older_checkpoint_must_be_of_a_prefix() {
    let (log, seed, commit) = log();
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    let saved = |log: &PaperLog| ("saved.note".to_owned(), log.checkpoint());
    let mut early = PaperLog::new("cards.example/log", 7);
    early.commit(&seed, |_| {});
    assert_eq!(codes(&audit(folder.path(), log.key(), &[saved(&early), saved(&log)])), [""; 0]);
    early.deal(&commit, &seed.mac(), 0, &[("alice", "another")]);
    assert_eq!(codes(&audit(folder.path(), log.key(), &[saved(&early)])), ["inconsistent@-"]);
    let mut longer = log;
    longer.append_bytes(b"later");
    let found = codes(&audit(folder.path(), longer.key(), &[saved(&longer)]));
    assert_eq!(found, ["rolled-back@-"], "an old copy accuses nobody");
}

#[test]
fn another_logs_key_is_named_at_once() {
    let (log, ..) = log();
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    let other = PaperLog::new("other.example/log", 7);
    let found = codes(&audit(folder.path(), other.key(), &[]));
    assert_eq!(found.first().map(String::as_str), Some("bad-signature@-"));
}

#[test]
fn an_empty_log_holds_and_a_folder_without_one_is_no_log() {
    let log = PaperLog::new("cards.example/log", 7);
    let folder = tempfile::tempdir().expect("a folder");
    assert!(LogSource::folder(folder.path()).is_err());
    log.publish(folder.path());
    let verdict = audit(folder.path(), log.key(), &[]);
    assert_eq!((codes(&verdict).len(), verdict.size, verdict.as_of), (0, 0, None));
}
