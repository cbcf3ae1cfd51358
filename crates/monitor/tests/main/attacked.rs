//! Attacks on a monitor that once succeeded: it must tell every fork that it met, also if files are
//! withheld, the monitor dies, or its disk is full.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use fairdeal::log::Note;
use fairdeal_monitor::{
    ComparedWith, EventKind, Monitor, MonitorEvent, Outcome, Webhook, WebhookLimits,
};
use tools::paper::{START, counting_seed, paper_key, policy};

use crate::forks::{is_fork, two};
use crate::{Watch, dealt, pass, publish};

/// Adds a checkpoint that somebody has saved.
fn given(watch: &mut Watch, name: &str, note: &str) {
    let file = watch.path(name);
    fs::write(&file, note).unwrap();
    watch.compare(ComparedWith::File(file));
}

fn is_fork_told(watch: &Watch) {
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::Accuses, "{told:?}");
    is_fork(told.iter().find(|event| event.event == EventKind::Fork).expect("a fork"));
}

#[test]
fn a_log_that_withholds_the_tiles_that_would_show_a_fork_is_not_judged() {
    let (ours, theirs) = (dealt(&[("lucky", 310)]), dealt(&[("other", 100)]));
    let watch = Watch::seen(&ours);
    watch.serve(&theirs);
    assert_eq!(watch.tells(Outcome::NotJudged).code, "rolled-back");
    watch.serve(&ours);
    let tile = watch.path("log").join("tile/0/000");
    let bytes = fs::read(&tile).unwrap();
    fs::remove_file(&tile).unwrap();
    let (outcome, told) = watch.look();
    assert_eq!(outcome, Outcome::NotJudged, "{told:?}");
    assert!(told.iter().any(|event| event.code == "damaged"), "{told:?}");
    fs::write(&tile, bytes).unwrap();
    is_fork_told(&watch);
}

#[test]
fn two_heads_of_one_size_are_a_fork_without_any_files() {
    let (ours, theirs) = two(9, 9);
    let (ours_too, theirs_too) = (ours.checkpoint(), theirs.checkpoint());
    // Both come from others, and are larger than the log.
    let mut watch = Watch::new(None);
    given(&mut watch, "ours", &ours_too);
    given(&mut watch, "theirs", &theirs_too);
    watch.serve(&dealt(&[("lucky", 3)]));
    is_fork_told(&watch);
    // Nothing of the log can be read, but it had this size.
    let mut watch = Watch::seen(&ours);
    fs::remove_dir_all(watch.path("log")).unwrap();
    given(&mut watch, "theirs", &theirs_too);
    is_fork_told(&watch);
    // At two mirrors, while the log stands still.
    let mut watch = Watch::new(None);
    for (name, log) in [("mirror", &ours), ("other mirror", &theirs)] {
        publish(log, &watch.path(name));
        watch.compare(ComparedWith::Log(watch.path(name).display().to_string()));
    }
    watch.serve(&dealt(&[("lucky", 3)]));
    is_fork_told(&watch);
}

#[test]
fn a_mirror_proves_a_fork_of_the_last_head_while_the_log_cannot_be_read() {
    let (ours, theirs) = two(9, 20);
    let mut watch = Watch::seen(&ours);
    fs::remove_dir_all(watch.path("log")).unwrap();
    publish(&theirs, &watch.path("mirror"));
    watch.compare(ComparedWith::Log(watch.path("mirror").display().to_string()));
    is_fork_told(&watch);
}

#[test]
fn a_fork_that_a_mirror_showed_before_both_went_on_is_told() {
    let (_, theirs) = two(0, 9);
    let mut watch = Watch::new(None);
    let mirror = watch.path("mirror");
    publish(&theirs, &mirror);
    watch.compare(ComparedWith::Log(mirror.display().to_string()));
    watch.serve(&dealt(&[("lucky", 300)]));
    watch.finds_nothing();
    let later = two(30, 0).0;
    publish(&later, &mirror);
    watch.serve(&later);
    is_fork_told(&watch);
}

#[test]
fn a_huge_head_that_nobody_can_audit_hides_no_fork_of_what_was_audited() {
    let watch = Watch::seen(&dealt(&[("lucky", 300)]));
    // It continues the log, but its entries are withheld.
    watch.serve(&dealt(&[("lucky", 400)]));
    fs::remove_dir_all(watch.path("log").join("tile/entries")).unwrap();
    assert_eq!(watch.tells(Outcome::NotJudged).code, "damaged");
    watch.serve(&dealt(&[("other", 350)]));
    is_fork_told(&watch);
}

#[test]
fn a_signed_head_counts_whatever_other_lines_it_has() {
    let (ours, theirs) = two(9, 9);
    let text = format!("{}one more line\n", theirs.checkpoint_text());
    let line = |text: &str| Note::sign(text, &[&theirs.signer]).unwrap().signatures()[0].clone();
    let extended = Note::new(&text, vec![line(&text)]).unwrap().to_text();
    let plain = theirs.checkpoint_text();
    let wrong = Note::new(&plain, vec![line(&text), line(&plain)]).unwrap().to_text();
    for note in [extended, wrong] {
        let mut watch = Watch::new(None);
        given(&mut watch, "theirs", &note);
        watch.serve(&ours);
        is_fork_told(&watch);
    }
}

/// The monitor ends after a fork was told, or before it; then the first log is back.
#[test]
fn a_monitor_that_dies_while_it_tells_a_fork_tells_it_again() {
    let (ours, theirs) = two(5, 9);
    let watch = Watch::seen(&ours);
    watch.serve(&theirs);
    let logs = [watch.log.clone()];
    let mut monitor = Monitor::open(&logs, &watch.options, None).unwrap();
    let kills = |event: &MonitorEvent| assert_ne!(event.event, EventKind::Fork, "it dies");
    let died = catch_unwind(AssertUnwindSafe(|| monitor.once(&kills, &|_| {})));
    died.expect_err("it dies");
    drop(monitor);
    watch.serve(&two(20, 0).0);
    is_fork_told(&watch);
}

/// A disk that takes nothing while a fork is served, and the same process afterwards.
#[test]
fn what_could_not_be_written_is_told_later() {
    let (ours, theirs) = two(5, 9);
    let watch = Watch::seen(&ours);
    watch.serve(&theirs);
    let folder = fs::read_dir(&watch.options.state).unwrap().map(|one| one.unwrap().path());
    let folder = folder.into_iter().find(|path| path.is_dir()).unwrap();
    let aside = watch.path("aside");
    let logs = [watch.log.clone()];
    let mut monitor = Monitor::open(&logs, &watch.options, None).unwrap();
    fs::rename(&folder, &aside).unwrap();
    monitor.once(&|event| panic!("{event:?}"), &|_| {}).expect_err("there is no folder");
    fs::rename(&aside, &folder).unwrap();
    let told = Mutex::new(Vec::new());
    let outcome = monitor.once(&|event| told.lock().unwrap().push(event.event), &|_| {}).unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!((outcome, told), (Outcome::Accuses, vec![EventKind::Fork]));
}

/// A table's name may be one that a receiver's filter takes for an attack.
#[test]
fn an_event_that_a_receiver_refuses_holds_back_no_other() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let taken = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&taken);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (mut request, mut some) = (String::new(), [0; 4096]);
            while !request.ends_with('}') {
                let read = stream.read(&mut some).unwrap();
                request.push_str(std::str::from_utf8(&some[..read]).unwrap());
            }
            let is_refused = request.contains(r#""index":4,"#);
            let status = if is_refused { "403 Forbidden" } else { "200 OK" };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            if !is_refused {
                kept.lock().unwrap().push(request.split("\r\n\r\n").last().unwrap().to_owned());
            }
        }
    });
    let watch = Watch::new(None);
    let mut log = dealt(&[("lucky", 3)]);
    log.append_bytes(b"refused");
    log.append_bytes(b"taken");
    watch.serve(&log);
    let logs = [watch.log.clone()];
    for _ in 0..2 {
        let webhook = Webhook::new(&url, WebhookLimits::default()).unwrap();
        let mut monitor = Monitor::open(&logs, &watch.options, Some(webhook)).unwrap();
        monitor.once(&|_| {}, &|says| panic!("{says}")).unwrap();
    }
    let taken = taken.lock().unwrap();
    assert_eq!(taken.len(), 1, "{taken:?}");
    assert!(taken[0].contains(r#""index":5,"#), "{taken:?}");
}

#[test]
fn what_was_found_once_counts_also_while_the_log_cannot_be_read() {
    let watch = Watch::new(None);
    let mut log = dealt(&[("lucky", 3)]);
    log.append_bytes(b"nonsense");
    watch.serve(&log);
    assert_eq!(watch.tells(Outcome::Accuses).event, EventKind::Finding);
    fs::remove_dir_all(watch.path("log")).unwrap();
    let (outcome, told) = watch.look();
    assert_eq!((outcome, told[0].code), (Outcome::Accuses, "unreachable"));
}

#[test]
fn a_host_that_fails_in_another_way_each_time_is_told_all_the_same() {
    let mut watch = Watch::new(None);
    watch.options.patience = 3;
    let log = dealt(&[("lucky", 3)]);
    watch.serve(&log);
    watch.finds_nothing();
    let mut told = 0;
    for look in 0..6 {
        watch.serve(&log);
        let checkpoint = watch.path("log").join("checkpoint");
        if look % 2 == 0 {
            fs::remove_file(checkpoint).unwrap();
        } else {
            fs::write(checkpoint, log.checkpoint().replace('A', "B")).unwrap();
        }
        let (outcome, events) = watch.look();
        assert_eq!(outcome, Outcome::NotJudged);
        assert!(events.iter().all(|event| event.event == EventKind::Warning), "{events:?}");
        told += events.len();
        pass(1);
    }
    assert!(told > 0, "for six looks nothing was judged");
}

#[test]
fn one_witness_with_a_wrong_clock_does_not_end_the_warning_that_they_are_late() {
    let watch = Watch::new(None).under(&policy(2, 3));
    let mut log = dealt(&[("lucky", 3)]);
    let second = START / 1000 + 3600;
    let note = log.cosigned_checkpoint(&[(1, second), (2, 253_402_300_799)]);
    watch.serve(&log);
    fs::write(watch.path("log").join("checkpoint"), note).unwrap();
    watch.finds_nothing();
    pass(1000);
    log.time = second * 1000;
    log.reveal(&counting_seed(0));
    watch.serve(&log);
    assert_eq!(watch.tells(Outcome::Holds).code, "quorum-lost");
    pass(900_000);
    let late = watch.tells(Outcome::Holds);
    assert_eq!(late.code, "witness-late");
    // It is not over because nothing is new.
    watch.finds_nothing();
    assert_eq!(late.log, format!("{}+{}", paper_key().name(), paper_key().id()));
}
