//! `fairdeal monitor` as a process: an operator with two ledgers and one key, kill -9, a webhook
//! that fails, numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tools::paper::{PaperLog, counting_seed};

use crate::server::{Server, send};

fn fairdeal(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1");
    command
}

pub(crate) fn ends(dir: &Path, line: &str, code: i32) -> String {
    let Output { status, stdout, stderr } =
        fairdeal(dir).args(line.split(' ')).output().expect("fairdeal ends");
    let stderr = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(code), "{line}: {stderr}");
    String::from_utf8(stdout).expect("UTF-8")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// Two ledgers with one key: `ours` and `theirs` are one log of four entries, then two logs.
pub(crate) fn equivocating(ours: u32, theirs: u32) -> TempDir {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    ends(at, "init ours --origin cards.example/log", 0);
    ends(at, "log-key --ledger ours -o log.key", 0);
    ends(at, "commit --ledger ours --table main --draw 5 --rounds 40", 0);
    for _ in 0..3 {
        ends(at, "deal --ledger ours --table main --client alice=lucky", 0);
    }
    let copied = Command::new("cp").args(["-a", "ours", "theirs"]).current_dir(at).status();
    assert!(copied.expect("cp").success());
    // The ledger asks for this where a folder is a copy, and the operator lies: both go on.
    fs::copy(at.join("ours/public/checkpoint"), at.join("common.note")).expect("copied");
    ends(at, "republish theirs --against common.note", 0);
    for (ledger, rounds) in [("ours", ours), ("theirs", theirs)] {
        for _ in 0..rounds {
            ends(at, &format!("deal --ledger {ledger} --table main --client alice={ledger}"), 0);
        }
    }
    dir
}

/// The evidence that events name.
pub(crate) fn evidence(told: &[Value]) -> Vec<String> {
    told.iter().filter_map(|one| one["evidence"].as_str()).map(str::to_owned).collect()
}

/// A server of one of several folders, by number.
fn switched(folders: Vec<PathBuf>) -> (Server, Arc<Mutex<usize>>) {
    let which = Arc::new(Mutex::new(0));
    let asked = Arc::clone(&which);
    let server = Server::new(move |path, stream| {
        let folder = &folders[*asked.lock().expect("nobody panicked")];
        match fs::read(folder.join(path.trim_start_matches('/'))) {
            Ok(bytes) => send(stream, "200 OK", "", &bytes),
            Err(_) => send(stream, "404 Not Found", "", b""),
        }
    });
    (server, which)
}

#[test]
fn an_operator_with_two_ledgers_and_one_key_is_caught_when_it_serves_the_other_one() {
    for (ours, theirs) in [(2, 2), (2, 3), (1, 0)] {
        let dir = equivocating(ours, theirs);
        let at = dir.path();
        let (server, which) = switched(vec![at.join("ours/public"), at.join("theirs/public")]);
        let line = format!("monitor {} --key log.key --state st --once --json", server.url());
        let told = lines(&ends(at, &line, 0));
        assert_eq!(
            (told.len(), &told[0]["event"], &told[0]["code"]),
            (1, &"judged".into(), &"holds".into())
        );
        *which.lock().expect("nobody panicked") = 1;
        // An older copy is no fork.
        let is_fork = theirs > 0;
        let told = lines(&ends(at, &line, if is_fork { 1 } else { 3 }));
        assert_eq!(told[0]["code"], if is_fork { "inconsistent" } else { "rolled-back" });
        for file in evidence(&told) {
            let says = ends(at, &format!("verify {file} --key log.key --json"), 1);
            let verdict: Value = serde_json::from_str(&says).expect("an object");
            assert_eq!(verdict["findings"][0]["code"], "inconsistent", "{verdict}");
            assert_eq!(verdict["state"], "caught");
        }
        assert_eq!(evidence(&told).len(), usize::from(is_fork));
    }
}

#[test]
fn an_operator_with_two_ledgers_and_one_key_is_caught_by_what_others_were_given() {
    let dir = equivocating(2, 3);
    let at = dir.path();
    ends(at, "checkpoint theirs --key log.key -o theirs.note", 0);
    ends(at, "receipt --ledger ours --table main 4 -o ours.json", 0);
    for (log, with) in [("ours", "theirs"), ("theirs", "ours"), ("theirs", "ours.json")] {
        let line = format!("monitor {log} --key log.key --state {log}-{with} --once --json");
        ends(at, &line, 0);
        let told = lines(&ends(at, &format!("{line} --compare {with}"), 1));
        assert_eq!(evidence(&told).len(), 1, "{told:?}");
    }
    // A larger checkpoint is kept, until the log is as large.
    let line = "monitor ours --key log.key --state note --once --json";
    ends(at, &format!("{line} --compare theirs.note"), 0);
    ends(at, "deal --ledger ours --table main --client alice=ours", 0);
    assert_eq!(evidence(&lines(&ends(at, &format!("{line} --compare theirs.note"), 1))).len(), 1);
}

#[test]
fn what_is_no_log_no_key_or_no_folder_is_a_wrong_command_line() {
    let dir = equivocating(0, 0);
    let at = dir.path();
    for (words, code, says) in [
        ("log.key --key log.key --state st", 2, "expected a URL or a folder"),
        ("ours theirs --key log.key --state st", 2, "expected one for each of 2 logs"),
        ("ours theirs --key log.key --key log.key --state st", 2, "a second one of this key"),
        ("ours --key log.key --state st --every 0s", 2, "expected more than 0s"),
        ("ours --key log.key --state st --webhook nowhere", 2, "expected an http or https URL"),
        ("ours --key log.key --state st --compare nowhere", 3, "expected a log or a file"),
        ("ours --key log.key --state log.key", 3, "--state log.key"),
        ("nowhere --key log.key --state other", 3, ""),
    ] {
        let mut words: Vec<&str> = words.split(' ').collect();
        words.insert(0, "monitor");
        words.push("--once");
        let Output { status, stderr, .. } = fairdeal(at).args(&words).output().expect("it ends");
        let stderr = String::from_utf8_lossy(&stderr);
        let is_every = words.contains(&"--every");
        assert_eq!(status.code(), Some(code), "{words:?}: {stderr}");
        assert!(is_every || stderr.contains(says), "{words:?}: {stderr}");
    }
}

/// A monitor that runs until it is dropped. Its lines are read.
struct Running(Child, BufReader<std::process::ChildStdout>);

impl Running {
    fn new(dir: &Path, words: &str) -> Self {
        let mut command = fairdeal(dir);
        command.arg("monitor").args(words.split(' ')).args(["--key", "log.key", "--json"]);
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = piped.expect("fairdeal starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        Self(child, stdout)
    }

    /// The next event of this kind.
    fn next(&mut self, kind: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.1.read_line(&mut line).expect("a line") > 0, "it ended");
            let event: Value = serde_json::from_str(&line).expect("an object");
            if event["event"] == kind {
                return event;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A log that breaks a rule with every fourth deal: a round is skipped.
struct Cheating {
    log: PaperLog,
    commit: Box<fairdeal::record::entry::Commit>,
    nonce: u64,
}

impl Cheating {
    /// Published in the folder `log`, with its key beside it. It began an hour ago.
    fn new(dir: &Path, deals: u64) -> Self {
        let mut log = PaperLog::new("cards.example/log", 7);
        let now = fs::metadata(dir).and_then(|about| about.modified()).expect("a time");
        let now = now.duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis();
        log.time = u64::try_from(now).expect("a time") - 3_600_000;
        let (_, commit) = log.commit(&counting_seed(0), |_| {});
        fs::create_dir(dir.join("log")).expect("made");
        fs::write(dir.join("log.key"), log.key().to_text()).expect("written");
        let mut cheating = Self { log, commit, nonce: 0 };
        cheating.grow(deals, &dir.join("log"));
        cheating
    }

    fn grow(&mut self, by: u64, place: &Path) {
        for _ in 0..by {
            let skipped = self.nonce + u64::from(self.log.size().is_multiple_of(4)) * 50;
            self.log.deal(&self.commit, &counting_seed(0).mac(), skipped, &[("alice", "lucky")]);
            self.nonce += u64::from(skipped == self.nonce);
        }
        // The checkpoint last, and each file whole, as a ledger publishes.
        let mut files = self.log.files();
        let checkpoint = files.remove("checkpoint").expect("a checkpoint");
        tools::paper::write_files(place, &files);
        fs::write(place.join("new"), checkpoint).expect("written");
        fs::rename(place.join("new"), place.join("checkpoint")).expect("renamed");
    }
}

type Found = BTreeSet<(String, u64)>;

fn found_in(events: &[Value]) -> Found {
    let findings = events.iter().filter(|one| one["event"] == "finding");
    let found = findings.map(|one| {
        (one["code"].as_str().expect("a code").to_owned(), one["index"].as_u64().expect("a place"))
    });
    found.collect()
}

#[test]
fn a_monitor_killed_at_any_point_finds_what_one_audit_finds_and_loses_no_event() {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    let mut cheating = Cheating::new(at, 3);
    let rounds = tools::cases(25, 300);
    for round in 0..u64::try_from(rounds).expect("few") {
        let mut running = fairdeal(at)
            .args("monitor log --key log.key --state st --every 1s --json".split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("fairdeal starts");
        // From before it has opened anything until after it has written all.
        thread::sleep(Duration::from_millis(round * 37 % 90));
        running.kill().expect("it runs");
        running.wait().expect("it ended");
        cheating.grow(5, &at.join("log"));
    }
    ends(at, "monitor log --key log.key --state st --once", 1);
    let told = lines(&fs::read_to_string(at.join("st/events.ndjson")).expect("the journal"));
    let audit = ends(at, "audit log --key log.key --json", 1);
    let audit: Value = serde_json::from_str(&audit).expect("an object");
    let audited: Found = audit["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["code"].as_str().unwrap().to_owned(), one["index"].as_u64().unwrap()))
        .collect();
    assert!(audited.len() > rounds, "{}", audited.len());
    assert_eq!(found_in(&told), audited);
    // One that was told twice has one id.
    let mut ids: BTreeMap<(String, u64), BTreeSet<String>> = BTreeMap::new();
    for one in told.iter().filter(|one| one["event"] == "finding") {
        let what = (one["code"].as_str().unwrap().to_owned(), one["index"].as_u64().unwrap());
        ids.entry(what).or_default().insert(one["id"].as_str().unwrap().to_owned());
    }
    assert!(ids.values().all(|ids| ids.len() == 1));
    // An uninterrupted monitor says the same.
    let told = lines(&ends(at, "monitor log --key log.key --state other --once --json", 1));
    assert_eq!(found_in(&told), audited);
}

/// Takes posts, and answers each as `answer` says; keeps their bodies.
fn receiver(
    answer: impl Fn(usize, &mut TcpStream) + Send + 'static,
) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let posts: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = Arc::clone(&posts);
    thread::spawn(move || {
        for (nth, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { return };
            let mut lines = BufReader::new(stream.try_clone().expect("a second handle"));
            let (mut length, mut line) = (0, String::new());
            while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
                let lower = line.to_ascii_lowercase();
                if let Some(text) = lower.strip_prefix("content-length:") {
                    length = text.trim().parse().expect("a length");
                }
                line.clear();
            }
            let mut body = vec![0; length];
            if length > 0 && lines.read_exact(&mut body).is_ok() {
                let event = serde_json::from_slice(&body).expect("an event");
                kept.lock().expect("nobody panicked").push(event);
            }
            answer(nth, &mut stream);
        }
    });
    (url, posts)
}

fn answered(stream: &mut TcpStream, status: &str) {
    let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

#[test]
fn a_webhook_that_fails_and_closes_gets_every_event_in_order_in_the_end() {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    let _log = Cheating::new(at, 9);
    let (url, posts) = receiver(|nth, stream| match nth {
        0 | 2 => answered(stream, "500 Internal Server Error"),
        1 => {} // closed without an answer
        3 => answered(stream, "302 Found"),
        _ => answered(stream, "204 No Content"),
    });
    let line = format!("monitor log --key log.key --state st --once --json --webhook {url}");
    let told = lines(&ends(at, &line, 1));
    for _ in 0..4 {
        ends(at, &line, 1);
    }
    let ids = |events: &[Value]| -> Vec<String> {
        let mut ids: Vec<String> =
            events.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        ids.dedup();
        ids
    };
    let told: Vec<Value> = told.into_iter().filter(|one| one["event"] != "judged").collect();
    assert!(told.len() > 1);
    assert_eq!(ids(&posts.lock().expect("nobody panicked")), ids(&told));
    // Nothing waits: nothing is posted again.
    let before = posts.lock().expect("nobody panicked").len();
    ends(at, &line, 1);
    assert_eq!(posts.lock().expect("nobody panicked").len(), before);
}

#[test]
fn a_webhook_that_hangs_holds_up_nothing_and_the_numbers_say_so() {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    let mut cheating = Cheating::new(at, 5);
    let held: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
    let (url, _) = receiver(move |_, stream| {
        held.lock().expect("nobody panicked").push(stream.try_clone().expect("a handle"));
    });
    let free = TcpListener::bind("127.0.0.1:0").and_then(|one| one.local_addr()).expect("a port");
    let words = format!("log --state st --every 1s --webhook {url} --metrics {free}");
    let mut running = Running::new(at, &words);
    assert_eq!(running.next("finding")["code"], "nonce-gap");
    running.next("judged");
    for _ in 0..3 {
        cheating.grow(4, &at.join("log"));
        assert_eq!(running.next("finding")["code"], "nonce-gap");
        assert_eq!(running.next("judged")["size"], cheating.log.size());
    }
    let numbers = |path: &str| {
        let mut stream = TcpStream::connect(free).expect("it listens");
        // At once: who stops in the middle for a second is cut off, as a busy machine would do it.
        let asked = format!("GET {path} HTTP/1.1\r\nHost: {free}\r\n\r\n");
        stream.write_all(asked.as_bytes()).expect("asked");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    };
    let text = numbers("/metrics");
    let log = format!("{}+{}", cheating.log.key().name(), cheating.log.key().id());
    for line in [
        format!("fairdeal_monitor_entries{{log=\"{log}\"}} {}", cheating.log.size()),
        format!("fairdeal_monitor_findings{{log=\"{log}\",code=\"nonce-gap\"}}"),
        format!("fairdeal_monitor_judged{{log=\"{log}\"}} 1"),
        "fairdeal_monitor_webhook_waiting ".to_owned(),
        format!("fairdeal_monitor_checkpoint_age_seconds{{log=\"{log}\"}}"),
        format!("fairdeal_monitor_last_success_seconds{{log=\"{log}\"}}"),
        "fairdeal_monitor_events_total{".to_owned(),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert!(numbers("/other").starts_with("HTTP/1.1 404"));
    // SIGTERM ends it in order, although the webhook hangs.
    let stopped = Command::new("kill").arg(running.0.id().to_string()).status().expect("kill");
    assert!(stopped.success() && running.0.wait().expect("it ends").success());
}
