//! What this project adds (spec/witness.md, section 27): clocks, rates, slow clients, restarts.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use fairdeal::log::{Checkpoint, SignedCheckpoint};
use fairdeal_witness::{Rate, WitnessError, WitnessOptions, WitnessService};
use tokio::time::Instant;

use crate::client::{Log, NOW, Running, body, raw, send};

#[test]
fn a_clock_set_back_six_seconds_signs_nothing_and_one_set_back_four_no_earlier_time() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(log.body(0)).is(200);
    witness.clock.set(NOW - 6);
    let got = witness.ask(log.body(5)).is(503);
    assert_eq!(got.header("retry-after"), Some("1"));
    // A log that it has not signed for may have any time; and refusals need no clock.
    witness.ask(log.body(0)).is(409);
    witness.clock.set(NOW - 4);
    let got = witness.ask(log.body(5)).is(200);
    assert_eq!(witness.time_of(&got, &log.text()), NOW);
    // The same after a restart: the time is on the disk.
    let clock = witness.clock.clone();
    clock.set(NOW - 6);
    let witness = Running::open(witness.stop(), clock, |options| options);
    let larger = Log::of(9, 99);
    witness.ask(larger.body(5)).is(503);
    witness.clock.set(NOW - 5);
    let got = witness.ask(larger.body(5)).is(200);
    assert_eq!(witness.time_of(&got, &larger.text()), NOW);
    witness.clock.set(0);
    witness.ask(larger.body(9)).is(503);
}

#[test]
fn a_log_that_asks_too_often_is_told_when_to_come_back_and_others_are_not() {
    let (log, mut other) = (Log::of(5, 99), Log::new("other.example/log", 7));
    other.tree.append("x");
    let rate = Rate { second: 0.01, burst: 2.0 };
    let witness = Running::with(&[&log, &other], |options| WitnessOptions { rate, ..options });
    witness.ask(log.body(0)).is(200);
    for second in [1, 2] {
        witness.clock.set(NOW + second);
        witness.ask(log.body(5)).is(200);
    }
    witness.clock.set(NOW + 3);
    let got = witness.ask(log.body(5)).is(429);
    let wait: u64 = got.header("retry-after").unwrap().parse().unwrap();
    assert!((90..=101).contains(&wait), "{wait}");
    // What nobody has signed takes nothing, and a larger tree is not kept out by repeats.
    witness.ask(body("old 5", &[], &log.note().replacen("\n5\n", "\n6\n", 1))).is(403);
    witness.ask(Log::of(9, 99).body(5)).is(200);
    witness.ask(other.body(0)).is(200);
}

#[test]
fn who_repeats_public_checkpoints_keeps_no_log_from_its_cosignatures() {
    let (log, larger) = (Log::of(5, 99), Log::of(9, 99));
    let rate = Rate { second: 0.01, burst: 2.0 };
    let witness = Running::with(&[&log], |options| WitnessOptions { rate, ..options });
    witness.ask(log.body(0)).is(200);
    // The larger checkpoint is public, and this witness does not have it yet.
    for _ in 0..5 {
        assert_eq!(witness.ask(larger.body(3)).is(409).body, "5\n");
    }
    for status in [422, 422, 429, 429] {
        witness.ask(body("old 5", &[], &larger.note())).is(status);
    }
    // Nor is evidence kept out: only the log's key makes it.
    witness.ask(Log::of(9, 2).body(5)).is(422);
    let folder = witness.dir.path().join("w");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let kept = runtime.block_on(fairdeal_witness::evidence(&folder)).unwrap();
    assert_eq!(kept.len(), 1);
    let got = witness.ask(larger.body(5)).is(200);
    // The log's service starts again: it learns the size, and gets the last one signed.
    for _ in 0..5 {
        assert_eq!(witness.ask(larger.body(9)).is(200).body, got.body);
    }
    witness.ask(larger.body(0)).is(409);
    witness.clock.set(NOW + 1);
    let got = witness.ask(larger.body(9)).is(200);
    assert_eq!(witness.time_of(&got, &larger.text()), NOW + 1);
    // A clock that was set back signs the last time again, until that is too long ago.
    witness.clock.set(NOW - 4);
    assert_eq!(witness.ask(larger.body(9)).is(200).body, got.body);
    witness.clock.set(NOW - 5);
    witness.ask(larger.body(9)).is(503);
}

#[test]
fn sixteen_lines_that_name_a_log_s_key_are_verified_and_no_more() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let note = log.note();
    let (text, own) = note.split_once("\n\n").unwrap();
    let wrong = Log::of(6, 99).note();
    let wrong = wrong.split_once("\n\n").unwrap().1;
    let with = |many| body("old 0", &[], &format!("{text}\n\n{}{own}", wrong.repeat(many)));
    witness.ask(with(99)).is(403);
    witness.ask(with(16)).is(403);
    witness.ask(with(15)).is(200);
}

#[test]
fn slow_clients_are_cut_off_and_keep_nobody_waiting() {
    let log = Log::of(5, 99);
    let witness = Running::with(&[&log], |mut options| {
        options.body_time = Duration::from_secs(1);
        options.connections.header_time = Duration::from_secs(1);
        options
    });
    let start = Instant::now();
    let mut slow: Vec<TcpStream> = (0..40)
        .map(|number| {
            let mut stream = TcpStream::connect(witness.address).unwrap();
            let head = "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\n";
            stream.write_all(head.as_bytes()).unwrap();
            if number % 2 == 0 {
                stream.write_all(b"Content-Length: 300\r\n\r\nold 0\n").unwrap();
            }
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            stream
        })
        .collect();
    witness.ask(log.body(0)).is(200);
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    for (number, stream) in slow.iter_mut().enumerate() {
        let mut answer = String::new();
        let _reset = stream.read_to_string(&mut answer);
        assert_eq!(answer.starts_with("HTTP/1.1 408 "), number % 2 == 0, "{answer}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn who_finds_all_connections_taken_is_told_so() {
    let log = Log::of(5, 99);
    let witness = Running::with(&[&log], |mut options| {
        options.connections.connections = 1;
        options
    });
    let held = TcpStream::connect(witness.address).unwrap();
    let answer = raw(witness.address, b"GET /healthz HTTP/1.1\r\nHost: w\r\n\r\n").unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    drop(held);
    // The witness sees the end of a connection later than its client.
    let metrics = loop {
        match send(witness.address, "GET", "/metrics", b"") {
            Ok(got) if got.status == 200 => break got.body,
            Ok(got) => _ = got.is(503),
            Err(_reset) => {}
        }
    };
    assert!(!metrics.contains("refused_connections_total 0\n"), "{metrics}");
}

#[test]
fn a_second_process_is_refused_and_a_folder_without_its_state_too() {
    let witness = Running::of(&[&Log::of(5, 99)]);
    let folder = witness.dir.path().join("w");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let open = || runtime.block_on(WitnessService::open(&folder, WitnessOptions::default()));
    assert!(matches!(open(), Err(WitnessError::Locked(_))));
    let _dir = witness.stop();
    let witness = open().unwrap();
    runtime.block_on(witness.close());
    // A state that was lost is not made anew: it would sign another root of a size.
    std::fs::remove_file(folder.join("state.sqlite3")).unwrap();
    assert!(matches!(open(), Err(WitnessError::Database { .. })));
    assert!(!folder.join("state.sqlite3").exists());
}

#[test]
fn a_stop_answers_what_is_under_way() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let address = witness.address;
    let mut stream = TcpStream::connect(address).unwrap();
    let asked = log.body(0);
    let head = format!(
        "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {}\r\n\r\n",
        asked.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&asked.as_bytes()[..20]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let key = witness.key.clone();
    let stopping = std::thread::spawn(move || witness.stop());
    std::thread::sleep(Duration::from_millis(200));
    assert!(!stopping.is_finished());
    stream.write_all(&asked.as_bytes()[20..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let (_, line) = answer.split_once("\r\n\r\n").unwrap();
    crate::client::time_of(&key, line, &log.text());
    drop(stopping.join().unwrap());
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn many_clients_of_one_log_get_one_root_of_each_size() {
    let all: Vec<(Log, Log)> = (1..=40).map(|size| (Log::of(size, 99), Log::of(size, 0))).collect();
    let rate = Rate { second: f64::INFINITY, burst: 1.0 };
    let witness = Running::with(&[&all[0].0], |options| WitnessOptions { rate, ..options });
    let signed = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for forked in [false, true, false, true] {
            let (all, signed, witness) = (&all, &signed, &witness);
            scope.spawn(move || {
                let mut old = 0;
                for (honest, fork) in all {
                    let log = if forked { fork } else { honest };
                    loop {
                        if old > log.tree.size() {
                            break;
                        }
                        let got = witness.ask(log.body(old));
                        match got.status {
                            200 => {
                                witness.time_of(&got, &log.text());
                                signed.lock().unwrap().push(log.text());
                                old = log.tree.size();
                                break;
                            }
                            409 if got.header("content-type") == Some("text/x.tlog.size") => {
                                old = got.body.trim_end().parse().unwrap();
                            }
                            _ => break,
                        }
                    }
                }
            });
        }
    });
    let signed = signed.into_inner().unwrap();
    let mut roots = std::collections::BTreeMap::new();
    for text in &signed {
        let checkpoint = Checkpoint::parse(text).unwrap();
        let before = roots.insert(checkpoint.size(), *checkpoint.root());
        assert!(before.is_none_or(|before| before == *checkpoint.root()), "{text}");
    }
    assert!(roots.contains_key(&40), "{roots:?}");
}

#[test]
fn the_list_of_logs_is_read_again_and_a_wrong_one_changes_nothing() {
    let (log, mut other) = (Log::of(5, 99), Log::new("other.example/log", 7));
    other.tree.append("x");
    let dir = Running::of(&[&log]).stop();
    let folder = dir.path().join("w");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let witness = WitnessService::open(&folder, WitnessOptions::default()).await.unwrap();
        let reload = witness.reload();
        assert_eq!(witness.add_checkpoint(other.body(0).as_bytes()).await.status, 404);
        std::fs::write(folder.join("logs"), "no key\n").unwrap();
        assert!(matches!(reload(), Err(WitnessError::Logs { line: 1, .. })));
        assert_eq!(witness.add_checkpoint(log.body(0).as_bytes()).await.status, 200);
        std::fs::write(folder.join("logs"), format!("# one\n{}\n", other.vkey())).unwrap();
        assert_eq!(reload().unwrap(), 1);
        assert_eq!(witness.add_checkpoint(other.body(0).as_bytes()).await.status, 200);
        assert_eq!(witness.add_checkpoint(log.body(5).as_bytes()).await.status, 404);
        // What was signed is remembered.
        std::fs::write(folder.join("logs"), format!("{}\n{}\n", log.vkey(), other.vkey())).unwrap();
        assert_eq!(reload().unwrap(), 2);
        assert_eq!(witness.add_checkpoint(log.body(0).as_bytes()).await.status, 409);
        witness.close().await;
    });
    let note = SignedCheckpoint::parse(&log.note()).unwrap();
    assert_eq!(note.unverified().size(), 5);
}
