//! `fairdeal witness serve` as a process: killed at any moment, two at once, its list read again.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fairdeal::log::{
    AddCheckpoint, Checkpoint, MemoryLog, Signature, SignedCheckpoint, SignerKey, WitnessKey,
};
use serde_json::Value;

/// A witness that is killed when dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) url: String,
    pub(crate) key: WitnessKey,
}

impl Running {
    /// Takes the first line that a witness with `--json` prints.
    pub(crate) fn of(mut child: Child) -> Self {
        let mut first = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut first).expect("a line");
        let known: Value = serde_json::from_str(&first).unwrap_or_else(|_| panic!("{first:?}"));
        let text = |name: &str| known[name].as_str().expect("text").to_owned();
        let key = WitnessKey::parse(&text("key")).expect("a key");
        Self { child, url: text("listening"), key }
    }

    fn start(dir: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(["witness", "serve", "w", "--listen", "127.0.0.1:0", "--json"]);
        command.args(["--rate", "1000000", "--burst", "1000000"]).current_dir(dir);
        Self::of(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts"))
    }

    /// Ends it without a word.
    fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its status, its media type, its body.
pub(crate) type Got = (u16, String, String);

/// A client with connections of its own.
pub(crate) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(20))).build().into()
}

/// `None` where the witness broke off.
pub(crate) fn ask(agent: &ureq::Agent, url: &str, body: &str) -> Option<Got> {
    let mut answer = agent.post(format!("{url}/add-checkpoint")).send(body).ok()?;
    let kind = answer.headers().get("content-type")?.to_str().ok()?.to_owned();
    Some((answer.status().as_u16(), kind, answer.body_mut().read_to_string().ok()?))
}

/// A log, and a second view of it that its operator shows to others.
pub(crate) struct Log {
    pub(crate) signer: SignerKey,
    views: [MemoryLog; 2],
}

impl Log {
    pub(crate) fn new(number: u8, size: u64) -> Self {
        let name = format!("log{number}.example").parse().expect("a name");
        let signer = SignerKey::from_seed(name, &[number; 32]);
        let mut views = [MemoryLog::new(), MemoryLog::new()];
        for entry in 0..size {
            views[0].append(entry.to_be_bytes());
            views[1].append([entry.to_be_bytes(), [7; 8]].concat());
        }
        Self { signer, views }
    }

    /// The request for a size of a view, with the proof from an old size.
    pub(crate) fn body(&self, view: usize, old_size: u64, size: u64) -> String {
        let mut tree = MemoryLog::new();
        for entry in self.views[view].entries().iter().take(usize::try_from(size).expect("small")) {
            tree.append(entry.as_slice());
        }
        let note = tree.checkpoint(&self.signer).expect("its own name").to_text();
        let checkpoint = SignedCheckpoint::parse(&note).expect("a checkpoint");
        let proof = tree.consistency_proof(old_size).unwrap_or_default();
        AddCheckpoint { old_size, proof, checkpoint }.to_text()
    }
}

/// The text that a request asks to sign.
pub(crate) fn text_of(body: &str) -> String {
    AddCheckpoint::parse(body).expect("a request").checkpoint.note().text().to_owned()
}

pub(crate) fn verify(key: &WitnessKey, line: &str, text: &str) -> u64 {
    let line = Signature::parse(line.strip_suffix('\n').expect("a line")).expect("a signature");
    key.verify_cosignature(&line, text).expect("it verifies")
}

fn run(dir: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    let output =
        command.current_dir(dir).env("NO_COLOR", "1").args(words).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with a witness of these logs.
fn folder(logs: &[Log]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let made = run(dir.path(), &["witness", "init", "w", "--name", "witness.example/w1"]);
    assert_eq!(made.0, Some(0), "{}", made.1);
    let keys: Vec<String> = logs.iter().map(|log| log.signer.verifier().to_text()).collect();
    std::fs::write(dir.path().join("w/logs"), keys.join("\n")).expect("written");
    dir
}

#[test]
fn no_kill_gives_two_roots_to_a_size_or_takes_a_cosignature_back() {
    const LAST: u64 = 10_000;
    let logs: Vec<Log> = (1..=3).map(|number| Log::new(number, LAST)).collect();
    let dir = folder(&logs);
    // What left, by log: each text once, in the order in which a client had it.
    let signed: Vec<Mutex<Vec<Checkpoint>>> = logs.iter().map(|_| Mutex::default()).collect();
    let newest = |log: usize| {
        let signed = signed[log].lock().expect("no panic");
        signed.iter().map(Checkpoint::size).max().unwrap_or_default()
    };
    for moment in (0_u64..).take(tools::cases(12, 200)) {
        let mut witness = Running::start(dir.path());
        // What left before the kill is remembered after it.
        for (number, log) in logs.iter().enumerate() {
            let (status, kind, size) =
                ask(&agent(), &witness.url, &log.body(0, LAST, LAST)).expect("an answer");
            if newest(number) > 0 {
                assert_eq!((status, kind.as_str()), (409, "text/x.tlog.size"), "{size}");
                let size: u64 = size.trim_end().parse().expect("a size");
                assert!(size >= newest(number), "{size} {}", newest(number));
            }
        }
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for client in 0..12_usize {
                let (number, view) = (client % 3, client / 3 % 2);
                let (log, signed, over, witness) =
                    (&logs[number], &signed[number], &over, &witness);
                let (url, key) = (witness.url.clone(), witness.key.clone());
                scope.spawn(move || {
                    let (agent, mut old) = (agent(), 0);
                    while !over.load(Ordering::Relaxed) && old < LAST {
                        let body = log.body(view, old, old + 1);
                        let Some((status, kind, answer)) = ask(&agent, &url, &body) else { break };
                        match (status, kind.as_str()) {
                            (200, _) => {
                                let text = text_of(&body);
                                verify(&key, &answer, &text);
                                let checkpoint = Checkpoint::parse(&text).expect("a checkpoint");
                                signed.lock().expect("no panic").push(checkpoint);
                                old += 1;
                            }
                            (409, "text/x.tlog.size") => {
                                old = answer.trim_end().parse().expect("a size");
                            }
                            // The other view is the one that it signs.
                            (409 | 422, _) => break,
                            other => panic!("{other:?}: {answer}"),
                        }
                    }
                });
            }
            // At another moment each time: after so many cosignatures, and a while.
            let more = newest(0) + 2 + moment * 7 % 40;
            for _ in 0..20_000 {
                if newest(0) >= more {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_micros(moment * 377 % 3_000));
            witness_kill(&over, witness.child.id());
        });
        witness.kill();
        for signed in &signed {
            let mut roots = std::collections::BTreeMap::new();
            for checkpoint in signed.lock().expect("no panic").iter() {
                let before = roots.insert(checkpoint.size(), *checkpoint.root());
                assert!(before.is_none_or(|before| before == *checkpoint.root()), "{checkpoint:?}");
            }
        }
    }
    assert!(newest(0) > 24, "{:?}", [0, 1, 2].map(newest));
}

/// Kills it while its clients ask.
fn witness_kill(over: &AtomicBool, id: u32) {
    let killed = Command::new("kill").args(["-9", &id.to_string()]).status();
    assert!(killed.expect("kill").success());
    over.store(true, Ordering::Relaxed);
}

#[test]
fn a_second_process_is_refused_and_a_killed_one_leaves_no_lock() {
    let logs = [Log::new(1, 5)];
    let dir = folder(&logs);
    let mut first = Running::start(dir.path());
    let (code, says) = run(dir.path(), &["witness", "serve", "w", "--listen", "127.0.0.1:0"]);
    assert_eq!(
        (code, says.as_str()),
        (Some(3), "error: w: another process has this witness open\n")
    );
    ask(&agent(), &first.url, &logs[0].body(0, 0, 5)).expect("it still answers");
    first.kill();
    let second = Running::start(dir.path());
    let (status, _, size) = ask(&agent(), &second.url, &logs[0].body(0, 0, 5)).expect("an answer");
    assert_eq!((status, size.as_str()), (409, "5\n"));
}

#[test]
fn sighup_reads_the_list_of_logs_again_and_sigterm_ends_it_in_order() {
    let logs = [Log::new(1, 5), Log::new(2, 5)];
    let dir = folder(&logs[..1]);
    let mut witness = Running::start(dir.path());
    let (agent, other) = (agent(), logs[1].body(0, 0, 5));
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &witness.child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
    };
    assert_eq!(ask(&agent, &witness.url, &other).expect("an answer").0, 404);
    let keys: Vec<String> = logs.iter().map(|log| log.signer.verifier().to_text()).collect();
    std::fs::write(dir.path().join("w/logs"), keys.join("\n")).expect("written");
    assert_eq!(ask(&agent, &witness.url, &other).expect("an answer").0, 404, "not yet");
    signal("-HUP");
    let until = |status: u16| {
        for _ in 0..200 {
            if ask(&agent, &witness.url, &other).expect("an answer").0 == status {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("never {status}");
    };
    until(200);
    // A list with a fault changes nothing.
    std::fs::write(dir.path().join("w/logs"), "no key\n").expect("written");
    signal("-HUP");
    until(409);
    signal("-TERM");
    drop(agent);
    assert!(witness.child.wait().expect("it ends").success());
    let (code, says) = run(dir.path(), &["witness", "serve", "w", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, Some(2), "{says}");
    assert!(says.contains("w/logs: line 1: expected a verifier key"), "{says}");
}

#[test]
fn the_evidence_of_two_views_is_printed_while_the_witness_runs() {
    let logs = [Log::new(1, 9)];
    let dir = folder(&logs);
    let witness = Running::start(dir.path());
    let signed = logs[0].body(0, 0, 5);
    assert_eq!(ask(&agent(), &witness.url, &signed).expect("an answer").0, 200);
    let (same, larger) = (logs[0].body(1, 5, 5), logs[0].body(1, 5, 9));
    for (body, status) in [(&same, 409), (&larger, 422)] {
        assert_eq!(ask(&agent(), &witness.url, body).expect("an answer").0, status);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(["witness", "evidence", "w", "--json"]).current_dir(dir.path());
    let output = command.output().expect("it runs");
    assert!(output.status.success());
    let kept: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let note = |body: &str| AddCheckpoint::parse(body).expect("a request").checkpoint.to_text();
    for (number, body) in [&same, &larger].into_iter().enumerate() {
        let pair = &kept["evidence"][number];
        assert_eq!(pair["log"], "log1.example");
        assert_eq!([&pair["signed"], &pair["note"]], [&note(&signed), &note(body)]);
    }
    let proof = AddCheckpoint::parse(&larger).expect("a request").proof;
    let proof: Vec<String> = proof.iter().map(fairdeal::log::Hash::to_base64).collect();
    assert_eq!(kept["evidence"][1]["proof"], serde_json::json!(proof));
    assert_eq!(kept["evidence"][0].get("proof"), None);
}
