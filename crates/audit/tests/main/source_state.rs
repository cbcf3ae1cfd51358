//! An audit that continues from a saved state, and its statistics.

use std::path::Path;

use fairdeal_audit::Times;
use fairdeal_audit::source::{AuditOptions, Audited, LogSource, SourceError};

use tools::paper::{PaperLog, Player, counting_seed};

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

/// This many rounds under one seed, and a player who saw an early checkpoint; revealed if all 600
/// are dealt.
fn log(rounds: u64) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let early = log.seen();
    for n in 0..rounds {
        if n == 300 {
            let bob = Player { seen: Some(early.clone()), ..Player::new("bob", "seven", 2) };
            let lock = log.lock(commit.commitment, n, vec![bob.hashed(&commit.commitment, n)]);
            log.deal_locked(&commit, &seed.mac(), n, lock, &[bob]);
        } else {
            log.deal(&commit, &seed.mac(), n, ALICE);
        }
    }
    if rounds == 600 {
        log.reveal(&seed);
    }
    log
}

fn audit(log: &PaperLog, folder: &Path, state: Option<&str>) -> Result<Audited, SourceError> {
    let options = AuditOptions { state, statistics: true, ..AuditOptions::under(log.key()) };
    LogSource::folder(folder).expect("a log").audit(&options, |_, _| {})
}

/// The saved state after this many rounds of the log.
fn aside(rounds: u64) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let log = log(rounds);
    log.publish(folder.path());
    audit(&log, folder.path(), Some("")).expect("judged").state.expect("asked for")
}

#[test]
fn a_log_audited_in_two_days_gives_the_report_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    let once = audit(&whole, folder.path(), None).expect("judged");
    assert!(once.verdict.holds && once.state.is_none());
    let once = serde_json::to_string(&once.verdict).expect("JSON");
    // In the middle of a bundle, at its end, before and after the player's lock; and without new
    // entries.
    for rounds in [1, 100, 255, 256, 300, 301, 511, 599, 600] {
        let again = audit(&whole, folder.path(), Some(&aside(rounds))).expect("judged");
        assert_eq!(serde_json::to_string(&again.verdict).expect("JSON"), once, "{rounds}");
        assert!(again.state.is_some());
    }
}

#[test]
fn what_was_judged_another_day_is_not_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    std::fs::remove_file(folder.path().join("tile/entries/000")).expect("removable");
    let again = audit(&whole, folder.path(), Some(&aside(400))).expect("judged");
    assert!(again.verdict.holds, "{:?}", again.verdict.findings);
    // The commitment, a lock, and 400 deals.
    assert_eq!(again.judged_before, 402, "the report says so");
}

#[test]
fn an_audit_without_new_entries_still_reads_the_end_of_the_log() {
    for (rounds, is_read) in [(3, true), (255, false), (300, true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log(rounds);
        log.publish(folder.path());
        std::fs::remove_dir_all(folder.path().join("tile/entries")).expect("removable");
        let again = audit(&log, folder.path(), Some(&aside(rounds))).expect("judged");
        assert_eq!(again.judged_before, again.verdict.size);
        // A full bundle is one of those that are not read again.
        assert_eq!(again.verdict.holds, !is_read, "{rounds}: {:?}", again.verdict.findings);
        assert_eq!(again.state.is_some(), !is_read);
    }
}

#[test]
fn a_log_that_does_not_go_on_from_the_audit_of_another_day_is_found() {
    let codes = |audited: &Audited| -> Vec<&str> {
        audited.verdict.findings.iter().map(|finding| finding.code.as_str()).collect()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let shorter = log(100);
    shorter.publish(folder.path());
    let found = audit(&shorter, folder.path(), Some(&aside(200))).expect("judged");
    assert_eq!(codes(&found), ["rolled-back"]);
    assert_eq!(found.state, None, "what was seen is not forgotten");
    assert_eq!(found.verdict.size, 101, "and what is there is judged");
    let folder = tempfile::tempdir().expect("a folder");
    let mut other = PaperLog::new("cards.example/log", 7);
    for n in 0..300_u16 {
        other.append_bytes(&n.to_be_bytes());
    }
    other.publish(folder.path());
    let forks = |state: &str| {
        let found = audit(&other, folder.path(), Some(state)).expect("judged");
        assert_eq!(codes(&found)[0], "inconsistent", "{:?}", found.verdict.findings);
        assert!(!codes(&found).contains(&"tree-mismatch") && !found.is_another_tree);
        assert_eq!((found.state, found.verdict.size), (None, 300));
        found.verdict.findings[0].says.clone()
    };
    let state = aside(200);
    assert!(forks(&state).contains("both are signed, this is a fork"));
    // The evidence is in the state: the note of before.
    let (tree, entries) = state.split_once('\n').expect("two lines");
    let mut tree: serde_json::Value = serde_json::from_str(tree).expect("JSON");
    let note = tree["note"].take();
    let note = note.as_str().expect("the signed checkpoint");
    assert_eq!(fairdeal::log::verify_checkpoint(note, other.key()).expect("signed").size(), 201);
    tree.as_object_mut().expect("an object").remove("note");
    // A state without it may be anybody's: it counts as absent.
    let found = audit(&other, folder.path(), Some(&format!("{tree}\n{entries}"))).expect("judged");
    assert!(found.anew.is_some() && !codes(&found).contains(&"inconsistent"));
    assert!(found.state.is_some());
    // Nobody signs the tiles of hashes: the entries give the roots.
    let folder = tempfile::tempdir().expect("a folder");
    other.publish(folder.path());
    std::fs::write(folder.path().join("tile/0/000"), [0; 8192]).expect("written");
    let found = audit(&other, folder.path(), Some(&state)).expect("judged");
    assert!(codes(&found).contains(&"tree-mismatch") && codes(&found).contains(&"inconsistent"));
    assert_eq!(found.state, None, "a log whose files do not agree is judged anew");
    // Without its first bundle nobody can tell a fork from damage.
    std::fs::remove_file(folder.path().join("tile/entries/000")).expect("removed");
    let found = audit(&other, folder.path(), Some(&state)).expect("judged");
    assert!(codes(&found).contains(&"tree-mismatch") && !codes(&found).contains(&"inconsistent"));
    assert_eq!(found.state, None, "a log whose files do not agree is judged anew");
}

#[test]
fn a_state_of_the_format_before_goes_on_without_statistics_and_is_refused_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    let without = |state| {
        let options = AuditOptions { state: Some(state), ..AuditOptions::under(whole.key()) };
        LogSource::folder(folder.path()).expect("a log").audit(&options, |_, _| {})
    };
    let older = |state: &str| state.replacen("fairdeal/audit/v2", "fairdeal/audit/v1", 1);
    let state = without("").expect("judged").state.expect("asked for");
    assert!(without(&older(&state)).expect("judged").verdict.holds);
    // Before, each copy of the bets had a separate table.
    let watched = aside(600).replacen("\"watched\":", "\"watch\":", 1);
    let refused =
        audit(&whole, folder.path(), Some(&older(&watched))).expect_err("refused").to_string();
    assert!(refused.contains("saved by an older fairdeal"), "{refused}");
}

#[test]
fn only_the_deals_after_an_entry_are_counted_if_one_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    let after = |entry| {
        let options = AuditOptions {
            statistics: true,
            statistics_after: Some(entry),
            ..AuditOptions::under(whole.key())
        };
        let audited = LogSource::folder(folder.path()).expect("a log").audit(&options, |_, _| {});
        audited.expect("judged").verdict.statistics.expect("asked for")
    };
    // Entry 0 is the commit, and round 300 has a lock before its deal: rounds 0 to 299 are entries
    // 1 to 300.
    for (entry, deals) in [(0, 600), (1, 599), (300, 300), (301, 300), (302, 299), (600, 1)] {
        let found = after(entry);
        let watched = found.groups[0].watch.as_ref().expect("watched").deals;
        assert_eq!(
            (found.groups[0].report.decks, watched, found.not_counted),
            (deals, deals, 0),
            "{entry}"
        );
    }
    assert!(after(601).groups.is_empty());
}

#[test]
fn what_is_no_state_of_this_log_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    let state = aside(300);
    let other = PaperLog::new("cards.example/log", 8);
    assert!(matches!(audit(&other, folder.path(), Some(&state)), Err(SourceError::State(_))));
    for damaged in [
        "{}",
        "no JSON\n{}\n",
        &state[..state.len() - 30],
        &state.replacen("\"size\":", "\"size\":1", 1),
    ] {
        assert!(
            matches!(audit(&whole, folder.path(), Some(damaged)), Err(SourceError::State(_))),
            "{damaged:.40}"
        );
    }
}

#[test]
fn a_reveal_that_an_earlier_audit_missed_is_late_whatever_its_time() {
    let (mut log, seed) = (PaperLog::new("cards.example/log", 7), counting_seed(0));
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, ALICE);
    let (by, day) = (commit.reveal_by.value(), 86_400_000);
    let audit_with = |log: &PaperLog, state: &str, clock: u64, as_of: Option<u64>, since: &[_]| {
        let folder = tempfile::tempdir().expect("a folder");
        log.publish(folder.path());
        let times = Times { as_of, clock: Some(clock) };
        let state = Some(state);
        let options = AuditOptions { times, state, since, ..AuditOptions::under(log.key()) };
        let audited = LogSource::folder(folder.path())
            .expect("a log")
            .audit(&options, |_, _| {})
            .expect("judged");
        let codes: Vec<String> =
            audited.verdict.findings.iter().map(|one| one.code.to_string()).collect();
        (codes, audited.state.expect("it may be resumed"))
    };
    let audit =
        |log: &PaperLog, state: &str, clock, as_of| audit_with(log, state, clock, as_of, &[]);
    let live = |log: &PaperLog, state: &str, clock: u64| audit(log, state, clock, Some(clock));
    // The log stands still. One reader looks on day 30; one is five minutes late; one looks at an
    // old copy, and judges it at its own last time.
    let (found, missed) = live(&log, "", by + 30 * day);
    assert_eq!(found, ["overdue"]);
    let (found, tolerated) = live(&log, "", by + 300_000);
    assert_eq!(found, ["overdue"]);
    let (found, copy) = audit(&log, "", by + 30 * day, None);
    assert_eq!(found, [""; 0]);
    // One has seen a newer view, and gets an old copy; one looks by a clock that is a year ahead.
    let mut whole = PaperLog::new("cards.example/log", 7);
    for entry in log.entries() {
        whole.append_bytes(entry);
    }
    whole.reveal(&seed);
    let newer = [("saved.note".to_owned(), whole.checkpoint())];
    let late = by + 30 * day;
    let (found, old) = audit_with(&log, "", late, Some(late), &newer);
    assert_eq!(found, ["rolled-back", "overdue"]);
    let (_, ahead) = live(&log, "", by + 365 * day);
    // By a clock that is behind, what was missed does not count, and is not forgotten.
    let (found, behind) = live(&log, &ahead, by);
    assert_eq!(found, [""; 0]);
    // Then the reveal comes, with a time of the first day.
    log.reveal(&seed);
    let clock = by + 31 * day;
    let (found, later) = live(&log, &missed, clock);
    assert_eq!(found, ["late-reveal"]);
    assert_eq!(live(&log, &tolerated, clock).0, [""; 0], "a clock may be a little wrong");
    assert_eq!(live(&log, &copy, clock).0, [""; 0], "an old copy is not the log");
    assert_eq!(live(&log, &old, clock).0, [""; 0], "the copy was known to be old");
    assert_eq!(live(&log, &ahead, clock).0, [""; 0], "one of the clocks was wrong");
    assert_eq!(live(&log, &behind, by + 366 * day).0, ["late-reveal"], "it was missed");
    assert_eq!(live(&log, "", clock).0, [""; 0], "nobody looked");
    // What was missed is kept, also where the rest of the state is not used.
    assert_eq!(live(&log, &later, clock + day).0, ["late-reveal"]);
    let (tree, entries) = later.split_once('\n').expect("two lines");
    let mut tree: serde_json::Value = serde_json::from_str(tree).expect("JSON");
    tree.as_object_mut().expect("an object").remove("note");
    let anew = format!("{tree}\n{entries}");
    assert_eq!(live(&log, &anew, clock + day).0, ["late-reveal"]);
}

#[test]
fn the_statistics_count_every_deal_that_was_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log(600);
    whole.publish(folder.path());
    let found =
        audit(&whole, folder.path(), None).expect("judged").verdict.statistics.expect("asked for");
    assert_eq!((found.groups.len(), found.not_counted), (1, 0));
    let group = &found.groups[0];
    assert_eq!((group.deck.as_str(), group.draw, group.report.decks), ("standard-52", 52, 600));
    assert!(!group.report.alarm);
    let watch = group.watch.as_ref().expect("a deck of 52 is watched");
    assert_eq!((watch.deals, watch.points.last().map(|point| point.0)), (600, Some(600)));
    assert!(watch.points.len() <= 513);
    let open = log(500);
    let folder = tempfile::tempdir().expect("a folder");
    open.publish(folder.path());
    let found =
        audit(&open, folder.path(), None).expect("judged").verdict.statistics.expect("asked for");
    assert_eq!((found.groups.len(), found.not_counted), (0, 500), "the seed is not out");
}
