//! Warnings, which accuse nobody, and findings that time brings.

use std::fs;

use fairdeal_monitor::{ComparedWith, EventKind, Outcome};
use tools::paper::{START, counting_seed, policy};

use crate::{Watch, dealt, pass, publish};

const DAY: u64 = 24 * 3_600_000;

#[test]
fn a_reveal_is_warned_of_before_it_is_due_and_accused_only_after_five_minutes() {
    let watch = Watch::new(None);
    let log = dealt(&[("lucky", 3)]);
    watch.serve(&log);
    watch.finds_nothing();
    // The commit was written a second after the start, and is due a day later.
    let due = START + 1000 + DAY;
    pass(due - 600_000 - (START + 3_600_000));
    watch.finds_nothing();
    pass(1);
    let warning = watch.tells(Outcome::Holds);
    assert_eq!((warning.event, warning.code), (EventKind::Warning, "reveal-due"));
    pass(600_000 + 299_999);
    watch.finds_nothing();
    pass(1);
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::Accuses);
    let told: Vec<_> = told.iter().map(|one| (one.event, one.code, one.index)).collect();
    let found = (EventKind::Finding, "overdue", Some(0));
    assert_eq!(told, [found, (EventKind::Over, "reveal-due", None)]);
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
    assert_eq!(watch.look().1.len(), 0, "a new process has not seen it standing still");
    fs::remove_dir_all(&place).unwrap();
    let told = watch.tells(Outcome::Holds);
    assert_eq!((told.code, told.accuses), ("not-compared", None));
}

#[test]
fn what_is_compared_may_be_of_another_log() {
    let mut watch = Watch::new(None);
    let mut other = tools::paper::PaperLog::new("other.example/log", 3);
    other.append_bytes(b"entry");
    let (place, file) = (watch.path("other"), watch.path("other.note"));
    publish(&other, &place);
    fs::write(&file, other.checkpoint()).unwrap();
    watch.compare(ComparedWith::Log(place.display().to_string()));
    watch.compare(ComparedWith::File(file));
    watch.serve(&dealt(&[("lucky", 5)]));
    watch.finds_nothing();
}
