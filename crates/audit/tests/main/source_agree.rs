//! spec/audit.md, 13.2 and 13.4: if the files of a log do not agree, what is found once, and what
//! is not a fork.

use std::collections::BTreeMap;

use fairdeal::record::entry::Entry;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{AuditOptions, LogSource};

use tools::paper::{PaperLog, counting_seed, int, seeing, write_files};
use tools::question::Question;

const TILE: &str = "tile/0/000.p/6";

/// A log in which every player has seen the commit.
fn log() -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let checkpoint = log.seen();
    for n in 0..4 {
        let deal =
            log.deal_entry_of(&commit, &seed.mac(), n, vec![seeing("alice", "lucky", &checkpoint)]);
        log.append(&Entry::Deal(Box::new(deal)));
    }
    log.reveal(&seed);
    log
}

fn audit(log: &PaperLog, files: &BTreeMap<String, Vec<u8>>, since: &[&str]) -> AuditVerdict {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path(), files);
    let since: Vec<(String, String)> =
        since.iter().map(|note| ("saved.note".to_owned(), (*note).to_owned())).collect();
    let options = AuditOptions { since: &since, ..AuditOptions::under(log.key()) };
    LogSource::folder(folder.path())
        .expect("a log")
        .audit(&options, |_, _| {})
        .expect("a verdict")
        .verdict
}

/// The number of findings of each code.
fn counts(verdict: &AuditVerdict) -> Vec<(&'static str, u64)> {
    verdict.counts.iter().map(|(code, count)| (*code, *count)).collect()
}

#[test]
fn a_flipped_bit_in_a_tile_is_no_proof_that_a_player_saw_another_log() {
    let (log, mut files) = (log(), log().files());
    files.get_mut(TILE).expect("a tile")[0] ^= 1; // the hash of the only entry that players had seen
    assert_eq!(counts(&audit(&log, &files, &[])), [("tree-mismatch", 1)]);
}

#[test]
fn a_flipped_bit_in_a_tile_is_no_proof_that_an_older_checkpoint_is_of_a_fork() {
    let (log, mut files) = (log(), log().files());
    let mut early = PaperLog::new("cards.example/log", 7);
    early.append_bytes(&log.entries()[0]);
    files.get_mut(TILE).expect("a tile")[0] ^= 1;
    assert_eq!(counts(&audit(&log, &files, &[&early.checkpoint()])), [("tree-mismatch", 1)]);
}

#[test]
fn a_missing_tile_is_found_once_however_many_players_saw_what_it_held() {
    let (log, mut files) = (log(), log().files());
    files.remove(TILE);
    assert_eq!(counts(&audit(&log, &files, &[])), [("tree-mismatch", 1)]);
}

#[test]
fn after_a_missing_bundle_only_tiles_that_the_checkpoint_promises_are_missed() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let c = "ab".repeat(32);
    let commit = format!(
        "{{\"commitment\":\"{c}\",\"entry\":\"commit\",\"protocol\":\"fairdeal/v2\",\"time\":1}}"
    );
    log.append_bytes(commit.as_bytes());
    while log.size() < 600 {
        log.append_bytes(format!("{{\"commitment\":\"{c}\"}}").as_bytes());
    }
    let mut files = log.files();
    files.remove("tile/entries/001"); // 256 entries are read; the checkpoint promises tile/1/000.p/2, not .p/1
    assert_eq!(counts(&audit(&log, &files, &[])), [("tree-mismatch", 1)]);
}

#[test]
fn an_older_checkpoint_that_is_given_twice_is_found_and_listed_twice() {
    let (log, files) = (log(), log().files());
    let mut fork = PaperLog::new("cards.example/log", 7);
    fork.append_bytes(b"fork");
    let verdict = audit(&log, &files, &[&fork.checkpoint(), &fork.checkpoint()]);
    assert_eq!(counts(&verdict), [("inconsistent", 2)]);
    assert_eq!(verdict.findings.len(), 2);
}

#[test]
fn what_is_no_note_in_the_place_of_a_checkpoint_is_unreadable_and_accuses_nobody() {
    let (log, good) = (log(), log().files());
    let another = [b"\xe2\x80\x94 caf\xff ".as_slice(), b"AAAAAAAA\n"].concat();
    let note = good["checkpoint"].clone();
    for (bytes, says) in [
        ([note.clone(), another].concat(), "expected a signed note, found no text"),
        ([note, vec![b'A'; 2 << 20]].concat(), "at most 1000000 bytes"),
        (b"trust me".to_vec(), "expected a signed note, found \"trust me\""),
        (b"<!DOCTYPE html>\n<p>Sign in".to_vec(), "found \"<!DOCTYPE html>\\n<p>Sign in\""),
        (Vec::new(), "expected a signed note, found \"\""),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = good.clone();
        files.insert("checkpoint".to_owned(), bytes);
        write_files(folder.path(), &files);
        let error = Question::new(log.key()).try_audit(folder.path()).expect_err(says);
        assert!(error.contains("/checkpoint: ") && error.contains(says), "{error}");
    }
}
