//! Warnings, which accuse nobody, and findings that time brings.

use std::fs;

use fairdeal::record::entry::Table;
use fairdeal_monitor::{ComparedWith, EventKind, FollowedLog, Outcome};
use tools::paper::{START, counting_seed, policy};

use crate::{Watch, dealt, pass, publish};

const DAY: u64 = 24 * 3_600_000;

#[test]
fn a_reveal_is_warned_of_before_it_is_due_and_accused_only_where_the_log_shows_that_it_is_late() {
    let mut log = dealt(&[("lucky", 3)]);
    let watch = Watch::seen(&log);
    // The commit was written a second after the start, and is due a day later.
    let due = START + 1000 + DAY;
    pass(due - 600_000 - (START + 3_600_000));
    watch.finds_nothing();
    pass(1);
    let warning = watch.tells(Outcome::Holds);
    assert_eq!((warning.event, warning.code), (EventKind::Warning, "reveal-due"));
    // By the clock it is an hour late. A cache may hold back the reveal.
    pass(600_000 + 3_600_000);
    watch.finds_nothing();
    // A newer entry of the log, and no reveal.
    log.time = due - 1000;
    log.commit(&counting_seed(1), |commit| commit.terms.table = Table::new("other").unwrap());
    watch.serve(&log);
    watch.finds_nothing();
    log.time = due - 999;
    log.commit(&counting_seed(2), |commit| commit.terms.table = Table::new("third").unwrap());
    watch.serve(&log);
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::Accuses);
    let told: Vec<_> = told.iter().map(|one| (one.event, one.code, one.index)).collect();
    // The warning does not end, since the reveal is overdue now.
    assert_eq!(told, [(EventKind::Finding, "overdue", Some(0))]);
    assert_eq!(watch.look(), (Outcome::Accuses, Vec::new()));
}

#[test]
fn a_reveal_in_time_ends_the_warning() {
    let watch = Watch::new(None);
    let mut log = dealt(&[("lucky", 3)]);
    watch.serve(&log);
    pass(DAY - 3_600_000);
    assert_eq!(watch.tells(Outcome::Holds).code, "reveal-due");
    log.time = START + DAY - 1000;
    log.reveal(&counting_seed(0));
    watch.serve(&log);
    assert_eq!(watch.tells(Outcome::Holds).event, EventKind::Over);
    pass(10 * DAY);
    watch.finds_nothing();
}

#[test]
fn a_lost_quorum_is_told_and_a_line_that_does_not_verify_is_no_accusation() {
    let watch = Watch::new(None).under(&policy(2, 3));
    let log = dealt(&[("lucky", 3)]);
    let second = START / 1000 + 3600;
    let publish = |note: &str| {
        watch.serve(&log);
        fs::write(watch.path("log").join("checkpoint"), note).unwrap();
    };
    publish(&log.cosigned_checkpoint(&[(1, second), (2, second)]));
    watch.finds_nothing();
    publish(&log.cosigned_checkpoint(&[(1, second)]));
    let lost = watch.tells(Outcome::Holds);
    assert_eq!((lost.event, lost.code, lost.accuses), (EventKind::Warning, "quorum-lost", None));
    assert!(lost.says.contains("1 of your 3 witnesses"), "{}", lost.says);
    publish(&log.cosigned_checkpoint(&[(1, second), (3, second)]));
    assert_eq!(watch.tells(Outcome::Holds).event, EventKind::Over);
    // The line of one checkpoint under another.
    let other = dealt(&[("lucky", 4)]).cosigned_checkpoint(&[(1, second)]);
    let line = other.lines().last().unwrap().to_owned() + "\n";
    publish(&(log.checkpoint() + &line));
    let wrong = watch.tells(Outcome::NotJudged);
    assert_eq!((wrong.code, wrong.accuses), ("bad-signature", None));
}

#[test]
fn witnesses_that_see_nothing_new_are_told() {
    let watch = Watch::new(None).under(&policy(1, 2));
    let mut log = dealt(&[("lucky", 3)]);
    let second = START / 1000 + 3600;
    log.time = second * 1000;
    log.anchor(4, &[(1, second)]);
    watch.serve(&log);
    // The checkpoint has no line, and the anchor covers all but itself.
    assert_eq!(watch.tells(Outcome::Holds).code, "quorum-lost");
    pass(900_000);
    watch.finds_nothing();
    pass(1000);
    log.time = second * 1000 + 900_000;
    log.reveal(&counting_seed(0));
    watch.serve(&log);
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::Holds);
    assert!(told.iter().any(|one| one.code == "witness-late"), "{told:?}");
}

#[test]
fn others_that_are_given_more_are_told_where_the_log_stands_still() {
    let mut watch = Watch::new(None);
    let place = watch.path("mirror");
    publish(&dealt(&[("lucky", 9)]), &place);
    watch.serve(&dealt(&[("lucky", 5)]));
    watch.compare(ComparedWith::Log(place.display().to_string()));
    watch.finds_nothing();
    pass(1);
    let told = watch.tells(Outcome::Holds);
    assert_eq!((told.code, told.accuses), ("behind", None), "{told:?}");
    fs::remove_dir_all(&place).unwrap();
    let told = watch.tells(Outcome::Holds);
    assert_eq!((told.code, told.accuses), ("not-compared", None));
    // It has grown, and still has less.
    watch.serve(&dealt(&[("lucky", 8)]));
    watch.finds_nothing();
    watch.serve(&dealt(&[("lucky", 9)]));
    assert_eq!(watch.tells(Outcome::Holds).event, EventKind::Over);
}

#[test]
fn what_is_compared_with_may_be_of_another_log_that_is_followed_and_of_no_other() {
    let mut watch = Watch::new(None);
    let mut other = tools::paper::PaperLog::new("other.example/log", 3);
    other.append_bytes(b"entry");
    let (place, file) = (watch.path("other"), watch.path("other.note"));
    publish(&other, &place);
    fs::write(&file, other.checkpoint()).unwrap();
    watch.compare(ComparedWith::Log(place.display().to_string()));
    watch.compare(ComparedWith::File(file));
    watch.serve(&dealt(&[("lucky", 5)]));
    let (outcome, told) = watch.look();
    let told: Vec<_> = told.iter().map(|one| one.code).collect();
    assert_eq!((outcome, told), (Outcome::Holds, vec!["not-compared"; 2]));
    let name = watch.path("other").display().to_string();
    let log = FollowedLog { name, key: other.key().clone(), policy: None, compare: Vec::new() };
    watch.others.push(log);
    let (_, told) = watch.look();
    let over: Vec<_> = told.iter().filter(|one| one.event == EventKind::Over).collect();
    assert_eq!(over.len(), 2, "{told:?}");
}
