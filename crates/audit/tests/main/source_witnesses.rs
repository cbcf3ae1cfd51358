//! Audits of folders under a reader's policy: saved states of other policies, files that change, and
//! reveals that an earlier audit missed.

use std::path::Path;
use std::sync::Arc;

use fairdeal::log::{Policy, VerifierKey};
use fairdeal_audit::Times;
use fairdeal_audit::source::{AuditOptions, Audited, LogSource, StateUnused};

use tools::paper::{PaperLog, counting_seed, policy};
use tools::question::folders;

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

#[test]
fn a_state_of_another_policy_is_compared_and_not_used() {
    let folder = fixtures_folder("honest-anchors");
    let key: VerifierKey =
        std::fs::read_to_string(folder.join("key")).expect("a key").trim().parse().expect("a key");
    let two = Arc::new(Policy::parse(policy(2, 3).as_bytes()).expect("a policy"));
    let three = Arc::new(Policy::parse(policy(3, 3).as_bytes()).expect("a policy"));
    let audit = |policy: Option<&Arc<Policy>>, state: &str, at: &Path| -> Audited {
        let options = AuditOptions { policy, state: Some(state), ..AuditOptions::under(&key) };
        LogSource::folder(at).expect("a log").audit(&options, |_, _| {}).expect("a verdict")
    };
    let json = |audited: &Audited| serde_json::to_string(&audited.verdict).expect("JSON");
    let policies = [None, Some(&two), Some(&three)];
    for before in policies {
        let state = audit(before, "", &folder).state.expect("asked for");
        for after in policies {
            let found = audit(after, &state, &folder);
            let is_same = before.map(|one| *one.hash()) == after.map(|one| *one.hash());
            assert_eq!(found.anew, (!is_same).then_some(StateUnused::OtherPolicy));
            assert_eq!(json(&found), json(&audit(after, "", &folder)));
            assert_eq!(found.state, audit(after, "", &folder).state);
        }
    }
    // A state of another policy still shows a fork, and stays as evidence.
    let mut fork = PaperLog::new("cards.example/log", 7);
    let (_, commit) = fork.commit(&counting_seed(1), |_| {});
    for n in 0..700 {
        fork.deal(&commit, &counting_seed(1).mac(), n, ALICE);
    }
    let dir = tempfile::tempdir().expect("a folder");
    fork.publish(dir.path());
    let found = audit(Some(&two), &audit(None, "", &folder).state.expect("asked for"), dir.path());
    assert_eq!(found.verdict.counts.keys().copied().collect::<Vec<_>>(), ["inconsistent"]);
    assert_eq!(found.state, None);
}

fn fixtures_folder(name: &str) -> std::path::PathBuf {
    folders().into_iter().find(|(one, _)| one == name).expect("a fixture").1
}

/// A file's path, and its bytes; `None` removes it.
type Change<'a> = (&'a str, Option<Vec<u8>>);

/// The folder of a log with these files changed.
fn published(log: &PaperLog, note: &str, changes: &[Change<'_>]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = log.files();
    files.insert("checkpoint".to_owned(), note.as_bytes().to_vec());
    for (path, bytes) in changes {
        match bytes {
            Some(bytes) => drop(files.insert((*path).to_owned(), bytes.clone())),
            None => assert!(files.remove(*path).is_some(), "{path}"),
        }
    }
    tools::paper::write_files(folder.path(), &files);
    folder
}

/// A log of a commitment and deals; another player has the round `other`.
fn played(other: Option<u64>, deals: u64) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    for n in 0..deals {
        log.deal(
            &commit,
            &seed.mac(),
            n,
            &[(if other == Some(n) { "carol" } else { "alice" }, "lucky")],
        );
    }
    log
}

/// A resumed audit reads old files again to know an old root. Whoever serves them must not choose
/// that root: neither a fork's anchor may prove by it, nor may a contradiction be hidden.
#[test]
fn old_files_that_are_others_now_decide_no_root() {
    let policy = Arc::new(Policy::parse(policy(2, 3).as_bytes()).expect("a policy"));
    for (before, after, size) in [(300, 310, 100), (300, 310, 280), (8, 12, 5)] {
        let (mut log, fork) = (played(None, before), played(Some(size - 3), after));
        let audit = |folder: &Path, state: &str, policy| {
            let options =
                AuditOptions { policy, state: Some(state), ..AuditOptions::under(log_key()) };
            LogSource::folder(folder).expect("a log").audit(&options, |_, _| {}).expect("a verdict")
        };
        let codes = |audited: &Audited| {
            audited.verdict.counts.keys().map(ToString::to_string).collect::<Vec<_>>()
        };
        let day = published(&log, &log.checkpoint(), &[]);
        let states = [audit(day.path(), "", Some(&policy)), audit(day.path(), "", None)]
            .map(|audited| audited.state.expect("asked for"));
        let second = log.time / 1000;
        log.anchor_of(size, fork.root_at(size), &[(1, second), (2, second)]);
        let note = log.checkpoint();
        let whole = published(&log, &note, &[]);
        let (bundle, tile) = match (before, size) {
            (300, 100) => ("tile/entries/000", "tile/0/000"),
            (300, _) => ("tile/entries/001.p/46", "tile/0/001.p/46"),
            _ => ("tile/entries/000.p/10", "tile/0/000.p/10"),
        };
        let own = log.files()[bundle].clone();
        let mut theirs = fork.files();
        let full = "tile/entries/000";
        let forged = if bundle == full {
            theirs.remove(full).expect("a full bundle")
        } else {
            // The fork's entries, and the log's new one after them.
            let first = usize::try_from(before - before % 256).expect("small");
            let kept = usize::try_from(before).expect("small") + 1 - first;
            let mut entries: Vec<Vec<u8>> = fork.entries()[first..].to_vec();
            entries.truncate(kept);
            entries.extend(log.entries()[first + kept..].iter().cloned());
            fairdeal::log::EntryBundle::new(entries).expect("a bundle").to_bytes()
        };
        assert!(forged != own);
        let changes: [&[Change<'_>]; 3] = [
            &[(bundle, Some(forged.clone())), (tile, None)],
            &[(bundle, Some(forged.clone()))],
            &[(bundle, None), (tile, None)],
        ];
        for (state, policy) in states.iter().zip([Some(&policy), None]) {
            let honest = audit(whole.path(), state, policy);
            assert_eq!(codes(&honest), ["split-view"]);
            for change in changes {
                let folder = published(&log, &note, change);
                let found = audit(folder.path(), state, policy);
                let is_seen = codes(&found) == ["split-view"]; // the tile alone shows it
                let is_stopped = codes(&found) == ["tree-mismatch"] && found.state.is_none();
                assert!(is_seen || is_stopped, "{size} {:?}", found.verdict.findings);
                let proving = found.verdict.witnesses.map(|witnesses| witnesses.proving);
                assert_eq!(proving, policy.map(|_| 0));
            }
        }
    }
}

fn log_key() -> &'static VerifierKey {
    tools::paper::paper_key()
}

/// An old copy of the log is not the operator's fault, if witnesses show that it is old or that the
/// reveal was in time.
#[test]
fn a_reveal_that_witnesses_had_seen_in_time_was_not_missed() {
    let due = tools::paper::START + 7_200_000;
    let seed = counting_seed(0);
    let begin = || {
        let mut log = PaperLog::new("cards.example/log", 7);
        let int = |value| fairdeal::record::entry::Int::new(value).expect("small");
        let (_, commit) = log.commit(&seed, |commit| commit.reveal_by = int(due));
        log.deal(&commit, &seed.mac(), 0, ALICE);
        log
    };
    let early = begin();
    let mut log = begin();
    log.time = due - 3_600_000;
    log.reveal(&seed);
    let late = log.time / 1000 + 60;
    let mut anchored = begin();
    anchored.time = due - 3_600_000;
    anchored.reveal(&seed);
    anchored.time += 60_000;
    anchored.anchor(3, &[(1, late), (2, late)]);
    let two = Arc::new(Policy::parse(policy(2, 3).as_bytes()).expect("a policy"));
    let text = policy(2, 3) + "# a comment\n";
    let same = Arc::new(Policy::parse(text.as_bytes()).expect("a policy"));
    let audit = |log: &PaperLog, note: &str, state: &str, policy, clock| {
        let times = Times { as_of: Some(clock), clock: Some(clock) };
        let options =
            AuditOptions { policy, times, state: Some(state), ..AuditOptions::under(log_key()) };
        let folder = published(log, note, &[]);
        LogSource::folder(folder.path()).expect("a log").audit(&options, |_, _| {}).expect("judged")
    };
    let codes = |audited: &Audited| audited.verdict.counts.keys().copied().collect::<Vec<_>>();
    let after = due + 600_000;
    // An old copy without cosignatures is judged as it is: the reveal is missed.
    let old = early.checkpoint();
    let missed = audit(&early, &old, "", Some(&two), after);
    assert_eq!(codes(&missed), ["overdue"]);
    let state = missed.state.expect("asked for");
    let found = audit(&log, &log.checkpoint(), &state, Some(&two), after + 1);
    assert_eq!(codes(&found), ["late-reveal"]);
    let found = audit(&anchored, &anchored.checkpoint(), &state, Some(&two), after + 1);
    assert_eq!(codes(&found), [""; 0], "witnesses had seen it in time");
    assert_eq!(
        codes(&audit(&anchored, &anchored.checkpoint(), &state, None, after + 1)),
        ["late-reveal"]
    );
    // With the cosignatures of its time the copy shows itself that it is old.
    let second = early.time / 1000;
    let old = early.cosigned_checkpoint(&[(1, second), (2, second)]);
    let state = audit(&early, &old, "", Some(&two), after).state.expect("asked for");
    let found = audit(&log, &log.checkpoint(), &state, Some(&two), after + 1);
    assert_eq!(codes(&found), [""; 0]);
    // A clock that was a day ahead is wrong for good.
    let state = audit(&early, &early.checkpoint(), "", Some(&two), due + 86_400_000);
    let state = state.state.expect("asked for");
    let found = audit(&log, &log.checkpoint(), &state, Some(&two), due + 1_000);
    assert_eq!(codes(&found), [""; 0]);
    let state = found.state.expect("asked for");
    let found = audit(&log, &log.checkpoint(), &state, Some(&same), due + 3 * 86_400_000);
    assert_eq!((codes(&found), found.anew), (vec![], Some(StateUnused::OtherPolicy)));
}
