//! An operator that signs two logs with one key.

use std::fs;

use fairdeal::record::entry::LoggedContribution;
use fairdeal_monitor::{ComparedWith, EventKind, MonitorEvent, Outcome};
use tools::paper::{PaperLog, counting_seed, label, logged_clients};

use crate::{Watch, dealt, judged_alone, publish};

/// Two logs that are one up to 301 entries, over the border of a bundle. They have so many more.
pub(crate) fn two(ours: u64, theirs: u64) -> (PaperLog, PaperLog) {
    (dealt(&[("lucky", 300), ("ours", ours)]), dealt(&[("lucky", 300), ("theirs", theirs)]))
}

pub(crate) fn is_fork(event: &MonitorEvent) {
    assert_eq!((event.event, event.code), (EventKind::Fork, "inconsistent"), "{event:?}");
    assert_eq!(judged_alone(event), ["inconsistent"], "{event:?}");
}

#[test]
fn another_view_that_is_served_later_is_a_fork_told_once_with_evidence() {
    for (ours, theirs) in [(5, 5), (5, 6), (5, 300), (1, 600)] {
        let (ours, theirs) = two(ours, theirs);
        let watch = Watch::seen(&ours);
        watch.serve(&theirs);
        is_fork(&watch.tells(Outcome::Accuses));
        assert_eq!(watch.look(), (Outcome::Accuses, Vec::new()), "it is told once");
        // The first view is back: what was found stays.
        watch.serve(&ours);
        assert_eq!(watch.look(), (Outcome::Accuses, Vec::new()));
    }
}

#[test]
fn a_smaller_view_is_no_fork_until_a_larger_one_shows_it() {
    let (ours, theirs) = two(9, 3);
    let watch = Watch::seen(&ours);
    watch.serve(&theirs);
    let old = watch.tells(Outcome::NotJudged);
    assert_eq!((old.event, old.code, old.accuses), (EventKind::Warning, "rolled-back", None));
    watch.serve(&two(20, 0).0);
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::Accuses);
    let kinds: Vec<_> = told.iter().map(|event| (event.event, event.code)).collect();
    assert_eq!(kinds, [(EventKind::Fork, "inconsistent"), (EventKind::Over, "rolled-back")]);
    is_fork(&told[0]);
}

#[test]
fn an_older_copy_of_the_same_log_is_never_a_fork() {
    let (now, old) = (dealt(&[("lucky", 310)]), dealt(&[("lucky", 280)]));
    let watch = Watch::seen(&now);
    watch.serve(&old);
    assert_eq!(watch.tells(Outcome::NotJudged).code, "rolled-back");
    watch.serve(&dealt(&[("lucky", 700)]));
    let over = watch.tells(Outcome::Holds);
    assert_eq!((over.event, over.code), (EventKind::Over, "rolled-back"));
    watch.finds_nothing();
}

#[test]
fn what_others_were_given_is_compared_larger_smaller_and_of_one_size() {
    for (ours, theirs) in [(5, 5), (5, 9), (9, 5), (0, 300), (300, 1)] {
        let (ours, theirs) = two(ours, theirs);
        for way in ["log", "note", "receipt"] {
            let mut watch = Watch::new(None);
            let (place, file) = (watch.path("theirs"), watch.path("theirs.file"));
            publish(&theirs, &place);
            let receipt = theirs.receipt(&[0]).to_text();
            watch.compare(match way {
                "log" => ComparedWith::Log(place.display().to_string()),
                "note" => {
                    fs::write(&file, theirs.checkpoint()).unwrap();
                    ComparedWith::File(file)
                }
                _ => {
                    fs::write(&file, receipt).unwrap();
                    ComparedWith::File(file)
                }
            });
            watch.serve(&ours);
            let is_continued = ours.size() == 301;
            if is_continued {
                // Theirs is this log, and more of it.
                let (outcome, told) = watch.look();
                assert_eq!((outcome, told.len()), (Outcome::Holds, 0), "{way}: {told:?}");
                continue;
            }
            if way != "log" && theirs.size() > ours.size() {
                // A checkpoint alone shows nothing of earlier sizes, until the log is as large.
                watch.finds_nothing();
                watch.serve(&two(ours.size() + theirs.size(), 0).0);
            }
            is_fork(&watch.tells(Outcome::Accuses));
        }
    }
}

/// A deal whose player has seen the other log, and one that anchors it.
#[test]
fn the_audit_compares_every_seen_and_every_anchor_and_evidence_is_written() {
    let (_, theirs) = two(0, 4);
    let seed = counting_seed(0);
    let base = |rounds| {
        let mut log = PaperLog::new("cards.example/log", 7);
        let (_, commit) = log.commit(&seed, |_| {});
        for nonce in 0..rounds {
            log.deal(&commit, &seed.mac(), nonce, &[("alice", "lucky")]);
        }
        (log, commit)
    };
    let (mut shown, commit) = base(310);
    let saw = logged_clients(&[("alice", "lucky")]).remove(0).seed.unwrap();
    let saw = LoggedContribution::clear(label("alice"), saw, Some(theirs.seen()));
    let deal = shown.deal_entry_of(&commit, &seed.mac(), 310, vec![saw]);
    shown.append(&deal.into());
    let (mut anchored, _) = base(310);
    anchored.anchor_of(305, theirs.root_at(305), &[(1, 1_760_000_400)]);
    for (log, code) in [(shown, "inconsistent"), (anchored, "split-view")] {
        let watch = Watch::new(None);
        watch.serve(&log);
        let event = watch.tells(Outcome::Accuses);
        assert_eq!((event.event, event.code), (EventKind::Finding, "split-view"));
        assert_eq!((event.index, judged_alone(&event)), (Some(311), vec![code]));
        assert_eq!(watch.look(), (Outcome::Accuses, Vec::new()), "it is told once");
    }
}

#[test]
fn without_a_commit_to_show_the_heads_are_evidence_all_the_same() {
    let log = |word: &str| {
        let mut log = PaperLog::new("cards.example/log", 7);
        log.append_bytes(word.as_bytes());
        log
    };
    let watch = Watch::new(None);
    watch.serve(&log("one"));
    assert_eq!(watch.tells(Outcome::Accuses).code, "not-canonical");
    watch.serve(&log("other"));
    let fork = watch.tells(Outcome::Accuses);
    assert_eq!(fork.event, EventKind::Fork);
    let text = fs::read_to_string(fork.evidence.unwrap()).unwrap();
    assert!(text.contains(r#""file":{}"#), "{text}");
}
